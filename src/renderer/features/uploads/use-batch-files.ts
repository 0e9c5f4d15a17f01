import { useCallback, useEffect, useRef } from 'react';
import type { Batch } from '../../../contract/batches.ts';
import type { ErrorCode, ErrorData } from '../../../contract/errors.ts';
import type { UploadFile } from '../../../contract/upload-files.ts';
import { type ReadWindow, useWindows } from '../../queries/use-windows.ts';
import type { Windows } from '../../queries/windows.ts';
import { useDesk } from '../../state/context.tsx';
import { type FileFilter, filterStates } from './file-filter.ts';

/** Uploads change many times a second; nobody reads that fast. */
const refreshPauseMs = 500;

export type BatchFiles = {
  /** Undefined until the first answer. */
  readonly files: Windows<UploadFile> | undefined;
  readonly error: ErrorData | undefined;
  readonly onRange: (first: number, last: number) => void;
  readonly reload: () => void;
  readonly read: ReadWindow<UploadFile>;
  /** The `read` that brought `files`. */
  readonly heldBy: ReadWindow<UploadFile> | undefined;
};

/** The files of `batch` that `filter` lets through, of these those that failed for `code`, around those in view; kept current as the batch changes. */
export const useBatchFiles = (batch: Batch, filter: FileFilter, code: ErrorCode | undefined): BatchFiles => {
  const desk = useDesk();
  const id = batch.batch;
  const read = useCallback(
    async (offset: number, limit: number) => {
      const states = filterStates[filter];
      const which = { ...(states && { states }), ...(code && { error: code }) };
      const { files, total } = await desk.uploads.files({ batch: id, offset, limit, ...which });
      return { rows: files, total };
    },
    [desk, id, filter, code],
  );
  const { held, heldBy, error, onRange, refresh } = useWindows(read);
  // Whenever the batch changes, so have its files.
  const seen = useRef(batch);
  useEffect(() => {
    if (seen.current === batch) return;
    seen.current = batch;
    refresh(refreshPauseMs);
  }, [batch, refresh]);
  return { files: held, error, onRange, reload: useCallback(() => refresh(0), [refresh]), read, heldBy };
};
