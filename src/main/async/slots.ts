/**
 * Resources shared by tasks: slots, of which each task takes one, and budgets, of which each takes an amount. The lowest
 * `order` is served first, and among equals the first.
 */
import { cancellation, onAbort } from './cancel.ts';

export type Slots = ReturnType<typeof createSlots>;

type Waiting = { readonly amount: number; readonly order: number; readonly serve: () => void };

/** A total that tasks share. Held parts stay held, even if the limit falls below their sum. */
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

  return {
    /** Waits until `amount` is free, and takes it. False once `signal` is aborted. */
    take: (amount: number, order: number, signal: AbortSignal): Promise<boolean> =>
      new Promise((resolve) => {
        const one = {
          amount,
          order,
          serve: () => {
            stop();
            resolve(true);
          },
        };
        if (signal.aborted) return resolve(false);
        // Searched from the end, since most tasks come in order.
        waiting.splice(waiting.findLastIndex((other) => other.order <= order) + 1, 0, one);
        const stop = onAbort(signal, () => {
          waiting.splice(waiting.indexOf(one), 1);
          resolve(false);
          serve();
        });
        serve();
      }),
    tryTake: (amount: number): boolean => {
      if (waiting.length > 0 || held + amount > limit) return false;
      held += amount;
      return true;
    },
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
     * Waits for a free slot; the returned function frees it. Undefined once `signal` is aborted. Of the waiting tasks,
     * the one with the lowest `order` (default 0) is next, and among equals the first.
     */
    acquire: async (signal: AbortSignal, order: number = 0): Promise<(() => void) | undefined> =>
      (await shares.take(1, order, signal)) ? release : undefined,
    /** A free slot, if there is one now and no task waits for it. */
    tryAcquire: (): (() => void) | undefined => (shares.tryTake(1) ? release : undefined),
    limit: shares.limit,
    /** Slots in use stay in use: if there are too many, freed slots are not handed out again. */
    setLimit: shares.setLimit,
    taken: shares.held,
  };
};

export type HeldSlot = ReturnType<typeof createHeldSlot>;

type HeldSlotOptions = {
  readonly places: Pick<Slots, 'acquire'>;
  readonly slots: Pick<Slots, 'acquire'>;
  /** Limits how many tasks may be parked. */
  readonly parked: Pick<Slots, 'tryAcquire'>;
  /** Aborted to make tasks that never had a slot give up. */
  readonly waitSignal: AbortSignal;
  /** Aborted to make all tasks give up. */
  readonly signal: AbortSignal;
};

/** The slot of a task. The task starts with a place instead, which `leave` frees. */
export const createHeldSlot = (options: HeldSlotOptions, leave: () => void) => {
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
    /**
     * Waits for a slot, and then frees the place; does nothing if the task already has a slot. Of the waiting tasks, the
     * one with the lowest `order` is next. Rejects with the `cancellation` of `waitSignal`.
     */
    take: async (order: number): Promise<void> => {
      if (held.of !== slots) await acquire({ of: slots, signal, order }, waitSignal, release);
    },
    /**
     * Parks the place or slot while the task waits for time to pass; the returned function acquires it again. Undefined
     * if too many tasks are parked: the task keeps what it holds.
     */
    tryPark: (): (() => Promise<void>) | undefined => {
      const unpark = parked.tryAcquire();
      return unpark && parkUntil(unpark);
    },
    /** Parks without the limit of `parked`, for a task that waits for another task which may need this slot. */
    park: (): (() => Promise<void>) => parkUntil(() => {}),
    /** Whether the task is parked, or waits for a place or a slot. */
    isParked: (): boolean => isParked,
    /** Releases the place or slot, parked or not. A second call does nothing. */
    release: (): void => {
      release();
      release = () => {};
    },
  };
};

export type Reservation = {
  /** Frees everything above `amount`, which is at most what is reserved now; 0 frees all. */
  readonly reduceTo: (amount: number) => void;
};

/** A budget of `total`, all of it free. */
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
     * Waits until `amount` is free, and reserves it. Never resolves for more than the total. Undefined once `signal` is
     * aborted. The task with the lowest `order` (default 0) is next.
     */
    reserve: async (amount: number, signal: AbortSignal, order: number = 0): Promise<Reservation | undefined> =>
      (await shares.take(amount, order, signal)) ? reservation(amount) : undefined,
    /** Reserves `amount` if it is free now and no other task waits; otherwise returns undefined. */
    tryReserve: (amount: number): Reservation | undefined => (shares.tryTake(amount) ? reservation(amount) : undefined),
    /** The amount in use. */
    reserved: shares.held,
  };
};
