/** The slot that a task holds while it works: parked (freed for another task) while it waits, then acquired again. */
import { cancellation } from './cancel.ts';
import type { Slots } from './slots.ts';

export type HeldSlot = {
  /**
   * Frees the slot while the task waits only for time; the answered function acquires a slot again. Undefined if too many
   * tasks are parked: the slot is kept.
   */
  readonly tryPark: () => (() => Promise<void>) | undefined;
  /** The same, however many are parked: for a task that waits for another one, which may need this very slot. */
  readonly park: () => () => Promise<void>;
  /** Whether the task is parked, or waits to acquire a slot again. */
  readonly isParked: () => boolean;
  /** Releases the slot, parked or not. A second call does nothing. */
  readonly release: () => void;
};

/** `free` frees the task's present slot of `slots`; `parked`: how many tasks may wait without one. */
export const createHeldSlot = (
  slots: Pick<Slots, 'acquire'>,
  free: () => void,
  parked: Pick<Slots, 'tryAcquire'>,
  signal: AbortSignal,
): HeldSlot => {
  let release = free;
  let isParked = false;
  /** `unpark` releases the parked slot. */
  const parkUntil = (unpark: () => void) => {
    release();
    release = unpark;
    isParked = true;
    return async (): Promise<void> => {
      const again = await slots.acquire(signal);
      if (!again) throw cancellation(signal);
      unpark();
      release = again;
      isParked = false;
    };
  };
  return {
    tryPark: () => {
      const unpark = parked.tryAcquire();
      return unpark && parkUntil(unpark);
    },
    park: () => parkUntil(() => {}),
    isParked: () => isParked,
    release: () => {
      release();
      release = () => {};
    },
  };
};
