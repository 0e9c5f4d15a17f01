/** Creates pools of slots. The number of slots is tuned or fixed. */
import { createBudget, createSlots, type Slots } from '../../async/slots.ts';

/** The bounds of a tuned number of requests. More would only cost connections of the service, and memory. */
const BOUNDS: Bounds = { min: 1, max: 128 };

/** The bounds of a sample's duration: at least `search` while the tuner searches, else `steady`; at most `most`. */
const SAMPLE_MS = { search: 100, steady: 250, most: 500 };

/** Tunes the number of concurrent requests. `now`: ms since any fixed moment. `onLimit` receives each new number. */
export const createTuning = (now: () => number, onLimit: (limit: number) => void) => {
  let tuner = startTuner(BOUNDS);
  let requestMs = 0;
  let begunMs = now();
  let seen = { completed: 0, bytes: 0, overloaded: 0, busy: false };

  /**
   * Rounds `least` up to a multiple of a request's duration. Requests that begin together also end together, in rounds.
   * A part of a round says little about the throughput.
   */
  const typicalMs = (least: number): number =>
    Math.min(SAMPLE_MS.most, requestMs === 0 ? least : Math.ceil(least / requestMs) * requestMs);

  const sample = (): void => {
    const elapsedMs = now() - begunMs;
    if (elapsedMs < typicalMs(tuner.searching ? SAMPLE_MS.search : SAMPLE_MS.steady)) return;
    const before = tuner.limit;
    tuner = tune(tuner, { ...seen, elapsedMs }, BOUNDS);
    // After a step up, the next sample begins when the requests from before the step have usually ended.
    begunMs = now() + (tuner.limit > before ? Math.min(SAMPLE_MS.most, requestMs) : 0);
    seen = { completed: 0, bytes: 0, overloaded: 0, busy: false };
    if (tuner.limit !== before) onLimit(tuner.limit);
  };

  const isSampling = (): boolean => now() >= begunMs;

  return {
    limit: (): number => tuner.limit,
    /** Records that all slots are taken. */
    busy: (): void => {
      seen.busy = true;
    },
    ended: (): void => {
      if (isSampling()) seen.completed += 1;
      sample();
    },
    moved: (bytes: number): void => {
      if (isSampling()) seen.bytes += bytes;
      sample();
    },
    responded: (ms: number): void => {
      requestMs = movingAverage(requestMs, ms);
    },
    overloaded: (): void => {
      seen.overloaded += 1;
      sample();
    },
  };
};

// The tuner: pure functions that find the best number of concurrent requests by trying.
// - It doubles the number while that increases the throughput enough.
// - If requests only take longer instead, it lowers the number to what this throughput needs when requests do not wait
// for each other (Little's law), as TCP Vegas and gradient limiters do.
// - From then on it tries a few more and a few less in turn, because the line and the work change.
// - When the server is overloaded, it halves the number.

type Sample = {
  /** The number of files or requests that ended, successfully or not. */
  readonly completed: number;
  readonly bytes: number;
  /** The number of responses 429 and 503, and of timeouts. */
  readonly overloaded: number;
  /** Whether all slots were taken at some moment; otherwise the sample can only show an overload. */
  readonly busy: boolean;
  readonly elapsedMs: number;
};

type Tuner = {
  readonly limit: number;
  /** The limit and the throughput before the last step, while that step is on trial. */
  readonly before?: { readonly limit: number; readonly throughput: number };
  /** Whether a step up doubles `limit`; otherwise it multiplies `limit` by `STEP_UP`. */
  readonly searching: boolean;
  /** Whether steps up stay small. Set after an overload, and cleared when a step up does not pay. */
  readonly careful?: boolean;
  readonly upNext: boolean;
  /** The number of samples until the next step. */
  readonly rest: number;
  /** The average throughput at this limit, in bytes per ms. Each file counts `FILE_BYTES` more than its size. */
  readonly throughput?: number;
};

type Bounds = { readonly min: number; readonly max: number };

/**
 * The first number of requests. With 24, small files fill a line of 50 Mbit/s with round trips of 60 ms immediately.
 * With 12, an upload of a thousand small files would end before the number of requests suits the line.
 */
const START = 24;

/**
 * How much of a step has to show in the throughput. A step that doubles the limit pays if the throughput rises by at
 * least 30 %, and a step down by 20 % if it falls by at most 6 %.
 */
const PAYS = 0.3;

const STEP_UP = 1.25;
const STEP_DOWN = 0.8;

/** The factor for the requests that fit on the line: a few more keep the line full while requests end and begin. */
const SPARE = 1.1;

/** Up to this share, overloaded requests are noise: some storages refuse one request in a hundred. */
const OVERLOADED = 0.1;

/** The number of samples without a step after a trial. These samples measure the throughput. */
const REST = 3;

const REST_OVERLOADED = 8;

/** The cost of a file in addition to its bytes, in bytes: small files are limited by requests, not by bandwidth. */
const FILE_BYTES = 64 * 1024;

/** Returns a tuner that starts with `START`, or with the nearest number within the bounds. */
export const startTuner = ({ min, max }: Bounds): Tuner => ({
  limit: Math.min(max, Math.max(min, START)),
  searching: true,
  upNext: true,
  rest: 0,
});

/** The tuner after a sample; unchanged if the sample is inconclusive. */
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

