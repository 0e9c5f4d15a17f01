/**
 * The place or slot that a task holds: first a place while it prepares its work, then a slot while it works. While the task
 * waits, either can be parked: it is freed for another task, and acquired again afterwards.
 */
import { cancellation } from './cancel.ts';
import type { Slots } from './slots.ts';

export type HeldSlot = {
  /**
   * Waits for a slot, and then frees the place; does nothing if the task already has a slot. Of the waiting tasks, the one
   * with the lowest `order` is next. Errors: `app/cancelled`.
   */
  readonly take: (order: number) => Promise<void>;
  /**
   * Parks the place or slot while the task waits for time to pass; the returned function acquires it again. Undefined if too
   * many tasks are parked: the task keeps what it holds.
   */
  readonly tryPark: () => (() => Promise<void>) | undefined;
  /** The same, however many tasks are parked: for a task that waits for another one, which may need this slot. */
  readonly park: () => () => Promise<void>;
  /** Whether the task is parked, or waits for a place or a slot. */
  readonly isParked: () => boolean;
  /** Releases the place or slot, parked or not. A second call does nothing. */
  readonly release: () => void;
};

type HeldSlotOptions = {
  readonly places: Pick<Slots, 'acquire'>;
  readonly slots: Pick<Slots, 'acquire'>;
  /** Limits how many tasks may be parked. */
  readonly parked: Pick<Slots, 'tryAcquire'>;
  /** Aborted when tasks that never had a slot are to give up. */
  readonly waitSignal: AbortSignal;
  /** Aborted when all tasks are to give up. */
  readonly signal: AbortSignal;
};

/** For a task that has a place, which `leave` frees. */
export const createHeldSlot = (options: HeldSlotOptions, leave: () => void): HeldSlot => {
  const { places, slots, parked, waitSignal, signal } = options;
  let held = { of: places, signal: waitSignal, order: 0 };
  let release = leave;
  let isParked = false;

  /** Waits for a place or slot; then `free` frees what the task held during the wait. */
  const acquire = async (wanted: typeof held, until: AbortSignal, free: () => void): Promise<void> => {
    isParked = true;
    const acquired = await wanted.of.acquire(until, wanted.order);
    if (!acquired) throw cancellation(until);
    free();
    held = wanted;
    release = acquired;
    isParked = false;
  };
  /** `unpark`: the task no longer counts as parked. */
  const parkUntil = (unpark: () => void) => {
    release();
    release = unpark;
    isParked = true;
    return (): Promise<void> => acquire(held, held.signal, unpark);
  };
  return {
    take: async (order) => {
      if (held.of !== slots) await acquire({ of: slots, signal, order }, waitSignal, release);
    },
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
