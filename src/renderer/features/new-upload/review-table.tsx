import { Button, makeStyles } from '@fluentui/react-components';
import {
  ArrowForward16Regular,
  CheckmarkCircle16Regular,
  DocumentTable16Regular,
  Person16Regular,
  Question16Regular,
  SubtractCircle16Regular,
  Warning16Regular,
} from '@fluentui/react-icons';
import { compact } from 'es-toolkit';
import type { KeyboardEvent, Ref } from 'react';
import { z } from 'zod';
import {
  type Draft,
  type DraftCandidate,
  type DraftFilter,
  type DraftRow,
  type DraftWarning,
  type MatchReason,
  type MatchSignal,
  MIN_CERTAINTY,
} from '../../../contract/drafts.ts';
import { type AssignmentSummary, assignmentName } from '../../../contract/resources.ts';
import { visibleText } from '../../../contract/text.ts';
import { OnClash } from '../../../contract/uploads.ts';
import { assignmentParts, statusName } from '../../domain/assignments/assignments.tsx';
import { addressOf } from '../../domain/texts.tsx';
import { useFileMenu } from '../../domain/uploads/files.tsx';
import { useWindowQuery } from '../../queries/query.tsx';
import { type Column, type Sort, TwoLines } from '../../ui/data-table/columns.tsx';
import { DataTable, type TableHandle } from '../../ui/data-table/data-table.tsx';
import type { RowChecks } from '../../ui/data-table/use-picks.tsx';
import type { TableSelection } from '../../ui/data-table/use-selection.ts';
import { useLatest } from '../../ui/hooks.ts';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { Empty } from '../../ui/page.tsx';
import { unseen } from '../../ui/styles.ts';
import { TextBadge, type TextBadgeProps } from '../../ui/text-badge.tsx';
import { formatBytes } from '../../words/amounts.ts';
import { formatDay } from '../../words/dates.ts';
import { useMemoInWords } from '../../words/formats.ts';
import { keyOf, t } from '../../words/words.ts';

// A row of the draft in words: how certain its assignment is, why, and what the user should check.

/** How certain an assignment is, who chose it (the user or a map file), or that the row is left out. */
type Certainty = 'certain' | 'likely' | 'unsure' | 'none' | 'person' | 'map' | 'leftOut';

const LIKELY = 0.7;

/** Returns the certainty that a probability counts as; `none` for 0 and undefined. */
export const certaintyOf = (certainty: number | undefined): Certainty => {
  if (certainty === undefined || certainty === 0) return 'none';
  if (certainty >= MIN_CERTAINTY) return 'certain';
  return certainty >= LIKELY ? 'likely' : 'unsure';
};

export const rowCertainty = ({ choice, chosenBy, certainty }: DraftRow): Certainty => {
  if (choice === 'left-out') return 'leftOut';
  if (choice === 'assignment' && (chosenBy === 'person' || chosenBy === 'map')) return chosenBy;
  return certaintyOf(certainty);
};

export const certaintyName = (certainty: Certainty): string => t(`newUpload.certainty.${certainty}`);

/** Signals that are reasons to ask the user, even if an assignment fits well. */
const questions = [
  'unread-here',
  'unread',
  'unread-list',
  'characters',
  'best-status',
] as const satisfies readonly MatchSignal[];

type Question = (typeof questions)[number];

const isQuestion = (signal: MatchSignal): signal is Question => questions.some((question) => question === signal);

/** Whether a reason speaks for an assignment or against it; undefined for a reason to ask the user. */
export const speaksFor = ({ signal, against, atMs }: MatchReason): boolean | undefined =>
  isQuestion(signal) && atMs === undefined ? undefined : against !== true;

/** Returns a reason as a sentence, such as: “Elveveien 97” is its address. */
export const reasonText = ({ signal, found, against, count = 0, atMs }: MatchReason): string => {
  if (atMs !== undefined && against !== true) return t('newUpload.reason.confirmedOn', { at: formatDay(atMs), found });
  if (isQuestion(signal))
    return t(`newUpload.question.${keyOf(signal)}`, {
      found: signal === 'best-status' ? statusName(found) : found,
      count,
    });
  return against === true
    ? t(`newUpload.against.${keyOf(signal)}`, { found })
    : t(`newUpload.reason.${keyOf(signal)}`, { found });
};

