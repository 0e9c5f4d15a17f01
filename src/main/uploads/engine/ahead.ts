/**
 * How many files may be opened and signed before they have a slot to be sent in: as many as there are free slots, and as
 * many as are sent in the next two seconds. A slow service then leaves no slot empty, and a signature waits about two seconds
 * at most, whatever the speed of the line.
 */
import { createSlots, type Slots } from '../../async/slots.ts';
import type { Pool } from '../transfer/transfer-context.ts';
import { movingAverage } from './moving-average.ts';

/** The time that files are signed ahead. */
const AHEAD_MS = 2_000;

/** Files ahead at most, beside those that have a free slot. */
const MANY = 256;

type Ahead = {
  /** Places of files without a slot. */
  readonly places: Pick<Slots, 'acquire'>;
  /** The pool, observed. */
  readonly sending: Pool;
};

/**
 * Places ahead of the pool `sending`, which is to be used as answered. `now`: ms, from any moment on. `most`: how many files
 * may be ahead beside those that have a free slot.
 */
export const createAhead = (sending: Pool, now: () => number, most = MANY): Ahead => {
  /** When the last files left their slots, in order. */
  const endsMs: number[] = [];
  /** How long files have their slots. */
  let heldMs = 0;
  const slots = createSlots(0);

  const update = (): void => {
    const sinceMs = now() - AHEAD_MS;
    const recent = endsMs.findIndex((atMs) => atMs > sinceMs);
    endsMs.splice(0, recent < 0 ? endsMs.length : recent);
    // Files that began together on a slow line also end together, and the next ones do so much later (Little's law).
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
        // Nothing has ended, but more may be sent at once.
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
