import type { ListedState } from '../../../contract/uploads.ts';
import { type Batch, settledFiles } from '../../../contract/uploads.ts';
import { t } from '../../words/words.ts';

export type FileFilter = 'all' | 'waiting' | 'done' | 'failed' | 'removed';

/** Most uploads have no removed files. */
export const fileFilters = ({ removed = 0 }: Batch): readonly FileFilter[] =>
  removed > 0 ? ['all', 'waiting', 'done', 'failed', 'removed'] : ['all', 'waiting', 'done', 'failed'];

export const filterName = (filter: FileFilter): string => t(`uploads.filter.${filter}`);

/** The states that match a filter; undefined for all. */
export const filterStates: Readonly<Record<FileFilter, readonly ListedState[] | undefined>> = {
  all: undefined,
  waiting: ['queued', 'signing', 'sending'],
  done: ['done', 'skipped'],
  failed: ['failed', 'uncertain'],
  removed: ['removed'],
};

/** How many files of `batch` match a filter. */
export const filterCount = (filter: FileFilter, batch: Batch): number => {
  switch (filter) {
    case 'all':
      return batch.files;
    case 'waiting':
      return Math.max(0, batch.files - settledFiles(batch));
    case 'done':
      return batch.uploaded - (batch.removed ?? 0) + batch.skipped;
    case 'failed':
      return batch.failed;
    case 'removed':
      return batch.removed ?? 0;
  }
};
