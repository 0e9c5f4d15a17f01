/**
 * How fast all transfers together may send without filling the line's buffers: a pure controller.
 *
 * - Before large files it starts slowly and doubles the pace until it sees a queue, or until the pace is higher than the
 *   line of any office: then there is no limit (`beginSlowly`).
 * - Where there is no limit, it sets one when the queue becomes longer than the target.
 * - With a limit, it permits what the line was seen to carry: a little more while the queue is shorter than the target, a
 *   little less while it is longer. The line stays full, and its buffers stay almost empty.
 * - Where it leaves room for others, it also gives up more and more of the line while the queue stays long in spite of that
 *   (as LEDBAT does, RFC 6817), and takes it back once the queue is short again.
 */

type PaceSample = {
  /** Ms, from any moment on. */
  readonly atMs: number;
  /** How long packets wait in the line's buffers. */
  readonly queueMs: number;
  /** How many bytes per second of the transfers the line carried just before. */
  readonly carried: number;
  /** Whether to give way to the traffic of others. */
  readonly leavesRoom: boolean;
  /** The shortest answer, in ms: without a queue, as far as is known. */
  readonly leastMs: number;
};

export type Pace = {
  /** Undefined: no limit. */
  readonly bytesPerSecond?: number;
  /** The last samples of what the line carried; the highest is what it can carry. */
  readonly carried: readonly { readonly atMs: number; readonly bytesPerSecond: number }[];
  /** The share of the line that is used, at most 1; less only where room is left for others. */
  readonly share: number;
  /** Since when the queue has been much longer than the target, or shorter than half of it. */
  readonly longSinceMs?: number;
  readonly shortSinceMs?: number;
  /** When the queue was last emptied. */
  readonly emptiedMs: number;
  /** The length of the queue, in ms, when the last sample began to empty it; absent where it was short. */
  readonly emptiesMs?: number;
  /** The most that was carried, in bytes per second. It shrinks while the pace is more than the line carries. */
  readonly peak: number;
  /**
   * During the slow start. `suspects`: there was a queue in the last sample; `creeps`: even the shortest answer may have waited in
   * the queue of others; `lags`: the same, and the line carried less than the pace in the last sample.
   */
  readonly beginning?: 'grows' | 'suspects' | 'creeps' | 'lags';
};

/**
 * The slow start. Without it, the system's send buffers would take the first files whole, long before the line carried
 * them.
 */
const BEGINNING = {
  /** The first pace, and the highest, above which there is no limit; in bytes per second. */
  first: 2_000_000,
  highest: 250_000_000,
  /** The pace doubles if the queue is at most this long, and at least this share of the pace was used. */
  queueMs: 30,
  used: 0.25,
  /** After the first sample with a queue, the share of what was carried that is used until the next one, and the least pace. */
  suspected: 0.5,
  least: 250_000,
  /** It ends with the pace that empties the queue in this time, but with at least this share of what the line carried. */
  emptiesMs: 900,
  end: 0.5,
  /** How long counts what was carried then: it was measured over a short time. */
  countsMs: 500,
};

/**
 * Where room is left and no answer took less than `fromMs`, the slow start creeps: another program may have filled the line
 * before, and its full queue does not become longer when more is sent. The pace grows by `growth` with each sample. If the line
 * carries less than the share `reached` of it twice, it falls to the share `kept` of what was carried.
 */
const CREEPING = { fromMs: 200, growth: 1.02, reached: 0.7, kept: 0.4 };

/** The length of the queue that is aimed at, and the one that counts as long. A click at the service waits as long. */
const QUEUE_MS = { target: 50, long: 100 };

/** An empty queue raises the pace by `GAIN`; one of twice the target lowers it by as much, and so on, down to `SLOWEST`. */
const GAIN = 0.1;
const SLOWEST = 0.7;

/** This times the root of the pace is added: it helps two uploads on one line to share it evenly. */
const ADDED = 40;

