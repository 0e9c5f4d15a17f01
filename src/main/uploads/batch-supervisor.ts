/** The batches that run now: begins them, watches them, and writes down how each ended. */
import { DeskError, toErrorData } from '../../contract/errors.ts';
import type { Batch, UploadFile } from '../../contract/models.ts';
import { createBatchProgress, viewBatch } from './batch-progress.ts';
import { runBatch } from './batch-run.ts';
import type { BatchRow } from './ledger/batches.ts';
import { planBatch } from './plan-batch.ts';
import type { Requeued } from './retry-batch.ts';
import type { ScannedFile } from './scan.ts';
import type { Slots } from './slots.ts';
import { createThrottle } from './throttle.ts';
import type { TransferContext } from './transfer.ts';
import { viewFile } from './view-file.ts';

export type SupervisorOptions = {
  readonly context: TransferContext;
  readonly slots: Slots;
  /** Told of a batch whenever it changed, at most every 150 ms while it runs. */
  readonly onBatch: (batch: Batch) => void;
  /** Told of each file that reached its end. */
  readonly onFile: (batch: string, file: UploadFile) => void;
  /** Gets what stopped a batch and should not have happened. */
  readonly onBug: (error: unknown) => void;
};

export type Supervisor = {
  /** Nothing begins any more after `close`. */
  readonly begin: (batch: BatchRow) => void;
  readonly runs: (id: string) => boolean;
  /** With live counts where the batch runs. */
  readonly view: (batch: BatchRow) => Batch;
  /** Failed files of the batch were queued again. */
  readonly requeued: (id: string, files: Requeued) => void;
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

export const createSupervisor = ({ context, slots, onBatch, onFile, onBug }: SupervisorOptions): Supervisor => {
  const { ledger, now } = context;
  const { batches, items, commit } = ledger;

  const start = (row: BatchRow) => {
    const { id, root, nameTemplate } = row;
    const progress = createBatchProgress(items.tally(id), now);
    const pause = new AbortController();
    const abort = new AbortController();
    const interrupted = AbortSignal.any([pause.signal, abort.signal]);
    const tell = (): void => {
      const batch = batches.get(id);
      if (batch) onBatch(view(batch));
    };
    const changed = createThrottle(tell, EVENT_INTERVAL_MS);

    const work = async (): Promise<void> => {
      if (!row.scanned) {
        const onAdded = (files: readonly ScannedFile[]) => {
          progress.added(files);
          changed.request();
        };
        await planBatch({ ledger, batch: id, root, nameTemplate, signal: interrupted, onAdded });
        interrupted.throwIfAborted();
        await commit(() => batches.setState(id, 'running'));
        changed.request();
      }
      do {
        await runBatch({
          context,
          batch: row,
          slots,
          progress,
          onProgress: changed.request,
          onSettled: (item) => onFile(id, viewFile(items.get(item.id) ?? item)),
          pause: pause.signal,
          abort: abort.signal,
        });
      } while (!(await commit(finishIfDone)) && !interrupted.aborted);
    };

    /** Not where files were queued again at the last moment. */
    const finishIfDone = (): boolean => {
      if (items.toGo(id, 1).length > 0) return false;
      batches.setFinished(id, 'finished', now());
      return true;
    };

    const ended = work()
      .catch(async (error) => {
        // Whoever interrupts says what the batch is then.
        if (interrupted.aborted) return;
        if (!(error instanceof DeskError)) onBug(error);
        await commit(() => batches.setState(id, 'paused', toErrorData(error)));
      })
      .then(ledger.emptyLog)
      // A ledger that takes no more writes has nowhere to say so; what runs ends all the same.
      .catch(() => {})
      .finally(() => {
        running.delete(id);
        changed.end();
      });
    return { progress, pause, abort, ended };
  };

  const running = new Map<string, ReturnType<typeof start>>();
  const ended = async (id: string): Promise<void> => running.get(id)?.ended;
  const view = (row: BatchRow): Batch => running.get(row.id)?.progress.view(row) ?? viewBatch(row, items.tally(row.id));
  let closed = false;

  return {
    begin: (row) => {
      if (!closed) running.set(row.id, start(row));
    },
    runs: (id) => running.has(id),
    view,
    requeued: (id, files) => running.get(id)?.progress.requeued(files),
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
