/**
 * Watches the line while files are sent, and paces them (pacer.ts). The duration of signatures shows the length of the
 * line's queue. The storage is probed where signatures are rare, as with large files, and where the queue looks long.
 */
import { orCancelled, withDeadline } from '../../async/cancel.ts';
import type { TimeRoundTrip } from '../../net/time-round-trip.ts';
import type { LineWatch } from '../transfer/transfer-context.ts';
import { createPacer } from './pacer.ts';

type LineWatchOptions = {
  /** Ms, from any moment on. */
  readonly now: () => number;
  readonly leavesRoom: () => boolean;
  readonly timeRoundTrip: TimeRoundTrip;
};

type PacingLine = LineWatch & {
  /** The rate in bytes per second; undefined: no limit. */
  readonly rate: () => number | undefined;
  /** The line has changed: forgets what was measured. */
  readonly forget: () => void;
};

/** How long a storage that did not answer a probe is not probed again. */
const AGAIN_MS = 30_000;

/** How long a large file waits at most for the first answer of its storage. */
const FIRST_MS = 1_000;

/** After this time without a file to it, a storage is probed again: the line may have changed. */
const STALE_MS = 5 * 60_000;

/** A watch that has measured nothing yet. */
export const createLineWatch = (options: LineWatchOptions): PacingLine => {
  const { now, leavesRoom, timeRoundTrip } = options;
  const pacer = createPacer(now, leavesRoom);
  /** The storage that files are sent to. */
  let present: string | undefined;
  let probing: Promise<void> | undefined;
  let notBeforeMs = Number.NEGATIVE_INFINITY;
  /** The line may have changed since the last large file. */
  let isNew = true;
  /** When a file was last sent to each storage. */
  const usedMs = new Map<string, number>();

  const probe = async (origin: string): Promise<void> => {
    let answered = (): void => {};
    try {
      await timeRoundTrip(origin, () => {
        answered = pacer.request(origin);
      });
      answered();
    } catch {
      notBeforeMs = now() + AGAIN_MS;
      pacer.giveUp();
    } finally {
      probing = undefined;
    }
  };

  return {
    request: pacer.request,
    moved: (bytes) => {
      pacer.moved(bytes);
      if (present !== undefined && !probing && now() >= notBeforeMs && pacer.needsProbe()) probing = probe(present);
    },
    begins: async (origin, isLarge, signal) => {
      const lastMs = usedMs.get(origin) ?? Number.NEGATIVE_INFINITY;
      present = origin;
      pacer.sendTo(origin);
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
    forget: () => {
      pacer.forget();
      usedMs.clear();
      isNew = true;
    },
  };
};
