import { DeskError } from '../../contract/errors.ts';

/** Runs a write to the cache; resolves when it has ended. */
export type TryToStore = (store: () => Promise<void> | void) => Promise<void>;

/**
 * Stores an answer of the service if possible: a cache failure, such as a full disk, never fails the read. `onFailure` is
 * called once with the reason, and again only after a write has succeeded.
 */
export const createTryToStore = (onFailure: (error: DeskError) => void): TryToStore => {
  let works = true;
  return async (store) => {
    try {
      await store();
      works = true;
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      if (works) onFailure(error);
      works = false;
    }
  };
};