/** Returns the name of the assignment of a row or of a candidate; empty without an assignment. */
export const targetText = ({
  AssignmentId,
  assignment,
}: Pick<DraftCandidate, 'assignment'> & { readonly AssignmentId?: string | undefined }): string =>
  (assignment && assignmentName(assignment)) ||
  (AssignmentId ? t('common.unknownAssignment', { id: AssignmentId }) : '');

export const whyText = (row: DraftRow): string => {
  const target = targetText(row);
  return [...(target === '' ? [] : [`${target}.`]), ...rowReasons(row)].join(' ');
};

export const placeText = (assignment: AssignmentSummary): string =>
  compact([addressOf(assignment), assignment.City]).join(', ');

const assignmentLines = (assignment: AssignmentSummary): { readonly first: string; readonly second: string } => ({
  first: placeText(assignment),
  second: assignmentParts(assignment).filter(Boolean).join(' · '),
});

const warningName = ({ kind }: DraftWarning): string => t(`newUpload.badge.${kind}`);

export const warningText = (warning: DraftWarning): string => {
  if (warning.kind === 'status') return t('newUpload.warning.status', { status: statusName(warning.AssignmentStatus) });
  if (warning.kind === 'other-assignment')
    return t('newUpload.warning.otherAssignment', { found: warning.found, name: warning.name });
  return t(`newUpload.warning.${keyOf(warning.kind)}`, { count: warning.files });
};

/**
 * Returns the name of a row's folder; for loose files, the name of the first file and the number of further ones.
 * Misleading characters are shown by their code points.
 */
export const rowName = ({ path, name, fileNames, files }: DraftRow): string => {
  // Converts the whole path, because a letter is suspicious only among letters of another script.
  const last = (text: string): string => visibleText(text).split('/').at(-1) ?? name;
  const first = fileNames?.[0] === undefined ? undefined : last(`${path}/${fileNames[0]}`);
  if (first === undefined) return last(path);
  return files > 1 ? t('common.andMore', { names: first, count: files - 1 }) : first;
};

/**
 * Returns the path of the folder that contains the row's folder or loose files; empty if the row's folder, or its only
 * file, was itself chosen.
 */
export const parentOf = ({ path: written, fileNames }: DraftRow): string => {
  const path = visibleText(written);
  if (fileNames === undefined) return path.slice(0, Math.max(0, path.lastIndexOf('/')));
  return written === fileNames[0] ? '' : path;
};

/** Whether a row has neither files to upload nor unreadable ones. Including such a row would change nothing. */
export const isEmptyRow = ({ files, warnings }: DraftRow): boolean =>
  files === 0 && warnings.every(({ kind }) => kind !== 'unreadable');

const leftOutOn = (atMs: number): string => t('newUpload.row.leftOutOn', { at: formatDay(atMs) });

/**
 * Explains a row in sentences: when the user left it out of an earlier upload, what speaks for and against its
 * assignment, and its warnings.
 */
const rowReasons = (row: DraftRow): readonly string[] => [
  ...(row.leftOutAtMs === undefined ? [] : [leftOutOn(row.leftOutAtMs)]),
  ...row.reasons.map(reasonText),
  ...row.warnings.map(warningText),
];

const isPartly = ({ sent, leftOut }: Pick<DraftRow, 'sent' | 'leftOut'>): boolean => sent.files + leftOut.files > 0;

/**
 * Returns two lines of text that say how much of a folder an upload would send, such as "61 new" and "1,371 already
 * sent", or "61 files" and "2 left out" if nothing was sent before. If the upload would send everything, the lines are
 * the number and the size of the files.
 */
export const amountLines = (row: DraftRow): { readonly first: string; readonly second: string } => {
  const { files, toSend, sent, leftOut } = row;
  if (!isPartly(row)) return { first: t('count.file', { count: files }), second: formatBytes(row.bytes) };
  if (sent.files === 0)
    return {
      first: t('count.file', { count: toSend.files }),
      second: t('newUpload.amount.leftOut', { count: leftOut.files }),
    };
  return {
    first: toSend.files === 0 ? t('newUpload.amount.nothing') : t('newUpload.amount.short', { count: toSend.files }),
    second: t('newUpload.amount.sent', { count: sent.files }),
  };
};

