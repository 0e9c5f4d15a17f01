import type { FoundFile } from '../../../contract/files.ts';
import { FileStateText, foundStateName } from '../../domain/uploads/file-state-text.tsx';
import { foundFileTarget } from '../../domain/uploads/found-file.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { TwoLines } from '../../ui/data-table/two-lines.tsx';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { formatBytes } from '../../words/amounts.ts';
import { formatMoment } from '../../words/dates.ts';
import { t } from '../../words/words.ts';

/** Where the file is and where it came from: files of one name are told apart by folder, size and time. */
export const fileColumns: readonly Column<FoundFile>[] = [
  {
    id: 'File',
    header: () => t('assignment.files.file'),
    cell: ({ FileName, folder }) => (
      <TwoLines
        first={<MiddleCut name={FileName} />}
        second={folder === undefined ? '' : <MiddleCut name={folder} />}
        look="name"
      />
    ),
    text: ({ FileName, folder }) => [folder, FileName].filter(Boolean).join('/'),
  },
  { id: 'Assignment', header: () => t('files.assignment'), width: '23%', cell: foundFileTarget },
  {
    id: 'Size',
    header: () => t('assignment.files.size'),
    width: '88px',
    align: 'end',
    minor: true,
    cell: ({ sizeBytes }) => sizeBytes !== undefined && formatBytes(sizeBytes),
  },
  {
    id: 'Added',
    header: () => t('assignment.files.since'),
    width: '188px',
    cell: (file) => formatMoment(file.addedAtMs),
  },
  {
    id: 'State',
    header: () => t('uploads.files.state'),
    width: '152px',
    cell: ({ state }) => <FileStateText state={state} goesOn />,
    text: ({ state }) => foundStateName(state),
  },
];
