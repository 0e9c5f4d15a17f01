/**
 * Helpers for tasks that wait for each other: a queue, a single flight, a lock for each key, a condition, and the
 * closing of parts.
 */
import { orCancelled } from './cancel.ts';

/**
 * Creates a function that runs tasks one after another, in the order of the calls. A task that fails rejects only its
 * own call.
 */
export const createSerial = (): (<T>(task: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => {});
    return result;
  };
};

/**
 * Creates a runner of `work` whose runs do not overlap. A call of `run` during a run adds another run, because the
 * present one may have begun before the change that the call is about. Both calls settle as the last run does.
 */
export const createSingleFlight = <T>(work: () => Promise<T>) => {
  let running: Promise<T> | undefined;
  let isWanted = false;
  const runWhileWanted = async (): Promise<T> => {
    for (;;) {
      isWanted = false;
      const [last] = await Promise.allSettled([work()]);
      if (isWanted) continue;
      running = undefined;
      if (last.status === 'rejected') throw last.reason;
      return last.value;
    }
  };
  return {
    running: (): Promise<T> | undefined => running,
    run: (): Promise<T> => {
      isWanted = true;
      running ??= runWhileWanted();
      return running;
    },
  };
};

export type KeyedLock = ReturnType<typeof createKeyedLock>;

/**
 * Creates locks, one per key. `tryTake` and `take` return a function that releases the key; if it is declared with
 * `using`, the end of the block releases the key. `tryTake` returns undefined if the key is taken. Callers that wait
 * for a key get it in the order of their calls.
 */
export const createKeyedLock = () => {
  const tails = new Map<string, Promise<void>>();

  const follow = (key: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    tails.set(key, promise);
    const release = (): void => {
      if (tails.get(key) === promise) tails.delete(key);
      resolve();
    };
    return Object.assign(release, { [Symbol.dispose]: release });
  };

  return {
    tryTake: (key: string) => (tails.has(key) ? undefined : follow(key)),
    /**
     * Waits until the key is free, and takes it. Rejects with the `cancellation` of `signal` once `signal` is aborted.
     */
    take: async (key: string, signal: AbortSignal) => {
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

export type Condition = ReturnType<typeof createCondition>;

/** Creates a condition variable: tasks wait on it until another task reports a change, which wakes all of them. */
export const createCondition = () => {
  let next = Promise.withResolvers<void>();
  return {
    notifyAll: (): void => {
      next.resolve();
      next = Promise.withResolvers<void>();
    },
    wait: (): Promise<void> => next.promise,
  };
};

/** Closes parts one after another, even if some cannot be closed. Rejects with the first error. */
export const closeAll = async (closers: readonly (() => unknown)[]): Promise<void> => {
  const errors: unknown[] = [];
  for (const close of closers)
    try {
      await close();
    } catch (error) {
      errors.push(error);
    }
  if (errors.length > 0) throw errors[0];
};
