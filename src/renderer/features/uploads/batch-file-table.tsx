import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { fileErrorText } from '../../../contract/error-text.ts';
import type { ErrorCode } from '../../../contract/errors.ts';
import type { Batch, UploadFile } from '../../../contract/models.ts';
import { Failure } from '../../app/failure.tsx';
import { useReport } from '../../app/use-report.ts';
import { formatBytes } from '../../ui/amounts.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { useSelection } from '../../ui/data-table/use-selection.ts';
import { Empty } from '../../ui/empty.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageFill } from '../../ui/page-fill.tsx';
import { rowIn } from '../../ui/windows.ts';
import { t } from '../../words/words.ts';
import type { FileFilter } from './file-filter.ts';
import { FileStateText } from './file-state-text.tsx';
import { RetrySelected } from './retry-selected.tsx';
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
  if (file.error === undefined) return file.state === 'skipped' ? t('uploads.files.sameThere') : null;
  // The row names the file already.
  const { title, todo } = fileErrorText({ ...file.error, details: {} });
  return <TwoLines first={title} second={todo} />;
};

/** The state gives way in a narrow window where it is nearly the same for all. */
const columnsOf = (stateIsMinor: boolean): readonly Column<UploadFile>[] => [
  {
    header: t('uploads.files.file'),
    cell: ({ path, FileName }) => (
      <TwoLines first={FileName} second={path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''} />
    ),
  },
  { header: t('uploads.files.size'), width: '112px', align: 'end', cell: (file) => formatBytes(file.sizeBytes) },
  {
    header: t('uploads.files.state'),
    width: '150px',
    minor: stateIsMinor,
    cell: (file) => <FileStateText state={file.state} />,
  },
  { header: t('uploads.files.problem'), width: '40%', cell: (file) => <Problem file={file} /> },
];
const columns = columnsOf(false);
const failedColumns = columnsOf(true);

export type BatchFileTableProps = {
  readonly batch: Batch;
  readonly filter: FileFilter;
  /** Only files that failed for this reason. */
  readonly code: ErrorCode | undefined;
};

/** The files of a batch, however many; those that failed can be selected and offered again. */
export const BatchFileTable = ({ batch, filter, code }: BatchFileTableProps) => {
  const { files, heldBy, error, onRange, reload, read } = useBatchFiles(batch, filter, code);
  const selection = useSelection({
    read,
    idOf: ({ id }) => id,
    total: files?.total ?? 0,
    onError: useReport(),
    rowLabel: ({ FileName }) => t('uploads.files.select', { file: FileName }),
    allLabel: t('uploads.files.selectAll'),
  });
  const canSelect = filter === 'failed';
  if (files === undefined) {
    return error === undefined ? (
      <Loading label={t('uploads.files.loading')} />
    ) : (
      <Failure error={error} onRetry={reload} />
    );
  }
  return (
    <PageFill>
      {canSelect && files.total > 0 && (
        <RetrySelected batch={batch} total={files.total} ids={selection.ids} onDone={selection.none} />
      )}
      {files.total === 0 ? (
        <Empty title={filter === 'all' ? t('uploads.files.empty') : t('uploads.files.noMatch')} />
      ) : (
        <DataTable
          id="batch-files"
          label={t('uploads.files.label')}
          columns={canSelect ? failedColumns : columns}
          count={files.total}
          rowAt={(index) => rowIn(files, index)}
          rowHeight={52}
          onRange={onRange}
          startsAnew={heldBy}
          selection={canSelect ? selection : undefined}
        />
      )}
    </PageFill>
  );
};
