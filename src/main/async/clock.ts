/**
 * The two clocks of the app. Users, time servers and systems set the wall clock forwards and backwards, so timeouts and
 * backoff do not use it. `scripts/lint/steady-waits.grit` forbids `Date.now` in the other modules of `src/main`.
 */
import { uptime } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { cancellation } from './cancel.ts';

/** Returns ms since 1970, for times that are stored or shown, for times from servers, and for times of day. */
export const wallNow = (): number => Date.now();

type SteadyOptions = {
  /** Returns ms of a clock that never jumps. It may stop while the machine sleeps, as it does on Linux. */
  readonly running: () => number;
  /**
   * Returns ms since the machine was started, including the time that it slept. The result may be coarse: it is whole
   * seconds on macOS. Each call costs a system call.
   */
  readonly sinceBoot: () => number;
};

/**
 * Sleeps of the machine that are shorter than this are ignored: they barely lengthen a wait, and look like a coarse
 * result of `sinceBoot`.
 */
const SHORTEST_SLEEP_MS = 2_000;

/**
 * The minimum interval between calls of `sinceBoot`. Each call costs a system call, and an upload of small files reads
 * the clock thousands of times a second.
 */
const LOOK_MS = 50;

/**
 * Creates a clock for waits, in ms. It never jumps back, ignores changes of the wall clock, and includes the time that
 * the machine slept, to within `SHORTEST_SLEEP_MS`.
 */
export const createSteadyClock = ({ running, sinceBoot }: SteadyOptions): (() => number) => {
  let offsetMs: number | undefined;
  let sleptMs = 0;
  let lookedMs = Number.NEGATIVE_INFINITY;
  return () => {
    const runningMs = running();
    if (runningMs - lookedMs < LOOK_MS) return runningMs + sleptMs;
    lookedMs = runningMs;
    const apartMs = sinceBoot() - runningMs;
    offsetMs ??= apartMs;
    if (apartMs - offsetMs - sleptMs > SHORTEST_SLEEP_MS) sleptMs = apartMs - offsetMs;
    return runningMs + sleptMs;
  };
};

/**
 * Returns ms since an arbitrary moment, for waits, deadlines and ages. The main thread and each worker have different
 * moments, so their times cannot be compared.
 */
export const steadyNow = createSteadyClock({ running: () => performance.now(), sinceBoot: () => uptime() * 1_000 });

let startMs: number | undefined;

/**
 * Returns ms since 1970 for stored lifetimes, which must not end early or late when the wall clock is set. Changes of
 * the wall clock after the first call have no effect.
 */
export const steadyWallNow = (): number => {
  startMs ??= wallNow() - steadyNow();
  return startMs + steadyNow();
};

/** Resolves after `ms`. Rejects with the `cancellation` of `signal` as soon as `signal` is aborted. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** How often a long wait checks the time, because a timer stops while the machine sleeps. */
const SLICE_MS = 15_000;

/** Creates a `Sleep` timed by `now`, a clock that never jumps. A long sleep reads the clock after each `sliceMs`. */
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

/** Waits, regardless of changes of the wall clock. The time that the machine sleeps counts. */
export const sleep: Sleep = createSleep(steadyNow, SLICE_MS);

/** Wraps `sleep` so that `now` can end all current waits early. */
export const createNudge = (sleep: Sleep) => {
  let next = new AbortController();
  return {
    /**
     * The signal that the next call of `now` aborts. A caller that takes it before other work can later see whether
     * `now` was called during that work.
     */
    next: (): AbortSignal => next.signal,
    /** Waits like the wrapped `Sleep`, but also resolves once `nudged` is aborted. */
    sleep: async (ms: number, signal?: AbortSignal, nudged = next.signal): Promise<void> => {
      const either = signal ? AbortSignal.any([signal, nudged]) : nudged;
      await sleep(ms, either).catch((error: unknown) => {
        // A cancellation takes precedence over a nudge.
        if (signal?.aborted || !nudged.aborted) throw error;
      });
    },
    now: (): void => {
      const before = next;
      next = new AbortController();
      before.abort();
    },
  };
};