/** The least pace, in bytes per second: a slower one could not be measured. */
const LEAST = 16 * 1024;

/** The most that was carried within this time is what the line can carry. */
const CARRIED_MS = 2_000;

/** The peak, which counts where no room is left for others. */
const PEAK = {
  /** The share of the peak below which the pace does not fall: the fair one beside one other upload. */
  kept: 0.5,
  /** At least this share of the pace was carried: it was reached. */
  reached: 0.9,
  /** What is left of the peak after a sample in which the pace was not reached, or was, but with a long queue. */
  unreached: 0.8,
  long: 0.99,
};

/**
 * This often, the queue is emptied. Otherwise an upload that starts later takes it for the delay of the line. The pace is
 * lowered for one sample, by as much as empties the queue within `withinMs` (about the length of a sample while the storage is
 * probed), so the line stays full. If more than the share `left` of the queue is still there, others fill it as well, and the
 * pace is lowered once more, by twice as much. `least`: the smallest share of the line that is used meanwhile.
 */
const EMPTYING = { everyMs: 10_000, withinMs: 300, left: 0.5, least: 0.3 };

/**
 * When the queue stays short, something else limits the transfers: after this time the pace grows by this factor with each
 * sample, and the limit ends at this many times what is carried.
 */
const SHORT = { afterMs: 1_000, growth: 1.4, most: 4 };

/**
 * Where room is left: after a long queue of `afterMs` others use the line, and the share falls with each sample. It rises
 * while the queue is short.
 */
const SHARE = { least: 0.05, afterMs: 750, giveUp: 0.7, takeBack: 1.2 };

/** A pace without a limit. */
export const startPace = (): Pace => ({
  carried: [],
  share: 1,
  emptiedMs: Number.NEGATIVE_INFINITY,
  peak: 0,
});

/** Starts slowly, unless there is a limit already. */
export const beginSlowly = (pace: Pace): Pace =>
  pace.bytesPerSecond === undefined
    ? { ...pace, bytesPerSecond: Math.max(BEGINNING.first, pace.peak), beginning: 'grows' }
    : pace;

/** Whether the slow start waits for a sign that the line is not filled by others; this may take long. */
export const isCreeping = ({ beginning }: Pace): boolean => beginning === 'creeps' || beginning === 'lags';

/** Sets no limit until a queue is seen. */
export const withoutLimit = ({ bytesPerSecond: _, beginning: __, ...pace }: Pace): Pace => pace;

/** The pace after a sample during the slow start, taken since the last change. A single sample may be late by chance. */
const grow = (pace: Pace, { atMs, queueMs, carried, leavesRoom, leastMs }: PaceSample): Pace => {
  const { bytesPerSecond = BEGINNING.first, beginning } = pace;
  if (queueMs <= BEGINNING.queueMs) {
    if (leavesRoom && leastMs >= CREEPING.fromMs) return creep(pace, bytesPerSecond, carried);
    if (carried < bytesPerSecond * BEGINNING.used) return { ...pace, beginning: 'grows' };
    const faster = bytesPerSecond * 2;
    return faster > BEGINNING.highest ? withoutLimit(pace) : { ...pace, bytesPerSecond: faster, beginning: 'grows' };
  }
  if (beginning !== 'suspects') {
    const slower = Math.max(BEGINNING.least, carried * BEGINNING.suspected);
    return { ...pace, bytesPerSecond: slower, beginning: 'suspects' };
  }
  const seen = { atMs: atMs - CARRIED_MS + BEGINNING.countsMs, bytesPerSecond: carried };
  const emptying = Math.max(BEGINNING.end, 1 - queueMs / BEGINNING.emptiesMs);
  const limited = { carried: [seen], peak: carried, bytesPerSecond: Math.max(LEAST, carried * emptying) };
  return { ...withoutLimit(pace), ...limited, emptiedMs: atMs };
};

