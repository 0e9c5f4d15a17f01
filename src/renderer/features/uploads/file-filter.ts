import type { Batch } from '../../../contract/batches.ts';
import type { FileState } from '../../../contract/upload-files.ts';
import { settledFiles } from '../../domain/uploads/batch-words.ts';
import { t } from '../../words/words.ts';

export type FileFilter = 'all' | 'waiting' | 'done' | 'failed';

export const fileFilters: readonly FileFilter[] = ['all', 'waiting', 'done', 'failed'];

export const filterName = (filter: FileFilter): string => t(`uploads.filter.${filter}`);

/** The states that match a filter; undefined for all. */
export const filterStates: Readonly<Record<FileFilter, readonly FileState[] | undefined>> = {
  all: undefined,
  waiting: ['queued', 'signing', 'sending'],
  done: ['done', 'skipped'],
  failed: ['failed', 'uncertain'],
};

/** How many files of `batch` match a filter. */
export const filterCount = (filter: FileFilter, batch: Batch): number => {
  switch (filter) {
    case 'all':
      return batch.files;
    case 'waiting':
      return Math.max(0, batch.files - settledFiles(batch));
    case 'done':
      return batch.uploaded + batch.skipped;
    case 'failed':
      return batch.failed;
  }
};
