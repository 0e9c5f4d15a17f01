/** Measures the requests in progress, one sample after another, and tunes their number (tuner.ts). */

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

// Finds the best number of concurrent requests by trying: a pure controller.
// - It doubles the number while that increases the throughput.
// - Where requests only take longer instead, it goes back to the number that achieves this throughput when requests do not
// wait for each other (Little's law), as TCP Vegas and gradient limiters do.
// - From then on it tries a few more and a few less in turn, because the line and the work change.
// - When the other end is overloaded, it halves the number.

/** What happened since the last sample. */
export type Sample = {
  /** Files or requests that ended, successfully or not. */
  readonly completed: number;
  readonly bytes: number;
  /** Answers 429 and 503, and timeouts. */
  readonly overloaded: number;
  /** All slots were taken: only then does their number matter. */
  readonly busy: boolean;
  readonly elapsedMs: number;
};

export type Tuner = {
  readonly limit: number;
  /** The limit and the throughput before the last step, while that is being tried. */
  readonly before?: { readonly limit: number; readonly throughput: number };
  /** Steps up double the number, until one does not pay. */
  readonly searching: boolean;
  /** After an overload, until a step up does not pay: steps up stay small. */
  readonly careful?: boolean;
  /** Whether the next step is one up. */
  readonly upNext: boolean;
  /** Samples until the next step. */
  readonly rest: number;
  /** The average of the samples since the limit changed, in bytes per ms; later ones count more. */
  readonly throughput?: number;
};

export type Bounds = { readonly min: number; readonly max: number };

/** The first number of requests. */
const START = 12;

/** A step up pays if it brings at least this share of the best possible increase; a step down, if it costs less. */
const PAYS = 0.3;

const STEP_UP = 1.25;
const STEP_DOWN = 0.8;

/** A few more requests than fit on the line keep it full while others end and begin. */
const SPARE = 1.1;

/** Overloads below this share of what ended are noise: some storages refuse one in a hundred. */
const OVERLOADED = 0.1;

/** Samples without a step after each trial; they measure the throughput. */
const REST = 3;

/** The same after an overload. */
const REST_OVERLOADED = 8;

/** The cost of a file besides its bytes, in bytes: small files are limited by requests, not by bandwidth. */
const FILE_BYTES = 64 * 1024;

/** A tuner that starts with 12, or the nearest number within the bounds. */
export const startTuner = ({ min, max }: Bounds): Tuner => ({
  limit: Math.min(max, Math.max(min, START)),
  searching: true,
  upNext: true,
  rest: 0,
});

/** The tuner after a sample; the same one if the sample is inconclusive. */
export const tune = (tuner: Tuner, sample: Sample, bounds: Bounds): Tuner => {
  const { limit, before, rest } = tuner;
  if (sample.overloaded > sample.completed * OVERLOADED) {
    const halved = Math.max(bounds.min, Math.floor(limit / 2));
    return { limit: halved, searching: false, careful: true, upNext: true, rest: REST_OVERLOADED };
  }
  if (!sample.busy || sample.elapsedMs <= 0) return tuner;

  const now = (sample.bytes + sample.completed * FILE_BYTES) / sample.elapsedMs;
  if (before) return afterTrial(tuner, before, now, bounds);
  const throughput = tuner.throughput === undefined ? now : (tuner.throughput + now) / 2;
  return rest > 0 ? { ...tuner, throughput, rest: rest - 1 } : tryNext({ ...tuner, throughput }, throughput, bounds);
};

/** The tuner with the next number to try, or at rest if the bounds permit none. */
const tryNext = (tuner: Tuner, throughput: number, { min, max }: Bounds): Tuner => {
  const { limit, searching, careful = false, upNext } = tuner;
  const wanted = upNext ? Math.ceil(limit * (searching ? 2 : STEP_UP)) : Math.floor(limit * STEP_DOWN);
  const next = Math.min(max, Math.max(min, wanted));
  if (next === limit) return { limit, throughput, searching: false, careful, upNext: !upNext, rest: REST };
  return { limit: next, before: { limit, throughput }, searching, careful, upNext, rest: 0 };
};

const afterTrial = (tuner: Tuner, before: NonNullable<Tuner['before']>, throughput: number, bounds: Bounds): Tuner => {
  const { limit, careful = false } = tuner;
  const grown = throughput / Math.max(before.throughput, Number.MIN_VALUE);
  const keeps = grown - 1 >= PAYS * (limit / before.limit - 1);
  // A step up that pays is followed by a larger one: the line can carry more than a few more requests need.
  if (keeps && limit > before.limit) return tryNext({ ...tuner, searching: !tuner.careful }, throughput, bounds);
  if (keeps) return { limit, throughput, searching: false, careful, upNext: true, rest: REST };
  const rested = {
    searching: false,
    careful: careful && limit < before.limit,
    upNext: limit < before.limit,
    rest: REST,
  };
  if (limit < before.limit) return { ...rested, limit: before.limit, throughput: before.throughput };
  // The requests before the step hardly waited for each other, so this many are in progress at this throughput.
  const filled = Math.ceil(before.limit * Math.max(1, grown) * SPARE);
  return { ...rested, limit: Math.min(limit, filled) };
};

/** How much of the average a new duration is. */
const NEW = 0.2;

/** The average with one more duration, in ms; later ones count more. `averageMs`: 0 before the first one. */
export const movingAverage = (averageMs: number, ms: number): number =>
  averageMs === 0 ? ms : averageMs + (ms - averageMs) * NEW;
