/** One at a time for each key. */
import { orCancelled } from './cancel.ts';

/** Both answer the function that releases the key. */
export type KeyedLock = {
  /** Undefined where somebody has the key, or waits for it. */
  readonly tryTake: (key: string) => (() => void) | undefined;
  /** Waits for the key's turn. Rejects with the cancellation of `signal`; the turn then passes on to whoever waits behind. */
  readonly take: (key: string, signal: AbortSignal) => Promise<() => void>;
};

/** A lock whose keys are all free. Those who wait for a key get it in the order they came. */
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
