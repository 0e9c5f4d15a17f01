/** Slots whose number is tuned by throughput, or fixed. */
import { createSlots } from '../../async/slots.ts';
import type { Pool, Pools } from '../transfer/transfer-context.ts';
import { type Bounds, startTuner, tune } from './tuner.ts';

/** How many at once: a fixed number, or tuned. */
export type Concurrency = number | 'auto';

const BOUNDS: Bounds = { min: 1, max: 32 };

/**
 * Long enough to measure, short enough for an upload of seconds. An overload counts once per sample: requests in
 * progress at the same time meet it together.
 */
const SAMPLE_MS = 250;

/** Both pools with the same concurrency. `now`: ms, from any moment on. */
export const createPools = (concurrency: Concurrency, now: () => number): Pools => ({
  signing: createPool(concurrency, now),
  sending: createPool(concurrency, now),
});

/** With `auto` the number of slots is tuned at most every 250 ms; else it is fixed. `now`: ms, from any moment on. */
export const createPool = (concurrency: Concurrency, now: () => number): Pool => {
  if (concurrency !== 'auto')
    return { ...createSlots(concurrency), moved: () => {}, answered: () => {}, overloaded: () => {} };
  let tuner = startTuner(BOUNDS);
  const slots = createSlots(tuner.limit);
  let begunMs = now();
  let seen = { completed: 0, bytes: 0, overloaded: 0, busy: false };

  const sample = (): void => {
    const elapsedMs = now() - begunMs;
    if (elapsedMs < SAMPLE_MS) return;
    tuner = tune(tuner, { ...seen, elapsedMs }, BOUNDS);
    slots.setLimit(tuner.limit);
    begunMs = now();
    seen = { completed: 0, bytes: 0, overloaded: 0, busy: false };
  };

  return {
    acquire: async (signal) => {
      const release = await slots.acquire(signal);
      if (slots.taken() >= slots.limit()) seen.busy = true;
      if (!release) return undefined;
      return () => {
        seen.completed += 1;
        if (slots.taken() >= slots.limit()) seen.busy = true;
        release();
        sample();
      };
    },
    limit: slots.limit,
    moved: (bytes) => {
      seen.bytes += bytes;
      sample();
    },
    answered: sample,
    overloaded: () => {
      seen.overloaded += 1;
      sample();
    },
  };
};