type Counted = Pick<Draft, 'toSend' | 'sent' | 'clashes' | 'leftOutFiles'>;

/**
 * Returns a text that says how many files an upload would send and would not send, with their sizes, and what happens
 * to files whose name is taken, such as "61 new files, 12 MB · 1,371 already sent, 3.1 GB".
 */
export const amountsText = ({ toSend, sent, clashes, leftOutFiles }: Counted): string => {
  const sized = (text: string, bytes: number): string => (bytes === 0 ? text : `${text}, ${formatBytes(bytes)}`);
  return compact([
    toSend.files > 0 && sized(t('newUpload.amount.new', { count: toSend.files }), toSend.bytes),
    sent.files > 0 && sized(t('newUpload.amount.sent', { count: sent.files }), sent.bytes),
    ...OnClash.options.map(
      (choice) => clashes[choice] > 0 && t(`newUpload.amount.clash.${choice}`, { count: clashes[choice] }),
    ),
    leftOutFiles.files > 0 &&
      sized(t('newUpload.amount.filesLeftOut', { count: leftOutFiles.files }), leftOutFiles.bytes),
  ]).join(' · ');
};

const countsOfRow = ({ toSend, sent, leftOut, warnings }: DraftRow): Counted => ({
  toSend: { folders: 1, assignments: 1, ...toSend },
  sent,
  leftOutFiles: leftOut,
  clashes: warnings.find((one) => one.kind === 'clash')?.choices ?? { rename: 0, skip: 0, replace: 0 },
});

const looks: Readonly<Record<Certainty, Pick<TextBadgeProps, 'color' | 'Icon'>>> = {
  certain: { color: 'success', Icon: CheckmarkCircle16Regular },
  likely: { color: 'warning', Icon: ArrowForward16Regular },
  unsure: { color: 'warning', Icon: Question16Regular },
  none: { color: 'danger', Icon: Question16Regular },
  person: { color: 'brand', Icon: Person16Regular },
  map: { color: 'brand', Icon: DocumentTable16Regular },
  leftOut: { color: 'informative', Icon: SubtractCircle16Regular },
};

type CertaintyBadgeProps = {
  readonly certainty: Certainty;
  readonly reasons?: readonly string[];
};

export const CertaintyBadge = ({ certainty, reasons = [] }: CertaintyBadgeProps) => {
  const text = certaintyName(certainty);
  return <TextBadge text={text} title={[text, ...reasons].join('\n')} {...looks[certainty]} />;
};

const DraftSort = z.enum(['path', 'files', 'bytes', 'assignment', 'certainty']);

export type RowsQuestion = {
  readonly filter: DraftFilter;
  readonly text: string;
  /** Undefined: undecided rows first, then by path. */
  readonly sort: Sort | undefined;
};

/** Returns the fields of a call's input that select the rows. */
export const rowsInput = ({ filter, text, sort }: RowsQuestion) => ({
  filter,
  ...(text !== '' && { text }),
  ...(sort && { sort: DraftSort.parse(sort.by), descending: sort.descending }),
});

/** Queries the rows of the draft, and keeps them up to date while it changes. */
export const useDraftRows = (question: RowsQuestion) =>
  useWindowQuery('rows', ({ drafts }, window) => drafts.rows({ ...rowsInput(question), ...window }));

/** Whether proposals can be accepted: the user sees all of them, and a folder waits for a decision. */
export const mayAccept = ({ phase, counts }: Draft): boolean => phase === 'ready' && counts.undecided > 0;

/** The data type of dragged rows in a `DataTransfer`. */
export const draggedRows = 'application/x-draft-rows';

type ReviewTableProps = {
  readonly handle: Ref<TableHandle>;
  readonly draft: Draft;
  readonly found: ReturnType<typeof useDraftRows>;
  readonly question: RowsQuestion;
  readonly onAsk: (question: RowsQuestion) => void;
  readonly shownId: number | undefined;
  readonly selection: TableSelection<DraftRow>;
  readonly onActive: (index: number) => void;
  readonly onOpen: () => void;
  readonly onInclude: (row: DraftRow, isIncluded: boolean) => void;
  /** Accepts the proposal for the row or, if the row is selected, the proposals for all selected rows. */
  readonly onAccept: (row: DraftRow) => void;
  readonly onDrag: (row: DraftRow) => void;
};

