/** Keeps the computer awake while files are sent, and notifies people when uploads end. */

import { NOTHING_ASKED, type Reachability, uploadTrouble } from '../../../contract/connection.ts';
import { type Batch, isActive, isBeingCancelled } from '../../../contract/uploads.ts';
import type { Host } from '../host.ts';

type UploadWatch = {
  /** To be called with every batch that changed. */
  readonly see: (batch: Batch) => void;
  /** To be called with every change of what can be reached. */
  readonly reach: (reachability: Reachability) => void;
  readonly close: () => void;
};

/** Uploads that end or pause within this time share a notice. */
const TOGETHER_MS = 2_000;

/** `onOpen` is called with the upload that a person opened from a notice, or without one for the list of uploads. */
export const createUploadWatch = (
  { keepAwake, notify }: Pick<Host, 'keepAwake' | 'notify'>,
  onOpen: (uploadId: string | undefined) => void,
): UploadWatch => {
  const running = new Map<string, Batch>();
  /** Ended or paused, and not notified yet. */
  const ended = new Map<string, Batch>();
  let release: (() => void) | undefined;
  let tellsLater: NodeJS.Timeout | undefined;

  let reachability = NOTHING_ASKED;

  /** An upload that waits, which may take a night, does not keep the computer awake. */
  const isSending = (): boolean =>
    uploadTrouble(reachability) === undefined && running.values().some(({ reason }) => reason === undefined);

  const awakeWhileSending = (): void => {
    if (isSending()) {
      release ??= keepAwake();
    } else {
      release?.();
      release = undefined;
    }
  };

  /** A paused upload needs attention now; a finished one waits for those that were started with it. */
  const isToBeTold = ({ state, uploadId }: Batch, inProgress: ReadonlySet<string>): boolean =>
    state === 'paused' || !inProgress.has(uploadId);

  const tell = (): void => {
    tellsLater = undefined;
    const inProgress = new Set(running.values().map(({ uploadId }) => uploadId));
    const [first, ...others] = [...ended.values()].filter((batch) => isToBeTold(batch, inProgress));
    if (first === undefined) return;
    for (const { batchId } of [first, ...others]) ended.delete(batchId);
    const isOne = others.every(({ uploadId }) => uploadId === first.uploadId);
    notify([first, ...others], () => onOpen(isOne ? first.uploadId : undefined));
  };

  const end = (batch: Batch): void => {
    ended.set(batch.batchId, batch);
    tellsLater ??= setTimeout(tell, TOGETHER_MS).unref();
  };

  return {
    see: (batch) => {
      if (isActive(batch)) {
        running.set(batch.batchId, batch);
        ended.delete(batch.batchId);
      } else if (running.delete(batch.batchId)) {
        if (batch.state !== 'cancelled' && !isBeingCancelled(batch)) end(batch);
        // Others may have waited for this one alone.
        else if (ended.size > 0) tellsLater ??= setTimeout(tell, TOGETHER_MS).unref();
      }
      awakeWhileSending();
    },
    reach: (changed) => {
      reachability = changed;
      awakeWhileSending();
    },
    close: () => {
      clearTimeout(tellsLater);
      running.clear();
      ended.clear();
      awakeWhileSending();
    },
  };
};
