/** Limits how often an action runs, however often it is requested. */
type Throttle = {
  /** Requests the action: it runs within the interval. */
  readonly request: () => void;
  /** Runs the action one last time, at once. */
  readonly end: () => void;
};

/** Runs `action` at most once in `intervalMs`, at the end of it. */
export const createThrottle = (action: () => void, intervalMs: number): Throttle => {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const act = (): void => {
    clearTimeout(timer);
    timer = undefined;
    action();
  };
  return {
    request: () => {
      if (!ended) timer ??= setTimeout(act, intervalMs).unref();
    },
    end: () => {
      ended = true;
      act();
    },
  };
};
