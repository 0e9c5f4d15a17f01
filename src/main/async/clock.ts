/**
 * The two clocks of the app. Users, time servers and systems set the wall clock forwards and backwards, so no wait,
 * expiry or timeout uses it: `scripts/lint/steady-waits.grit` forbids `Date.now` everywhere else.
 */
import { uptime } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { cancellation } from './cancel.ts';

/** Ms since 1970: for what is stored or shown, times of day, and times that a server names. */
export const wallNow = (): number => Date.now();

type SteadyOptions = {
  /** Ms that never jump. On Linux and macOS they stop while the machine sleeps. */
  readonly running: () => number;
  /**
   * Ms since the machine was started, with the time that it slept. May be coarse: on macOS whole seconds. Costs a
   * system call.
   */
  readonly sinceBoot: () => number;
};

/** A shorter sleep of the machine cannot be distinguished from coarse readings, and barely lengthens a wait. */
const SHORTEST_SLEEP_MS = 2_000;

/**
 * `sinceBoot` is read at most this often, because an upload of small files reads the time thousands of times a second.
 */
const LOOK_MS = 50;

/**
 * A clock for waits: it never jumps back, does not follow the wall clock, and counts the time that the machine slept.
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
 * Ms since an arbitrary moment, in this worker or main thread only: for every wait, deadline and age within the
 * process.
 */
export const steadyNow = createSteadyClock({ running: () => performance.now(), sinceBoot: () => uptime() * 1_000 });

let startMs: number | undefined;

/**
 * Ms since 1970 by the wall clock as if it had not been set since the first call: for lifetimes that are
 * stored, and nevertheless must not end early or late when the clock is set.
 */
export const steadyWallNow = (): number => {
  startMs ??= wallNow() - steadyNow();
  return startMs + steadyNow();
};

/** Resolves after `ms`; rejects with the `cancellation` of `signal` as soon as that is aborted. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** A timer stops while the machine sleeps, so a long wait checks the time this often. */
const SLICE_MS = 15_000;

/** Creates a `Sleep` timed by `now`, a clock that never jumps; it reads the clock at least every `sliceMs`. */
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

/** Wraps `sleep` so that all current waits can be ended early. */
export const createNudge = (sleep: Sleep) => {
  let next = new AbortController();
  return {
    /** Aborted by the next `now`. A caller that gets it before other work misses no nudge that comes during that work. */
    next: (): AbortSignal => next.signal,
    /** Like the `Sleep` that it wraps, but also resolves once `nudged` is aborted. Default: at the next `now`. */
    sleep: async (ms: number, signal?: AbortSignal, nudged = next.signal): Promise<void> => {
      const either = signal ? AbortSignal.any([signal, nudged]) : nudged;
      await sleep(ms, either).catch((error: unknown) => {
        // A cancellation wins over a nudge.
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
