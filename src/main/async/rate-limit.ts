/** A limit on the total bytes per second of all transfers. The limit may change while they run. */

import { isWithin, type UploadLimit } from '../../contract/hours.ts';
import { cancellation } from './cancel.ts';
import type { Sleep } from './clock.ts';
import { createSlots } from './slots.ts';

export type RateLimit = ReturnType<typeof createRateLimit>;

/**
 * The number of parts sent each second under a limit. At low limits it is `least`. At higher limits it is the number of
 * parts of `LARGE_PART_BYTES` that the limit allows, up to `most`. At the highest limits, parts are larger.
 */
const PARTS_PER_SECOND = { least: 10, most: 50 };
const LARGE_PART_BYTES = 64 * 1024;

/** Timers fire late. Time lost in this way is made up for, up to this delay. */
const LATE_MS = 100;

/** The maximum length of a sleep. After it, the wait is computed again, because the limit may have changed. */
const MAX_SLEEP_MS = 1_000;

/**
 * Creates a limit of `bytesPerSecond` (undefined: no limit). A part waits until the parts before it have been sent at
 * that rate. `bytesPerSecond` is called for each part, and every second during a wait.
 */
export const createRateLimit = (
  bytesPerSecond: () => number | undefined,
  sleep: Sleep,
  now: () => number = performance.now.bind(performance),
) => {
  /** When all parts so far will have been sent at `rate`, on the clock of `now`. */
  let freeAtMs = 0;
  let rate = Number.POSITIVE_INFINITY;
  const turn = createSlots(1);
  const present = (): number => bytesPerSecond() ?? Number.POSITIVE_INFINITY;

  /** Waits until `freeAtMs` is at most `MAX_SLEEP_MS` away, and adapts it to the present rate every `MAX_SLEEP_MS`. */
  const followRate = async (signal: AbortSignal): Promise<void> => {
    while (freeAtMs - now() > MAX_SLEEP_MS) {
      await sleep(MAX_SLEEP_MS, signal);
      const before = rate;
      rate = present();
      freeAtMs = now() + (freeAtMs - now()) * (before / rate);
    }
  };

  return {
    /** The maximum size of a part, in bytes; infinite without a limit. Larger parts would make bursts. */
    partBytes: (): number => {
      const perSecond = present();
      const even = Math.min(LARGE_PART_BYTES, perSecond / PARTS_PER_SECOND.least);
      return Math.max(1, Math.floor(Math.max(even, perSecond / PARTS_PER_SECOND.most)));
    },
    /**
     * Waits until `bytes` more may be sent. Rejects with the `cancellation` of `signal` if `signal` is aborted during
     * the wait.
     */
    take: async (bytes: number, signal: AbortSignal): Promise<void> => {
      if (bytesPerSecond() === undefined) return;
      const first = turn.tryAcquire();
      const release = first ?? (await turn.acquire(signal));
      if (!release) throw cancellation(signal);
      try {
        await followRate(signal);
        // Unused time is not saved up. But a part that waited for its turn begins up to `LATE_MS` in the past, because
        // timers may have fired late.
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

/** Returns the limit at `moment` in bytes per second; undefined: no limit. Periods are in local time. */
export const limitAt = ({ bytesPerSecond, schedule }: UploadLimit, moment: Date): number | undefined =>
  schedule.find((period) => isWithin(period, moment))?.bytesPerSecond ?? bytesPerSecond;
