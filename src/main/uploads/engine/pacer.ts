/** Measures the line while files are sent, and says how fast that may be (pace.ts). */
import { createLineDelay } from './line-delay.ts';
import { beginSlowly, type Pace, startPace, steer, withoutLimit } from './pace.ts';

export type Pacer = {
  /** A small request begins; the answered function is called when it was answered. */
  readonly request: (source: string) => () => void;
  /** Bytes were handed to a connection. */
  readonly moved: (bytes: number) => void;
  /** The rate in bytes per second; undefined: no limit. */
  readonly rate: () => number | undefined;
  /** From now on files are sent to that storage. */
  readonly sendTo: (origin: string) => void;
  /** Large files begin: the pace begins slowly, if the storage's delay is known. */
  readonly beginSlowly: () => void;
  /** The storage does not say how long the queue is: a pace that was to begin slowly is not limited. */
  readonly giveUp: () => void;
  /** Whether the storage should be asked how long the queue is. */
  readonly needsProbe: () => boolean;
  /** Whether the storage has ever answered. */
  readonly isKnown: () => boolean;
  /** Forgets what is known of the line: it is another one. */
  readonly forget: () => void;
};

/** A moment when a request began: what had been sent by then, and how long the queue was. */
type Mark = { readonly atMs: number; readonly bytes: number; readonly queueMs: number };

const SAMPLE_MS = 250;
/** How many samples the rate of the line is measured over. */
const MARKS = 3;
/** When no byte was sent for this long, the measurement starts again: the pause says nothing about the line. */
const IDLE_MS = 2_000;

/** When this much was sent, and no small request was made for this long, the length of the queue is unknown. */
const UNKNOWN_MS = 200;
const UNKNOWN_BYTES = 256 * 1024;

/** During the slow start, how long after a change of the pace a probe is sent: by then its bytes are in the line's buffer. */
const BEGINNING_PROBE_MS = 20;
/** The slow start ends after this long: it cannot find the rate if files are read slowly, or a storage answers late. */
const BEGINNING_MS = 3_000;

/** A delay from which the queue may soon be too long. */
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
  /** When the pace began, and when it last changed since. */
  let beganMs = 0;
  let changedMs = 0;

  const present = (): Pace => {
    if (pace.beginning && now() - beganMs > BEGINNING_MS) pace = withoutLimit(pace);
    return pace;
  };

  /** While the pace begins, each probe counts that left after the last change. */
  const sampleBeginning = (begunMs: number, bytesThen: number): void => {
    const queueMs = delay.latestMs(storage);
    const before = marks.at(-1);
    if (queueMs === undefined || !before || begunMs < changedMs) return;
    const mark = { atMs: begunMs, bytes: bytesThen, queueMs };
    pace = steer(pace, { atMs: now(), queueMs, carried: carriedBetween(before, mark), leavesRoom: leavesRoom() });
    marks = [mark];
    changedMs = now();
  };

  const sample = (begunMs: number, bytesThen: number): void => {
    if (begunMs - movedMs > IDLE_MS) marks = [];
    const before = marks.at(-1);
    if (before && begunMs - before.atMs < SAMPLE_MS) return;
    const queueMs = delay.queueMs(storage);
    if (queueMs === undefined) return;
    const mark = { atMs: begunMs, bytes: bytesThen, queueMs };
    const [first] = marks;
    if (first && marks.length === MARKS) {
      const carried = carriedBetween(first, mark);
      pace = steer(pace, { atMs: now(), queueMs, carried, leavesRoom: leavesRoom() });
    }
    marks = [...marks, mark].slice(-MARKS);
  };

  return {
    request: (source) => {
      const begunMs = now();
      const bytesThen = bytes;
      return () => {
        delay.answered(source, now() - begunMs);
        lastHost = source;
        bytesBefore = bytes;
        if (!present().beginning) sample(begunMs, bytesThen);
        else if (source === storage) sampleBeginning(begunMs, bytesThen);
      };
    },
    moved: (moved) => {
      bytes += moved;
      movedMs = now();
    },
    rate: () => present().bytesPerSecond,
    sendTo: (origin) => {
      storage = origin;
    },
    beginSlowly: () => {
      if (delay.queueMs(storage) === undefined) return;
      pace = beginSlowly(pace);
      beganMs = now();
      changedMs = now();
      if (pace.beginning) marks = [{ atMs: beganMs, bytes, queueMs: 0 }];
    },
    giveUp: () => {
      if (pace.beginning) pace = withoutLimit(pace);
    },
    needsProbe: () => {
      if (present().beginning) return now() - changedMs >= BEGINNING_PROBE_MS;
      // A signature may take long for reasons of the service: whether files wait, too, only the storage can say.
      const isOpen = pace.bytesPerSecond !== undefined || (delay.queueMs(lastHost) ?? 0) > LOOKS_LONG_MS;
      if (isOpen) return now() - delay.lastMs(storage) >= UNKNOWN_MS;
      return bytes - bytesBefore >= UNKNOWN_BYTES && now() - delay.lastMs() >= UNKNOWN_MS;
    },
    isKnown: () => delay.lastMs(storage) !== Number.NEGATIVE_INFINITY,
    forget: () => {
      delay.forget();
      pace = startPace();
      marks = [];
    },
  };
};

/** In bytes per second. What is sent while the queue is so long leaves it so much later. */
const carriedBetween = (first: Mark, last: Mark): number => {
  const elapsedMs = last.atMs - first.atMs;
  const leftMs = elapsedMs + last.queueMs - first.queueMs;
  return ((last.bytes - first.bytes) * 1_000) / Math.max(leftMs, elapsedMs / 2);
};
