/**
 * Measures the line while files are sent, and answers how fast they may be sent (pace.ts). A sample consists of the bytes
 * that the line carried and of the length of its queue (line-delay.ts): in the slow start one for each probe of the storage,
 * afterwards four a second, from any small request.
 */
import { createLineDelay } from './line-delay.ts';
import { beginSlowly, isCreeping, type Pace, startPace, steer, withoutLimit } from './pace.ts';

type Pacer = {
  /** A small request to `host` begins. The returned function is called when the answer arrives. */
  readonly request: (host: string) => () => void;
  /** Bytes were handed to a connection. */
  readonly moved: (bytes: number) => void;
  /** The rate in bytes per second; undefined: no limit. */
  readonly rate: () => number | undefined;
  /** From now on, files are sent to the storage at `origin`. */
  readonly sendTo: (origin: string) => void;
  /** Large files are about to be sent: starts slowly if the storage's delay is known. */
  readonly beginSlowly: () => void;
  /** The storage did not answer a probe: ends the slow start, without a limit. */
  readonly giveUp: () => void;
  /** Whether the storage should be probed, because the length of the queue is unknown or may be growing. */
  readonly needsProbe: () => boolean;
  /** Whether the storage has ever answered. */
  readonly isKnown: () => boolean;
  /** The line has changed: forgets what was measured. */
  readonly forget: () => void;
};

/** The moment when a request began: the bytes sent until then, and the length of the queue. */
type Mark = { readonly atMs: number; readonly bytes: number; readonly queueMs: number };

const SAMPLE_MS = 250;
/** What the line carried is measured over this many samples. */
const MARKS = 3;
/** After this time without a byte, the measurement starts again: a pause says nothing about the line. */
const IDLE_MS = 2_000;

/** After this time without a small request, and this many bytes, the length of the queue is unknown. */
const UNKNOWN = { ms: 200, bytes: 256 * 1024 };

/**
 * In the slow start, a pace is tried until a probe is sent, for as long as an answer takes without a queue, but within these
 * bounds. Until the answer arrives, only this share of the pace is used: a pace that is too fast fills no long queue.
 */
const TRIAL = { leastMs: 10, mostMs: 30, asking: 0.5 };
/** When the slow start ends in any case: if files are read slowly or a storage answers late, it cannot find the pace. */
const BEGINNING_MS = 3_000;
/** How long it creeps at most: a storage may really be this far away, and then something else than the line may limit the pace. */
const CREEPING_MS = 30_000;

/** A queue of a host's requests from which on the storage is probed. */
const LOOKS_LONG_MS = 40;

/** `now`: ms, from any moment on. */
export const createPacer = (now: () => number, leavesRoom: () => boolean): Pacer => {
  const delay = createLineDelay(now);
  let pace = startPace();
  let storage = '';
  let lastHost = '';
  let bytes = 0;
  let bytesBefore = 0;
  let movedMs = Number.NEGATIVE_INFINITY;
  let marks: readonly Mark[] = [];
  /** When the slow start began, or stopped creeping; until when it may creep; and when it last changed the pace. */
  let beganMs = 0;
  let creepsUntilMs = 0;
  let changedMs = 0;
  /** When a request to the storage last began. */
  let askedMs = Number.NEGATIVE_INFINITY;

  /** The pace now; a slow start that took too long ends here. */
  const present = (): Pace => {
    if (pace.beginning && now() - beganMs > BEGINNING_MS) pace = withoutLimit(pace);
    return pace;
  };

  const trialMs = (): number => Math.min(TRIAL.mostMs, Math.max(TRIAL.leastMs, delay.leastMs(storage) ?? 0));

  const steerBy = (queueMs: number, carried: number): void => {
    const leastMs = delay.leastMs(storage) ?? 0;
    pace = steer(pace, { atMs: now(), queueMs, carried, leavesRoom: leavesRoom(), leastMs });
  };

  /** In the slow start, each probe that was sent after the last change of the pace is a sample. */
  const sampleBeginning = (begunMs: number, bytesThen: number): void => {
    const queueMs = delay.latestMs(storage);
    const before = marks.at(-1);
    if (queueMs === undefined || !before || begunMs < changedMs) return;
    const mark = { atMs: begunMs, bytes: bytesThen, queueMs };
    steerBy(queueMs, carriedBetween(before, mark));
    // The first sample after the slow start begins here, and is not as long as the others.
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
    request: (host) => {
      const begunMs = now();
      const bytesThen = bytes;
      if (host === storage) askedMs = begunMs;
      return () => {
        delay.answered(host, now() - begunMs);
        lastHost = host;
        bytesBefore = bytes;
        if (!present().beginning) sample(begunMs, bytesThen);
        else if (host === storage) sampleBeginning(begunMs, bytesThen);
      };
    },
    moved: (moved) => {
      bytes += moved;
      movedMs = now();
    },
    rate: () => {
      const { bytesPerSecond, beginning } = present();
      const isAsking = beginning === 'grows' && askedMs > changedMs;
      return bytesPerSecond !== undefined && isAsking ? bytesPerSecond * TRIAL.asking : bytesPerSecond;
    },
    sendTo: (origin) => {
      storage = origin;
    },
    beginSlowly: () => {
      if (delay.queueMs(storage) === undefined) return;
      pace = beginSlowly(pace);
      beganMs = now();
      creepsUntilMs = now() + CREEPING_MS;
      changedMs = now();
      if (pace.beginning) marks = [{ atMs: beganMs, bytes, queueMs: 0 }];
    },
    giveUp: () => {
      if (pace.beginning) pace = withoutLimit(pace);
    },
    needsProbe: () => {
      const { beginning } = present();
      // Whether there really is a queue is asked at once.
      if (beginning) return beginning === 'suspects' || now() - changedMs >= trialMs();
      // A slow signature may be due to the service; only the storage shows whether files wait in a queue.
      const isOpen = pace.bytesPerSecond !== undefined || (delay.queueMs(lastHost) ?? 0) > LOOKS_LONG_MS;
      if (isOpen) return now() - delay.lastMs(storage) >= UNKNOWN.ms;
      return bytes - bytesBefore >= UNKNOWN.bytes && now() - delay.lastMs() >= UNKNOWN.ms;
    },
    isKnown: () => delay.lastMs(storage) !== Number.NEGATIVE_INFINITY,
    forget: () => {
      delay.forget();
      pace = startPace();
      marks = [];
    },
  };
};

/** Bytes per second. Bytes sent while there is a queue leave it as much later, so its change is part of the time. */
const carriedBetween = (first: Mark, last: Mark): number => {
  const elapsedMs = last.atMs - first.atMs;
  const leftMs = elapsedMs + last.queueMs - first.queueMs;
  return ((last.bytes - first.bytes) * 1_000) / Math.max(leftMs, elapsedMs / 2);
};
