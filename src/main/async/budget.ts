/** Shares a limited amount, such as memory, among tasks: first come, first served. */
import { onAbort } from './on-abort.ts';

export type Budget = {
  /**
   * Waits until `amount` is free, and reserves it; more than the total is never free. Undefined once `signal` is aborted.
   */
  readonly reserve: (amount: number, signal: AbortSignal) => Promise<Reservation | undefined>;
  /** Reserves `amount` if it is free now and no other task waits. */
  readonly tryReserve: (amount: number) => Reservation | undefined;
  /** The amount in use. */
  readonly reserved: () => number;
};

export type Reservation = {
  /** Frees everything above `amount`, which is at most what is reserved now; 0 frees all. */
  readonly reduceTo: (amount: number) => void;
};

type Waiting = { readonly amount: number; readonly serve: () => void };

/** A budget of `total`, all of it free. */
export const createBudget = (total: number): Budget => {
  let reserved = 0;
  const waiting: Waiting[] = [];

  const serve = (): void => {
    for (let next = waiting[0]; next && reserved + next.amount <= total; next = waiting[0]) {
      waiting.shift();
      reserved += next.amount;
      next.serve();
    }
  };

  const turn = (amount: number, signal: AbortSignal): Promise<boolean> =>
    new Promise((resolve) => {
      const one = {
        amount,
        serve: () => {
          stop();
          resolve(true);
        },
      };
      waiting.push(one);
      const stop = onAbort(signal, () => {
        waiting.splice(waiting.indexOf(one), 1);
        resolve(false);
        serve();
      });
      serve();
    });

  const reservation = (amount: number): Reservation => {
    let kept = amount;
    return {
      reduceTo: (less) => {
        reserved -= kept - less;
        kept = less;
        serve();
      },
    };
  };

  return {
    reserve: async (amount, signal) =>
      signal.aborted || !(await turn(amount, signal)) ? undefined : reservation(amount),
    tryReserve: (amount) => {
      if (waiting.length > 0 || reserved + amount > total) return undefined;
      reserved += amount;
      return reservation(amount);
    },
    reserved: () => reserved,
  };
};
