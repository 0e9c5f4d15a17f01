/** Why files of a batch failed, counted. */
import type { ErrorCode } from '../../contract/errors.ts';
import type { ErrorGroup } from '../../contract/models.ts';
import type { Uploads } from './uploads.ts';

/** The most frequent reason first. Errors: `upload/batch-unknown`. */
export const errorGroups = (uploads: Uploads, batch: string): ErrorGroup[] => {
  const counts = new Map<ErrorCode, number>();
  const states = ['failed', 'uncertain'] as const;
  const { files } = uploads.files(batch, { states, offset: 0, limit: Number.MAX_SAFE_INTEGER });
  for (const { error } of files) if (error) counts.set(error.code, (counts.get(error.code) ?? 0) + 1);
  return [...counts].map(([code, files]) => ({ code, files })).sort((a, b) => b.files - a.files);
};
