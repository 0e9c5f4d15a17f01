import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import {
  ArrowClockwise20Regular,
  Delete20Regular,
  DocumentSearch20Regular,
  Filter16Filled,
  Filter16Regular,
  FolderOpen20Regular,
  ShieldCheckmark20Regular,
} from '@fluentui/react-icons';
import { sumBy } from 'es-toolkit';
import { type ReactNode, useEffect, useState } from 'react';
import type { ErrorCode } from '../../../contract/errors.ts';
import { shownPath } from '../../../contract/text.ts';
import {
  type Batch,
  batchName,
  hasEnded,
  isActive,
  type ListedState,
  settledFiles,
  type UploadFile,
} from '../../../contract/uploads.ts';
import { ActionButton, OpenButton } from '../../domain/actions.tsx';
import { PendingChanges, RemovalExplained } from '../../domain/assignments/changes.tsx';
import { Failure } from '../../domain/errors.tsx';
import { OpenLink } from '../../domain/open-link.tsx';
import { CallResult } from '../../domain/readings.tsx';
import {
  asOne,
  begunText,
  failuresOf,
  groupUploads,
  notUploadedText,
  outcomeText,
  sortBatches,
  targetName,
  type Upload,
  uploadOf,
  waitOf,
} from '../../domain/uploads/batch-words.ts';
import {
  batchFolder,
  batchState,
  isUnread,
  targetOf,
  UploadActions,
  UploadProgress,
} from '../../domain/uploads/batches.tsx';
import { fileSize, fileState, useFileMenu } from '../../domain/uploads/files.tsx';
import { SaveReceipt } from '../../domain/uploads/save-receipt.tsx';
import { useCallQuery, useCalls, useWindowQuery } from '../../queries/query.tsx';
import { type PlaceProps, useApp, useDesk, useSnapshot } from '../../state/store.tsx';
import { type Column, type Sort, TwoLines } from '../../ui/data-table/columns.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { listed, useSelection } from '../../ui/data-table/use-selection.ts';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { DialogButton } from '../../ui/dialogs.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { useOnChange } from '../../ui/hooks.ts';
import { lazily } from '../../ui/lazy.tsx';
import { MessageBar } from '../../ui/message-bar.tsx';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { Empty, Line, Minor, Page, PageFill } from '../../ui/page.tsx';
import { bareButton, bareList, narrow, oneLine, sideBySide, stacked } from '../../ui/styles.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { formatBytes, formatCount } from '../../words/amounts.ts';
import { formatMoment } from '../../words/dates.ts';
import { formats, useMemoInWords } from '../../words/formats.ts';
import { fileErrorText, t } from '../../words/words.ts';

/**
 * The page of one upload with its folders and their assignments; for an upload of one folder, the page of its batch.
 */
export const UploadPage = ({ upload: id }: PlaceProps<'upload'>) => {
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const upload = useMemoInWords(() => groupUploads(batches, ({ uploadId }) => uploadId === id)[0], [batches, id]);
  if (upload === undefined) return <UnknownUpload id={id} />;
  return upload.batches.length === 1 ? (
    <BatchPage batch={upload.whole.batchId} />
  ) : (
    <UploadOfSeveral key={upload.uploadId} upload={upload} />
  );
};

const UploadOfSeveral = ({ upload }: { readonly upload: Upload }) => {
  const { batches, whole } = upload;
  return (
    <Page
      title={batchName(whole)}
      layout="free"
      subtitle={`${begunText(whole)} · ${t('count.folder', { count: batches.length })}`}
    >
      <UploadSummary upload={upload}>
        <Removals batches={batches} />
      </UploadSummary>
      <UploadBatchTable batches={batches} />
    </Page>
  );
};

/** Shows the progress of removing files from the assignments of these batches; nothing once all removals have ended. */
const Removals = ({ batches }: { readonly batches: readonly Batch[] }) => {
  const outbox = useSnapshot((snapshot) => snapshot.outbox);
  const ids = new Set(batches.map(({ AssignmentId }) => AssignmentId));
  const own = outbox.flatMap((entry) =>
    entry.kind === 'remove-files' && entry.waiting > 0 && ids.has(entry.AssignmentId) ? entry : [],
  );
  if (own.length === 0) return null;
  const all = sumBy(own, ({ files }) => files);
  const done = all - sumBy(own, ({ waiting }) => waiting);
  return (
    <div role="status">
      <MessageBar intent="info" title={t('assignment.change.removeFiles', { count: all })}>
        <span aria-live="off">{t('assignment.change.progress', { done, all })}</span>
      </MessageBar>
    </div>
  );
};