/** The same while the shortest answer may have waited in the queue of others. */
const creep = (pace: Pace, bytesPerSecond: number, carried: number): Pace => {
  if (carried >= bytesPerSecond * CREEPING.reached)
    return { ...pace, bytesPerSecond: bytesPerSecond * CREEPING.growth, beginning: 'creeps' };
  if (pace.beginning !== 'lags') return { ...pace, beginning: 'lags' };
  return { ...pace, bytesPerSecond: Math.max(BEGINNING.least, carried * CREEPING.kept), beginning: 'creeps' };
};

/** The pace after a sample; samples are about a quarter of a second apart. */
export const steer = (pace: Pace, sample: PaceSample): Pace => {
  if (pace.beginning) return grow(pace, sample);
  const { atMs, queueMs, leavesRoom } = sample;
  const longSinceMs = queueMs > QUEUE_MS.long ? (pace.longSinceMs ?? atMs) : undefined;
  const shortSinceMs = queueMs < QUEUE_MS.target / 2 ? (pace.shortSinceMs ?? atMs) : undefined;
  const longMs = longSinceMs === undefined ? 0 : atMs - longSinceMs;
  const share = leavesRoom ? nextShare(pace.share, queueMs <= QUEUE_MS.target, longMs) : 1;
  const isLimited = pace.bytesPerSecond !== undefined;
  const begins = isLimited && atMs - pace.emptiedMs >= EMPTYING.everyMs;
  const goesOn = isLimited && pace.emptiesMs !== undefined && queueMs > pace.emptiesMs * EMPTYING.left;
  const isReached = sample.carried >= (pace.bytesPerSecond ?? 0) * PEAK.reached;
  const fades = isReached ? (longSinceMs === undefined ? 1 : PEAK.long) : PEAK.unreached;
  const next: Pace = {
    carried: nextCarried(pace, sample),
    share,
    ...(longSinceMs !== undefined && { longSinceMs }),
    ...(shortSinceMs !== undefined && { shortSinceMs }),
    emptiedMs: begins || !isLimited ? atMs : pace.emptiedMs,
    ...(begins && shortSinceMs === undefined && { emptiesMs: queueMs }),
    peak: Math.max(sample.carried, pace.peak * fades),
  };
  if (!isLimited && queueMs <= QUEUE_MS.target) return next;

  const line = Math.max(...next.carried.map(({ bytesPerSecond }) => bytesPerSecond));
  const byQueue = Math.max(SLOWEST, 1 + GAIN * (1 - queueMs / QUEUE_MS.target));
  if (begins || goesOn) {
    const emptying = Math.max(EMPTYING.least, 1 - (queueMs * (goesOn ? 2 : 1)) / EMPTYING.withinMs);
    return { ...next, bytesPerSecond: Math.max(LEAST, line * emptying * share) };
  }
  const steady = Math.max(
    LEAST,
    leavesRoom ? 0 : next.peak * PEAK.kept,
    line * byQueue * share + ADDED * Math.sqrt(line),
  );
  const isShort = share === 1 && shortSinceMs !== undefined && atMs - shortSinceMs >= SHORT.afterMs;
  const faster = isShort ? (pace.bytesPerSecond ?? 0) * SHORT.growth : 0;
  return faster > line * SHORT.most ? next : { ...next, bytesPerSecond: Math.max(steady, faster) };
};

/** Unchanged while room is left for others: what is carried then is less than the line can carry. */
const nextCarried = ({ share, carried }: Pace, sample: PaceSample): Pace['carried'] => {
  if (share < 1) return carried;
  const recent = carried.filter(({ atMs }) => atMs > sample.atMs - CARRIED_MS);
  return [...recent, { atMs: sample.atMs, bytesPerSecond: sample.carried }];
};

const nextShare = (share: number, isShort: boolean, longMs: number): number => {
  if (isShort) return Math.min(1, share * SHARE.takeBack);
  return longMs >= SHARE.afterMs ? Math.max(SHARE.least, share * SHARE.giveUp) : share;
};
