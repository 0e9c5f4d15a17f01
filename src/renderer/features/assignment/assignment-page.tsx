import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { Delete20Regular } from '@fluentui/react-icons';
import { sumBy } from 'es-toolkit';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type ErrorData, toErrorData } from '../../../contract/errors.ts';
import {
  type AssignmentSummary,
  assignmentName,
  customerName,
  type KnownAssignment,
} from '../../../contract/resources.ts';
import { type Batch, batchName, type KnownFile } from '../../../contract/uploads.ts';
import { ActionButton, ConfirmDialog, OpenButton } from '../../domain/actions.tsx';
import { StatusBadge } from '../../domain/assignments/assignments.tsx';
import {
  ChangeBar,
  PendingChanges,
  type PlanAfterChange,
  planAfterText,
  RemovalExplained,
} from '../../domain/assignments/changes.tsx';
import { CopiedText, CopyButton } from '../../domain/copy.tsx';
import { DateField } from '../../domain/date-field.tsx';
import { OpenLink } from '../../domain/open-link.tsx';
import { CallResult } from '../../domain/readings.tsx';
import { addressOf, codeWords, ServiceTime } from '../../domain/texts.tsx';
import { outcomeText, sortBatches, targetName } from '../../domain/uploads/batch-words.ts';
import { batchFolder, batchStarted, batchState } from '../../domain/uploads/batches.tsx';
import { ChooseZone } from '../../domain/uploads/choose-buttons.tsx';
import { fileInFolder, fileSize } from '../../domain/uploads/files.tsx';
import { useAssignment, useCallQuery, useCalls } from '../../queries/query.tsx';
import { type PlaceProps, useAction, useApp, useDesk, useSnapshot } from '../../state/store.tsx';
import { type Column, TwoLines, timeCells } from '../../ui/data-table/columns.tsx';
import { PlainTable, type TableHandle } from '../../ui/data-table/data-table.tsx';
import { listed, useSelection } from '../../ui/data-table/use-selection.ts';
import { useDialog } from '../../ui/dialogs.tsx';
import { useOnChange } from '../../ui/hooks.ts';
import { Beside, Facts, Line, Minor, Page, Part } from '../../ui/page.tsx';
import { formatMoment, fromInputValue, fromMilliseconds, toInputValue, toMilliseconds } from '../../words/dates.ts';
import { t } from '../../words/words.ts';

const copied = (name: string, text: string) => <CopiedText name={name} text={text} />;

const summaryFacts = (summary: AssignmentSummary) => [
  { name: t('assignment.customer'), value: customerName(summary) },
  { name: t('assignment.start'), value: <ServiceTime raw={summary.StartTime} show="moment" /> },
  { name: t('assignment.performer'), value: summary.Performer },
  { name: t('common.facility'), value: copied(t('common.facility'), summary.FacilityId) },
];

export const AssignmentPage = ({ AssignmentId: id, summary: given, file }: PlaceProps<'assignment'>) => {
  // `given` is as old as the place, which may come from an earlier run of the app. It is absent if the page was opened
  // without a summary, for example from an uploaded file. The page also works without a summary.
  const { value: known } = useAssignment(id);
  const summary = known?.assignment ?? given;
  const protocolId = known?.InspectionProtocolId;
  return (
    <Page
      title={(summary && addressOf(summary)) || t('common.assignment')}
      subtitle={summary?.City}
      actions={summary && <StatusBadge status={summary.AssignmentStatus} />}
    >
      <Beside
        label={t('assignment.details')}
        details={
          <>
            <Facts
              facts={[
                ...(summary ? summaryFacts(summary) : []),
                ...(protocolId ? [{ name: t('assignment.protocol'), value: <ProtocolLink id={protocolId} /> }] : []),
                { name: t('assignment.id'), value: copied(t('assignment.id'), id) },
              ]}
            />
            <Part title={t('work.planAfter')}>
              <PlanAfter id={id} last={known?.planAfter} />
            </Part>
          </>
        }
      >
        <UploadPart AssignmentId={id} />
        <UploadHistory id={id} />
        <KnownFiles
          id={id}
          file={file}
          title={targetName({ AssignmentId: id, ...(summary && { title: assignmentName(summary) }) })}
        />
      </Beside>
    </Page>
  );
};

const ProtocolLink = ({ id }: { readonly id: string }) => {
  const { value: protocol } = useCallQuery(useCalls().protocols.get({ InspectionProtocolId: id }));
  return protocol === undefined ? (
    id
  ) : (
    <OpenLink inline place={{ name: 'protocol', protocol }}>
      {addressOf(protocol) || id}
    </OpenLink>
  );
};

