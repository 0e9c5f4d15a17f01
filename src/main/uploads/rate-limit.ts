/** A limit on bytes per second over all transfers together. */
import type { Sleep } from '../net/sleep.ts';

/** Waits until `bytes` more may go out. Rejects when `signal` is aborted. */
export type RateLimit = {
  readonly take: (bytes: number, signal?: AbortSignal) => Promise<void>;
  /** Parts larger than this would go out in jumps. */
  readonly partBytes: number;
};

/** How often a second data goes out under a limit. */
const PARTS_PER_SECOND = 10;

/** At most `bytesPerSecond`, evenly: each part waits until those before it have had their time. */
export const createRateLimit = (
  bytesPerSecond: number,
  sleep: Sleep,
  now: () => number = performance.now.bind(performance),
): RateLimit => {
  let freeAtMs = 0;
  return {
    partBytes: Math.max(1, Math.floor(bytesPerSecond / PARTS_PER_SECOND)),
    take: async (bytes, signal) => {
      const startMs = Math.max(now(), freeAtMs);
      freeAtMs = startMs + (bytes / bytesPerSecond) * 1000;
      const waitMs = startMs - now();
      if (waitMs > 0) await sleep(waitMs, signal);
    },
  };
};

export const unlimited: RateLimit = { partBytes: Number.POSITIVE_INFINITY, take: async () => {} };