/**
 * The table of the draft's folders. Enter shows a folder in the panel, Ctrl+Enter accepts its proposal, Space includes
 * it or leaves it out, Shift and Ctrl select several.
 */
export const ReviewTable = (props: ReviewTableProps) => {
  const { handle, draft, found, question, onAsk, selection, onActive, shownId } = props;
  const onOpen = useLatest(props.onOpen);
  const onInclude = useLatest(props.onInclude);
  const onDrag = useLatest(props.onDrag);
  const menu = useFileMenu(({ rowId }: DraftRow) => ({ rowId }));
  const onSort = useLatest((sort: Sort) => onAsk({ ...question, sort }));
  const columns = rowColumns[draft.phase === 'ready' ? 'matched' : 'before'];
  const checks = useMemoInWords<RowChecks<DraftRow>>(
    () => ({
      heading: t('newUpload.row.part'),
      // A folder without an assignment is not left out, but starting the upload does not send it.
      has: ({ choice }) => (choice === 'undecided' ? 'mixed' : choice === 'assignment'),
      toggle: (row) => onInclude(row, row.choice === 'left-out'),
      rowLabel: (row) => t('newUpload.row.upload', { folder: rowName(row) }),
      describedBy: whyId,
      isShown: ({ rowId }) => rowId === shownId,
      onDrag: (row, { dataTransfer }) => {
        dataTransfer.setData(draggedRows, String(row.rowId));
        dataTransfer.effectAllowed = 'move';
        onDrag(row);
      },
    }),
    [shownId, onInclude, onDrag],
  );
  const onRowKey = useLatest((event: KeyboardEvent, index: number): void => {
    const { key, shiftKey, ctrlKey, metaKey, altKey, repeat } = event;
    const row = found.rowAt(index);
    if (key === 'Enter' && (ctrlKey || metaKey) && !shiftKey && !altKey) {
      event.preventDefault();
      if (row !== undefined && !repeat && mayAccept(draft)) props.onAccept(row);
    }
    if ((key === 'ArrowDown' || key === 'ArrowUp') && !shiftKey && selection.ids.size > 0) selection.none();
  });
  return (
    <DataTable
      id={shownId !== undefined ? 'new-upload-beside' : 'new-upload'}
      label={t('newUpload.row.label')}
      columns={shownId !== undefined ? columns.besidePanel : columns.wide}
      rows={found}
      loading={t('newUpload.row.loading')}
      hasTwoLines
      open={onOpen}
      menu={menu}
      sort={question.sort}
      onSort={onSort}
      selection={selection}
      checks={checks}
      onRowKey={onRowKey}
      onActive={onActive}
      handle={handle}
      empty={
        found.count === 0 && (
          <NoRows draft={draft} question={question} onShowAll={() => onAsk({ ...question, filter: 'all', text: '' })} />
        )
      }
    />
  );
};

type NoRowsProps = {
  readonly draft: Pick<Draft, 'phase' | 'chosen'>;
  readonly question: Pick<RowsQuestion, 'filter' | 'text'>;
  readonly onShowAll: () => void;
};

export const NoRows = ({ draft: { phase, chosen }, question: { filter, text }, onShowAll }: NoRowsProps) => {
  // Until every folder has been matched with the assignments, more rows may appear under this filter.
  if (text.trim() !== '' || filter === 'all' || phase !== 'ready')
    return (
      <Empty
        title={t('newUpload.filter.none')}
        action={<Button onClick={onShowAll}>{t('common.clearFilters')}</Button>}
      />
    );
  const next =
    chosen.files > 0 ? t('newUpload.filter.nothing.undecidedHint') : t('newUpload.filter.nothing.allLeftOut');
  return (
    <Empty
      title={t(`newUpload.filter.nothing.${keyOf(filter)}`)}
      hint={filter === 'undecided' ? next : filter === 'new' ? t('newUpload.filter.nothing.newHint') : undefined}
      action={<Button onClick={onShowAll}>{t('newUpload.filter.showAll')}</Button>}
    />
  );
};

