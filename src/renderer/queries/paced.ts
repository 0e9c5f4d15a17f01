export type Paced = {
  /** Asks for a run that starts at least `pauseMs` after the last one started: before this returns where that has passed. */
  readonly ask: (pauseMs: number) => void;
  /** Nothing runs after this; a run under way goes on. */
  readonly stop: () => void;
};

/**
 * Runs `run` when asked, never twice at once: however often it is asked while it waits or runs, it runs once more.
 * `run` must not reject.
 */
export const createPaced = (run: () => Promise<void>): Paced => {
  let startedAt = Number.NEGATIVE_INFINITY;
  let running = false;
  let stopped = false;
  let pending: { readonly timer: ReturnType<typeof setTimeout>; readonly at: number } | undefined;
  /** The pause of a run asked for while another was under way. */
  let next: number | undefined;

  const start = async (): Promise<void> => {
    clearTimeout(pending?.timer);
    pending = undefined;
    running = true;
    startedAt = Date.now();
    await run();
    running = false;
    const pauseMs = next;
    next = undefined;
    if (pauseMs !== undefined) ask(pauseMs);
  };
  const ask = (pauseMs: number): void => {
    if (stopped) return;
    if (running) {
      next = Math.min(next ?? pauseMs, pauseMs);
      return;
    }
    const at = Math.max(Date.now(), startedAt + pauseMs);
    if (pending !== undefined && pending.at <= at) return;
    const waitMs = at - Date.now();
    if (waitMs <= 0) {
      void start();
      return;
    }
    clearTimeout(pending?.timer);
    pending = { at, timer: setTimeout(start, waitMs) };
  };
  const stop = (): void => {
    stopped = true;
    clearTimeout(pending?.timer);
  };
  return { ask, stop };
};
