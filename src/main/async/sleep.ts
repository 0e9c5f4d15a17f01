/** Waiting that can be cancelled, and the type under which it is injected. */
import { setTimeout } from 'node:timers/promises';
import { cancellation } from './cancel.ts';
import { steadyNow } from './clock.ts';

/** Resolves after `ms`; rejects with the `cancellation` of `signal` as soon as that is aborted. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** A timer stops while the machine sleeps, so a long wait is looked at again this often. */
const SLICE_MS = 15_000;

/** A `Sleep` by a clock that never jumps, in timers of at most `sliceMs`. */
export const createSleep =
  (now: () => number, sliceMs: number): Sleep =>
  async (ms, signal) => {
    const options = signal === undefined ? {} : { signal };
    const endMs = now() + ms;
    try {
      for (let leftMs = ms; ; leftMs = endMs - now()) {
        await setTimeout(Math.max(0, Math.min(leftMs, sliceMs)), undefined, options);
        if (leftMs <= sliceMs) return;
      }
    } catch (error) {
      throw signal === undefined ? error : cancellation(signal);
    }
  };

/** Unaffected by what the wall clock is set to; time in which the machine slept counts. */
export const sleep: Sleep = createSleep(steadyNow, SLICE_MS);
