/** Slots that tune their number by what goes through them, or keep a fixed one. */
import { DeskError, type ErrorCode } from '../../../contract/errors.ts';
import { createSlots, type Slots } from '../../async/slots.ts';
import { type Bounds, startTuner, tune } from './tuner.ts';

/** How many at once: a number, or whatever turns out to be best. */
export type Concurrency = number | 'auto';

export type Pool = Pick<Slots, 'acquire' | 'limit'> & {
  /** Bytes that went out. */
  readonly moved: (bytes: number) => void;
  /** The other end is overburdened: it answered 429 or 503, or not in time. */
  readonly strained: () => void;
};

/** One for requests to the service, one for files on their way to a storage: either may be the one that is slow. */
export type Pools = { readonly signing: Pool; readonly sending: Pool };

const BOUNDS: Bounds = { min: 1, max: 32 };

/**
 * Long enough for a figure, short enough for an upload of seconds. Strain counts once in it: those who were under way
 * together meet it together.
 */
const SAMPLE_MS = 250;

/** Whether an error says that the other end is overburdened. */
export const isStrain = (error: unknown): boolean => error instanceof DeskError && STRAIN.has(error.code);

const STRAIN: ReadonlySet<ErrorCode> = new Set([
  'service/busy',
  'service/timeout',
  'upload/stalled',
  'upload/unanswered',
]);

/** Both pools with the same concurrency. `now`: ms, from any moment on. */
export const createPools = (concurrency: Concurrency, now: () => number): Pools => ({
  signing: createPool(concurrency, now),
  sending: createPool(concurrency, now),
});

/** With `auto` the number of slots is tuned at most every 250 ms; else it is fixed. `now`: ms, from any moment on. */
export const createPool = (concurrency: Concurrency, now: () => number): Pool => {
  if (concurrency !== 'auto') return { ...createSlots(concurrency), moved: () => {}, strained: () => {} };
  let tuner = startTuner(BOUNDS);
  const slots = createSlots(tuner.limit);
  let begunMs = now();
  let seen = { completed: 0, bytes: 0, strained: 0, busy: false };

  const sample = (): void => {
    const elapsedMs = now() - begunMs;
    if (elapsedMs < SAMPLE_MS) return;
    tuner = tune(tuner, { ...seen, elapsedMs }, BOUNDS);
    slots.setLimit(tuner.limit);
    begunMs = now();
    seen = { completed: 0, bytes: 0, strained: 0, busy: false };
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
    strained: () => {
      seen.strained += 1;
      sample();
    },
  };
};
