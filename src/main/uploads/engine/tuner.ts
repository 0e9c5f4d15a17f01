/**
 * Finds the best number of concurrent requests by trying: a pure controller. It doubles the number while that increases
 * throughput, goes back one step when it does not, and tries one more from time to time. When the other end is
 * overloaded, it halves the number.
 */

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
  /** The limit and the throughput before the last step up, while it is being tried. */
  readonly before?: { readonly limit: number; readonly throughput: number };
  /** It doubles until the first step up that does not pay. */
  readonly searching: boolean;
  /** Samples until the next step up. */
  readonly rest: number;
};

export type Bounds = { readonly min: number; readonly max: number };

const START = 4;

/** A step up pays if it brings at least this share of the best possible increase. */
const PAYS = 0.1;

/** Overloads below this share of what ended are noise: some storages refuse one in a hundred. */
const OVERLOADED = 0.1;

/** Samples without a step: after one that did not pay, and after an overload. */
const REST = 16;

/** The cost of a file besides its bytes, in bytes: small files are limited by requests, not by bandwidth. */
const FILE_BYTES = 64 * 1024;

/** A tuner that starts with 4, or the nearest number within the bounds. */
export const startTuner = ({ min, max }: Bounds): Tuner => ({
  limit: Math.min(max, Math.max(min, START)),
  searching: true,
  rest: 0,
});

/** The tuner after a sample; the same one if the sample is inconclusive. */
export const tune = (tuner: Tuner, sample: Sample, { min, max }: Bounds): Tuner => {
  const { limit, before, searching, rest } = tuner;
  if (sample.overloaded > sample.completed * OVERLOADED)
    return { limit: Math.max(min, Math.floor(limit / 2)), searching: false, rest: REST };
  if (!sample.busy || sample.elapsedMs <= 0) return tuner;
  if (rest > 0) return { ...tuner, rest: rest - 1 };

  const throughput = (sample.bytes + sample.completed * FILE_BYTES) / sample.elapsedMs;
  if (before && throughput < before.throughput * (1 + PAYS * (limit / before.limit - 1))) {
    return { limit: before.limit, searching: false, rest: REST };
  }
  const next = Math.min(max, limit + (searching ? limit : 1));
  return next === limit
    ? { limit, searching: false, rest: REST }
    : { limit: next, before: { limit, throughput }, searching, rest: 0 };
};
