/** A limit on bytes per second over all transfers together, which may change while they run. */
import type { Sleep } from './sleep.ts';

export type RateLimit = {
  /** Waits until `bytes` more may go out. Rejects when `signal` is aborted. */
  readonly take: (bytes: number, signal?: AbortSignal) => Promise<void>;
  /** Parts larger than this would go out in jumps at present; infinite without a limit. */
  readonly partBytes: () => number;
};

/** How often a second data goes out under a limit. */
const PARTS_PER_SECOND = 10;

/**
 * At most as many bytes a second as `bytesPerSecond` answers, evenly: each part waits until those before it have had
 * their time. It is asked at each part; without an answer nothing waits.
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
