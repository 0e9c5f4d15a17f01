/** One at a time for each key. */
import { orCancelled } from '../net/cancel.ts';

/**
 * Waits for the key's turn; the caller releases it with the answered function. Rejects with the cancellation of
 * `signal`; the turn then passes on to whoever waits behind.
 */
export type KeyedLock = (key: string, signal: AbortSignal) => Promise<() => void>;

export const createKeyedLock = (): KeyedLock => {
  const tails = new Map<string, Promise<void>>();
  return async (key, signal) => {
    const before = tails.get(key) ?? Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    tails.set(key, promise);
    const release = (): void => {
      if (tails.get(key) === promise) tails.delete(key);
      resolve();
    };
    try {
      await orCancelled(before, signal);
    } catch (error) {
      void before.then(release);
      throw error;
    }
    return release;
  };
};
