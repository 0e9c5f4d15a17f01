/** Combines many small pieces of work into one that costs the same for one of them as for all. */
type Coalescer<T> = {
  /** Flushed at the end of this turn of the event loop. */
  readonly add: (one: T) => void;
  /** Flushed with the next one that is added, or after 10 ms. */
  readonly addLazily: (one: T) => void;
  /** What was added lazily is flushed at the end of this turn. */
  readonly hurry: () => void;
};

const LAZY_MS = 10;

/** `flush` receives everything that was added since its last call, in order. */
export const createCoalescer = <T>(flush: (all: readonly T[]) => void): Coalescer<T> => {
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
    add: (one) => {
      added.push(one);
      immediate ??= setImmediate(flushAll);
    },
    addLazily: (one) => {
      added.push(one);
      timer ??= setTimeout(flushAll, LAZY_MS);
    },
    hurry: () => {
      if (added.length > 0) immediate ??= setImmediate(flushAll);
    },
  };
};