const UploadBatchTable = ({ batches }: { readonly batches: readonly Batch[] }) => {
  const styles = useStyles();
  const open = useApp((state) => state.open);
  const menu = useFileMenu(({ batchId }: Batch) => ({ batchId }));
  const [sort, setSort] = useState<Sort>();
  const columns: readonly Column<Batch>[] = [
    { ...batchFolder, sort: 'folder' },
    { id: 'Assignment', header: 'common.assignment', sort: 'assignment', cell: targetName },
    {
      id: 'Files',
      header: 'common.files',
      width: '96px',
      align: 'end',
      minor: true,
      sort: 'files',
      cell: (batch) => (isUnread(batch) ? '' : formatCount(batch.files)),
    },
    {
      id: 'Outcome',
      header: 'uploads.table.progress',
      width: '19%',
      minor: true,
      cell: (batch) => (isUnread(batch) ? '' : outcomeText(batch)),
    },
    { ...batchState, sort: 'state' },
  ];
  const rows = useMemoInWords(() => sorted(batches, sort), [batches, sort]);
  const selection = useSelection<Batch, string>({
    rows: listed(rows),
    idOf: ({ batchId }) => batchId,
    rowLabel: (batch) => t('uploads.files.select', { file: batchName(batch) }),
    allLabel: t('uploads.table.selectAll'),
  });
  const selected = batches.filter(selection.has);
  const removable = selected.filter(hasRemovable);
  return (
    <PageFill>
      <Line>
        <DialogButton
          size="small"
          icon={<Delete20Regular />}
          disabled={removable.length === 0}
          dialog={(onClose) => <WhichFiles batches={removable} onRemoved={selection.none} onClose={onClose} />}
        >
          {t('uploads.action.remove')}
        </DialogButton>
        <span role="status" className={styles.selected}>
          {t('uploads.files.selected', { count: selected.length })}
        </span>
      </Line>
      <DataTable
        id="upload-batches"
        label={t('uploads.table.label')}
        columns={columns}
        rows={rows}
        rowKey={({ batchId }) => batchId}
        open={({ batchId }) => open({ name: 'batch', batch: batchId })}
        menu={menu}
        selection={selection}
        sort={sort}
        onSort={setSort}
      />
    </PageFill>
  );
};

const sorted = (batches: readonly Batch[], sort: Sort | undefined): readonly Batch[] => {
  if (sort === undefined) return batches;
  const { compare } = formats().collator;
  const orders: Readonly<Record<string, () => readonly Batch[]>> = {
    folder: () => batches.toSorted((a, b) => compare(batchName(a), batchName(b))),
    assignment: () => batches.toSorted((a, b) => compare(targetName(a), targetName(b))),
    files: () => batches.toSorted((a, b) => a.files - b.files),
    // Paused batches come first, then those with failures, those in progress, and the rest.
    state: () => sortBatches(batches).toSorted((a, b) => needs(a) - needs(b)),
  };
  const ascending = orders[sort.by]?.() ?? batches;
  return sort.descending ? ascending.toReversed() : ascending;
};

const needs = (batch: Batch): number => {
  const { state } = batch;
  if (state === 'paused') return 0;
  if (failuresOf(batch) > 0) return 1;
  return state === 'running' || state === 'scanning' ? 2 : 3;
};

const useStyles = makeStyles({
  target: {
    maxWidth: '100%',
    ...oneLine,
    // Aligns the link with the text after it. The link is a button, whose line height would otherwise differ.
    lineHeight: 'inherit',
    verticalAlign: 'bottom',
  },
  tabs: { margin: 0, padding: `0 ${tokens.spacingHorizontalM}` },
  selected: { fontVariantNumeric: 'tabular-nums' },
});

export const BatchPage = ({ batch: id }: PlaceProps<'batch'>) => {
  const batch = useSnapshot(({ batches }) => batches.find(({ batchId }) => batchId === id));
  return batch === undefined ? <UnknownUpload id={id} /> : <KnownBatch batch={batch} />;
};

