/**
 * Resources that tasks share. A task takes one of several slots, or an amount of a budget. Waiting tasks are served by
 * `order`, the lowest first. Tasks with the same `order` are served in the sequence of their calls.
 */
import { cancellation, onAbort } from './cancel.ts';

export type Slots = ReturnType<typeof createSlots>;

type Waiting = { readonly amount: number; readonly order: number; readonly serve: () => void };

/** Creates a total that tasks share. If the limit falls below what is held, tasks still keep what they hold. */
const createShares = (initial: number) => {
  let limit = initial;
  let held = 0;
  const waiting: Waiting[] = [];

  const serve = (): void => {
    for (let next = waiting[0]; next && held + next.amount <= limit; next = waiting[0]) {
      waiting.shift();
      held += next.amount;
      next.serve();
    }
  };

  const tryTake = (amount: number): boolean => {
    if (waiting.length > 0 || held + amount > limit) return false;
    held += amount;
    return true;
  };

  return {
    take: (amount: number, order: number, signal: AbortSignal): Promise<boolean> => {
      if (signal.aborted) return Promise.resolve(false);
      if (tryTake(amount)) return Promise.resolve(true);
      return new Promise((resolve) => {
        const one = {
          amount,
          order,
          serve: () => {
            stop();
            resolve(true);
          },
        };
        // The place in the queue is searched from the end, because most tasks come in order.
        waiting.splice(waiting.findLastIndex((other) => other.order <= order) + 1, 0, one);
        const stop = onAbort(signal, () => {
          waiting.splice(waiting.indexOf(one), 1);
          resolve(false);
          serve();
        });
        serve();
      });
    },
    tryTake,
    free: (amount: number): void => {
      held -= amount;
      serve();
    },
    held: () => held,
    limit: () => limit,
    setLimit: (next: number): void => {
      limit = next;
      serve();
    },
  };
};

export const createSlots = (count: number) => {
  const shares = createShares(count);
  const release = (): void => shares.free(1);
  return {
    /**
     * Waits for a free slot. Resolves to a function that frees the slot, or to undefined if `signal` is aborted first.
     * The waiting task with the lowest `order` is next.
     */
    acquire: async (signal: AbortSignal, order: number = 0): Promise<(() => void) | undefined> =>
      (await shares.take(1, order, signal)) ? release : undefined,
    /**
     * Takes a slot and returns a function that frees it. Returns undefined if no slot is free, or if a task waits for
     * one.
     */
    tryAcquire: (): (() => void) | undefined => (shares.tryTake(1) ? release : undefined),
    limit: shares.limit,
    /** Changes the number of slots. Slots in use stay in use, even if there are more of them than the new number. */
    setLimit: shares.setLimit,
    taken: shares.held,
  };
};

export type HeldSlot = ReturnType<typeof createHeldSlot>;

type HeldSlotOptions = {
  readonly places: Pick<Slots, 'acquire'>;
  readonly slots: Pick<Slots, 'acquire'>;
  readonly parked: Pick<Slots, 'tryAcquire'>;
  /** Once this signal is aborted, the tasks that still wait for their first slot give up. */
  readonly waitSignal: AbortSignal;
  readonly signal: AbortSignal;
};

/**
 * Creates the holder of one task's place or slot. The task has one of `places`, which `leave` frees, until it takes a
 * slot.
 */
export const createHeldSlot = (options: HeldSlotOptions, leave: () => void) => {
  const { places, slots, parked, waitSignal, signal } = options;
  let held = { of: places, signal: waitSignal, order: 0 };
  let release = leave;
  let isParked = false;

  const acquire = async (wanted: typeof held, until: AbortSignal, free: () => void): Promise<void> => {
    isParked = true;
    const acquired = await wanted.of.acquire(until, wanted.order);
    if (!acquired) throw cancellation(until);
    free();
    held = wanted;
    release = acquired;
    isParked = false;
  };
  /**
   * Frees what the task holds, and parks the task. The returned function waits for a place or slot again. `unpark` is
   * called when the task is no longer parked.
   */
  const parkUntil = (unpark: () => void) => {
    release();
    release = unpark;
    isParked = true;
    return (): Promise<void> => acquire(held, held.signal, unpark);
  };
  return {
    /**
     * Waits for a slot, and then frees the place. Does nothing if the task already has a slot. The waiting task with
     * the lowest `order` is next. Rejects with the `cancellation` of `waitSignal` if `waitSignal` is aborted first.
     */
    take: async (order: number): Promise<void> => {
      if (held.of !== slots) await acquire({ of: slots, signal, order }, waitSignal, release);
    },
    /**
     * Frees the place or slot while the task waits for time to pass. The returned function waits for a place or slot
     * again. Returns undefined if too many tasks are parked; the task then keeps what it holds.
     */
    tryPark: (): (() => Promise<void>) | undefined => {
      const unpark = parked.tryAcquire();
      return unpark && parkUntil(unpark);
    },
    /**
     * Parks the task even if too many tasks are parked already. For a task that waits for another task, which may need
     * the slot of this one.
     */
    park: (): (() => Promise<void>) => parkUntil(() => {}),
    isParked: (): boolean => isParked,
    release: (): void => {
      release();
      release = () => {};
    },
  };
};

export type Reservation = {
  /** Frees everything above `amount`, which must not exceed what is reserved now; 0 frees the whole reservation. */
  readonly reduceTo: (amount: number) => void;
};

export const createBudget = (total: number) => {
  const shares = createShares(total);
  const reservation = (amount: number): Reservation => {
    let kept = amount;
    return {
      reduceTo: (less) => {
        const freed = kept - less;
        kept = less;
        shares.free(freed);
      },
    };
  };
  return {
    /**
     * Waits until `amount` is free, and reserves it. Resolves to undefined if `signal` is aborted first. An amount
     * above the total is never free. The waiting task with the lowest `order` is next.
     */
    reserve: async (amount: number, signal: AbortSignal, order: number = 0): Promise<Reservation | undefined> =>
      (await shares.take(amount, order, signal)) ? reservation(amount) : undefined,
    /** Reserves `amount`. Returns undefined if less is free, or if a task waits. */
    tryReserve: (amount: number): Reservation | undefined => (shares.tryTake(amount) ? reservation(amount) : undefined),
  };
};
