/** The batches in progress: starts them, reports their progress, and records how each ended. */

import { type Batch, isActive } from '../../../contract/batches.ts';
import { DeskError, type ErrorData, toErrorData } from '../../../contract/errors.ts';
import type { UploadFile } from '../../../contract/upload-files.ts';
import { createCondition } from '../../async/condition.ts';
import { createThrottle } from '../../async/throttle.ts';
import type { BatchRow } from '../ledger/batches.ts';
import { viewFile } from '../ledger/item-row.ts';
import { createContentOf, namesOf } from '../transfer/own-name.ts';
import type { TransferContext } from '../transfer/transfer-context.ts';
import { createBatchProgress, viewBatch } from './batch-progress.ts';
import { runBatch } from './batch-run.ts';
import { planBatch } from './plan-batch.ts';

export type SupervisorOptions = {
  readonly context: TransferContext;
  /** Called when a batch has changed, at most every 150 ms while it runs. */
  readonly onBatch: (batch: Batch) => void;
  /** Called for each file that is settled. */
  readonly onFile?: (batch: string, file: UploadFile) => void;
  /** Receives unexpected errors that stopped a batch. */
  readonly onBug: (error: unknown) => void;
};

type Supervisor = {
  /** Does nothing after `close`. */
  readonly begin: (batch: BatchRow) => void;
  readonly runs: (id: string) => boolean;
  /** With live counts while the batch runs. */
  readonly view: (batch: BatchRow) => Batch;
  /** Starts no new file; transfers in progress finish. */
  readonly pause: (id: string) => void;
  /** Aborts transfers in progress. Resolves when the run has ended. */
  readonly abort: (id: string) => Promise<void>;
  /** Resolves when the batch is not running. */
  readonly ended: (id: string) => Promise<void>;
  readonly isClosed: () => boolean;
  /** Aborts everything. */
  readonly close: () => Promise<void>;
};

const EVENT_INTERVAL_MS = 150;
/** The maximum age of a speed that is shown. */
const SPEED_INTERVAL_MS = 1_000;

/** A supervisor without batches. */
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
    let refresh: NodeJS.Timeout | undefined;
    const report = (): void => {
      const batch = batches.get(id);
      if (!batch) return;
      const shown = view(batch);
      onBatch(shown);
      clearTimeout(refresh);
      // When nothing moves, there is no other event to report it.
      if (shown.bytesPerSecond > 0) refresh = setTimeout(changed.request, SPEED_INTERVAL_MS).unref();
    };
    const changed = createThrottle(report, EVENT_INTERVAL_MS);

    /** Scans the folder, while files found so far are being sent. */
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
        // One folder after another, so that each sees the names taken by those before it.
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

    /** Unless files were queued again at the last moment. */
    const finishIfDone = (): boolean => {
      if (!isPlanned || items.pending(id, 1).length > 0) return false;
      batches.setFinished(id, 'finished', now());
      return true;
    };

    /** An error in one of the two halves stops the other; transfers in progress finish. */
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
        // The code that interrupted it sets the batch's state.
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
  /** Why batches stopped that the ledger still lists as running because it cannot be written. */
  const unwritten = new Map<string, ErrorData>();
  const ended = async (id: string): Promise<void> => running.get(id)?.ended;
  const view = (row: BatchRow): Batch => {
    const reason = isActive(row) ? unwritten.get(row.id) : undefined;
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
