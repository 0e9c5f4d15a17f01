/** Runs what it is given: the first at once, each later one after a pause. The returned function gives it up. */
export type AfterTyping = (run: () => void) => () => void;

/** The pause begins with each `run` anew, so of those given up in time none runs. */
export const createAfterTyping = (pauseMs: number): AfterTyping => {
  let hasRun = false;
  return (run) => {
    const timer = setTimeout(
      () => {
        hasRun = true;
        run();
      },
      hasRun ? pauseMs : 0,
    );
    return () => clearTimeout(timer);
  };
};
