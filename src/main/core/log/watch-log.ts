/** What the log has of reachability and of uploads. */
import type { DeskEvent } from '../../../contract/app.ts';
import { NOTHING_ASKED, type Reach, type Side, troubleOf } from '../../../contract/connection.ts';
import type { ErrorCode } from '../../../contract/errors.ts';
import { type Batch, hasEnded, isActive, type UploadFile } from '../../../contract/uploads.ts';
import { steadyWallNow } from '../../async/clock.ts';
import type { WriteLog } from './log.ts';

// Logs when the service or a storage goes away, asks for a pause, and comes back.

/** Logs each change of the state of a side, and no more. */
export const logReach = (onEvent: (listener: (event: DeskEvent) => void) => unknown, write: WriteLog): void => {
  let last = NOTHING_ASKED;
  const changed = (side: Side, reach: Reach): void => {
    if (reach.state === last[side].state) return;
    const trouble = troubleOf(reach);
    write('reach', { side, state: reach.state, ...(trouble && { host: trouble.host, code: trouble.reason.code }) });
  };
  onEvent((event) => {
    if (event.type !== 'reachability') return;
    changed('service', event.reachability.service);
    changed('storage', event.reachability.storage);
    last = event.reachability;
  });
};

// Logs what becomes of uploads: their start, waits, pauses and ends.

type UploadLog = {
  /** To be called with every batch that changed. */
  readonly see: (batch: Batch) => void;
  readonly file: (batch: string, file: UploadFile) => void;
};

type Reasons = readonly { readonly code: ErrorCode; readonly files: number }[];
type Known = { readonly state: 'active' | 'paused' | 'ended'; readonly waitsSinceMs?: number | undefined };

/** `reasonsOf`: why files of a batch failed. */
export const createUploadLog = (
  write: WriteLog,
  reasonsOf: (batch: string) => Promise<Reasons>,
  now: () => number = steadyWallNow,
): UploadLog => {
  const known = new Map<string, Known>();

  const ended = async (batch: Batch): Promise<void> => {
    const { batchId, uploadId, state, files, uploaded, skipped, failed, cancelled, bytes, createdAtMs } = batch;
    const { removed, resent, notReplaced } = batch;
    // Its failures are only counted here, and the end is logged even if that is impossible.
    const reasons = failed > 0 ? await reasonsOf(batchId).catch(() => []) : [];
    write('upload.ended', {
      ...{ batch: batchId, upload: uploadId, state, files, uploaded, skipped, failed, cancelled, bytes },
      ...{ removed, resent, notReplaced },
      seconds: Math.max(0, Math.round(((batch.finishedAtMs ?? now()) - createdAtMs) / 1_000)),
      reasons: Object.fromEntries(reasons.map(({ code, files: count }) => [code, count])),
    });
  };

  return {
    see: (batch) => {
      const { batchId, uploadId, reason } = batch;
      const of = { batch: batchId, upload: uploadId };
      const before = known.get(batchId);
      const state = isActive(batch) ? 'active' : hasEnded(batch) ? 'ended' : 'paused';
      const waits = state === 'active' && reason !== undefined;
      const waitsSinceMs = waits ? (before?.waitsSinceMs ?? now()) : undefined;
      known.set(batchId, { state, waitsSinceMs });
      if (state === 'active' && before?.state !== 'active') write('upload.started', of);
      if (waits && before?.waitsSinceMs === undefined)
        write('upload.waits', { ...of, code: reason.code, details: reason.details });
      if (state === 'active' && !waits && before?.waitsSinceMs !== undefined)
        write('upload.continues', { ...of, waitedSeconds: Math.round((now() - before.waitsSinceMs) / 1_000) });
      if (before === undefined || before.state === state) return;
      if (state === 'paused') write('upload.paused', { ...of, code: reason?.code });
      if (state === 'ended') void ended(batch);
    },
    file: (batch, { state, attempts, sizeBytes, error }) =>
      write('upload.file', { batch, state, attempts, sizeBytes, code: error?.code }),
  };
};