const KnownBatch = ({ batch }: { readonly batch: Batch }) => {
  const styles = useStyles();
  const [chosen, setFilter] = useState<FileFilter>('all');
  const filters = filtersOf(batch);
  const filter = filters.includes(chosen) ? chosen : 'all';
  // Shows all files once the last retried file has arrived, because the filter for failed files would show an empty
  // list.
  useOnChange(hasEnded(batch), () => {
    if (hasEnded(batch) && filter === 'failed' && batch.failed === 0) setFilter('all');
  });
  const { AssignmentId } = batch;
  const target = targetName(batch);
  const { uploadId: upload } = batch;
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const whole = useMemoInWords(() => asOne(batches.filter(({ uploadId }) => uploadId === upload)), [batches, upload]);
  return (
    <Page
      title={batchName(batch)}
      layout="free"
      subtitle={
        <>
          {whole !== batch && whole && (
            <>
              <OpenLink inline className={styles.target} title={batchName(whole)} place={{ name: 'upload', upload }}>
                {batchName(whole)}
              </OpenLink>
              {' · '}
            </>
          )}
          <OpenLink inline className={styles.target} title={target} place={{ name: 'assignment', AssignmentId }}>
            {target}
          </OpenLink>{' '}
          · {begunText(batch)}
        </>
      }
    >
      <UploadSummary upload={uploadOf(batch)}>
        <PendingChanges id={AssignmentId} kind="remove-files" />
      </UploadSummary>
      <Tabs
        className={styles.tabs}
        label={t('uploads.filter.label')}
        values={filters}
        nameOf={(value) =>
          t('common.counted', { name: t(`uploads.filter.${value}`), count: fileFilters[value].count(batch) })
        }
        value={filter}
        onChange={setFilter}
      />
      {filter === 'failed' ? (
        <FailedFiles batch={batch} />
      ) : (
        <BatchFileTable key={filter} batch={batch} filter={filter} />
      )}
    </Page>
  );
};

/** Buttons for the files of an upload. They keep their place in every state of the upload. */
export const FileCommands = ({ upload }: { readonly upload: Upload }) => {
  const { uploads } = useDesk();
  const { uploadId, batches, whole } = upload;
  const isOne = batches.length === 1;
  return (
    <>
      {isOne && (
        <ActionButton
          appearance="subtle"
          icon={<FolderOpen20Regular />}
          act={() => uploads.reveal({ batchId: whole.batchId })}
        >
          {t('uploads.action.reveal')}
        </ActionButton>
      )}
      <DialogButton
        appearance="subtle"
        icon={<ShieldCheckmark20Regular />}
        disabled={!hasEnded(whole) || whole.uploaded + whole.skipped === 0}
        dialog={(onClose) => <VerifyDialog upload={upload} onClose={onClose} />}
      >
        {t('uploads.verify.action')}
      </DialogButton>
      {isOne && (
        <DialogButton
          appearance="subtle"
          icon={<Delete20Regular />}
          disabled={!hasRemovable(whole)}
          dialog={(onClose) => <WhichFiles batches={batches} onClose={onClose} />}
        >
          {t('uploads.action.remove')}
        </DialogButton>
      )}
      <SaveReceipt batches={batches} appearance="subtle" />
      {!isOne && whole.failed > 0 && (
        <OpenButton
          appearance="subtle"
          icon={<DocumentSearch20Regular />}
          place={{ name: 'files', failedOf: { uploadId, title: batchName(whole) } }}
        >
          {t('uploads.showFailed')}
        </OpenButton>
      )}
    </>
  );
};

const VerifyDialog = lazily(async () => (await import('./verify-dialog.tsx')).VerifyDialog);

/** Whether files of the batch can be removed from its assignment. */
const hasRemovable = (batch: Batch): boolean => batch.uploaded > (batch.removed ?? 0) && !isActive(batch);

type WhichFilesProps = {
  readonly batches: readonly Batch[];
  readonly onRemoved?: () => void;
  readonly onClose: () => void;
};

/**
 * Describes a choice of files to remove, such as "Roof · 3 files · 2 MB". An empty `folder` selects the files of all
 * folders.
 */
