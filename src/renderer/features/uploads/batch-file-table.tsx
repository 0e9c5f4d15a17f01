import { makeStyles } from '@fluentui/react-components';
import { ArrowClockwise20Regular } from '@fluentui/react-icons';
import type { ErrorCode } from '../../../contract/errors.ts';
import { shownPath } from '../../../contract/text.ts';
import { type Batch, isActive, type ListedState, settledFiles, type UploadFile } from '../../../contract/uploads.ts';
import { ActionButton } from '../../domain/actions.tsx';
import { isUnread, waitOf } from '../../domain/uploads/batch-words.ts';
import { fileSize, fileState } from '../../domain/uploads/columns.tsx';
import { useFileMenu } from '../../domain/uploads/files.tsx';
import { WindowTable } from '../../domain/window-table.tsx';
import { useBatchFiles } from '../../queries/answers.ts';
import { useDesk, useReport, useSnapshot } from '../../state/context.tsx';
import { TwoLines } from '../../ui/data-table/cells.tsx';
import type { Column } from '../../ui/data-table/columns.tsx';
import { useSelection } from '../../ui/data-table/use-selection.ts';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { Empty, Line, PageFill } from '../../ui/page.tsx';
import { formatCount } from '../../words/amounts.ts';
import { formatMoment } from '../../words/dates.ts';
import { fileErrorText, t } from '../../words/words.ts';

/** Both lines as the tooltip, which has room for long ones. */
const bothLines = (first: string, second = ''): string => [first, second].filter(Boolean).join('\n');

const problemLines = (file: UploadFile): readonly [] | readonly [first: string, second?: string] => {
  if (file.replaced?.error !== undefined)
    return [t('uploads.files.notReplaced'), fileErrorText({ ...file.replaced.error, details: {} }).title];
  if (file.removedAtMs !== undefined) return [t('uploads.files.removedAt', { at: formatMoment(file.removedAtMs) })];
  if (file.error === undefined) return file.state === 'skipped' ? [t('uploads.files.sameThere')] : [];
  // The row already names the file.
  const { title, todo } = fileErrorText({ ...file.error, details: {} });
  return [title, todo];
};

const Problem = ({ file, isShort = false }: { readonly file: UploadFile; readonly isShort?: boolean }) => {
  const [first, second] = problemLines(file);
  if (first === undefined) return null;
  return second === undefined || isShort ? (
    first
  ) : (
    <TwoLines first={first} second={second} title={bothLines(first, second)} />
  );
};

const file: Column<UploadFile> = {
  id: 'File',
  header: () => t('uploads.files.file'),
  cell: ({ path, FileName }) => {
    const folder = shownPath(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    const title = bothLines(FileName, folder);
    return (
      <TwoLines
        first={<MiddleCut name={FileName} title={title} />}
        second={folder && <MiddleCut name={folder} title={title} />}
        title={title}
      />
    );
  },
  text: ({ path }) => shownPath(path),
};

const problem: Column<UploadFile> = {
  id: 'Problem',
  header: () => t('uploads.files.problem'),
  width: '32%',
  cell: (file) => <Problem file={file} />,
  text: (file) => problemLines(file).filter(Boolean).join(' – '),
};

const ofGroup = { cell: (of: UploadFile) => <Problem file={of} isShort /> };

const columnsOf = (
  filter: FileFilter,
  { failed, skipped, removed = 0, notReplaced = 0 }: Batch,
  goesOn: boolean,
): readonly Column<UploadFile>[] => {
  const state = fileState(goesOn);
  // A narrow window leaves out the state, which is nearly the same for all.
  // What to do about it stands once above the table, for all files with the same problem.
  if (filter === 'failed') return [file, fileSize, { ...state, minor: true }, { ...problem, ...ofGroup, width: '46%' }];
  // Without problems to show, the names get the room of the last column.
  const hasProblems = filter !== 'waiting' && failed + skipped + removed + notReplaced > 0;
  return [file, fileSize, state, ...(hasProblems ? [problem] : [])];
};

/** The text for a filter that no file matches, by its key. */
const noFiles = {
  all: 'uploads.files.empty',
  waiting: 'uploads.files.noneWaiting',
  done: 'uploads.files.noneDone',
  failed: 'uploads.files.noneFailed',
  removed: 'uploads.files.noneRemoved',
} as const satisfies Readonly<Record<FileFilter, string>>;

/** Where to find the files that are missing under `filter`. */
const hintOf = (filter: FileFilter, batch: Batch): string | undefined => {
  if (isUnread(batch)) return t('uploads.files.readLater');
  return filter === 'failed' && filterCount('waiting', batch) > 0 ? t('uploads.files.retried') : undefined;
};

type BatchFileTableProps = {
  readonly batch: Batch;
  readonly filter: FileFilter;
  /** Only files that failed for this reason. */
  readonly code?: ErrorCode | undefined;
};

/** The files of a batch, any number of them. Failed files can be selected and retried. */
export const BatchFileTable = ({ batch, filter, code }: BatchFileTableProps) => {
  const which = { batchId: batch.batchId, states: filterStates[filter], error: code };
  const found = useBatchFiles(which);
  const total = found.held?.total ?? 0;
  const selection = useSelection({
    read: found.read,
    idOf: ({ id }) => id,
    total,
    onError: useReport(),
    rowLabel: ({ FileName }) => t('uploads.files.select', { file: FileName }),
    allLabel: t('uploads.files.selectAll'),
  });
  const goesOn = useSnapshot(({ reachability }) => isActive(batch) && waitOf(batch, reachability) === undefined);
  const menu = useFileMenu();
  const { batchId } = batch;
  const canSelect = filter === 'failed';
  return (
    <PageFill>
      {canSelect && total > 0 && (
        <RetrySelected batch={batch} total={total} ids={selection.ids} onRetried={selection.deselect} />
      )}
      {found.held?.total === 0 ? (
        <Empty title={t(noFiles[filter])} hint={hintOf(filter, batch)} />
      ) : (
        <WindowTable
          found={found.held === undefined ? found : { ...found, error: undefined }}
          loading={t('uploads.files.loading')}
          id="batch-files"
          label={t('uploads.files.label')}
          columns={columnsOf(filter, batch, goesOn)}
          rowHeight={52}
          rowKey={({ id }) => id}
          menu={menu && (({ id }: UploadFile, event) => menu({ batchId, fileId: id }, event))}
          selection={canSelect ? selection : undefined}
        />
      )}
    </PageFill>
  );
};

const useRetrySelectedStyles = makeStyles({ count: { fontVariantNumeric: 'tabular-nums' } });

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
  const retry = async (): Promise<void> => {
    await uploads.retryFiles({ batchId: batch.batchId, ids: [...ids] });
    // Only these files: others may have been selected in the meantime.
    onRetried(ids);
  };
  return (
    <Line>
      <ActionButton
        size="small"
        icon={<ArrowClockwise20Regular />}
        disabled={ids.size === 0 || batch.state === 'scanning'}
        act={retry}
      >
        {t('uploads.action.retrySelected')}
      </ActionButton>
      <span role="status" className={styles.count}>
        {t('uploads.files.selected', { count: ids.size, total: formatCount(total) })}
      </span>
    </Line>
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
