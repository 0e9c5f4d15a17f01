/** Keeps the computer awake while files are sent, and notifies the user when uploads end or pause. */

import { NOTHING_ASKED, type Reachability, uploadTrouble } from '../../../contract/connection.ts';
import { type Batch, isActive, isBeingCancelled } from '../../../contract/uploads.ts';
import type { Host } from '../host.ts';

/** Batches that end or pause within this time share a notification. */
const TOGETHER_MS = 2_000;

/**
 * Whether a watched folder started the batch. Failed files of such a batch are retried several times automatically, so
 * the same outcome may recur.
 */
const isWatched = ({ schedule }: Batch): boolean => schedule?.watchedId !== undefined;

/** Whether the batch ended without anything for the user to do. */
const isSmooth = ({ state, failed, nameTaken = 0, notReplaced = 0 }: Batch): boolean =>
  state === 'finished' && failed + nameTaken + notReplaced === 0;

const outcomeOf = ({ state, uploaded, skipped, failed, reason }: Batch): string =>
  [state, uploaded, skipped, failed, reason?.code].join(' ');

/**
 * Creates a watch over uploads. `onOpen` receives the upload of a clicked notification; undefined if the notification
 * is about several uploads.
 */
export const createUploadWatch = (
  { keepAwake, notify }: Pick<Host, 'keepAwake' | 'notify'>,
  onOpen: (uploadId: string | undefined) => void,
) => {
  const running = new Map<string, Batch>();
  const ended = new Map<string, Batch>();
  /** The outcome of each batch of a watched folder, as the user was last notified of it. */
  const known = new Map<string, string>();
  let release: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;

  let reachability = NOTHING_ASKED;

  /** Whether files are being sent. Batches that wait, possibly all night, do not keep the computer awake. */
  const isSending = (): boolean =>
    uploadTrouble(reachability) === undefined && running.values().some(({ reason }) => reason === undefined);

  const awakeWhileSending = (): void => {
    if (isSending()) {
      release ??= keepAwake?.();
    } else {
      release?.();
      release = undefined;
    }
  };

  /**
   * Whether the outcome is worth a notification. A watched folder may send single files all day, so its uploads are
   * reported only if something went wrong, and once it is right again.
   */
  const isNews = (batch: Batch): boolean => {
    const before = known.get(batch.batchId);
    return before === undefined ? !isWatched(batch) || !isSmooth(batch) : before !== outcomeOf(batch);
  };

  /**
   * Whether the user is notified now. Users are notified of a paused batch immediately, and of a finished one when its
   * upload is complete.
   */
  const isDue = ({ state, uploadId }: Batch, inProgress: ReadonlySet<string>): boolean =>
    state === 'paused' || !inProgress.has(uploadId);

  const notifyNow = (): void => {
    timer = undefined;
    const inProgress = new Set(running.values().map(({ uploadId }) => uploadId));
    const [first, ...others] = [...ended.values()].filter((batch) => isDue(batch, inProgress));
    if (first === undefined) return;
    for (const batch of [first, ...others]) {
      ended.delete(batch.batchId);
      if (isWatched(batch)) known.set(batch.batchId, outcomeOf(batch));
    }
    const isOne = others.every(({ uploadId }) => uploadId === first.uploadId);
    notify?.([first, ...others], () => onOpen(isOne ? first.uploadId : undefined));
  };

  const end = (batch: Batch): void => {
    ended.set(batch.batchId, batch);
    timer ??= setTimeout(notifyNow, TOGETHER_MS).unref();
  };

  return {
    see: (batch: Batch): void => {
      if (isActive(batch)) {
        running.set(batch.batchId, batch);
        ended.delete(batch.batchId);
      } else if (running.delete(batch.batchId)) {
        if (isNews(batch) && batch.state !== 'cancelled' && !isBeingCancelled(batch)) end(batch);
        // The notification of other batches of the upload may have waited for this batch to end.
        else if (ended.size > 0) timer ??= setTimeout(notifyNow, TOGETHER_MS).unref();
      }
      awakeWhileSending();
    },
    reach: (changed: Reachability): void => {
      reachability = changed;
      awakeWhileSending();
    },
    /** Forgets the batches of a connection. To be called when the connection is left. */
    forget: (): void => {
      clearTimeout(timer);
      timer = undefined;
      running.clear();
      ended.clear();
      reachability = NOTHING_ASKED;
      awakeWhileSending();
    },
  };
};
