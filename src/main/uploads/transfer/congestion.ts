/** Computes how fast all files together can be sent without filling the buffers of the line. */
import { orCancelled, withDeadline } from '../../async/cancel.ts';
import type { TimeRoundTrip } from '../../net/time-round-trip.ts';
import { MOST_ORIGINS } from '../../net/urls.ts';

// The queuing delay, called the queue here, is how long packets wait in the line's buffers. This delay is the duration
// of a small request minus the base delay, which is the duration of the fastest request in about ten minutes. RFC 6817
// measures one direction only, which needs the help of the other end; here the round trip is measured.

/** The current delay is the least of the last few requests: a slower request may have waited for more than the line. */
const CURRENT = { requests: 4, withinMs: 400 };
/** How long the delay of the last request counts as the current delay if requests are rare. */
const RECENT_MS = 1_500;

/** The base history: the fastest request of each of the last minutes. */
const BASE_HISTORY = { minuteMs: 60_000, minutes: 10 };

/**
 * The maximum number of hosts whose delays are kept. Every file reads all delays, and the service may name many hosts.
 */
const MOST_HOSTS = 64;

/** The delays of requests to one host. */
type Delays = {
  /** The last requests, in order. */
  readonly current: { readonly atMs: number; readonly ms: number }[];
  /** The base history; the current minute is last. */
  readonly base: { readonly minute: number; ms: number }[];
};

// Every file adds to the delays and reads them, so `baseOf` and `queueOf` are loops that allocate nothing.

const baseOf = ({ base }: Delays): number => {
  let least = Number.POSITIVE_INFINITY;
  for (const { ms } of base) least = Math.min(least, ms);
  return least;
};

/** The shortest queue since `sinceMs`, in ms; infinite if there was no request since then. */
const queueOf = (delays: Delays, sinceMs: number): number => {
  let least = Number.POSITIVE_INFINITY;
  for (const { atMs, ms } of delays.current) if (atMs >= sinceMs) least = Math.min(least, ms);
  return least - baseOf(delays);
};

/** Creates a record of the delays of small requests, by host. `now`: ms since any fixed moment. */
export const createDelayHistory = (now: () => number) => {
  const hosts = new Map<string, Delays>();
  let lastMs = Number.NEGATIVE_INFINITY;
  const lastOf = (host: string) => hosts.get(host)?.current.at(-1);

  return {
    /** Records that a small request to `host` took `ms`. Only requests to the same host are compared. */
    add: (host: string, ms: number): void => {
      lastMs = now();
      const minute = Math.floor(lastMs / BASE_HISTORY.minuteMs);
      const delays = hosts.get(host) ?? { current: [], base: [] };
      // Moves the host to the end of the map, so that the first host is the one whose last response is the oldest.
      hosts.delete(host);
      hosts.set(host, delays);
      if (hosts.size > MOST_HOSTS) hosts.delete(hosts.keys().next().value ?? '');
      const { current, base } = delays;
      current.push({ atMs: lastMs, ms });
      if (current.length > CURRENT.requests) current.shift();
      const present = base.at(-1);
      if (present?.minute === minute) present.ms = Math.min(present.ms, ms);
      else base.push({ minute, ms });
      while ((base[0]?.minute ?? minute) <= minute - BASE_HISTORY.minutes) base.shift();
    },
    /**
     * The shortest queue to any host, in ms: all hosts share the line. Undefined if `host` has not responded lately.
     */
    queueMs: (host: string): number | undefined => {
      const nowMs = now();
      const own = hosts.get(host);
      const atMs = lastOf(host)?.atMs;
      if (own === undefined || atMs === undefined || nowMs - atMs > RECENT_MS) return undefined;
      let least = queueOf(own, Math.min(atMs, nowMs - CURRENT.withinMs));
      for (const other of hosts.values()) least = Math.min(least, queueOf(other, nowMs - CURRENT.withinMs));
      return least;
    },
    /** The queue that the last request to `host` met, in ms; undefined if `host` has not responded. */
    latestQueueMs: (host: string): number | undefined => {
      const delays = hosts.get(host);
      const last = lastOf(host);
      return delays && last && last.ms - baseOf(delays);
    },
    /** The base delay of `host` so far, in ms; undefined if `host` has not responded. */
    baseMs: (host: string): number | undefined => {
      const delays = hosts.get(host);
      return delays && baseOf(delays);
    },
    /** When `host`, or without `host` any host, last responded; -Infinity: never. */
    lastMs: (host?: string): number => (host === undefined ? lastMs : (lastOf(host)?.atMs ?? Number.NEGATIVE_INFINITY)),
    forget: (): void => {
      hosts.clear();
      lastMs = Number.NEGATIVE_INFINITY;
    },
  };
};