const UploadPart = ({ AssignmentId }: { readonly AssignmentId: string }) => {
  const isFirstUpload = useSnapshot(({ batches }) => !batches.some((batch) => batch.AssignmentId === AssignmentId));
  return (
    <Part title={t('assignment.upload.title')}>
      <ChooseZone isLarge={isFirstUpload} explained={t('assignment.upload.drop')} AssignmentId={AssignmentId} />
    </Part>
  );
};

const columns: readonly Column<Batch>[] = [
  {
    ...batchFolder,
    cell: (batch) => <TwoLines first={batchFolder.cell(batch)} second={outcomeText(batch)} />,
    text: (batch) => [batchName(batch), outcomeText(batch)].join(' · '),
  },
  batchStarted,
  batchState,
];

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
        hasTwoLines
        rows={own}
        rowKey={({ batchId }) => batchId}
        open={({ batchId }) => open({ name: 'batch', batch: batchId })}
      />
    </Part>
  );
};

type KnownFilesProps = Pick<PlaceProps<'assignment'>, 'file'> & { readonly id: string; readonly title: string };

const KnownFiles = ({ id, file, title }: KnownFilesProps) => {
  const known = useCallQuery(useCalls().assignments.knownFiles({ AssignmentId: id }));
  const { value: files } = known;
  return (
    <Part
      title={t('assignment.files.title')}
      actions={
        <>
          {files && <Text>{t('count.file', { count: files.length })}</Text>}
          <OpenButton size="small" place={{ name: 'files', assignment: { AssignmentId: id, title } }}>
            {t('files.ofAssignment')}
          </OpenButton>
        </>
      }
    >
      <Text>{t('assignment.files.explained')}</Text>
      <PendingChanges id={id} kind="remove-files" />
      <CallResult {...known} loading={t('common.loadingFiles')} lines={3}>
        {(files) => files.length > 0 && <SelectableFiles key={file} id={id} files={files} file={file} />}
      </CallResult>
    </Part>
  );
};

type SelectableFilesProps = Pick<KnownFilesProps, 'id' | 'file'> & { readonly files: readonly KnownFile[] };

const SelectableFiles = ({ id, files, file }: SelectableFilesProps) => {
  const desk = useDesk();
  const table = useRef<TableHandle>(null);
  const remove = (Keys: readonly string[]): Promise<void> => desk.files.remove({ AssignmentId: id, Keys });
  const selection = useSelection<KnownFile, string>({
    rows: listed(files),
    idOf: ({ Key }) => Key,
    rowLabel: ({ FileName }) => t('assignment.files.select', { name: FileName }),
    allLabel: t('common.selectAllFiles'),
  });
  const selected = files.filter(selection.has);
  const [sought] = useState(() => files.findIndex(({ FileName }) => FileName === file));
  useEffect(() => {
    // Once the user has moved the focus elsewhere, it stays there.
    if (sought >= 0 && document.activeElement?.matches('body, h1')) table.current?.focus(sought);
  }, [sought]);
  const { about: leaving, open: ask, close } = useDialog<KnownFile>();
  const removal = useAction(remove);
  const count = selected.length;
  return (
    <>
      <Line>
        <ActionButton
          size="small"
          icon={<Delete20Regular />}
          disabled={count === 0}
          act={async () => {
            await remove(selected.map(({ Key }) => Key));
            selection.none();
            // Without a selection, the button is disabled, so the focus moves to the table.
            table.current?.focus();
          }}
          question={{
            title: t('assignment.files.removeMany', { count }),
            text: (
              <RemovalExplained
                files={count}
                bytes={sumBy(selected, ({ sizeBytes = 0 }) => sizeBytes)}
                names={selected.map(nameWithFolder)}
              />
            ),
            action: t('assignment.change.removeFiles', { count }),
          }}
        >
          {t('assignment.files.removeSelected')}
        </ActionButton>
        <span role="status">{t('uploads.files.selected', { count })}</span>
      </Line>
      <PlainTable
        id="known-files"
        label={t('assignment.files.title')}
        columns={columnsOf(files, ask)}
        rows={files}
        hasTwoLines
        selection={{ ...selection, isShown: ({ FileName }) => FileName === file }}
        handle={table}
      />
      {leaving && (
        <ConfirmDialog
          title={t('assignment.files.removeQuestion')}
          text={t('assignment.files.removeExplained', { name: leaving.FileName })}
          action={t('assignment.files.removeAction')}
          onConfirm={() => removal.run([leaving.Key])}
          onClose={close}
        />
      )}
    </>
  );
};

