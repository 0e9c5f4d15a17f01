/** Waits that can all be ended early: a person presses "Try again now", or the machine woke up. */
import type { Sleep } from '../async/sleep.ts';

type Nudge = {
  /** Like the `Sleep` that it wraps, but also resolves at the next `now`. */
  readonly sleep: Sleep;
  readonly now: () => void;
};

/** `sleep`, with a way to end all its waits at once. */
export const createNudge = (sleep: Sleep): Nudge => {
  let next = new AbortController();
  return {
    sleep: async (ms, signal) => {
      const nudged = next.signal;
      const either = signal ? AbortSignal.any([signal, nudged]) : nudged;
      await sleep(ms, either).catch((error: unknown) => {
        // A cancellation wins over a nudge.
        if (signal?.aborted || !nudged.aborted) throw error;
      });
    },
    now: () => {
      const before = next;
      next = new AbortController();
      before.abort();
    },
  };
};