// The controller, a pure function:
// - Before large files it starts slowly (`slowStart`), and doubles the pace until there is a queue. If the pace
// becomes higher than `BEGINNING.highest`, there is no limit.
// - While there is no limit, it sets one when the queue becomes longer than the target.
// - With a limit, it permits the throughput that the line had: a little more while the queue is shorter than the
// target, a little less while it is longer. The line stays full, and its buffers stay almost empty.
// - If it leaves room for others and the queue nevertheless stays long, it gives up more and more of the line (as
// LEDBAT does, RFC 6817), and takes it back once the queue is short again.

type PaceSample = {
  /** Ms since any fixed moment. */
  readonly atMs: number;
  readonly queueMs: number;
  /** The throughput just before the sample, in bytes per second. */
  readonly carried: number;
  readonly leavesRoom: boolean;
  /** The base delay of the storage, in ms. */
  readonly baseMs: number;
};

type Pace = {
  /** The permitted speed of all uploads together; undefined: no limit. */
  readonly bytesPerSecond?: number;
  /** Samples of the throughput; the highest counts as the capacity of the line. */
  readonly carried: readonly { readonly atMs: number; readonly bytesPerSecond: number }[];
  /** The share of the line that is used: 1, or less while room is left for others. */
  readonly share: number;
  /** Since when the queue has been long (`QUEUE_MS.long`); absent if the queue is not long. */
  readonly longSinceMs?: number;
  /** Since when the queue has been short (below half of `QUEUE_MS.target`); absent if the queue is not short. */
  readonly shortSinceMs?: number;
  /** When the pace was last lowered to empty the queue, or when there last was no limit. */
  readonly emptiedMs: number;
  /**
   * The length of the queue, in ms, if the last sample began to empty the queue and the queue was not short; otherwise
   * absent.
   */
  readonly emptiesMs?: number;
  /** The highest throughput, in bytes per second. It decays with samples below the pace or with a long queue. */
  readonly peak: number;
  /**
   * The state of a slow start. `grows`: the pace doubles; `suspects`: the last sample had a queue; `creeps`: others may
   * already fill the line, so the pace grows by `CREEPING.growth`; `lags`: like `creeps`, but the last throughput was
   * too low for the pace.
   */
  readonly beginning?: 'grows' | 'suspects' | 'creeps' | 'lags';
};

/** The slow start. Without it, send buffers would take the first files whole, long before the line transfers them. */
const BEGINNING = {
  /** The minimum pace at the start, and the pace above which there is no limit, in bytes per second. */
  first: 2_000_000,
  highest: 250_000_000,
  /** The pace doubles if the queue is not longer than `queueMs`, and at least the share `used` of the pace was used. */
  queueMs: 30,
  used: 0.25,
  /**
   * After the first sample with a queue, the pace is this share of the throughput, but at least `least` bytes per
   * second.
   */
  suspected: 0.5,
  least: 250_000,
  /** At the end, the pace empties the queue in this time, but is at least the share `end` of the throughput. */
  emptiesMs: 900,
  end: 0.5,
  /** How long the throughput at the end of the slow start counts. It was measured over a short time only. */
  countsMs: 500,
};

/**
 * A cautious slow start, used if room is left for others and the base delay is at least `fromMs`: another program may
 * already have filled the line. The pace grows by the factor `growth` with each sample. After two samples in a row
 * below the share `reached` of the pace, the pace falls to the share `kept` of the throughput.
 */
const CREEPING = { fromMs: 200, growth: 1.02, reached: 0.7, kept: 0.4 };

/**
 * The target of the queue, and the length that counts as long, in ms. The queue also delays the requests that follow
 * a user's clicks.
 */
const QUEUE_MS = { target: 50, long: 100 };

/** The pace is the throughput times 1 + `GAIN` without a queue, and times 1 - `GAIN` at twice the target. */
const GAIN = 0.1;
const SLOWEST = 0.7;

/** The square root of the throughput, times this, is added to the pace, so that two uploads get equal shares. */
const ADDED = 40;

/** The minimum pace, in bytes per second: a slower one could not be measured. */
const LEAST = 16 * 1024;

/** The window of the capacity estimate: the highest throughput within this time counts. */
const CARRIED_MS = 2_000;