const nameWithFolder = ({ FileName, folder }: KnownFile): string =>
  folder === undefined ? FileName : `${folder}/${FileName}`;

const uploadedBy: Column<KnownFile> = {
  id: 'Uploaded by',
  header: 'assignment.files.uploadedBy',
  width: '15%',
  minor: true,
  cell: (file) => codeWords(file.UploadedBy),
};

const added: Column<KnownFile> = {
  id: 'Added',
  header: 'assignment.files.since',
  width: '164px',
  ...timeCells(({ addedAtMs }) => addedAtMs, 'moment'),
  cell: (file) => <Added file={file} />,
  text: ({ addedAtMs }) => formatMoment(addedAtMs),
};

const columnsOf = (files: readonly KnownFile[], ask: FileActionsProps['ask']): readonly Column<KnownFile>[] => [
  fileInFolder(),
  ...(files.some(({ sizeBytes }) => sizeBytes !== undefined) ? [fileSize] : []),
  // Shows this column only if the service has reported a file, because no other file has an `UploadedBy`.
  ...(files.some(({ UploadedBy }) => UploadedBy !== '') ? [uploadedBy] : []),
  added,
  {
    id: 'Actions',
    header: 'common.actions',
    width: '112px',
    cell: (file) => <FileActions file={file} ask={ask} />,
    text: false,
  },
];

const useStyles = makeStyles({
  actions: { flexWrap: 'nowrap' },
  state: { display: 'block', marginTop: tokens.spacingVerticalS },
  undo: { marginTop: tokens.spacingVerticalXS },
});

const Added = ({ file: { source, addedAtMs, isLeaving } }: { readonly file: KnownFile }) => {
  const known = source === 'uploaded-here' ? t('assignment.files.uploadedHere') : t('assignment.files.named');
  return <TwoLines first={isLeaving ? t('assignment.files.leaving') : known} second={formatMoment(addedAtMs)} />;
};

type FileActionsProps = {
  readonly file: KnownFile;
  /** Asks whether the file is to be removed. `by`: the button that was pressed. */
  readonly ask: (by: HTMLElement, file: KnownFile) => void;
};

const FileActions = ({ file, ask }: FileActionsProps) => {
  const { FileName: name, Key, isLeaving = false } = file;
  const label = t('assignment.files.removeNamed', { name });
  return (
    <Line className={useStyles().actions}>
      <Button
        appearance="subtle"
        size="small"
        icon={<Delete20Regular />}
        disabledFocusable={isLeaving}
        title={label}
        aria-label={label}
        onClick={({ currentTarget }) => ask(currentTarget, file)}
      />
      {/* A key is long and meaningless to users, so it can be copied but is not shown. */}
      <CopyButton label={t('assignment.files.copyKey', { name })} text={Key} />
    </Line>
  );
};

/**
 * The tolerance for a time in the past. Times are chosen to the minute, so the current minute does not count as past.
 */
const minuteMs = 60_000;

/**
 * The plan-after date after the last change. Undefined before the first change and while a change is pending, because
 * the service returns the date only after a change.
 */
type Changed =
  | {
      readonly raw: number | undefined;
      /** The value that the service has responded with. */
      readonly response: number;
      readonly undo: Step | undefined;
    }
  | undefined;

/** A change of the date. `timeMs`: the new date, which is sent in the unit of the service. */
type Step = PlanAfterChange & { readonly timeMs?: number; readonly isUndo?: boolean };

const stateText = (changed: Changed, last: LastResult): string => {
  if (changed !== undefined)
    return changed.raw === undefined
      ? t('assignment.planAfter.cleared')
      : t('assignment.planAfter.saved', { at: formatMoment(toMilliseconds(changed.raw)) });
  if (last === undefined) return t('assignment.planAfter.unknown');
  const on = formatMoment(last.respondedAtMs);
  // 0 counts as a cleared date. The API documentation does not say what the service returns after clearing it.
  return last.PlanAfter === 0
    ? t('assignment.planAfter.lastCleared', { on })
    : t('assignment.planAfter.last', { at: formatMoment(toMilliseconds(last.PlanAfter)), on });
};

/** The plan-after date in the service's last response to a change of the date, and the time of that response. */
type LastResult = KnownAssignment['planAfter'];

