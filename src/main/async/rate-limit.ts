/** A limit on the bytes per second of all transfers together. It may change while they run. */
import type { Sleep } from './sleep.ts';

export type RateLimit = {
  /** Waits until `bytes` more may be sent. Rejects when `signal` is aborted. */
  readonly take: (bytes: number, signal?: AbortSignal) => Promise<void>;
  /** The size above which parts would be sent in bursts; infinite without a limit. */
  readonly partBytes: () => number;
};

/** How many times a second data is sent under a limit. */
const PARTS_PER_SECOND = 10;

/**
 * At most as many bytes a second as `bytesPerSecond` answers, evenly: each part waits until the time of those before it is
 * over. `bytesPerSecond` is called for each part; undefined means no limit.
 */
export const createRateLimit = (
  bytesPerSecond: () => number | undefined,
  sleep: Sleep,
  now: () => number = performance.now.bind(performance),
): RateLimit => {
  let freeAtMs = 0;
  return {
    partBytes: () => Math.max(1, Math.floor((bytesPerSecond() ?? Number.POSITIVE_INFINITY) / PARTS_PER_SECOND)),
    take: async (bytes, signal) => {
      const rate = bytesPerSecond();
      if (rate === undefined) return;
      const startMs = Math.max(now(), freeAtMs);
      freeAtMs = startMs + (bytes / rate) * 1000;
      const waitMs = startMs - now();
      if (waitMs > 0) await sleep(waitMs, signal);
    },
  };
};