const folderText = ({ folder = '', files = 0, bytes = 0 } = {}): string =>
  [shownPath(folder) || t('uploads.action.removeAll'), t('count.file', { count: files }), formatBytes(bytes)].join(
    ' · ',
  );

const WhichFiles = ({ batches: present, onRemoved, onClose }: WhichFilesProps) => {
  // The dialog keeps the batches that it was opened with: files of further batches can become removable meanwhile.
  const [batches] = useState(present);
  const batchIds = batches.map(({ batchId }) => batchId);
  const assignments = new Set(batches.map(({ AssignmentId }) => AssignmentId)).size;
  const removable = useCallQuery({ ...useCalls().files.removable({ batchIds }), gcTime: 0 });
  const [folder, setFolder] = useState('');
  const desk = useDesk();
  const chosen = removable.value?.find((one) => one.folder === folder);
  return (
    <DialogFrame
      title={t('uploads.action.remove')}
      onClose={onClose}
      main={{
        label: t('assignment.change.removeFiles', { count: chosen?.files ?? 0 }),
        disabled: chosen === undefined,
        act: () => desk.files.remove({ batchIds, folder }).then(onRemoved),
        onDone: onClose,
      }}
    >
      <CallResult {...removable} loading={t('common.loadingFiles')} lines={2}>
        {(folders) =>
          folders.length === 0 ? (
            <Text>{t('uploads.action.removeNone')}</Text>
          ) : (
            <SelectField
              label={t('uploads.action.removeWhich')}
              values={folders.map((one) => one.folder)}
              nameOf={(name) => folderText(folders.find((one) => one.folder === name))}
              value={folder}
              onChoose={setFolder}
            />
          )
        }
      </CallResult>
      {chosen && <RemovalExplained {...chosen} assignments={assignments} />}
    </DialogFrame>
  );
};

