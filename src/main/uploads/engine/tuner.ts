/**
 * How many at once, found out by trying: a pure controller. It doubles the number while that pays, goes one step back
 * where it does not, and tries one more now and then; it halves it when the other end is strained.
 */

/** What happened since the last sample. */
export type Sample = {
  /** Files or requests that came to their end, however. */
  readonly completed: number;
  readonly bytes: number;
  /** Answers 429 and 503, and timeouts. */
  readonly strained: number;
  /** All that may be at once were: only then do more or fewer of them matter. */
  readonly busy: boolean;
  readonly elapsedMs: number;
};

export type Tuner = {
  readonly limit: number;
  /** The limit and the throughput before the last step up, while it is being tried. */
  readonly before?: { readonly limit: number; readonly throughput: number };
  /** It doubles until a step up does not pay for the first time. */
  readonly searching: boolean;
  /** Samples until the next step up. */
  readonly rest: number;
};

export type Bounds = { readonly min: number; readonly max: number };

const START = 4;

/** A step up has paid where it brought at least this share of what it would have brought at best. */
const PAYS = 0.1;

/** Strain that is less than this share of what came to an end is noise: some storages refuse one in a hundred. */
const STRAINED = 0.1;

/** Samples without a step: after one that did not pay, and after strain. */
const REST = 16;

/** What a file costs besides its bytes, in bytes: small ones are held up by requests, not by the line. */
const FILE_BYTES = 64 * 1024;

/** A tuner that begins with 4, or what is nearest to that within the bounds. */
export const startTuner = ({ min, max }: Bounds): Tuner => ({
  limit: Math.min(max, Math.max(min, START)),
  searching: true,
  rest: 0,
});

/** The tuner after a sample. The same one comes back where the sample says nothing. */
export const tune = (tuner: Tuner, sample: Sample, { min, max }: Bounds): Tuner => {
  const { limit, before, searching, rest } = tuner;
  if (sample.strained > sample.completed * STRAINED)
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
