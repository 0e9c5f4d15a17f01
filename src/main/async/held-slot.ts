/**
 * What a task holds: first a place among those that prepare their work, then a slot while it works. Either is parked (freed
 * for another task) while the task waits, and then acquired again.
 */
import { cancellation } from './cancel.ts';
import type { Slots } from './slots.ts';

export type HeldSlot = {
  /**
   * Acquires a slot instead of the place; does nothing if the task has one. Of the tasks that wait, the one with the lowest
   * `order` is next. Errors: `app/cancelled`.
   */
  readonly take: (order: number) => Promise<void>;
  /**
   * Frees the place or slot while the task waits only for time; the answered function acquires it again. Undefined if too
   * many tasks are parked: it is kept.
   */
  readonly tryPark: () => (() => Promise<void>) | undefined;
  /** The same, however many are parked: for a task that waits for another one, which may need this very slot. */
  readonly park: () => () => Promise<void>;
  /** Whether the task is parked, or waits for a place or a slot. */
  readonly isParked: () => boolean;
  /** Releases the place or slot, parked or not. A second call does nothing. */
  readonly release: () => void;
};

type HeldSlotOptions = {
  readonly places: Pick<Slots, 'acquire'>;
  readonly slots: Pick<Slots, 'acquire'>;
  /** How many tasks may wait without a place or slot. */
  readonly parked: Pick<Slots, 'tryAcquire'>;
  /** Aborted when a task without a slot is to give up. */
  readonly waitSignal: AbortSignal;
  /** Aborted when every task is to give up. */
  readonly signal: AbortSignal;
};

/** `leave` frees the task's present place. */
export const createHeldSlot = (options: HeldSlotOptions, leave: () => void): HeldSlot => {
  const { places, slots, parked, waitSignal, signal } = options;
  let held = { of: places, signal: waitSignal, order: 0 };
  let release = leave;
  let isParked = false;

  /** Waits for what is wanted; `free` then frees what was held meanwhile. */
  const acquire = async (wanted: typeof held, until: AbortSignal, free: () => void): Promise<void> => {
    isParked = true;
    const acquired = await wanted.of.acquire(until, wanted.order);
    if (!acquired) throw cancellation(until);
    free();
    held = wanted;
    release = acquired;
    isParked = false;
  };
  /** `unpark` releases the parked slot. */
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
