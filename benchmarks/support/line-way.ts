/** One direction of an emulated line: a bottleneck with a finite buffer, followed by the distance. */
import type { LineSpec } from './line.ts';

/** Bytes to be carried. They are divided into parts, so that several senders take turns. */
type Load = {
  readonly bytes: number;
  /** Takes the next part into the buffer. Returns a function to call when that part arrives. */
  readonly take: (bytes: number) => () => void;
  /** Called once all parts are in the buffer. */
  readonly onTaken?: () => void;
};

/** Carries loads in the order of the calls. Loads that wait for the buffer take turns. */
export type Way = (load: Load) => void;

/** The maximum number of bytes that a sender puts into the buffer in its turn. */
const PART_BYTES = 16 * 1024;

/**
 * Timers fire at whole milliseconds. Parts that are due within this time are delivered now, so that half of them are
 * early and half late.
 */
const EARLY_MS = 1;

export const createWay = ({ roundTripMs, bitsPerSecond, bufferMs, jitterMs = 0, pause }: LineSpec): Way => {
  const bytesPerMs = bitsPerSecond / 8000;
  const waiting: { readonly load: Load; left: number }[] = [];
  const crossing = createQueue<{ readonly dueMs: number; readonly arrive: () => void }>();
  const beganMs = performance.now();
  /** When the bottleneck will have sent everything that is in the buffer. */
  let emptyMs = 0;
  let lastDueMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let wakesMs = Number.POSITIVE_INFINITY;

  /** Returns `atMs` or, if the line pauses at that time, the end of the pause. */
  const awake = (atMs: number): number => {
    if (!pause) return atMs;
    const sinceMs = (atMs - beganMs) % pause.everyMs;
    // The first pause comes after the first interval.
    return atMs - beganMs >= pause.everyMs && sinceMs < pause.forMs ? atMs - sinceMs + pause.forMs : atMs;
  };

  const isFull = (nowMs: number): boolean => emptyMs - nowMs >= bufferMs;

  const admit = (nowMs: number): void => {
    while (waiting.length > 0 && !isFull(nowMs)) {
      const next = waiting.shift();
      if (!next) return;
      const bytes = Math.min(next.left, PART_BYTES);
      emptyMs = awake(Math.max(nowMs, emptyMs) + bytes / bytesPerMs);
      lastDueMs = awake(Math.max(lastDueMs, emptyMs + roundTripMs / 2 + Math.random() * jitterMs));
      crossing.push({ dueMs: lastDueMs, arrive: next.load.take(bytes) });
      next.left -= bytes;
      if (next.left > 0) waiting.push(next);
      else next.load.onTaken?.();
    }
  };

  const deliver = (nowMs: number): void => {
    for (let first = crossing.first(); first && first.dueMs <= nowMs + EARLY_MS; first = crossing.first()) {
      crossing.shift();
      first.arrive();
    }
  };

  const tick = (): void => {
    wakesMs = Number.POSITIVE_INFINITY;
    const nowMs = performance.now();
    deliver(nowMs);
    admit(nowMs);
    wakeLater(nowMs);
  };

  const wakeLater = (nowMs: number): void => {
    const dueMs = crossing.first()?.dueMs ?? Number.POSITIVE_INFINITY;
    const roomMs = waiting.length > 0 ? emptyMs - bufferMs : Number.POSITIVE_INFINITY;
    const nextMs = Math.min(dueMs, roomMs);
    if (nextMs >= wakesMs) return;
    clearTimeout(timer);
    wakesMs = nextMs;
    timer = setTimeout(tick, Math.max(1, Math.floor(nextMs - nowMs - EARLY_MS)));
  };

  return (load) => {
    const nowMs = performance.now();
    waiting.push({ load, left: load.bytes });
    admit(nowMs);
    wakeLater(nowMs);
  };
};

/** Creates a queue (first in, first out) whose calls take the same time at any length. */
const createQueue = <T>() => {
  let items: T[] = [];
  let start = 0;
  return {
    push: (item: T): void => void items.push(item),
    first: (): T | undefined => items[start],
    shift: (): void => {
      start += 1;
      if (start < 1024 || start * 2 < items.length) return;
      items = items.slice(start);
      start = 0;
    },
  };
};
