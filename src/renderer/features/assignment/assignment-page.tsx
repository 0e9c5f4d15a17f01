import { Button, Link, makeStyles, Text, tokens } from '@fluentui/react-components';
import { Delete20Regular, FolderArrowUp24Regular } from '@fluentui/react-icons';
import { useState } from 'react';
import { type AssignmentSummary, customerName } from '../../../contract/resources.ts';
import type { Batch, KnownFile } from '../../../contract/uploads.ts';
import { StatusBadge } from '../../domain/assignments/assignments.tsx';
import { PendingChanges, removalText } from '../../domain/assignments/changes.tsx';
import { RemoveMany } from '../../domain/assignments/remove-many.tsx';
import { CopiedText, CopyButton } from '../../domain/copy.tsx';
import { Failure } from '../../domain/errors.tsx';
import { addressOf, codeWords, ServiceTime } from '../../domain/texts.tsx';
import { BatchStateBadge } from '../../domain/uploads/batch-view.tsx';
import { folderName, outcomeText, sortBatches, stateText, targetName } from '../../domain/uploads/batch-words.ts';
import { ChooseButtons } from '../../domain/uploads/choose-buttons.tsx';
import { useAssignment, useKnownFiles } from '../../queries/answers.ts';
import { useProtocol } from '../../queries/protocols.ts';
import { useApp, useDesk, useReport, useSnapshot } from '../../state/context.tsx';
import { TwoLines } from '../../ui/data-table/cells.tsx';
import type { Column } from '../../ui/data-table/columns.tsx';
import { DataTable, PlainTable } from '../../ui/data-table/data-table.tsx';
import { headerHeight } from '../../ui/data-table/styles.ts';
import { type TableSelection, useSelection } from '../../ui/data-table/use-selection.ts';
import { Confirm } from '../../ui/dialogs.tsx';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { Facts, Loading, Page, PageBody, Part } from '../../ui/page.tsx';
import { formatBytes, formatCount } from '../../words/amounts.ts';
import { formatMoment } from '../../words/dates.ts';
import { t } from '../../words/words.ts';
import { PlanAfter, RejectedChange, useChange } from './plan-after.tsx';

type AssignmentPageProps = { readonly id: string; readonly summary?: AssignmentSummary | undefined };

/** A time from the service other than 0: that of this assignment, or else of any seen before. */
const timeSample = (summary: AssignmentSummary | undefined, seen: readonly AssignmentSummary[]): number | undefined =>
  [...(summary ? [summary] : []), ...seen].find(({ StartTime }) => StartTime !== 0)?.StartTime;

const copied = (name: string, text: string) => <CopiedText name={name} text={text} />;

/** One assignment with its plan-after date, its files and uploads to it. */
export const AssignmentPage = ({ id, summary: given }: AssignmentPageProps) => {
  // From the offline data, if the page was opened from an upload. The page works without it.
  const { value: known } = useAssignment(id);
  const summary = given ?? known?.assignment;
  const seen = useApp((state) => state.assignments);
  return (
    <Page
      title={summary?.Address || t('assignment.title')}
      subtitle={summary?.City}
      actions={summary && <StatusBadge status={summary.AssignmentStatus} />}
    >
      <PageBody>
        <Facts
          facts={[
            ...(summary
              ? [
                  { name: t('assignment.customer'), value: customerName(summary) },
                  { name: t('assignment.start'), value: <ServiceTime raw={summary.StartTime} show="moment" /> },
                  { name: t('assignment.performer'), value: summary.Performer },
                  { name: t('common.facility'), value: copied(t('common.facility'), summary.FacilityId) },
                ]
              : []),
            ...(known?.InspectionProtocolId === undefined
              ? []
              : [{ name: t('assignment.protocol'), value: <ProtocolLink id={known.InspectionProtocolId} /> }]),
            { name: t('assignment.id'), value: copied(t('assignment.id'), id) },
          ]}
        />
        <UploadPart AssignmentId={id} />
        <Part title={t('assignment.planAfter.title')}>
          <PlanAfter id={id} sample={timeSample(summary, Object.values(seen))} last={known?.planAfter} />
        </Part>
        <UploadHistory id={id} />
        <KnownFiles id={id} title={targetName({ AssignmentId: id }, summary)} />
      </PageBody>
    </Page>
  );
};

/** Leads to the protocol that an assignment belongs to; its id as long as the protocol itself is not known. */
const ProtocolLink = ({ id }: { readonly id: string }) => {
  const open = useApp((state) => state.open);
  const { value: protocol } = useProtocol(id);
  return protocol === undefined ? (
    id
  ) : (
    <Link as="button" inline onClick={() => open({ name: 'protocol', protocol })}>
      {addressOf(protocol) || id}
    </Link>
  );
};