const useRowColumnsStyles = makeStyles({ unseen });

const Target = ({ row }: { readonly row: DraftRow }) => {
  const { assignment, choice } = row;
  if (choice === 'left-out') {
    const why = isEmptyRow(row)
      ? t('newUpload.row.empty')
      : row.leftOutAtMs !== undefined && leftOutOn(row.leftOutAtMs);
    return why ? <TwoLines first={why} second="" look="proposed" /> : null;
  }
  if (assignment === undefined) {
    return <TwoLines first={targetText(row) || t('newUpload.row.none')} second="" look="proposed" />;
  }
  const lines = assignmentLines(assignment);
  return (
    <TwoLines
      {...lines}
      title={Object.values(lines).join('\n')}
      look={choice === 'undecided' ? 'proposed' : undefined}
    />
  );
};

const whyId = ({ rowId }: DraftRow): string => `why-${rowId}`;

const Why = ({ row, isMatched }: { readonly row: DraftRow; readonly isMatched: boolean }) => {
  const styles = useRowColumnsStyles();
  const reasons = rowReasons(row);
  const certainty = rowCertainty(row);
  return (
    <div>
      {(isMatched || certainty !== 'none') && <CertaintyBadge certainty={certainty} reasons={reasons} />}
      <span id={whyId(row)} className={styles.unseen}>
        {whyText(row)}
      </span>
    </div>
  );
};

const Warnings = ({ row: { warnings } }: { readonly row: DraftRow }) => {
  const [first, ...others] = warnings;
  if (first === undefined) return null;
  const badge = warningName(first);
  return (
    <TextBadge
      text={others.length === 0 ? badge : t('newUpload.badge.more', { badge, count: others.length })}
      title={warnings.map(warningText).join('\n')}
      color={first.kind === 'clash' ? 'informative' : 'warning'}
      Icon={Warning16Regular}
    />
  );
};

const folder: Column<DraftRow> = {
  id: 'Folder',
  header: 'common.folder',
  width: '28%',
  sort: 'path',
  cell: (row) => (
    <TwoLines
      first={<MiddleCut name={rowName(row)} title={row.path} />}
      second={parentOf(row) && <MiddleCut name={parentOf(row)} title={row.path} />}
      look="name"
    />
  ),
  text: ({ path }) => path,
};

const files: Column<DraftRow> = {
  id: 'Files',
  header: 'common.files',
  width: '120px',
  align: 'end',
  // In a narrow window, the number of files is hidden, because the assignment needs the room.
  minor: true,
  sort: 'files',
  cell: (row) => <TwoLines {...amountLines(row)} title={amountsText(countsOfRow(row))} />,
  text: (row) => Object.values(amountLines(row)).join(', '),
};

const assignment: Column<DraftRow> = {
  id: 'Assignment',
  header: 'common.assignment',
  sort: 'assignment',
  cell: (row) => <Target row={row} />,
  text: ({ choice, assignment }) =>
    choice === 'left-out' || assignment === undefined ? '' : Object.values(assignmentLines(assignment)).join(' · '),
};

const matchWhere = (isMatched: boolean): Column<DraftRow> => ({
  id: 'Match',
  header: 'newUpload.row.certainty',
  width: '156px',
  sort: 'certainty',
  cell: (row) => <Why row={row} isMatched={isMatched} />,
  text: (row) => certaintyName(rowCertainty(row)),
});

const problems: Column<DraftRow> = {
  id: 'Problems',
  header: 'newUpload.row.problems',
  width: '150px',
  cell: (row) => <Warnings row={row} />,
  text: ({ warnings }) => warnings.map(warningText).join(' '),
};

const columnsWith = (match: Column<DraftRow>) => ({
  wide: [folder, files, assignment, match, problems],
  // The panel next to the table shows the values of the columns that are left out here.
  besidePanel: [{ ...folder, width: '36%' }, assignment, match],
});

/**
 * The columns of the review. `matched`: for a draft that is ready; `before`: for a draft that is not ready, in which no
 * folder is shown as unmatched. The values of `sort` are those of `drafts.rows`.
 */
export const rowColumns = { matched: columnsWith(matchWhere(true)), before: columnsWith(matchWhere(false)) } as const;
