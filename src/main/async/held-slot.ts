/** The slot that a file holds while it is sent: given to another while the file waits, taken again after. */
import { cancellation } from './cancel.ts';
import type { Slots } from './slots.ts';

export type HeldSlot = {
  /**
   * Frees the slot while the file waits for nothing but time; the answered function waits for another. Undefined where
   * too many are parked already: the slot is kept.
   */
  readonly tryPark: () => (() => Promise<void>) | undefined;
  /** The same, however many are parked: for a file that waits for another one, which may need this very slot. */
  readonly park: () => () => Promise<void>;
  /** The file needs no slot any more, wherever it is; once more does nothing. */
  readonly release: () => void;
};

/** `free` frees the slot that the file has of `slots`; `parked`: as many as may wait without one. */
export const createHeldSlot = (
  slots: Pick<Slots, 'acquire'>,
  free: () => void,
  parked: Pick<Slots, 'tryAcquire'>,
  signal: AbortSignal,
): HeldSlot => {
  let release = free;
  /** `unpark` ends what the file is counted as meanwhile. */
  const parkUntil = (unpark: () => void) => {
    release();
    release = unpark;
    return async (): Promise<void> => {
      const again = await slots.acquire(signal);
      if (!again) throw cancellation(signal);
      unpark();
      release = again;
    };
  };
  return {
    tryPark: () => {
      const unpark = parked.tryAcquire();
      return unpark && parkUntil(unpark);
    },
    park: () => parkUntil(() => {}),
    release: () => {
      release();
      release = () => {};
    },
  };
};
