/** One at a time for each key. */

/** Waits for the key's turn; the caller releases it with the answered function. */
export type KeyedLock = (key: string) => Promise<() => void>;

export const createKeyedLock = (): KeyedLock => {
  const tails = new Map<string, Promise<void>>();
  return async (key) => {
    const before = tails.get(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    tails.set(key, promise);
    await before;
    return () => {
      if (tails.get(key) === promise) tails.delete(key);
      resolve();
    };
  };
};