const useErrorGroupsStyles = makeStyles({
  groups: {
    ...bareList,
    flexShrink: 0,
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalL}`,
    maxHeight: '35vh',
    overflow: 'auto',
  },
  group: {
    ...bareButton,
    display: 'grid',
    gridTemplateColumns: '84px minmax(0, 1fr) auto',
    [narrow]: { gridTemplateColumns: 'minmax(0, 1fr)', rowGap: 0 },
    gap: tokens.spacingHorizontalM,
    alignItems: 'center',
    width: '100%',
    padding: `${tokens.spacingVerticalSNudge} ${tokens.spacingHorizontalS}`,
    borderRadius: tokens.borderRadiusMedium,
    textAlign: 'start',
    cursor: 'pointer',
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
  },
  chosen: {
    backgroundColor: tokens.colorNeutralBackground1Selected,
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Selected },
    '@media (forced-colors: active)': { outline: '1px solid Highlight', outlineOffset: '-1px' },
  },
  count: { fontWeight: tokens.fontWeightSemibold, fontVariantNumeric: 'tabular-nums' },
  only: {
    ...sideBySide(tokens.spacingHorizontalXS),
    color: tokens.colorBrandForegroundLink,
    fontWeight: tokens.fontWeightSemibold,
  },
});

/**
 * Lists the reasons why files of a batch failed, each with what to do about it, and the failed files below. Choosing a
 * reason shows only its files, until the last of them is retried. Choosing it again shows all failed files.
 */
const FailedFiles = ({ batch }: { readonly batch: Batch }) => {
  const styles = useErrorGroupsStyles();
  const { value: groups = [] } = useCallQuery(useCalls().uploads.errorGroups({ batchId: batch.batchId }));
  const [chosen, choose] = useState<ErrorCode>();
  const shown = groups.some(({ code }) => code === chosen) ? chosen : undefined;
  return (
    <>
      {groups.length > 0 && (
        <ul className={styles.groups} aria-label={t('uploads.files.reasons')}>
          {groups.map(({ code, files }) => {
            const { title, todo } = fileErrorText({ code, details: {} });
            const isChosen = code === shown;
            const Icon = isChosen ? Filter16Filled : Filter16Regular;
            return (
              <li key={code}>
                <button
                  type="button"
                  className={mergeClasses(styles.group, isChosen && styles.chosen)}
                  onClick={() => choose(isChosen ? undefined : code)}
                >
                  <span className={styles.count}>{t('count.file', { count: files })}</span>
                  <span>
                    <strong>{title}</strong> {todo}
                  </span>
                  <span className={styles.only}>
                    <Icon aria-hidden="true" />
                    {isChosen ? t('uploads.files.everyReason') : t('uploads.files.onlyReason')}
                  </span>
                </button>
              </li>
            );
          })}
        </ul>
      )}
      <BatchFileTable key={shown} batch={batch} filter="failed" code={shown} />
    </>
  );
};

const bothLines = (first: string, second = ''): string => [first, second].filter(Boolean).join('\n');

const problemLines = (file: UploadFile): readonly [] | readonly [first: string, second?: string] => {
  if (file.replaced?.error !== undefined)
    return [t('uploads.files.notReplaced'), fileErrorText({ ...file.replaced.error, details: {} }).title];
  if (file.removedAtMs !== undefined) return [t('uploads.files.removedAt', { at: formatMoment(file.removedAtMs) })];
  if (file.error === undefined) return file.state === 'skipped' ? [t('uploads.files.sameThere')] : [];
  // Without details, the text has no path, which the row already shows, and no host or message of the service.
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
  header: 'common.file',
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
  header: 'uploads.files.problem',
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
  // A narrow window hides the state, which is nearly the same for all failed files. The list of reasons above the table
  // says what to do about a problem, so the table does not repeat it.
  if (filter === 'failed') return [file, fileSize, { ...state, minor: true }, { ...problem, ...ofGroup, width: '46%' }];
  const hasProblems = filter !== 'waiting' && failed + skipped + removed + notReplaced > 0;
  // The column is named Details, because it also says when files were removed, and why files were skipped.
  return [file, fileSize, state, ...(hasProblems ? [{ ...problem, header: 'uploads.files.details' as const }] : [])];
};

/** Returns the hint below an empty list. It says why `filter` shows no files; undefined if there is nothing to say. */
const hintOf = (filter: FileFilter, batch: Batch): string | undefined => {
  if (isUnread(batch)) return t('uploads.files.readLater');
  return filter === 'failed' && fileFilters.waiting.count(batch) > 0 ? t('uploads.files.retried') : undefined;
};

type BatchFileTableProps = {
  readonly batch: Batch;
  readonly filter: FileFilter;
  readonly code?: ErrorCode | undefined;
};

const BatchFileTable = ({ batch, filter, code }: BatchFileTableProps) => {
  const styles = useStyles();
  const { uploads } = useDesk();
  const { batchId } = batch;
  const { states } = fileFilters[filter];
  const found = useWindowQuery('files', (calls, window) =>
    calls.uploads.files({ batchId, ...(states && { states }), ...(code && { error: code }), ...window }),
  );
  const { count = 0 } = found;
  const selection = useSelection({
    rows: found,
    idOf: ({ id }) => id,
    rowLabel: ({ FileName }) => t('uploads.files.select', { file: FileName }),
    allLabel: t('common.selectAllFiles'),
  });
  const goesOn = useSnapshot(({ reachability }) => isActive(batch) && waitOf(batch, reachability) === undefined);
  const menu = useFileMenu(({ id }: UploadFile) => ({ batchId, fileId: id }));
  const { ids, deselect } = selection;
  const canSelect = filter === 'failed';
  const files = found.result?.files;
  useEffect(() => {
    // Files that were retried have left the list. What a longer list lacks is not known.
    if (files === undefined || files.length < count) return;
    const listed = new Set(files.map(({ id }) => id));
    const gone = [...ids].filter((id) => !listed.has(id));
    if (gone.length > 0) deselect(new Set(gone));
  }, [files, count, ids, deselect]);
  return (
    <PageFill>
      {canSelect && count > 0 && (
        <Line>
          <ActionButton
            size="small"
            icon={<ArrowClockwise20Regular />}
            disabled={ids.size === 0 || batch.state === 'scanning' || batch.isOthers === true}
            act={async () => {
              await uploads.retryFiles({ batchId, ids: [...ids] });
              // Deselects only the retried files, because the user may have selected others meanwhile.
              deselect(ids);
            }}
          >
            {t('uploads.action.retrySelected')}
          </ActionButton>
          <span role="status" className={styles.selected}>
            {t('uploads.files.selected', { count: ids.size })}
          </span>
        </Line>
      )}
      {found.count === 0 ? (
        <Empty title={t(fileFilters[filter].none)} hint={hintOf(filter, batch)} />
      ) : (
        <DataTable
          rows={found}
          loading={t('common.loadingFiles')}
          id="batch-files"
          label={t('common.files')}
          columns={columnsOf(filter, batch, goesOn)}
          hasTwoLines
          rowKey={({ id }) => id}
          menu={menu}
          selection={canSelect ? selection : undefined}
        />
      )}
    </PageFill>
  );
};

/**
 * The filters of the files of a batch. `states`: the states that match; undefined for all. `count`: returns how many
 * files of a batch match. `none`: the key of the text that is shown if no file matches.
 */
const fileFilters = {
  all: { states: undefined, count: ({ files }) => files, none: 'uploads.files.empty' },
  waiting: {
    states: ['queued', 'signing', 'sending'],
    count: (batch) => Math.max(0, batch.files - settledFiles(batch)),
    none: 'uploads.files.noneWaiting',
  },
  done: {
    states: ['done'],
    count: ({ uploaded, removed = 0 }) => uploaded - removed,
    none: 'uploads.files.noneDone',
  },
  skipped: { states: ['skipped'], count: ({ skipped }) => skipped, none: 'uploads.files.noneSkipped' },
  failed: { states: ['failed', 'uncertain'], count: ({ failed }) => failed, none: 'uploads.files.noneFailed' },
  cancelled: { states: ['cancelled'], count: ({ cancelled }) => cancelled, none: 'uploads.files.noneCancelled' },
  removed: { states: ['removed'], count: ({ removed = 0 }) => removed, none: 'uploads.files.noneRemoved' },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly states: readonly ListedState[] | undefined;
      readonly count: (batch: Batch) => number;
      readonly none: string;
    }
  >
>;

type FileFilter = keyof typeof fileFilters;

const filtersOf = ({ skipped, cancelled, removed = 0 }: Batch): readonly FileFilter[] => [
  ...(['all', 'waiting', 'done', 'failed'] as const),
  ...(skipped > 0 ? (['skipped'] as const) : []),
  ...(cancelled > 0 ? (['cancelled'] as const) : []),
  ...(removed > 0 ? (['removed'] as const) : []),
];

const UnknownUpload = ({ id }: { readonly id: string }) => (
  <Page title={t('uploads.one')}>
    <Failure error={{ code: 'upload/batch-unknown', message: `upload ${id}`, retry: 'never', details: {} }} />
  </Page>
);

const useSummaryStyles = makeStyles({
  summary: {
    ...stacked(tokens.spacingVerticalS),
    padding: `0 ${tokens.spacingHorizontalXXL} ${tokens.spacingVerticalS}`,
    [narrow]: { paddingInline: tokens.spacingHorizontalM },
  },
  bar: { marginInlineStart: `calc(-1 * ${tokens.spacingHorizontalM})` },
});

type UploadSummaryProps = { readonly upload: Upload; readonly children: ReactNode };

const UploadSummary = ({ upload, children }: UploadSummaryProps) => {
  const styles = useSummaryStyles();
  const { batches, whole } = upload;
  const folder = batches.length === 1 ? whole.root : '';
  const about = [folder, notUploadedText(whole.leftOut)].filter(Boolean).join(' · ');
  return (
    <div className={styles.summary}>
      <Line className={styles.bar}>
        <FileCommands upload={upload} />
        <UploadActions upload={upload} isMain />
      </Line>
      <UploadProgress upload={upload} />
      {about !== '' && <Minor size={200}>{about}</Minor>}
      <AddedLater upload={upload} />
      {children}
    </div>
  );
};

/**
 * Says how many files were added to the folder after the review, with a button that uploads them. Shows nothing if
 * there are none or the upload was cancelled.
 */
const AddedLater = ({ upload }: { readonly upload: Upload }) => {
  const { uploads } = useDesk();
  const { leftOut, state, isOthers = false } = upload.whole;
  const count = leftOut.later ?? 0;
  if (count === 0 || state === 'cancelled') return null;
  return (
    <Line role="status">
      <Text>{t('uploads.later', { count })}</Text>
      <ActionButton size="small" act={() => uploads.addLater(targetOf(upload))} disabled={isOthers}>
        {t('uploads.action.addLater')}
      </ActionButton>
    </Line>
  );
};
