/** Tasks that wait for each other: one after another, one at a time for each key, or until a change. */
import { orCancelled } from './cancel.ts';

/** A function that runs tasks one after another, in the order of the calls; a failure concerns only its caller. */
export const createSerial = (): (<T>(task: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => {});
    return result;
  };
};

/** Both calls return a function that releases the key. */
export type KeyedLock = {
  /** Undefined if the key is taken or awaited. */
  readonly tryTake: (key: string) => (() => void) | undefined;
  /** Waits for its turn. Rejects with the cancellation of `signal`; the turn then passes to the next in line. */
  readonly take: (key: string, signal: AbortSignal) => Promise<() => void>;
};

/** A lock with all keys free. Waiters for a key get it in the order of their calls. */
export const createKeyedLock = (): KeyedLock => {
  const tails = new Map<string, Promise<void>>();

  const follow = (key: string): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    tails.set(key, promise);
    return () => {
      if (tails.get(key) === promise) tails.delete(key);
      resolve();
    };
  };

  return {
    tryTake: (key) => (tails.has(key) ? undefined : follow(key)),
    take: async (key, signal) => {
      const before = tails.get(key) ?? Promise.resolve();
      const release = follow(key);
      try {
        await orCancelled(before, signal);
      } catch (error) {
        void before.then(release);
        throw error;
      }
      return release;
    },
  };
};

/** Wakes everyone who waits for a change. */
export type Condition = {
  readonly notifyAll: () => void;
  /** Resolves at the next `notifyAll`. */
  readonly wait: () => Promise<void>;
};

export const createCondition = (): Condition => {
  let next = Promise.withResolvers<void>();
  return {
    notifyAll: () => {
      next.resolve();
      next = Promise.withResolvers<void>();
    },
    wait: () => next.promise,
  };
};
