/**
 * How fast all transfers together may send, so that the line's buffers stay short: a pure controller. It begins slowly and
 * doubles the pace until it sees a queue, or until no office's line could be that fast; then nothing is limited as long as no
 * queue is seen. Once one was seen, it sends what the line was seen to carry: a little more while the queue is shorter than
 * the target, and a little less while it is longer. The line stays full that way, and its buffers do not. Where it leaves
 * room for others, it also gives up more and more of the line while the queue stays long in spite of that (as LEDBAT does,
 * RFC 6817), and takes it back once the queue is short again.
 */

export type PaceSample = {
  /** Ms, from any moment on. */
  readonly atMs: number;
  /** How long packets wait in the line's buffers. */
  readonly queueMs: number;
  /** What the line carried of the transfers just before, in bytes per second. */
  readonly carried: number;
  /** Whether to give way to the traffic of others. */
  readonly leavesRoom: boolean;
};

export type Pace = {
  /** Undefined: no limit. */
  readonly bytesPerSecond?: number;
  /** What the line carried in the last samples: the most of it is what it can carry. */
  readonly carried: readonly { readonly atMs: number; readonly bytesPerSecond: number }[];
  /** The part of the line that is used, at most 1; less only where room is left for others. */
  readonly share: number;
  /** Since when the queue has been much longer than the target, or shorter than half of it. */
  readonly longSinceMs?: number;
  readonly shortSinceMs?: number;
  /** When the queue was last emptied. */
  readonly emptiedMs: number;
  /** The most that was carried, in bytes per second; it shrinks while the pace is more than the line carries. */
  readonly peak: number;
  /** While the pace is doubled; `suspects`: the last sample had a queue. */
  readonly beginning?: 'grows' | 'suspects';
};

/**
 * The first pace, in bytes per second, and the one from which on nothing is limited: the system's send buffers would take the
 * first files whole, long before the line carried them.
 */
const BEGINNING = { least: 2_000_000, most: 250_000_000 };
/** The pace is doubled while the queue is shorter than this, if at least this part of the pace was used. */
const BEGINNING_QUEUE_MS = 30;
const USED = 0.25;
/** Of what the line was seen to carry: what has queued up until then is sent meanwhile. */
const AFTER_BEGINNING = 0.8;

/**
 * How long the queue is to be. A click at the service waits about as long during an upload. Where room is left, calls stay
 * clear. `long`: what is much longer, in the same unit.
 */
const QUEUE_MS = { target: 80, long: 140 };
const QUEUE_LEAVING_ROOM_MS = { target: 60, long: 110 };

/** What an empty queue adds to the pace, as a share; a long one takes away as much for each target that it is too long. */
const GAIN = 0.15;
const SLOWEST = 0.7;

/** Sent in addition, times the root of the pace: two who share a line come closer to each other by it. */
const ADDED = 40;

/** The least pace, in bytes per second: less could not be measured. */
const LEAST = 16 * 1024;

/** How long the most that was carried counts as what the line can carry. */
const CARRIED_MS = 2_000;

/** After so long with a long queue others are on the line, and get room. */
const OTHERS_MS = 750;

/** Where no room is left for others, so much of the peak is kept: it is the fair part beside one other. */
const FAIR = 0.5;
/** A pace is reached if so much of it is carried. Otherwise the peak shrinks with each sample; slowly, if the queue is long. */
const REACHED = 0.9;
const SHRINKS = 0.8;
const AGES = 0.99;

/**
 * How often it sends so little for one sample that the queue empties: otherwise who comes later takes the queue of others
 * for the delay of the line.
 */
const EMPTY_EVERY_MS = 10_000;
const EMPTYING = 0.3;

/**
 * How long the queue stays short before the pace grows with each sample, and how many times what is carried it reaches
 * before nothing is limited: something else keeps the transfers back.
 */
const SHORT_MS = 1_000;
const FASTER = 1.4;
const UNUSED = 4;

/** The least share, and by how much it changes with each sample. */
const LEAST_SHARE = 0.05;
const GIVE_UP = 0.7;
const TAKE_BACK = 1.2;

/** A pace without a limit. */
export const startPace = (): Pace => ({
  carried: [],
  share: 1,
  emptiedMs: Number.NEGATIVE_INFINITY,
  peak: 0,
});

