/**
 * How many files may be opened and signed before they have a slot to be sent in: as many as there are free slots, and as
 * many as were begun in the last two seconds. A slow service then never leaves a slot empty, and a signature waits about two
 * seconds at most, whatever the speed of the line.
 */
import { createSlots, type Slots } from '../../async/slots.ts';
import type { Pool } from '../transfer/transfer-context.ts';

/** The time that files are signed ahead. */
const AHEAD_MS = 2_000;

/** Files ahead beside those that have a free slot: at least, and at most. */
const FEW = 2;
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
  /** When the last files were begun, in order. */
  const begunMs: number[] = [];
  const slots = createSlots(0);

  const update = (): void => {
    const sinceMs = now() - AHEAD_MS;
    const recent = begunMs.findIndex((atMs) => atMs > sinceMs);
    begunMs.splice(0, recent < 0 ? begunMs.length : recent);
    const free = Math.max(0, sending.limit() - sending.taken());
    slots.setLimit(free + Math.min(most, Math.max(FEW, begunMs.length)));
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
      acquire: async (signal, order) => {
        const release = await sending.acquire(signal, order);
        if (!release) return undefined;
        if (begunMs.length === MANY) begunMs.shift();
        begunMs.push(now());
        update();
        return () => {
          release();
          update();
        };
      },
    },
  };
};
