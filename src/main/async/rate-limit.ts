/** A limit on the bytes per second of all transfers together. It may change while they run. */
import { cancellation } from './cancel.ts';
import type { Sleep } from './sleep.ts';
import { createSlots } from './slots.ts';

export type RateLimit = {
  /** Waits until `bytes` more may be sent. Rejects when `signal` is aborted. */
  readonly take: (bytes: number, signal?: AbortSignal) => Promise<void>;
  /** The size above which parts would be sent in bursts; infinite without a limit. */
  readonly partBytes: () => number;
};

/** How many times a second data is sent under a limit: more often where the parts are larger than this. */
const PARTS_PER_SECOND = { least: 10, most: 50 };
const LARGE_PART_BYTES = 64 * 1024;

/** A timer may be so late without a loss of speed. */
const LATE_MS = 100;

const NEVER = new AbortController().signal;

/**
 * At most as many bytes a second as `bytesPerSecond` answers, evenly: each part waits until the time of those before it is
 * over. `bytesPerSecond` is called for each part when its turn comes; undefined means no limit.
 */
export const createRateLimit = (
  bytesPerSecond: () => number | undefined,
  sleep: Sleep,
  now: () => number = performance.now.bind(performance),
): RateLimit => {
  let freeAtMs = 0;
  const turn = createSlots(1);
  return {
    partBytes: () => {
      const rate = bytesPerSecond() ?? Number.POSITIVE_INFINITY;
      const even = Math.min(LARGE_PART_BYTES, rate / PARTS_PER_SECOND.least);
      return Math.max(1, Math.floor(Math.max(even, rate / PARTS_PER_SECOND.most)));
    },
    take: async (bytes, signal = NEVER) => {
      if (bytesPerSecond() === undefined) return;
      const first = turn.tryAcquire();
      const release = first ?? (await turn.acquire(signal));
      if (!release) throw cancellation(signal);
      try {
        // Unused time does not accumulate; but a part that had to wait for its turn is not to blame if timers are late.
        const startMs = Math.max(first ? now() : now() - LATE_MS, freeAtMs);
        if (startMs > now()) await sleep(startMs - now(), signal);
        freeAtMs = startMs + (bytes / (bytesPerSecond() ?? Number.POSITIVE_INFINITY)) * 1000;
      } finally {
        release();
      }
    },
  };
};
