/** Starts the rows of a draft as one upload. */
import { randomUUID } from 'node:crypto';
import { DeskError, type ErrorData, toErrorData } from '../../../contract/errors.ts';
import type { RemoteUploads } from '../../uploads/engine/start-engine.ts';
import type { PlannedRow } from './draft-calls.ts';
import type { UploadRules } from './upload-rules.ts';

/** `rows`: those that were started. `reason`: why others were not. */
export type StartedRows = {
  readonly uploadId: string;
  readonly batchIds: readonly string[];
  readonly rows: readonly PlannedRow[];
  readonly reason?: ErrorData;
};

/**
 * Starts a batch for each row. A row whose folder is gone is held back, and the others are started without it. Errors:
 * those of `startTogether`, where no row can be started; `input/invalid` if there is none.
 */
export const startRows = async (
  uploads: Pick<RemoteUploads, 'startTogether'>,
  planned: readonly PlannedRow[],
  time: UploadRules,
): Promise<StartedRows> => {
  if (planned.length === 0) throw new DeskError('input/invalid', 'there is nothing to upload');
  const uploadId = randomUUID();
  let rows = planned;
  let reason: ErrorData | undefined;
  for (;;) {
    try {
      const batches = await uploads.startTogether({ uploads: rows.map(({ upload }) => upload), uploadId, ...time });
      const batchIds = batches.map(({ batchId }) => batchId);
      return { uploadId, batchIds, rows, ...(reason && { reason }) };
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      const { path } = error.details;
      const others = rows.filter(({ upload }) => upload.root !== path);
      if (others.length === 0 || others.length === rows.length) throw error;
      rows = others;
      reason ??= toErrorData(error);
    }
  }
};
