/** Limits how many tasks run at once, first come first served unless they have an order. The limit may change at any time. */
import { onAbort } from './on-abort.ts';

export type Slots = {
  /**
   * Waits for a free slot; the returned function frees it. Undefined once `signal` is aborted. Of the waiting tasks, the one
   * with the lowest `order` (default 0) is next, and among equals the first.
   */
  readonly acquire: (signal: AbortSignal, order?: number) => Promise<(() => void) | undefined>;
  /** A free slot, if there is one now. */
  readonly tryAcquire: () => (() => void) | undefined;
  readonly limit: () => number;
  /** Slots in use stay in use: if there are too many, those that are freed next are not given out again. */
  readonly setLimit: (limit: number) => void;
  readonly taken: () => number;
};

type Waiting = { readonly order: number; readonly take: () => void };

/** `count` free slots. */
export const createSlots = (count: number): Slots => {
  let limit = count;
  let taken = 0;
  const waiting: Waiting[] = [];

  const serve = (): void => {
    while (taken < limit) {
      const next = waiting.shift();
      if (!next) return;
      taken += 1;
      next.take();
    }
  };

  const release = (): void => {
    taken -= 1;
    serve();
  };

  const turn = (signal: AbortSignal, order: number): Promise<boolean> =>
    new Promise((resolve) => {
      const one = {
        order,
        take: () => {
          stop();
          resolve(true);
        },
      };
      // Most come in order.
      waiting.splice(waiting.findLastIndex((other) => other.order <= order) + 1, 0, one);
      const stop = onAbort(signal, () => {
        waiting.splice(waiting.indexOf(one), 1);
        resolve(false);
      });
    });

  return {
    acquire: async (signal, order = 0) => {
      if (signal.aborted) return undefined;
      if (taken < limit && waiting.length === 0) taken += 1;
      else if (!(await turn(signal, order))) return undefined;
      return release;
    },
    tryAcquire: () => {
      if (taken >= limit || waiting.length > 0) return undefined;
      taken += 1;
      return release;
    },
    limit: () => limit,
    setLimit: (next) => {
      limit = next;
      serve();
    },
    taken: () => taken,
  };
};
