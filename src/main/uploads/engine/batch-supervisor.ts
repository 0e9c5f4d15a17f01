/** The batches that run now: begins them, watches them, and writes down how each ended. */

import type { Batch } from '../../../contract/batches.ts';
import { DeskError, type ErrorData, toErrorData } from '../../../contract/errors.ts';
import type { UploadFile } from '../../../contract/upload-files.ts';
import { createCondition } from '../../async/condition.ts';
import { createThrottle } from '../../async/throttle.ts';
import { type BatchRow, isOpen } from '../ledger/batches.ts';
import { viewFile } from '../ledger/item-row.ts';
import { createContentOf, namesOf } from '../transfer/own-name.ts';
import type { TransferContext } from '../transfer/transfer-context.ts';
import { createBatchProgress, viewBatch } from './batch-progress.ts';
import { runBatch } from './batch-run.ts';
import { planBatch } from './plan-batch.ts';

export type SupervisorOptions = {
  readonly context: TransferContext;
  /** Told of a batch whenever it changed, at most every 150 ms while it runs. */
  readonly onBatch: (batch: Batch) => void;
  /** Told of each file that reached its end. */
  readonly onFile?: (batch: string, file: UploadFile) => void;
  /** Gets what stopped a batch and should not have happened. */
  readonly onBug: (error: unknown) => void;
};

export type Supervisor = {
  /** Nothing begins any more after `close`. */
  readonly begin: (batch: BatchRow) => void;
  readonly runs: (id: string) => boolean;
  /** With live counts where the batch runs. */
  readonly view: (batch: BatchRow) => Batch;
  /** No new file begins; those on their way come to their end. */
  readonly pause: (id: string) => void;
  /** Files on their way are broken off. Resolves when the run has ended. */
  readonly abort: (id: string) => Promise<void>;
  /** Resolves when the batch does not run (any more). */
  readonly ended: (id: string) => Promise<void>;
  readonly isClosed: () => boolean;
  /** Breaks off everything. */
  readonly close: () => Promise<void>;
};

const EVENT_INTERVAL_MS = 150;
/** How old a speed may be that is shown. */
const SPEED_INTERVAL_MS = 1_000;

/** A supervisor of no batch yet. */
export const createSupervisor = (options: SupervisorOptions): Supervisor => {
  const { context, onBatch, onFile, onBug } = options;
  const { ledger, now } = context;
  const { batches, items, commit } = ledger;

  const start = (row: BatchRow) => {
    const { id, nameTemplate } = row;
    const progress = createBatchProgress(items, now);
    const pause = new AbortController();
    const abort = new AbortController();
    const broken = new AbortController();
    const interrupted = AbortSignal.any([pause.signal, abort.signal]);
    const noMore = AbortSignal.any([interrupted, broken.signal]);
    const stateChanged = createCondition();
    noMore.addEventListener('abort', stateChanged.notifyAll);
    let slowing: NodeJS.Timeout | undefined;
    const tell = (): void => {
      const batch = batches.get(id);
      if (!batch) return;
      const shown = view(batch);
      onBatch(shown);
      clearTimeout(slowing);
      // Where nothing moves any more, nothing else would say so.
      if (shown.bytesPerSecond > 0) slowing = setTimeout(changed.request, SPEED_INTERVAL_MS).unref();
    };
    const changed = createThrottle(tell, EVENT_INTERVAL_MS);

    /** Reads the folder, while what it finds is sent already. */
    let isPlanned = row.scanned;
    const plan = async (): Promise<void> => {
      const onAdded = (): void => {
        stateChanged.notifyAll();
        changed.request();
      };
      const onWhole = (): void => {
        if (!noMore.aborted) batches.setState(id, 'running');
      };
      if (!isPlanned) {
        const { connectionId, assignmentId } = row;
        const assignment = { connectionId, assignmentId };
        const contentOf = createContentOf(context, noMore);
        // One folder after another: each sees the names that the ones before it have taken.
        const release = await context.lock.take(namesOf(assignment), noMore);
        const of = { ledger, batch: id, source: row, nameTemplate, assignment, contentOf };
        await planBatch({ ...of, signal: noMore, onAdded, onWhole }).finally(release);
      }
      isPlanned = true;
      onAdded();
    };

    const send = async (): Promise<void> => {
      do {
        await runBatch({
          context,
          batch: row,
          progress,
          onProgress: changed.request,
          onSettled: (item) => onFile?.(id, viewFile(items.get(item.id) ?? item)),
          isPlanned: () => isPlanned,
          stateChanged,
          pause: noMore,
          abort: abort.signal,
        });
      } while (!(await commit(finishIfDone)) && !noMore.aborted);
    };

    /** Not where files were queued again at the last moment. */
    const finishIfDone = (): boolean => {
      if (!isPlanned || items.pending(id, 1).length > 0) return false;
      batches.setFinished(id, 'finished', now());
      return true;
    };

    /** What breaks one of the two breaks the other off, and what is on its way then comes to its end. */
    const work = async (): Promise<void> => {
      let failure: unknown;
      const breaking = async (half: Promise<void>): Promise<void> => {
        try {
          await half;
        } catch (error) {
          failure ??= error;
          broken.abort();
        }
      };
      await Promise.all([breaking(plan()), breaking(send())]);
      if (failure !== undefined) throw failure;
    };

    const ended = work()
      .catch(async (error) => {
        // Whoever interrupts says what the batch is then.
        if (interrupted.aborted) return;
        if (!(error instanceof DeskError)) onBug(error);
        const reason = toErrorData(error);
        await commit(() => batches.setState(id, 'paused', reason)).catch(() => unwritten.set(id, reason));
      })
      .then(ledger.checkpoint)
      .catch(() => {})
      .finally(() => {
        running.delete(id);
        changed.end();
      });
    return { progress, pause, abort, ended };
  };

  const running = new Map<string, ReturnType<typeof start>>();
  /** Why batches stopped that the ledger, which takes no more writes, has as running still. */
  const unwritten = new Map<string, ErrorData>();
  const ended = async (id: string): Promise<void> => running.get(id)?.ended;
  const view = (row: BatchRow): Batch => {
    const reason = isOpen(row) ? unwritten.get(row.id) : undefined;
    return (
      running.get(row.id)?.progress.view(row) ??
      viewBatch(reason ? { ...row, state: 'paused', reason } : row, items.tally(row.id))
    );
  };
  let closed = false;

  return {
    begin: (row) => {
      unwritten.delete(row.id);
      if (!closed) running.set(row.id, start(row));
    },
    runs: (id) => running.has(id),
    view,
    pause: (id) => running.get(id)?.pause.abort(),
    abort: async (id) => {
      running.get(id)?.abort.abort();
      await ended(id);
    },
    ended,
    isClosed: () => closed,
    close: async () => {
      closed = true;
      for (const { abort } of running.values()) abort.abort();
      await Promise.all([...running.values()].map((run) => run.ended));
    },
  };
};