export const PlanAfter = ({ id, last }: { readonly id: string; readonly last: LastResult }) => {
  const styles = useStyles();
  const desk = useDesk();
  /** The text that the user has typed instead of the known date. */
  const [typed, setTyped] = useState<string>();
  const [missing, setMissing] = useState(false);
  const [changed, setChanged] = useState<Changed>();
  // The date can also be changed elsewhere, for example with those of other assignments.
  useOnChange(last?.respondedAtMs, () => last?.PlanAfter !== changed?.response && setChanged(undefined));
  const before = changed === undefined ? last?.PlanAfter || undefined : changed.raw;
  const value = typed ?? (before === undefined ? '' : toInputValue(toMilliseconds(before)));
  /** The last change that failed. It stays until a change succeeds or the user dismisses it. */
  const [rejected, setRejected] = useState<{ readonly change: Step; readonly error: ErrorData }>();
  const make = async ({ timeMs, isUndo = false, ...step }: Step): Promise<void> => {
    const PlanAfter =
      timeMs === undefined ? step.PlanAfter : fromMilliseconds(timeMs, await desk.assignments.timeUnit());
    const { PlanAfter: raw, waiting } = await desk.assignments.planAfter({ AssignmentId: id, PlanAfter });
    const shown = PlanAfter === undefined ? '' : typed;
    // What the user has typed meanwhile stays.
    setTyped((now) => (now === typed ? (waiting ? shown : undefined) : now));
    const undo = isUndo ? undefined : { PlanAfter: before, isUndo: true };
    // While a change is pending, the value that the service will have is unknown, so `changed` is undefined.
    setChanged(waiting ? undefined : { raw: PlanAfter === undefined ? undefined : raw, response: raw, undo });
    setRejected(undefined);
  };
  const { run, busy } = useAction((change: Step) =>
    make(change).catch((error: unknown) => setRejected({ change, error: toErrorData(error) })),
  );
  const isPending = useSnapshot(({ outbox }) =>
    outbox.some(({ AssignmentId, kind }) => AssignmentId === id && kind === 'plan-after'),
  );
  const save = (timeMs: number): void => run({ timeMs });
  const { about: pastMs, open: ask, close } = useDialog<number>();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const timeMs = fromInputValue(value);
    setMissing(timeMs === undefined);
    if (timeMs === undefined) event.currentTarget.querySelector('input')?.focus();
    else if (timeMs < Date.now() - minuteMs) ask(event.currentTarget.querySelector('button[type="submit"]'), timeMs);
    else save(timeMs);
  };
  const edit = (text: string): void => {
    setTyped(text);
    setMissing(false);
    setRejected(undefined);
  };
  const clear = (): void => {
    setMissing(false);
    run({});
  };
  // A change that is pending or was rejected has its own message and buttons, so neither a text nor an undo is shown
  // here.
  const isSettled = !isPending && rejected === undefined;
  const undo = isSettled ? changed?.undo : undefined;
  return (
    <form onSubmit={submit} noValidate>
      <DateField
        label={t('assignment.planAfter.field')}
        message={missing ? t('assignment.planAfter.missing') : undefined}
        withTime
        value={value}
        onChange={edit}
        actions={
          <>
            <Button type="submit" disabledFocusable={busy}>
              {t('assignment.planAfter.save')}
            </Button>
            <Button appearance="subtle" disabledFocusable={busy} onClick={clear}>
              {t('common.clearDate')}
            </Button>
          </>
        }
      />
      <Minor className={styles.state} role="status">
        {isSettled && stateText(changed, last)}
      </Minor>
      {undo && (
        <Button
          className={styles.undo}
          size="small"
          title={t('work.plan.undoHint')}
          disabledFocusable={busy}
          onClick={({ currentTarget }) => {
            // The focused button disappears with the change, so the focus moves to the field.
            currentTarget.form?.querySelector('input')?.focus();
            run(undo);
          }}
        >
          {t('common.undo')}
        </Button>
      )}
      {rejected && (
        <ChangeBar
          title={planAfterText(rejected.change)}
          error={rejected.error}
          busy={busy}
          onRetry={() => run(rejected.change)}
          discard={t('common.dismiss')}
          onDiscard={() => setRejected(undefined)}
        />
      )}
      <PendingChanges id={id} kind="plan-after" />
      {pastMs !== undefined && (
        <ConfirmDialog
          title={t('assignment.planAfter.pastQuestion')}
          text={t('assignment.planAfter.pastExplained', { at: formatMoment(pastMs) })}
          action={t('assignment.planAfter.save')}
          onConfirm={() => save(pastMs)}
          onClose={close}
        />
      )}
    </form>
  );
};