/** Starts again at a slow pace, unless it is limited already. */
export const beginSlowly = (pace: Pace): Pace =>
  pace.bytesPerSecond === undefined
    ? { ...pace, bytesPerSecond: Math.max(BEGINNING.least, pace.peak), beginning: 'grows' }
    : pace;

/** Nothing is limited until a queue is seen. */
export const withoutLimit = ({ bytesPerSecond: _, beginning: __, ...pace }: Pace): Pace => pace;

/** The pace after a sample that was taken since it last changed, while it begins. One sample alone may be late by chance. */
const grow = (pace: Pace, { atMs, queueMs, carried }: PaceSample): Pace => {
  const { bytesPerSecond = BEGINNING.least, beginning } = pace;
  if (queueMs <= BEGINNING_QUEUE_MS) {
    if (carried < bytesPerSecond * USED) return { ...pace, beginning: 'grows' };
    const faster = bytesPerSecond * 2;
    return faster > BEGINNING.most ? withoutLimit(pace) : { ...pace, bytesPerSecond: faster, beginning: 'grows' };
  }
  if (beginning === 'grows')
    return { ...pace, bytesPerSecond: Math.max(BEGINNING.least / 2, bytesPerSecond / 2), beginning: 'suspects' };
  const seen = { atMs, bytesPerSecond: carried };
  const limited = { carried: [seen], peak: carried, bytesPerSecond: Math.max(LEAST, carried * AFTER_BEGINNING) };
  return { ...withoutLimit(pace), ...limited, emptiedMs: atMs };
};

/** The pace after a sample; samples are about a quarter of a second apart. */
export const steer = (pace: Pace, sample: PaceSample): Pace => {
  if (pace.beginning) return grow(pace, sample);
  const { atMs, queueMs, leavesRoom } = sample;
  const queue = leavesRoom ? QUEUE_LEAVING_ROOM_MS : QUEUE_MS;
  const longSinceMs = queueMs > queue.long ? (pace.longSinceMs ?? atMs) : undefined;
  const shortSinceMs = queueMs < queue.target / 2 ? (pace.shortSinceMs ?? atMs) : undefined;
  const longMs = longSinceMs === undefined ? 0 : atMs - longSinceMs;
  const share = leavesRoom ? nextShare(pace.share, queueMs <= queue.target, longMs) : 1;
  const isLimited = pace.bytesPerSecond !== undefined;
  const empties = isLimited && atMs - pace.emptiedMs >= EMPTY_EVERY_MS;
  const isReached = sample.carried >= (pace.bytesPerSecond ?? 0) * REACHED;
  const fades = isReached ? (longSinceMs === undefined ? 1 : AGES) : SHRINKS;
  const next: Pace = {
    carried: nextCarried(pace, sample),
    share,
    ...(longSinceMs !== undefined && { longSinceMs }),
    ...(shortSinceMs !== undefined && { shortSinceMs }),
    emptiedMs: empties || !isLimited ? atMs : pace.emptiedMs,
    peak: Math.max(sample.carried, pace.peak * fades),
  };
  if (!isLimited && queueMs <= queue.target) return next;

  const line = Math.max(...next.carried.map(({ bytesPerSecond }) => bytesPerSecond));
  const byQueue = Math.max(SLOWEST, 1 + GAIN * (1 - queueMs / queue.target));
  if (empties) return { ...next, bytesPerSecond: Math.max(LEAST, line * EMPTYING * share) };
  const steady = Math.max(LEAST, leavesRoom ? 0 : next.peak * FAIR, line * byQueue * share + ADDED * Math.sqrt(line));
  const isShort = share === 1 && shortSinceMs !== undefined && atMs - shortSinceMs >= SHORT_MS;
  const faster = isShort ? (pace.bytesPerSecond ?? 0) * FASTER : 0;
  return faster > line * UNUSED ? next : { ...next, bytesPerSecond: Math.max(steady, faster) };
};

/** While some of the line is left to others, what is carried says nothing of what it can carry. */
const nextCarried = ({ share, carried }: Pace, sample: PaceSample): Pace['carried'] => {
  if (share < 1) return carried;
  const recent = carried.filter(({ atMs }) => atMs > sample.atMs - CARRIED_MS);
  return [...recent, { atMs: sample.atMs, bytesPerSecond: sample.carried }];
};

const nextShare = (share: number, isShort: boolean, longMs: number): number => {
  if (isShort) return Math.min(1, share * TAKE_BACK);
  return longMs >= OTHERS_MS ? Math.max(LEAST_SHARE, share * GIVE_UP) : share;
};