/** The peak of the throughput, which sets a minimum pace only while no room is left for others. */
const PEAK = {
  /** The minimum pace as a share of the peak: the fair share next to one other upload. */
  kept: 0.5,
  /** A pace counts as reached if the throughput was at least this share of it. */
  reached: 0.9,
  /** The factors of the peak after a sample that did not reach the pace, and after one with a long queue. */
  unreached: 0.8,
  long: 0.99,
};

/**
 * The queue is emptied regularly, because an upload that starts later would mistake the queue for the base delay. For
 * one sample, the pace is lowered to empty the queue within `withinMs`, but not below the share `least` of the line. If
 * more than the share `left` of the queue remains, others fill it as well, and the pace is lowered once more, by twice
 * as much.
 */
const EMPTYING = { everyMs: 10_000, withinMs: 300, left: 0.5, least: 0.3 };

/**
 * A queue that stays short means that something else limits the transfers. After `afterMs` the pace grows by the factor
 * `growth` with each sample. A pace above `most` times the capacity of the line ends the limit.
 */
const SHORT = { afterMs: 1_000, growth: 1.4, most: 4 };

/**
 * While room is left for others, a queue that stays long for `afterMs` means that others use the line. The used share
 * then falls by the factor `giveUp` with each sample, down to `least`. It rises by the factor `takeBack` with each
 * sample while the queue does not exceed its target.
 */
const SHARE = { least: 0.05, afterMs: 750, giveUp: 0.7, takeBack: 1.2 };

export const startPace = (): Pace => ({
  carried: [],
  share: 1,
  emptiedMs: Number.NEGATIVE_INFINITY,
  peak: 0,
});

const slowStart = (pace: Pace): Pace =>
  pace.bytesPerSecond === undefined
    ? { ...pace, bytesPerSecond: Math.max(BEGINNING.first, pace.peak), beginning: 'grows' }
    : pace;

const isCreeping = ({ beginning }: Pace): boolean => beginning === 'creeps' || beginning === 'lags';

const withoutLimit = ({ bytesPerSecond: _, beginning: __, ...pace }: Pace): Pace => pace;

/**
 * The pace after a sample of the slow start. A queue in two samples in a row ends the slow start: a single one may be
 * chance.
 */
