import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { errorText } from '../../../contract/error-text.ts';
import type { Batch, UploadFile } from '../../../contract/models.ts';
import { Failure } from '../../app/failure.tsx';
import { formatBytes } from '../../ui/amounts.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageFill } from '../../ui/page-fill.tsx';
import type { FileFilter } from './file-filter.ts';
import { FileStateText } from './file-state-text.tsx';
import { fileAt } from './file-windows.ts';
import { useBatchFiles } from './use-batch-files.ts';

const useStyles = makeStyles({
  line: { display: 'block', overflow: 'hidden', textOverflow: 'ellipsis' },
  minor: {
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    color: tokens.colorNeutralForeground3,
  },
});

type TwoLinesProps = { readonly first: string; readonly second: string };

const TwoLines = ({ first, second }: TwoLinesProps) => {
  const styles = useStyles();
  return (
    <div title={[first, second].filter(Boolean).join('\n')}>
      <span className={styles.line}>{first}</span>
      {second !== '' && <span className={mergeClasses(styles.line, styles.minor)}>{second}</span>}
    </div>
  );
};

const Problem = ({ file }: { readonly file: UploadFile }) => {
  if (file.error === undefined) return file.state === 'skipped' ? 'The same file is already there.' : null;
  // The row names the file already.
  const { title, todo } = errorText({ ...file.error, details: {} });
  return <TwoLines first={title} second={todo} />;
};

const columns: readonly Column<UploadFile>[] = [
  {
    header: 'File',
    cell: ({ path, FileName }) => (
      <TwoLines first={FileName} second={path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''} />
    ),
  },
  { header: 'Size', width: '112px', align: 'end', cell: (file) => formatBytes(file.sizeBytes) },
  { header: 'State', width: '150px', cell: (file) => <FileStateText state={file.state} /> },
  { header: 'Problem', width: '40%', cell: (file) => <Problem file={file} /> },
];

export type BatchFileTableProps = { readonly batch: Batch; readonly filter: FileFilter };

/** The files of a batch, however many. */
export const BatchFileTable = ({ batch, filter }: BatchFileTableProps) => {
  const { files, error, onRange, reload } = useBatchFiles(batch, filter);
  if (files === undefined) {
    return error === undefined ? <Loading label="Loading files" /> : <Failure error={error} onRetry={reload} />;
  }
  return (
    <PageFill>
      {files.total === 0 ? (
        <Empty title={filter === 'all' ? 'There are no files in this upload yet.' : 'There are no such files.'} />
      ) : (
        <DataTable
          label="Files"
          columns={columns}
          count={files.total}
          rowAt={(index) => fileAt(files, index)}
          rowHeight={52}
          onRange={onRange}
        />
      )}
    </PageFill>
  );
};
