/** Measures the requests in progress, one sample after another, and tunes their number (tuner.ts). */
import { movingAverage } from './moving-average.ts';
import { type Bounds, startTuner, tune } from './tuner.ts';

/** More requests than `max` only cost the service connections, and this computer memory. */
const BOUNDS: Bounds = { min: 1, max: 128 };

/**
 * A sample lasts as long as a request, or several: at least `search` or `steady`, at most `most`. That is long enough to
 * measure, and short enough for an upload of seconds. An overload counts once per sample, because requests in progress at the
 * same time meet it together.
 */
const SAMPLE_MS = { search: 100, steady: 250, most: 500 };

type Tuning = {
  readonly limit: () => number;
  /** All slots are taken. */
  readonly busy: () => void;
  /** A request ended, successfully or not. */
  readonly ended: () => void;
  /** Bytes were sent. */
  readonly moved: (bytes: number) => void;
  /** A request was answered after `ms`, without its wait for a slot. */
  readonly answered: (ms: number) => void;
  /** The other end answered 429 or 503, or not in time. */
  readonly overloaded: () => void;
};

/** `now`: ms, from any moment on. `onLimit` receives each new limit. */
export const createTuning = (now: () => number, onLimit: (limit: number) => void): Tuning => {
  let tuner = startTuner(BOUNDS);
  let requestMs = 0;
  let begunMs = now();
  let seen = { completed: 0, bytes: 0, overloaded: 0, busy: false };

  /** `least`, rounded up to a multiple of a request's duration: requests that began together also end together. */
  const typicalMs = (least: number): number =>
    Math.min(SAMPLE_MS.most, requestMs === 0 ? least : Math.ceil(least / requestMs) * requestMs);

  const sample = (): void => {
    const elapsedMs = now() - begunMs;
    if (elapsedMs < typicalMs(tuner.searching ? SAMPLE_MS.search : SAMPLE_MS.steady)) return;
    const before = tuner.limit;
    tuner = tune(tuner, { ...seen, elapsedMs }, BOUNDS);
    // After a step up, the next sample begins once the requests from before have ended.
    begunMs = now() + (tuner.limit > before ? Math.min(SAMPLE_MS.most, requestMs) : 0);
    seen = { completed: 0, bytes: 0, overloaded: 0, busy: false };
    if (tuner.limit !== before) onLimit(tuner.limit);
  };

  /** Whether the sample has begun. */
  const counts = (): boolean => now() >= begunMs;

  return {
    limit: () => tuner.limit,
    busy: () => {
      seen.busy = true;
    },
    ended: () => {
      if (counts()) seen.completed += 1;
      sample();
    },
    moved: (bytes) => {
      if (counts()) seen.bytes += bytes;
      sample();
    },
    answered: (ms) => {
      requestMs = movingAverage(requestMs, ms);
    },
    overloaded: () => {
      seen.overloaded += 1;
      sample();
    },
  };
};