const grow = (pace: Pace, { atMs, queueMs, carried, leavesRoom, baseMs }: PaceSample): Pace => {
  const { bytesPerSecond = BEGINNING.first, beginning } = pace;
  if (queueMs <= BEGINNING.queueMs) {
    if (leavesRoom && baseMs >= CREEPING.fromMs) return creep(pace, bytesPerSecond, carried);
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

const creep = (pace: Pace, bytesPerSecond: number, carried: number): Pace => {
  if (carried >= bytesPerSecond * CREEPING.reached)
    return { ...pace, bytesPerSecond: bytesPerSecond * CREEPING.growth, beginning: 'creeps' };
  if (pace.beginning !== 'lags') return { ...pace, beginning: 'lags' };
  return { ...pace, bytesPerSecond: Math.max(BEGINNING.least, carried * CREEPING.kept), beginning: 'creeps' };
};

export const steer = (pace: Pace, sample: PaceSample): Pace => {
  if (pace.beginning) return grow(pace, sample);
  const { queueMs, leavesRoom } = sample;
  const { bytesPerSecond: limit } = pace;
  const emptying = limit === undefined ? undefined : emptyingShare(pace, sample);
  const next = observed(pace, sample, emptying);
  if (limit === undefined && queueMs <= QUEUE_MS.target) return next;

  const line = Math.max(...next.carried.map(({ bytesPerSecond }) => bytesPerSecond));
  if (emptying) return { ...next, bytesPerSecond: Math.max(LEAST, line * emptying.share * next.share) };
  const byQueue = Math.max(SLOWEST, 1 + GAIN * (1 - queueMs / QUEUE_MS.target));
  const floor = leavesRoom ? LEAST : Math.max(LEAST, next.peak * PEAK.kept);
  const steady = Math.max(floor, line * byQueue * next.share + ADDED * Math.sqrt(line));
  const isShort = next.share === 1 && msSince(next.shortSinceMs, sample) >= SHORT.afterMs;
  const faster = isShort ? (limit ?? 0) * SHORT.growth : 0;
  return faster > line * SHORT.most ? next : { ...next, bytesPerSecond: Math.max(steady, faster) };
};

type Emptying = { readonly share: number; readonly begins: boolean };

/** The share of the line that is used while the queue is emptied; undefined while the queue is not emptied. */
const emptyingShare = ({ emptiedMs, emptiesMs }: Pace, { atMs, queueMs }: PaceSample): Emptying | undefined => {
  const begins = atMs - emptiedMs >= EMPTYING.everyMs;
  const goesOn = emptiesMs !== undefined && queueMs > emptiesMs * EMPTYING.left;
  if (!begins && !goesOn) return undefined;
  return { share: Math.max(EMPTYING.least, 1 - (queueMs * (goesOn ? 2 : 1)) / EMPTYING.withinMs), begins };
};

const msSince = (sinceMs: number | undefined, { atMs }: PaceSample): number =>
  sinceMs === undefined ? 0 : atMs - sinceMs;

/** The pace with the observations of the sample; the caller adds the limit. */
const observed = (pace: Pace, sample: PaceSample, emptying: Emptying | undefined): Pace => {
  const { atMs, queueMs, leavesRoom } = sample;
  const longSinceMs = queueMs > QUEUE_MS.long ? (pace.longSinceMs ?? atMs) : undefined;
  const shortSinceMs = queueMs < QUEUE_MS.target / 2 ? (pace.shortSinceMs ?? atMs) : undefined;
  const isReached = sample.carried >= (pace.bytesPerSecond ?? 0) * PEAK.reached;
  const fades = isReached ? (longSinceMs === undefined ? 1 : PEAK.long) : PEAK.unreached;
  const begins = emptying?.begins ?? false;
  return {
    carried: nextCarried(pace, sample),
    share: leavesRoom ? nextShare(pace.share, queueMs <= QUEUE_MS.target, msSince(longSinceMs, sample)) : 1,
    ...(longSinceMs !== undefined && { longSinceMs }),
    ...(shortSinceMs !== undefined && { shortSinceMs }),
    emptiedMs: begins || pace.bytesPerSecond === undefined ? atMs : pace.emptiedMs,
    ...(begins && shortSinceMs === undefined && { emptiesMs: queueMs }),
    peak: Math.max(sample.carried, pace.peak * fades),
  };
};

/** The samples of the throughput. While only a share of the line is used, they do not show its capacity. */
const nextCarried = ({ share, carried }: Pace, sample: PaceSample): Pace['carried'] => {
  if (share < 1) return carried;
  const recent = carried.filter(({ atMs }) => atMs > sample.atMs - CARRIED_MS);
  return [...recent, { atMs: sample.atMs, bytesPerSecond: sample.carried }];
};

const nextShare = (share: number, isShort: boolean, longMs: number): number => {
  if (isShort) return Math.min(1, share * SHARE.takeBack);
  return longMs >= SHARE.afterMs ? Math.max(SHARE.least, share * SHARE.giveUp) : share;
};

// The sampling: a sample consists of the throughput of the line and the length of its queue. In the slow start, samples
// are taken at responses of the storage to small requests. Afterwards, samples are taken at responses of any host, at
// most four a second.

/** The moment when a request began: the bytes sent until then, and the length of the queue. */
type Mark = { readonly atMs: number; readonly bytes: number; readonly queueMs: number };

const SAMPLE_MS = 250;
/** The number of samples that together measure the throughput. */
const MARKS = 3;
/** After this time without a byte, the measurement of the throughput restarts. */
const IDLE_MS = 2_000;

/** The queue is unknown after this time without a response to a small request, if this many bytes were sent. */
const UNKNOWN = { ms: 200, bytes: 256 * 1024 };

/**
 * In the slow start, a probe is sent once a pace has been used for as long as the base delay, within these bounds.
 * Until the response to the probe, only the share `asking` of a growing pace is used, so that a pace that is too high
 * causes no long queue.
 */
const TRIAL = { leastMs: 10, mostMs: 30, asking: 0.5 };
/**
 * The maximum time since a slow start began or last crept. After this time, there is no limit: slow reads or late
 * responses can prevent the slow start from finding the right pace.
 */
const BEGINNING_MS = 3_000;
/**
 * How long a slow start can creep. If the base delay is long because of the distance, a queue that ends the creeping
 * may never form.
 */
const CREEPING_MS = 30_000;

/** If the queue to the host that responded last is longer than this, the storage is probed. */
const LOOKS_LONG_MS = 40;

/** Creates a pacer, which computes the pace from small requests and sent bytes. `now`: ms since any fixed moment. */
export const createPacer = (now: () => number, leavesRoom: () => boolean) => {
  const delay = createDelayHistory(now);
  let pace = startPace();
  let storage = '';
  let lastHost = '';
  let bytes = 0;
  let bytesBefore = 0;
  let movedMs = Number.NEGATIVE_INFINITY;
  let marks: readonly Mark[] = [];
  /** `beganMs`: when the slow start began or last crept; `changedMs`: when it began or took its last sample. */
  let beganMs = 0;
  let creepsUntilMs = 0;
  let changedMs = 0;
  /** When a request to the storage last began. */
  let askedMs = Number.NEGATIVE_INFINITY;
  let userLimit = Number.POSITIVE_INFINITY;

  /** Returns the pace, and first ends a slow start that took too long. */
  const present = (): Pace => {
    if (pace.beginning && now() - beganMs > BEGINNING_MS) pace = withoutLimit(pace);
    return pace;
  };

  const beginSlowly = (): void => {
    if (delay.queueMs(storage) === undefined) return;
    pace = slowStart(pace);
    beganMs = now();
    creepsUntilMs = now() + CREEPING_MS;
    changedMs = now();
    if (pace.beginning) marks = [{ atMs: beganMs, bytes, queueMs: 0 }];
  };

  /**
   * Sets the user's limit. If it rises, discards the measurements of the throughput, which may show the earlier limit
   * instead of the line, and begins slowly.
   */
  const heed = (limit: number): void => {
    const isHigher = limit > userLimit;
    userLimit = limit;
    if (!isHigher) return;
    pace = startPace();
    marks = [];
    beginSlowly();
  };

  const trialMs = (): number => Math.min(TRIAL.mostMs, Math.max(TRIAL.leastMs, delay.baseMs(storage) ?? 0));

  const steerBy = (queueMs: number, carried: number): void => {
    const baseMs = delay.baseMs(storage) ?? 0;
    pace = steer(pace, { atMs: now(), queueMs, carried, leavesRoom: leavesRoom(), baseMs });
  };

  /** In the slow start, each request to the storage that began after the last change of the pace is a sample. */
  const sampleBeginning = (begunMs: number, bytesThen: number): void => {
    const queueMs = delay.latestQueueMs(storage);
    const before = marks.at(-1);
    if (queueMs === undefined || !before || begunMs < changedMs) return;
    const mark = { atMs: begunMs, bytes: bytesThen, queueMs };
    steerBy(queueMs, carriedBetween(before, mark));
    // The first sample after the slow start begins here, and is shorter than later samples.
    marks = new Array<Mark>(MARKS).fill(mark);
    changedMs = now();
    if (isCreeping(pace) && now() < creepsUntilMs) beganMs = now();
  };

  const sample = (begunMs: number, bytesThen: number): void => {
    if (begunMs - movedMs > IDLE_MS) marks = [];
    const before = marks.at(-1);
    if (before && begunMs - before.atMs < SAMPLE_MS) return;
    const queueMs = delay.queueMs(storage);
    if (queueMs === undefined) return;
    const mark = { atMs: begunMs, bytes: bytesThen, queueMs };
    const [first] = marks;
    if (first && marks.length === MARKS) steerBy(queueMs, carriedBetween(first, mark));
    marks = [...marks, mark].slice(-MARKS);
  };

  return {
    /** To be called when a small request to `host` begins. The result is to be called when the response arrives. */
    request: (host: string): (() => void) => {
      const begunMs = now();
      const bytesThen = bytes;
      if (host === storage) askedMs = begunMs;
      return () => {
        delay.add(host, now() - begunMs);
        lastHost = host;
        bytesBefore = bytes;
        if (!present().beginning) sample(begunMs, bytesThen);
        else if (host === storage) sampleBeginning(begunMs, bytesThen);
      };
    },
    moved: (moved: number): void => {
      bytes += moved;
      movedMs = now();
    },
    /**
     * Takes over the user's `limit`, if any, and returns the speed that is permitted now, in bytes per second;
     * undefined: no limit.
     */
    rate: (limit?: number): number | undefined => {
      heed(limit ?? Number.POSITIVE_INFINITY);
      const { bytesPerSecond, beginning } = present();
      const isAsking = beginning === 'grows' && askedMs > changedMs;
      const paced = bytesPerSecond !== undefined && isAsking ? bytesPerSecond * TRIAL.asking : bytesPerSecond;
      return limit === undefined || paced === undefined ? (limit ?? paced) : Math.min(limit, paced);
    },
    /** To be called before files are sent to the storage at `origin`. */
    sendTo: (origin: string): void => {
      storage = origin;
    },
    /** Begins a slow start if there is no limit and the storage responded recently. For use before large files. */
    beginSlowly,
    /** To be called when the storage did not respond to a probe. Ends the slow start, without a limit. */
    giveUp: (): void => {
      if (pace.beginning) pace = withoutLimit(pace);
    },
    /** Whether the storage should be probed, because the length of the queue is unknown or may be growing. */
    needsProbe: (): boolean => {
      const { beginning } = present();
      // A suspected queue is checked immediately.
      if (beginning) return beginning === 'suspects' || now() - changedMs >= trialMs();
      // A slow signature may be due to the service; only the storage shows whether files wait in a queue.
      const isOpen = pace.bytesPerSecond !== undefined || (delay.queueMs(lastHost) ?? 0) > LOOKS_LONG_MS;
      if (isOpen) return now() - delay.lastMs(storage) >= UNKNOWN.ms;
      return bytes - bytesBefore >= UNKNOWN.bytes && now() - delay.lastMs() >= UNKNOWN.ms;
    },
    /** Whether the storage has responded since measurements began. */
    isKnown: (): boolean => delay.lastMs(storage) !== Number.NEGATIVE_INFINITY,
    forget: (): void => {
      delay.forget();
      pace = startPace();
      marks = [];
    },
  };
};

/** The throughput between two marks, in bytes per second. The growth of the queue counts as elapsed time. */
const carriedBetween = (first: Mark, last: Mark): number => {
  const elapsedMs = last.atMs - first.atMs;
  const leftMs = elapsedMs + last.queueMs - first.queueMs;
  return ((last.bytes - first.bytes) * 1_000) / Math.max(leftMs, elapsedMs / 2);
};

// The watch: the duration of requests for signatures shows the length of the line's queue. The storage is probed if
// such requests are rare (with large files), if the queue looks long, and while there is a limit or a slow start.

/** After a probe without a response, sent bytes cause no further probe for this long. */
const AGAIN_MS = 30_000;

/** The longest time that a large file waits for the first response of its storage. */
const FIRST_MS = 1_000;

/** If no file was sent to a storage for this time, the storage is probed again: the line may have changed. */
const STALE_MS = 5 * 60_000;

export type LineWatch = ReturnType<typeof createLineWatch>;

/** Creates a watch over the line, without measurements at first. `now`: ms since any fixed moment. */
export const createLineWatch = (now: () => number, leavesRoom: () => boolean, timeRoundTrip: TimeRoundTrip) => {
  const pacer = createPacer(now, leavesRoom);
  /** The origin of the storage that got the last file. */
  let present: string | undefined;
  let probing: Promise<void> | undefined;
  let notBeforeMs = Number.NEGATIVE_INFINITY;
  /** Whether the line may have changed since the last large file. */
  let isNew = true;
  /** When a file was last sent to each storage. */
  const usedMs = new Map<string, number>();

  const probe = async (origin: string): Promise<void> => {
    let responded = (): void => {};
    try {
      await timeRoundTrip(origin, () => {
        responded = pacer.request(origin);
      });
      responded();
    } catch {
      notBeforeMs = now() + AGAIN_MS;
      pacer.giveUp();
    } finally {
      probing = undefined;
    }
  };

  return {
    request: pacer.request,
    /** To be called when bytes of a file were handed to a connection. */
    moved: (bytes: number): void => {
      pacer.moved(bytes);
      if (present !== undefined && !probing && now() >= notBeforeMs && pacer.needsProbe()) probing = probe(present);
    },
    /** To be called before a file is sent to `origin`. A large file waits up to a second for the first response. */
    begins: async (origin: string, isLarge: boolean, signal: AbortSignal): Promise<void> => {
      const lastMs = usedMs.get(origin) ?? Number.NEGATIVE_INFINITY;
      present = origin;
      pacer.sendTo(origin);
      if (!usedMs.has(origin) && usedMs.size >= MOST_ORIGINS) usedMs.clear();
      usedMs.set(origin, now());
      if (now() - lastMs > STALE_MS) {
        isNew = true;
        probing ??= probe(origin);
      }
      if (!isLarge) return;
      const first = pacer.isKnown() ? undefined : probing;
      if (first) await withDeadline(FIRST_MS, signal, (within) => orCancelled(first, within)).catch(() => {});
      if (isNew) pacer.beginSlowly();
      isNew = false;
    },
    rate: pacer.rate,
    /** Discards all measurements. To be called when the line has changed. */
    forget: (): void => {
      pacer.forget();
      usedMs.clear();
      isNew = true;
    },
  };
};
