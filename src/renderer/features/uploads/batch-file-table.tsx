import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { type Batch, isActive } from '../../../contract/batches.ts';
import type { ErrorCode } from '../../../contract/errors.ts';
import type { UploadFile } from '../../../contract/upload-files.ts';
import { Failure } from '../../domain/errors/failure.tsx';
import { waitOf } from '../../domain/uploads/batch-wait.ts';
import { FileStateText } from '../../domain/uploads/file-state-text.tsx';
import { useBatchFiles } from '../../queries/uploads.ts';
import { useSnapshot } from '../../state/context.tsx';
import { useReport } from '../../state/use-report.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { useSelection } from '../../ui/data-table/use-selection.ts';
import { Empty } from '../../ui/empty.tsx';
import { Loading } from '../../ui/loading.tsx';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { PageFill } from '../../ui/page-fill.tsx';
import { formatBytes } from '../../words/amounts.ts';
import { fileErrorText, t } from '../../words/words.ts';
import { type FileFilter, filterCount, filterStates } from './file-filter.ts';
import { RetrySelected } from './retry-selected.tsx';

const useStyles = makeStyles({
  line: { display: 'block', overflow: 'hidden', textOverflow: 'ellipsis' },
  minor: {
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    color: tokens.colorNeutralForeground3,
  },
});

type TwoLinesProps = {
  readonly first: string;
  readonly second: string;
  /** Where long lines are cut; default: at their end. */
  readonly cut?: 'middle';
};

const TwoLines = ({ first, second, cut }: TwoLinesProps) => {
  const styles = useStyles();
  const title = [first, second].filter(Boolean).join('\n');
  const line = (text: string) => (cut === 'middle' ? <MiddleCut name={text} title={title} /> : text);
  return (
    <div title={title}>
      <span className={styles.line}>{line(first)}</span>
      {second !== '' && <span className={mergeClasses(styles.line, styles.minor)}>{line(second)}</span>}
    </div>
  );
};

const Problem = ({ file }: { readonly file: UploadFile }) => {
  if (file.replaced?.error !== undefined)
    return (
      <TwoLines
        first={t('uploads.files.notReplaced')}
        second={fileErrorText({ ...file.replaced.error, details: {} }).title}
      />
    );
  if (file.error === undefined) return file.state === 'skipped' ? t('uploads.files.sameThere') : null;
  // The row already names the file.
  const { title, todo } = fileErrorText({ ...file.error, details: {} });
  return <TwoLines first={title} second={todo} />;
};

const file: Column<UploadFile> = {
  id: 'File',
  header: () => t('uploads.files.file'),
  cell: ({ path, FileName }) => (
    <TwoLines first={FileName} second={path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''} cut="middle" />
  ),
};
const size: Column<UploadFile> = {
  id: 'Size',
  header: () => t('uploads.files.size'),
  width: '100px',
  align: 'end',
  cell: ({ sizeBytes }) => formatBytes(sizeBytes),
};
const stateOf = (goesOn: boolean): Column<UploadFile> => ({
  id: 'State',
  header: () => t('uploads.files.state'),
  width: '150px',
  cell: ({ state }) => <FileStateText state={state} goesOn={goesOn} />,
});
const problem: Column<UploadFile> = {
  id: 'Problem',
  header: () => t('uploads.files.problem'),
  width: '32%',
  cell: (file) => <Problem file={file} />,
};

const columnsOf = (
  filter: FileFilter,
  { failed, skipped, notReplaced = 0 }: Batch,
  state: Column<UploadFile>,
): readonly Column<UploadFile>[] => {
  // A narrow window leaves out the state where it is nearly the same for all.
  if (filter === 'failed') return [file, size, { ...state, minor: true }, { ...problem, width: '50%' }];
  // Without problems to show, the names get the room of the last column.
  return filter === 'waiting' || failed + skipped + notReplaced === 0
    ? [file, size, state]
    : [file, size, state, problem];
};

/** The text for a filter that no file matches, by its key. */
const noFiles = {
  all: 'uploads.files.empty',
  waiting: 'uploads.files.noneWaiting',
  done: 'uploads.files.noneDone',
  failed: 'uploads.files.noneFailed',
} as const satisfies Readonly<Record<FileFilter, string>>;

type BatchFileTableProps = {
  readonly batch: Batch;
  readonly filter: FileFilter;
  /** Only files that failed for this reason. */
  readonly code: ErrorCode | undefined;
};

/** The files of a batch, any number of them. Failed files can be selected and retried. */
export const BatchFileTable = ({ batch, filter, code }: BatchFileTableProps) => {
  const which = { batchId: batch.batchId, states: filterStates[filter], error: code };
  const { held, error, rowAt, onRange, reload, read } = useBatchFiles(which);
  const selection = useSelection({
    read,
    idOf: ({ id }) => id,
    total: held?.total ?? 0,
    onError: useReport(),
    rowLabel: ({ FileName }) => t('uploads.files.select', { file: FileName }),
    allLabel: t('uploads.files.selectAll'),
  });
  const goesOn = useSnapshot(({ reachability }) => isActive(batch) && waitOf(batch, reachability) === undefined);
  const canSelect = filter === 'failed';
  const isRetried = filter === 'failed' && filterCount('waiting', batch) > 0;
  if (held === undefined) {
    return error === undefined ? (
      <Loading label={t('uploads.files.loading')} />
    ) : (
      <Failure error={error} onRetry={reload} />
    );
  }
  return (
    <PageFill>
      {canSelect && held.total > 0 && (
        <RetrySelected batch={batch} total={held.total} ids={selection.ids} onRetried={selection.deselect} />
      )}
      {held.total === 0 ? (
        <Empty title={t(noFiles[filter])} {...(isRetried && { hint: t('uploads.files.retried') })} />
      ) : (
        <DataTable
          id="batch-files"
          label={t('uploads.files.label')}
          columns={columnsOf(filter, batch, stateOf(goesOn))}
          count={held.total}
          rowAt={rowAt}
          rowHeight={52}
          onRange={onRange}
          question={held.question}
          selection={canSelect ? selection : undefined}
        />
      )}
    </PageFill>
  );
};
