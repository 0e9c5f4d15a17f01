/** Columns that tables of uploads and of their files share. */
import type { FoundState } from '../../../contract/files.ts';
import type { Batch } from '../../../contract/uploads.ts';
import { TwoLines } from '../../ui/data-table/cells.tsx';
import type { Column } from '../../ui/data-table/columns.tsx';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { formatBytes } from '../../words/amounts.ts';
import { formatMoment } from '../../words/dates.ts';
import { t } from '../../words/words.ts';
import { BatchStateBadge } from './batch-view.tsx';
import { folderName, stateText } from './batch-words.ts';
import { FileStateText, foundStateName } from './files.tsx';

export const batchFolder: Column<Batch> = {
  id: 'Folder',
  header: () => t('uploads.table.folder'),
  cell: ({ root }) => <MiddleCut name={folderName(root)} />,
  text: ({ root }) => folderName(root),
};

export const batchStarted: Column<Batch> = {
  id: 'Started',
  header: () => t('assignment.history.started'),
  width: '188px',
  cell: ({ createdAtMs }) => formatMoment(createdAtMs),
  value: ({ createdAtMs }) => ({ ms: createdAtMs, day: false }),
};

export const batchState: Column<Batch> = {
  id: 'State',
  header: () => t('uploads.files.state'),
  width: '212px',
  cell: (batch) => <BatchStateBadge batch={batch} />,
  text: stateText,
};

/** Files of the same name are distinguished by their folders. `look`: "name" if it opens a row. */
export const fileInFolder = (
  look?: 'name',
): Column<{ readonly FileName: string; readonly folder?: string | undefined }> => ({
  id: 'File',
  header: () => t('assignment.files.file'),
  cell: ({ FileName, folder }) => (
    <TwoLines
      first={<MiddleCut name={FileName} />}
      second={folder === undefined ? '' : <MiddleCut name={folder} />}
      look={look}
    />
  ),
  text: ({ FileName, folder }) => [folder, FileName].filter(Boolean).join('/'),
});

export const fileSize: Column<{ readonly sizeBytes?: number | undefined }> = {
  id: 'Size',
  header: () => t('uploads.files.size'),
  width: '92px',
  align: 'end',
  cell: ({ sizeBytes }) => sizeBytes !== undefined && formatBytes(sizeBytes),
  value: ({ sizeBytes = '' }) => sizeBytes,
  sheetHeader: () => t('uploads.files.sizeBytes'),
};

/** `goesOn`: whether the upload is in progress and waits for nothing. */
export const fileState = (goesOn: boolean): Column<{ readonly state: FoundState }> => ({
  id: 'State',
  header: () => t('uploads.files.state'),
  width: '152px',
  cell: ({ state }) => <FileStateText state={state} goesOn={goesOn} />,
  text: ({ state }) => foundStateName(state),
});
