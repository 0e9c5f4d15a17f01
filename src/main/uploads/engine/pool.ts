/** Slots whose number is tuned, or fixed. */
import { createBudget } from '../../async/budget.ts';
import { createSlots } from '../../async/slots.ts';
import type { Pool, Pools } from '../transfer/transfer-context.ts';
import { createAhead } from './ahead.ts';
import { createTuning } from './tuning.ts';

/** How many at once: a fixed number, or tuned. */
export type Concurrency = number | 'auto';

/** The most bytes of files in memory: small files whole, of larger ones the parts being read, sent and hashed. */
const MEMORY_BYTES = 64 * 1024 * 1024;

/**
 * Both pools with the same concurrency, the places ahead of sending, and the memory. With a fixed concurrency, no more files
 * are opened and signed than there are slots. `now`: ms, from any moment on.
 */
export const createPools = (concurrency: Concurrency, now: () => number): Pools => {
  const { sending, places } = createAhead(createPool(concurrency, now), now, concurrency === 'auto' ? undefined : 0);
  return { signing: createPool(concurrency, now), sending, ahead: places, memory: createBudget(MEMORY_BYTES) };
};

/** With `auto`, the number of slots is tuned by measurements; otherwise it is fixed. `now`: ms, from any moment on. */
export const createPool = (concurrency: Concurrency, now: () => number): Pool => {
  if (concurrency !== 'auto')
    return { ...createSlots(concurrency), moved: () => {}, answered: () => {}, overloaded: () => {} };
  const tuning = createTuning(now, (limit) => slots.setLimit(limit));
  const slots = createSlots(tuning.limit());
  const noteBusy = (): void => {
    if (slots.taken() >= slots.limit()) tuning.busy();
  };

  return {
    acquire: async (signal, order) => {
      const release = await slots.acquire(signal, order);
      noteBusy();
      if (!release) return undefined;
      return () => {
        noteBusy();
        release();
        tuning.ended();
      };
    },
    limit: slots.limit,
    taken: slots.taken,
    moved: tuning.moved,
    answered: tuning.answered,
    overloaded: tuning.overloaded,
  };
};
