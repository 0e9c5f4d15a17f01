import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { ArrowClockwise20Regular } from '@fluentui/react-icons';
import type { ErrorCode } from '../../../contract/errors.ts';
import { type Batch, isActive, type ListedState, settledFiles, type UploadFile } from '../../../contract/uploads.ts';
import { Failure } from '../../domain/errors.tsx';
import { isUnread, waitOf } from '../../domain/uploads/batch-words.ts';
import { FileStateText, foundStateName, useFileMenu } from '../../domain/uploads/files.tsx';
import { useBatchFiles } from '../../queries/answers.ts';
import { useAction, useDesk, useReport, useSnapshot } from '../../state/context.tsx';
import { TwoLines } from '../../ui/data-table/cells.tsx';
import type { Column } from '../../ui/data-table/columns.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { useSelection } from '../../ui/data-table/use-selection.ts';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { Empty, Loading, PageFill } from '../../ui/page.tsx';
import { formatBytes, formatCount } from '../../words/amounts.ts';
import { formatMoment } from '../../words/dates.ts';
import { fileErrorText, t } from '../../words/words.ts';

/** Both lines as the tooltip, which has room for long ones. */
const titled = (first: string, second: string) => ({
  first,
  second,
  title: [first, second].filter(Boolean).join('\n'),
});

const problemLines = (file: UploadFile): readonly [] | readonly [first: string, second?: string] => {
  if (file.replaced?.error !== undefined)
    return [t('uploads.files.notReplaced'), fileErrorText({ ...file.replaced.error, details: {} }).title];
  if (file.removedAtMs !== undefined) return [t('uploads.files.removedAt', { at: formatMoment(file.removedAtMs) })];
  if (file.error === undefined) return file.state === 'skipped' ? [t('uploads.files.sameThere')] : [];
  // The row already names the file.
  const { title, todo } = fileErrorText({ ...file.error, details: {} });
  return [title, todo];
};

const Problem = ({ file }: { readonly file: UploadFile }) => {
  const [first, second] = problemLines(file);
  if (first === undefined) return null;
  return second === undefined ? first : <TwoLines {...titled(first, second)} />;
};

const file: Column<UploadFile> = {
  id: 'File',
  header: () => t('uploads.files.file'),
  cell: ({ path, FileName }) => {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    const { title } = titled(FileName, folder);
    return (
      <TwoLines
        first={<MiddleCut name={FileName} title={title} />}
        second={folder && <MiddleCut name={folder} title={title} />}
        title={title}
      />
    );
  },
  text: ({ path }) => path,
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
  text: ({ state }) => foundStateName(state),
});
const problem: Column<UploadFile> = {
  id: 'Problem',
  header: () => t('uploads.files.problem'),
  width: '32%',
  cell: (file) => <Problem file={file} />,
  text: (file) => problemLines(file).filter(Boolean).join(' – '),
};

const columnsOf = (
  filter: FileFilter,
  { failed, skipped, removed = 0, notReplaced = 0 }: Batch,
  state: Column<UploadFile>,
): readonly Column<UploadFile>[] => {
  // A narrow window leaves out the state where it is nearly the same for all.
  if (filter === 'failed') return [file, size, { ...state, minor: true }, { ...problem, width: '46%' }];
  // Without problems to show, the names get the room of the last column.
  return filter === 'waiting' || failed + skipped + removed + notReplaced === 0
    ? [file, size, state]
    : [file, size, state, problem];
};

/** The text for a filter that no file matches, by its key. */
const noFiles = {
  all: 'uploads.files.empty',
  waiting: 'uploads.files.noneWaiting',
  done: 'uploads.files.noneDone',
  failed: 'uploads.files.noneFailed',
  removed: 'uploads.files.noneRemoved',
} as const satisfies Readonly<Record<FileFilter, string>>;

/** Where the files are that a person may look for under `filter`. */
const hintOf = (filter: FileFilter, batch: Batch): string | undefined => {
  if (isUnread(batch)) return t('uploads.files.readLater');
  return filter === 'failed' && filterCount('waiting', batch) > 0 ? t('uploads.files.retried') : undefined;
};

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
  const menu = useFileMenu();
  const { batchId } = batch;
  const canSelect = filter === 'failed';
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
        <Empty title={t(noFiles[filter])} hint={hintOf(filter, batch)} />
      ) : (
        <DataTable
          id="batch-files"
          label={t('uploads.files.label')}
          columns={columnsOf(filter, batch, stateOf(goesOn))}
          count={held.total}
          rowAt={rowAt}
          rowHeight={52}
          menu={menu && (({ id }: UploadFile, event) => menu({ batchId, fileId: id }, event))}
          onRange={onRange}
          question={held.question}
          rowKey={({ id }) => id}
          read={read}
          selection={canSelect ? selection : undefined}
        />
      )}
    </PageFill>
  );
};

const useRetrySelectedStyles = makeStyles({
  bar: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalM },
  count: { fontVariantNumeric: 'tabular-nums' },
});

type RetrySelectedProps = {
  readonly batch: Batch;
  /** How many files there are to select from. */
  readonly total: number;
  readonly ids: ReadonlySet<number>;
  /** Called when they are queued again. */
  readonly onRetried: (ids: ReadonlySet<number>) => void;
};

/** Retries the selected files of an upload. */
const RetrySelected = ({ batch, total, ids, onRetried }: RetrySelectedProps) => {
  const styles = useRetrySelectedStyles();
  const { uploads } = useDesk();
  const retry = useAction(async () => {
    await uploads.retryFiles({ batchId: batch.batchId, ids: [...ids] });
    // Only those: others may have been selected meanwhile.
    onRetried(ids);
  });
  return (
    <div className={styles.bar}>
      <Button
        size="small"
        icon={<ArrowClockwise20Regular />}
        disabledFocusable={retry.busy || ids.size === 0 || batch.state === 'scanning'}
        onClick={() => retry.run()}
      >
        {t('uploads.action.retrySelected')}
      </Button>
      <span role="status" className={styles.count}>
        {t('uploads.files.selected', { count: ids.size, total: formatCount(total) })}
      </span>
    </div>
  );
};

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
