/** Helpers for work that is requested often and runs seldom. */

/** Wraps `work` for a timer or an event, which cannot handle errors: `onError` receives them. */
export const reporting =
  (work: () => void, onError: (error: unknown) => void): (() => void) =>
  () => {
    try {
      work();
    } catch (error) {
      onError(error);
    }
  };

/**
 * Creates a throttle: `action` runs `intervalMs` after the first request since its last run. `onError` receives the
 * errors of these runs.
 */
export const createThrottle = (action: () => void, intervalMs: number, onError: (error: unknown) => void) => {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const act = (): void => {
    clearTimeout(timer);
    timer = undefined;
    action();
  };
  return {
    request: (): void => {
      if (!ended) timer ??= setTimeout(reporting(act, onError), intervalMs).unref();
    },
    /** Runs the action one last time, immediately, and throws its errors. */
    end: (): void => {
      ended = true;
      act();
    },
  };
};

const LAZY_MS = 10;

/**
 * Creates a coalescer, for work that costs as much for many pieces as for one: `flush` receives everything that was
 * added since its last call, in order.
 */
export const createCoalescer = <T>(flush: (all: readonly T[]) => void) => {
  let added: T[] = [];
  let immediate: NodeJS.Immediate | undefined;
  let timer: NodeJS.Timeout | undefined;
  const flushAll = (): void => {
    clearImmediate(immediate);
    clearTimeout(timer);
    immediate = undefined;
    timer = undefined;
    const all = added;
    added = [];
    flush(all);
  };
  return {
    /** Adds work that is flushed at the end of this turn of the event loop. */
    add: (one: T): void => {
      added.push(one);
      immediate ??= setImmediate(flushAll);
    },
    /** Adds work that can wait: it is flushed with the next work of `add`, at the next `hurry`, or after `LAZY_MS`. */
    addLazily: (one: T): void => {
      added.push(one);
      timer ??= setTimeout(flushAll, LAZY_MS);
    },
    /** Flushes lazily added work at the end of this turn of the event loop. */
    hurry: (): void => {
      if (added.length > 0) immediate ??= setImmediate(flushAll);
    },
  };
};

/** Returns the last result if `question` is the same as in the last call; otherwise calls `ask`. */
export type LastResult<T> = (question: string, ask: () => Promise<T>) => Promise<T>;

/** Creates a cache of the last result. A result that rejects is not kept. */
export const keepLastResult = <T>(): LastResult<T> => {
  let last: { readonly question: string; readonly result: Promise<T> } | undefined;
  return (question, ask) => {
    if (last?.question === question) return last.result;
    const asked = { question, result: ask() };
    last = asked;
    asked.result.catch(() => {
      if (last === asked) last = undefined;
    });
    return asked.result;
  };
};
