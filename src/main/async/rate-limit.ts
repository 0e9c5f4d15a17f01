/** A limit on the total bytes per second of all transfers. It may change while they run. */

import { isWithin, type UploadLimit } from '../../contract/hours.ts';
import { cancellation } from './cancel.ts';
import type { Sleep } from './clock.ts';
import { createSlots } from './slots.ts';

export type RateLimit = ReturnType<typeof createRateLimit>;

/** How many times a second data is sent under a limit: more often where the parts are larger than this. */
const PARTS_PER_SECOND = { least: 10, most: 50 };
const LARGE_PART_BYTES = 64 * 1024;

/** The maximum delay of a timer that is made up for, so that it does not lower the speed. */
const LATE_MS = 100;

/** Maximum sleep, after which the rest of a wait is recomputed with the present limit. */
const ASK_AGAIN_MS = 1_000;

const NEVER = new AbortController().signal;

/**
 * At most as many bytes a second as `bytesPerSecond` returns, evenly: each part waits until the parts
 * before it have been sent at that rate. `bytesPerSecond` is called for each part when its turn comes, and each second while it waits;
 * undefined means no limit.
 */
export const createRateLimit = (
  bytesPerSecond: () => number | undefined,
  sleep: Sleep,
  now: () => number = performance.now.bind(performance),
) => {
  /** The time at which all parts so far have been sent, at `rate`. */
  let freeAtMs = 0;
  let rate = Number.POSITIVE_INFINITY;
  const turn = createSlots(1);
  const present = (): number => bytesPerSecond() ?? Number.POSITIVE_INFINITY;

  /** Waits while `freeAtMs` is more than ASK_AGAIN_MS away, and adapts it to the present rate. */
  const followRate = async (signal: AbortSignal): Promise<void> => {
    while (freeAtMs - now() > ASK_AGAIN_MS) {
      await sleep(ASK_AGAIN_MS, signal);
      const before = rate;
      rate = present();
      freeAtMs = now() + (freeAtMs - now()) * (before / rate);
    }
  };

  return {
    /** The size above which parts would be sent in bursts; infinite without a limit. */
    partBytes: (): number => {
      const perSecond = present();
      const even = Math.min(LARGE_PART_BYTES, perSecond / PARTS_PER_SECOND.least);
      return Math.max(1, Math.floor(Math.max(even, perSecond / PARTS_PER_SECOND.most)));
    },
    /** Waits until `bytes` more may be sent. Rejects when `signal` is aborted. */
    take: async (bytes: number, signal: AbortSignal = NEVER): Promise<void> => {
      if (bytesPerSecond() === undefined) return;
      const first = turn.tryAcquire();
      const release = first ?? (await turn.acquire(signal));
      if (!release) throw cancellation(signal);
      try {
        await followRate(signal);
        // Unused time is not saved up, except LATE_MS for a part that had to wait for its turn: timers may have fired late.
        const startMs = Math.max(first ? now() : now() - LATE_MS, freeAtMs);
        if (startMs > now()) await sleep(startMs - now(), signal);
        rate = present();
        freeAtMs = startMs + (bytes / rate) * 1000;
      } finally {
        release();
      }
    },
  };
};

/** The bytes per second that may be sent at `moment`, in local time; undefined: no limit. */
export const limitAt = ({ bytesPerSecond, schedule }: UploadLimit, moment: Date): number | undefined =>
  schedule.find((period) => isWithin(period, moment))?.bytesPerSecond ?? bytesPerSecond;

/** The lower of two limits; undefined: none. */
export const slowest = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
