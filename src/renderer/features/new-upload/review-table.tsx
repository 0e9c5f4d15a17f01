import { Button, makeStyles } from '@fluentui/react-components';
import { Warning16Regular } from '@fluentui/react-icons';
import { type KeyboardEvent, type Ref, useMemo } from 'react';
import { z } from 'zod';
import type { Draft, DraftFilter, DraftRow } from '../../../contract/drafts.ts';
import { LONGEST_SEARCH } from '../../../contract/search.ts';
import { useFileMenu } from '../../domain/uploads/files.tsx';
import { useWindowQuery } from '../../queries/query.tsx';
import { TwoLines } from '../../ui/data-table/cells.tsx';
import type { Column, Sort } from '../../ui/data-table/columns.tsx';
import { DataTable, type TableHandle } from '../../ui/data-table/data-table.tsx';
import type { RowChecks } from '../../ui/data-table/use-picks.tsx';
import type { TableSelection } from '../../ui/data-table/use-selection.ts';
import { useLatest } from '../../ui/hooks.ts';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { Empty } from '../../ui/page.tsx';
import { unseen } from '../../ui/styles.ts';
import { TextBadge } from '../../ui/text-badge.tsx';
import { useMemoInWords } from '../../words/formats.ts';
import { keyOf, t } from '../../words/words.ts';
import { draggedRows } from './candidate-box.tsx';
import {
  amountLines,
  amountsText,
  assignmentLines,
  CertaintyBadge,
  certaintyName,
  countsOfRow,
  isEmptyRow,
  leftOutOn,
  parentOf,
  rowCertainty,
  rowName,
  rowReasons,
  targetText,
  warningName,
  warningText,
  whyText,
} from './row-words.tsx';

const DraftSort = z.enum(['path', 'files', 'bytes', 'assignment', 'certainty']);

export type RowsQuestion = {
  readonly filter: DraftFilter;
  readonly text: string;
  /** The column to sort by. Undefined: undecided rows first, then by path. */
  readonly sort: z.infer<typeof DraftSort> | undefined;
  readonly descending: boolean;
};

/** Queries the rows of the draft, and keeps them up to date while it changes. */
export const useDraftRows = ({ filter, text, sort, descending }: RowsQuestion) =>
  useWindowQuery('rows', ({ drafts }, window) =>
    drafts.rows({
      filter,
      ...(text !== '' && { text: text.slice(0, LONGEST_SEARCH) }),
      ...(sort && { sort, descending }),
      ...window,
    }),
  );

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
  readonly onDrag: (row: DraftRow) => void;
};

/**
 * The table of the draft's folders. Enter shows a folder in the panel, Space includes it or leaves it out, Shift and
 * Ctrl select several.
 */
export const ReviewTable = (props: ReviewTableProps) => {
  const { handle, draft, found, question, onAsk, selection, onActive, shownId } = props;
  const onOpen = useLatest(props.onOpen);
  const onInclude = useLatest(props.onInclude);
  const onDrag = useLatest(props.onDrag);
  const menu = useFileMenu(({ rowId }: DraftRow) => ({ rowId }));
  const { sort: by, descending } = question;
  const sort = useMemo(() => by && { by, descending }, [by, descending]);
  const onSort = useLatest(({ by, descending }: Sort) => onAsk({ ...question, sort: DraftSort.parse(by), descending }));
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
  const onRowKey = useLatest((event: KeyboardEvent): void => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (key === 'Enter' && !(shiftKey || ctrlKey || metaKey || altKey)) {
      event.preventDefault();
      onOpen();
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
      rowHeight={52}
      open={onOpen}
      menu={menu}
      sort={sort}
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

/** Says why no folder is shown, and what to do next. */
export const NoRows = ({ draft: { phase, chosen }, question: { filter, text }, onShowAll }: NoRowsProps) => {
  // Until all folders have been matched, more folders may match the filter.
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
  const { place, detail } = assignmentLines(assignment);
  return (
    <TwoLines
      first={place}
      second={detail}
      title={[place, detail].join('\n')}
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
  header: 'newUpload.row.folder',
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
  header: 'newUpload.row.files',
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
  header: 'newUpload.row.assignment',
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