/** The tuner with the next number to try; at rest if the bounds permit no other number. */
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
  // A step up that pays is followed by another step up, which doubles the limit unless the server was overloaded.
  if (keeps && limit > before.limit) return tryNext({ ...tuner, searching: !tuner.careful }, throughput, bounds);
  if (keeps) return { limit, throughput, searching: false, careful, upNext: true, rest: REST };
  const rested = {
    searching: false,
    careful: careful && limit < before.limit,
    upNext: limit < before.limit,
    rest: REST,
  };
  if (limit < before.limit) return { ...rested, limit: before.limit, throughput: before.throughput };
  // Before the step, requests hardly waited for each other, so the present throughput needs this many requests
  // (Little's law).
  const filled = Math.ceil(before.limit * Math.max(1, grown) * SPARE);
  return { ...rested, limit: Math.min(limit, filled) };
};

/** The weight of a new duration in the moving average. */
const NEW = 0.2;

/** The moving average including `ms`; recent durations weigh more. `averageMs`: 0 before the first duration. */
const movingAverage = (averageMs: number, ms: number): number =>
  averageMs === 0 ? ms : averageMs + (ms - averageMs) * NEW;

export type Concurrency = number | 'auto';

/**
 * The maximum memory for the contents of files: small files as a whole, and the parts of larger ones that are in use.
 */
const MEMORY_BYTES = 64 * 1024 * 1024;

type Pool = Pick<Slots, 'acquire' | 'tryAcquire' | 'limit' | 'taken'> & {
  readonly moved: (bytes: number) => void;
  /** Reports the duration `ms` of a request, without its wait for a slot. */
  readonly responded: (ms: number) => void;
  /** Reports that the host is overloaded: it responded with 429 or 503, or not in time. */
  readonly overloaded: () => void;
};

export type Pools = ReturnType<typeof createPools>;

/**
 * Creates the pools of all transfers: `signing` for requests to the service, `sending` for files sent to a storage,
 * `ahead` for files that are opened and signed early, and `memory` for the bytes of files. `now`: ms since any fixed
 * moment.
 */
export const createPools = (concurrency: Concurrency, now: () => number) => {
  const { sending, places } = createAhead(createPool(concurrency, now), now, concurrency === 'auto' ? undefined : 0);
  return { signing: createPool(concurrency, now), sending, ahead: places, memory: createBudget(MEMORY_BYTES) };
};

/** Creates a pool of slots. With `auto`, their number is tuned by measurements. `now`: ms since any fixed moment. */
export const createPool = (concurrency: Concurrency, now: () => number): Pool => {
  if (concurrency !== 'auto')
    return { ...createSlots(concurrency), moved: () => {}, responded: () => {}, overloaded: () => {} };
  const tuning = createTuning(now, (limit) => slots.setLimit(limit));
  const slots = createSlots(tuning.limit());
  const noteBusy = (): void => {
    if (slots.taken() >= slots.limit()) tuning.busy();
  };

  const noted = (release: (() => void) | undefined): (() => void) | undefined => {
    noteBusy();
    if (!release) return undefined;
    return () => {
      noteBusy();
      release();
      tuning.ended();
    };
  };

  return {
    acquire: async (signal, order) => noted(await slots.acquire(signal, order)),
    tryAcquire: () => noted(slots.tryAcquire()),
    limit: slots.limit,
    taken: slots.taken,
    moved: tuning.moved,
    responded: tuning.responded,
    overloaded: tuning.overloaded,
  };
};

// How many files may be opened and signed ahead, before they have a slot: one for each free slot, and as many as will
// probably get a slot in the next two seconds. The aim is that a slow service leaves no slot empty, and that a
// signature is used within about two seconds, whatever the speed of the line.

/** How early files may be signed before they are sent. */
const AHEAD_MS = 2_000;

/** The maximum number of files signed ahead, in addition to one for each free slot. */
const MANY = 256;

/** Creates places ahead of `sending`: up to `most`, and one for each free slot. `now`: ms since any fixed moment. */
export const createAhead = (sending: Pool, now: () => number, most = MANY) => {
  /** The times at which files left their slots in the last two seconds, in order; at most `MANY`. */
  const endsMs: number[] = [];
  /** The average time that files held their slots, in ms; recent files weigh more. */
  let heldMs = 0;
  const slots = createSlots(0);

  const update = (): void => {
    const sinceMs = now() - AHEAD_MS;
    const recent = endsMs.findIndex((atMs) => atMs > sinceMs);
    endsMs.splice(0, recent < 0 ? endsMs.length : recent);
    // Recent completions alone are misleading: files that began together on a slow line end together, and the next ones
    // much later. By Little's law, the taken slots become free `expected` times within the window.
    const expected = Math.floor((sending.taken() * AHEAD_MS) / Math.max(1, heldMs));
    const free = Math.max(0, sending.limit() - sending.taken());
    slots.setLimit(free + Math.min(most, endsMs.length, expected));
  };

  const ended = (begunMs: number): void => {
    const nowMs = now();
    heldMs = movingAverage(heldMs, nowMs - begunMs);
    if (endsMs.length === MANY) endsMs.shift();
    endsMs.push(nowMs);
    update();
  };

  return {
    /** The places of the files ahead, one for each file. A file keeps its place until it has a slot. */
    places: {
      acquire: (signal: AbortSignal, order?: number) => {
        update();
        return slots.acquire(signal, order);
      },
    },
    /**
     * To be used instead of the pool that was passed to `createAhead`, because each use adjusts the number of places.
     */
    sending: {
      ...sending,
      moved: (bytes: number): void => {
        const before = sending.limit();
        sending.moved(bytes);
        // The limit was raised although no file has ended.
        if (sending.limit() > before) update();
      },
      acquire: async (signal: AbortSignal, order?: number): Promise<(() => void) | undefined> => {
        const release = await sending.acquire(signal, order);
        if (!release) return undefined;
        const begunMs = now();
        update();
        return () => {
          release();
          ended(begunMs);
        };
      },
    },
  };
};
