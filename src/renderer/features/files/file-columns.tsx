import type { FoundFile } from '../../../contract/found-files.ts';
import { FileStateText } from '../../domain/uploads/file-state-text.tsx';
import { foundFileTarget } from '../../domain/uploads/found-file.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { formatBytes } from '../../words/amounts.ts';
import { formatMoment } from '../../words/dates.ts';
import { t } from '../../words/words.ts';

/** Where the file is and where it came from: files of one name are told apart by folder, size and time. */
export const fileColumns: readonly Column<FoundFile>[] = [
  { id: 'File', header: () => t('assignment.files.file'), cell: ({ FileName }) => <MiddleCut name={FileName} /> },
  {
    id: 'Folder',
    header: () => t('files.folder'),
    width: '18%',
    minor: true,
    cell: ({ folder }) => folder !== undefined && <MiddleCut name={folder} />,
  },
  { id: 'Assignment', header: () => t('files.assignment'), width: '22%', cell: foundFileTarget },
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
    width: '172px',
    cell: (file) => formatMoment(file.addedAtMs),
  },
  {
    id: 'State',
    header: () => t('uploads.files.state'),
    width: '152px',
    cell: ({ state }) => <FileStateText state={state} goesOn />,
  },
];