const useUploadPartStyles = makeStyles({
  zone: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalM}`,
    padding: tokens.spacingHorizontalXL,
    border: `1px dashed ${tokens.colorNeutralStrokeAccessible}`,
    borderRadius: tokens.borderRadiusLarge,
    '& button': { flexShrink: 0 },
  },
  text: { flex: '1 1 240px' },
  icon: { color: tokens.colorNeutralForeground3 },
});

/** Where an upload to an assignment begins: folders or files are picked here, or dropped anywhere on the page. */
const UploadPart = ({ AssignmentId }: { readonly AssignmentId: string }) => {
  const styles = useUploadPartStyles();
  return (
    <Part title={t('assignment.upload.title')}>
      <div className={styles.zone}>
        <FolderArrowUp24Regular className={styles.icon} aria-hidden="true" />
        <Text className={styles.text}>{t('assignment.upload.drop')}</Text>
        <ChooseButtons
          folder={t('assignment.upload.choose')}
          files={t('assignment.upload.chooseFiles')}
          AssignmentId={AssignmentId}
        />
      </div>
    </Part>
  );
};

const columns: readonly Column<Batch>[] = [
  {
    id: 'Folder',
    header: () => t('assignment.history.folder'),
    cell: ({ root }) => <MiddleCut name={folderName(root)} />,
    text: ({ root }) => folderName(root),
  },
  {
    id: 'Started',
    header: () => t('assignment.history.started'),
    width: '188px',
    cell: ({ createdAtMs }) => formatMoment(createdAtMs),
  },
  { id: 'Outcome', header: () => t('assignment.history.outcome'), width: '32%', minor: true, cell: outcomeText },
  {
    id: 'State',
    header: () => t('uploads.files.state'),
    width: '212px',
    cell: (batch) => <BatchStateBadge batch={batch} />,
    text: stateText,
  },
];

/** The uploads from this computer to an assignment. Nothing if there are none. */
const UploadHistory = ({ id }: { readonly id: string }) => {
  const open = useApp((state) => state.open);
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const own = sortBatches(batches.filter(({ AssignmentId }) => AssignmentId === id));
  if (own.length === 0) return null;
  return (
    <Part title={t('assignment.history.title')}>
      <PlainTable
        id="upload-history"
        label={t('assignment.history.title')}
        columns={columns}
        rows={own}
        rowKey={({ batchId }) => batchId}
        open={({ batchId }) => open({ name: 'batch', batch: batchId })}
      />
    </Part>
  );
};

const useKnownFilesStyles = makeStyles({
  bar: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalM },
});

/** The files that this app knows to be on an assignment, which can be removed. */
export const KnownFiles = ({ id, title }: { readonly id: string; readonly title: string }) => {
  const open = useApp((state) => state.open);
  const desk = useDesk();
  const { value: files, error, reload } = useKnownFiles(id);
  const remove = useChange((Key: string) => desk.assignments.removeFile({ AssignmentId: id, Key }));
  return (
    <Part
      title={t('assignment.files.title')}
      actions={
        <>
          {files && <Text>{t('count.file', { count: files.length })}</Text>}
          <Button size="small" onClick={() => open({ name: 'files', assignment: { AssignmentId: id, title } })}>
            {t('files.ofAssignment')}
          </Button>
        </>
      }
    >
      <Text>{t('assignment.files.explained')}</Text>
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {error === undefined && files === undefined && <Loading label={t('assignment.files.loading')} lines={3} />}
      <RejectedChange action={remove} describe={(Key) => removalText(Key, files)} />
      <PendingChanges id={id} kind="remove-file" files={files} />
      {files !== undefined && files.length > 0 && (
        <SelectableFiles id={id} files={files} busy={remove.busy} onRemove={remove.run} />
      )}
    </Part>
  );
};

type SelectableFilesProps = {
  readonly id: string;
  readonly files: readonly KnownFile[];
  readonly busy: boolean;
  readonly onRemove: (Key: string) => void;
};

/** The known files, of which several can be removed at once. */
const SelectableFiles = ({ id, files, busy, onRemove }: SelectableFilesProps) => {
  const styles = useKnownFilesStyles();
  // A selection knows numbers, which stay the same while other files come and go.
  const [numbers] = useState(() => new Map<string, number>());
  const numberOf = ({ Key }: KnownFile): number => {
    const number = numbers.get(Key) ?? numbers.size;
    numbers.set(Key, number);
    return number;
  };
  const selection = useSelection<KnownFile>({
    read: async (offset, limit) => ({ rows: files.slice(offset, offset + limit) }),
    idOf: numberOf,
    total: files.length,
    onError: useReport(),
    rowLabel: ({ FileName }) => t('assignment.files.select', { name: FileName }),
    allLabel: t('assignment.files.selectAll'),
  });
  const selected = files.filter(selection.has);
  return (
    <>
      <div className={styles.bar}>
        <RemoveMany
          trigger={
            <Button size="small" icon={<Delete20Regular />} disabledFocusable={selected.length === 0}>
              {t('assignment.files.removeSelected')}
            </Button>
          }
          files={selected.length}
          bytes={selected.reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, 0)}
          names={selected.map(nameWithFolder)}
          what={{ AssignmentId: id, Keys: selected.map(({ Key }) => Key) }}
          onBegun={selection.none}
        />
        <span role="status">
          {t('uploads.files.selected', { count: selected.length, total: formatCount(files.length) })}
        </span>
      </div>
      <KnownFileTable files={files} busy={busy} onRemove={onRemove} selection={selection} />
    </>
  );
};

/** Files of one name are told apart by their folders. */
const nameWithFolder = ({ FileName, folder }: KnownFile): string =>
  folder === undefined ? FileName : `${folder}/${FileName}`;

const ROW_HEIGHT = 52;

const useKnownFileTableStyles = makeStyles({
  /** As high as its rows, up to a limit where it scrolls. */
  table: { display: 'flex', flexDirection: 'column', maxHeight: '420px' },
  actions: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS },
});

const uploadedBy: Column<KnownFile> = {
  id: 'Uploaded by',
  header: () => t('assignment.files.uploadedBy'),
  width: '15%',
  minor: true,
  cell: (file) => codeWords(file.UploadedBy),
};

/** Files of the same name can come from several folders. */
const file: Column<KnownFile> = {
  id: 'File',
  header: () => t('assignment.files.file'),
  cell: ({ FileName, folder }) => (
    <TwoLines first={<MiddleCut name={FileName} />} second={folder === undefined ? '' : <MiddleCut name={folder} />} />
  ),
  text: ({ FileName, folder }) => [folder, FileName].filter(Boolean).join('/'),
};

const size: Column<KnownFile> = {
  id: 'Size',
  header: () => t('assignment.files.size'),
  width: '88px',
  align: 'end',
  cell: ({ sizeBytes }) => sizeBytes !== undefined && formatBytes(sizeBytes),
};

const added: Column<KnownFile> = {
  id: 'Added',
  header: () => t('assignment.files.since'),
  width: '184px',
  cell: ({ source, addedAtMs }) => (
    <TwoLines
      first={source === 'uploaded-here' ? t('assignment.files.uploadedHere') : t('assignment.files.named')}
      second={formatMoment(addedAtMs)}
    />
  ),
  text: ({ addedAtMs }) => formatMoment(addedAtMs),
};

type KnownFileTableProps = {
  readonly files: readonly KnownFile[];
  readonly busy: boolean;
  readonly onRemove: (Key: string) => void;
  readonly selection: TableSelection<KnownFile>;
};

/** The known files, and how each is known. */
const KnownFileTable = ({ files, busy, onRemove, selection }: KnownFileTableProps) => {
  const styles = useKnownFileTableStyles();
  const columns: readonly Column<KnownFile>[] = [
    file,
    ...(files.some(({ sizeBytes }) => sizeBytes !== undefined) ? [size] : []),
    // Only files that the service has reported have it.
    ...(files.some(({ UploadedBy }) => UploadedBy !== '') ? [uploadedBy] : []),
    added,
    {
      id: 'Actions',
      header: () => t('assignment.files.actions'),
      width: '132px',
      cell: (file) => (
        <div className={styles.actions}>
          <Confirm
            title={t('assignment.files.removeQuestion')}
            action={t('assignment.files.removeAction')}
            onConfirm={() => onRemove(file.Key)}
            trigger={
              <Button
                appearance="subtle"
                size="small"
                icon={<Delete20Regular />}
                disabledFocusable={busy}
                title={t('assignment.files.removeNamed', { name: file.FileName })}
                aria-label={t('assignment.files.removeNamed', { name: file.FileName })}
              />
            }
          >
            {t('assignment.files.removeExplained', { name: file.FileName })}
          </Confirm>
          {/* A key is long and says nothing to people: it is copied, and not shown. */}
          <CopyButton label={t('assignment.files.copyKey', { name: file.FileName })} text={file.Key} />
        </div>
      ),
    },
  ];
  return (
    <div className={styles.table} style={{ height: headerHeight + files.length * ROW_HEIGHT + 1 }}>
      <DataTable
        id="known-files"
        label={t('assignment.files.title')}
        columns={columns}
        count={files.length}
        rowAt={(index) => files[index]}
        rowHeight={ROW_HEIGHT}
        selection={selection}
      />
    </div>
  );
};
