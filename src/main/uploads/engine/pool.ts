/** Slots whose number is tuned, or fixed. */
import { createSlots } from '../../async/slots.ts';
import type { Pool, Pools } from '../transfer/transfer-context.ts';
import { createTuning } from './tuning.ts';

/** How many at once: a fixed number, or tuned. */
export type Concurrency = number | 'auto';

/** Both pools with the same concurrency. `now`: ms, from any moment on. */
export const createPools = (concurrency: Concurrency, now: () => number): Pools => ({
  signing: createPool(concurrency, now),
  sending: createPool(concurrency, now),
});

/** With `auto` the number of slots is tuned by what is measured; else it is fixed. `now`: ms, from any moment on. */
export const createPool = (concurrency: Concurrency, now: () => number): Pool => {
  if (concurrency !== 'auto')
    return { ...createSlots(concurrency), moved: () => {}, answered: () => {}, overloaded: () => {} };
  const tuning = createTuning(now, (limit) => slots.setLimit(limit));
  const slots = createSlots(tuning.limit());
  const noteBusy = (): void => {
    if (slots.taken() >= slots.limit()) tuning.busy();
  };

  return {
    acquire: async (signal) => {
      const release = await slots.acquire(signal);
      noteBusy();
      if (!release) return undefined;
      return () => {
        noteBusy();
        release();
        tuning.ended();
      };
    },
    limit: slots.limit,
    moved: tuning.moved,
    answered: tuning.answered,
    overloaded: tuning.overloaded,
  };
};
