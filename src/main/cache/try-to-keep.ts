import { DeskError } from '../../contract/errors.ts';

/** Runs what writes to the cache; resolves when that has ended. */
export type TryToKeep = (keep: () => Promise<void> | void) => Promise<void>;

/**
 * Keeps what the service has answered, where that works: a disk that is full, or a file in use, does not take the answer
 * from whoever asked. `onNotKept` is told why, once until keeping works again.
 */
export const createTryToKeep = (onNotKept: (error: DeskError) => void): TryToKeep => {
  let keeps = true;
  return async (keep) => {
    try {
      await keep();
      keeps = true;
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      if (keeps) onNotKept(error);
      keeps = false;
    }
  };
};
