/**
 * The two clocks of the app. People, time servers and systems set the wall clock at will, forwards and backwards, so
 * nothing waits, expires or gives up by it: `scripts/lint/steady-waits.grit` forbids `Date.now` everywhere else.
 */
import { uptime } from 'node:os';

/** Ms since 1970: for what is stored or shown, times of day, and times that a server names. */
export const wallNow = (): number => Date.now();

type SteadyOptions = {
  /** Ms that never jump. On Linux and macOS they stop while the machine sleeps. */
  readonly running: () => number;
  /** Ms since the machine was started, with the time that it slept. May be coarse: on macOS whole seconds. */
  readonly sinceBoot: () => number;
};

/** A sleep that is shorter cannot be told from coarse readings, and makes no wait noticeably longer. */
const SHORTEST_SLEEP_MS = 2_000;

/** A clock for waits: it never jumps back, does not follow the wall clock, and counts the time that the machine slept. */
export const createSteadyClock = ({ running, sinceBoot }: SteadyOptions): (() => number) => {
  let offsetMs: number | undefined;
  let sleptMs = 0;
  return () => {
    const runningMs = running();
    const apartMs = sinceBoot() - runningMs;
    offsetMs ??= apartMs;
    if (apartMs - offsetMs - sleptMs > SHORTEST_SLEEP_MS) sleptMs = apartMs - offsetMs;
    return runningMs + sleptMs;
  };
};

/** Ms since an arbitrary moment, of this thread only: for every wait, deadline and age within the process. */
export const steadyNow = createSteadyClock({ running: () => performance.now(), sinceBoot: () => uptime() * 1_000 });

let startMs: number | undefined;

/**
 * Ms since 1970 as the wall clock would say if nobody had set it since this thread began to ask: for lifetimes that are
 * stored, and nevertheless must not end early or late when the clock is set.
 */
export const steadyWallNow = (): number => {
  startMs ??= wallNow() - steadyNow();
  return startMs + steadyNow();
};
