/** Slots whose number is tuned, or fixed. */
import { createBudget, createSlots, type Slots } from '../../async/slots.ts';
import type { Pool, Pools } from '../transfer/transfer-context.ts';
import { createTuning, movingAverage } from './tuning.ts';

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

// How many files may be opened and signed ahead, before they have a slot to be sent in: one for each free slot, and as many
// as will be sent in the next two seconds. A slow service then leaves no slot empty, and a signature is used within about two
// seconds, whatever the speed of the line.

/** How long before they are sent files may be signed. */
const AHEAD_MS = 2_000;

/** The most files ahead, besides one for each free slot. */
const MANY = 256;

type Ahead = {
  /** One for each file ahead. A file keeps its place until it has a slot. */
  readonly places: Pick<Slots, 'acquire'>;
  /** The pool, to be used instead of the one passed: its use is observed. */
  readonly sending: Pool;
};

/** Places ahead of the pool `sending`. `now`: ms, from any moment on. `most`: files ahead, besides one for each free slot. */
export const createAhead = (sending: Pool, now: () => number, most = MANY): Ahead => {
  /** When files left their slots, the latest last; of the last two seconds, and at most `MANY`. */
  const endsMs: number[] = [];
  /** How long files have had their slots, on average. */
  let heldMs = 0;
  const slots = createSlots(0);

  const update = (): void => {
    const sinceMs = now() - AHEAD_MS;
    const recent = endsMs.findIndex((atMs) => atMs > sinceMs);
    endsMs.splice(0, recent < 0 ? endsMs.length : recent);
    // Not only the recent ends count: files that began together on a slow line end together, and the next ones much later.
    // With this many slots taken for `heldMs` each, this many end in time (Little's law).
    const expected = Math.floor((sending.taken() * AHEAD_MS) / Math.max(1, heldMs));
    const free = Math.max(0, sending.limit() - sending.taken());
    slots.setLimit(free + Math.min(most, endsMs.length, expected));
  };

  const ended = (begunMs: number): void => {
    const nowMs = now();
    heldMs = movingAverage(heldMs, nowMs - begunMs);
    if (endsMs.length === MANY) endsMs.shift();
    endsMs.push(nowMs);
    update();
  };

  return {
    places: {
      acquire: (signal) => {
        update();
        return slots.acquire(signal);
      },
    },
    sending: {
      ...sending,
      moved: (bytes) => {
        const before = sending.limit();
        sending.moved(bytes);
        // No file has ended, but the limit was raised.
        if (sending.limit() > before) update();
      },
      acquire: async (signal, order) => {
        const release = await sending.acquire(signal, order);
        if (!release) return undefined;
        const begunMs = now();
        update();
        return () => {
          release();
          ended(begunMs);
        };
      },
    },
  };
};
