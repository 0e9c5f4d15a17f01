import { Button } from '@fluentui/react-components';
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import type { Draft, DraftRow } from '../../../contract/drafts.ts';
import { useFileMenu } from '../../domain/uploads/use-file-menu.ts';
import { DraftSort, type RowsQuestion } from '../../queries/drafts.ts';
import type { RowChecks } from '../../ui/data-table/checks.ts';
import { DataTable, type TableHandle } from '../../ui/data-table/data-table.tsx';
import { useLatest } from '../../ui/data-table/use-latest.ts';
import type { TableSelection } from '../../ui/data-table/use-selection.ts';
import { Empty } from '../../ui/empty.tsx';
import { useMemoInWords } from '../../words/revision.ts';
import { t } from '../../words/words.ts';
import { draggedRows } from './candidate-box.tsx';
import { rowColumns, whyId } from './row-columns.tsx';
import { rowName } from './row-words.ts';

type Order = { readonly by: NonNullable<RowsQuestion['sort']>; readonly descending: boolean };

type ReviewTableProps = {
  readonly handle: Ref<TableHandle>;
  /** The row in the panel, which takes a part of the room. */
  readonly shownId: number | undefined;
  /** Whether all folders have been matched with assignments. */
  readonly isMatched: boolean;
  readonly total: number;
  readonly question: string;
  readonly rowAt: (index: number) => DraftRow | undefined;
  readonly onRange: (first: number, last: number) => void;
  readonly selection: TableSelection<DraftRow>;
  readonly onActive: (index: number) => void;
  /** Opens the panel for the active row, where the keyboard goes on. */
  readonly onOpen: () => void;
  readonly onTakePart: (row: DraftRow, takes: boolean) => void;
  readonly onDrag: (row: DraftRow) => void;
  readonly order: Order | undefined;
  readonly onOrder: (order: Order) => void;
  /** Shown where there are no rows. */
  readonly empty: ReactNode;
};

/** The folders of the draft. Enter opens one, Space takes it in or leaves it out, Shift and Ctrl select several. */
export const ReviewTable = (props: ReviewTableProps) => {
  const { handle, total, question, rowAt, onRange, selection, onActive, order, shownId } = props;
  const onOpen = useLatest(props.onOpen);
  const onTakePart = useLatest(props.onTakePart);
  const onDrag = useLatest(props.onDrag);
  const menu = useFileMenu();
  const columns = rowColumns[props.isMatched ? 'matched' : 'before'];
  const checks = useMemoInWords<RowChecks<DraftRow>>(
    () => ({
      heading: t('newUpload.row.part'),
      has: ({ choice }) => choice !== 'left-out',
      toggle: (row) => onTakePart(row, row.choice === 'left-out'),
      rowLabel: (row) => t('newUpload.row.take', { folder: rowName(row) }),
      describedBy: whyId,
      isShown: ({ rowId }) => rowId === shownId,
      onDrag: (row, { dataTransfer }) => {
        dataTransfer.setData(draggedRows, String(row.rowId));
        dataTransfer.effectAllowed = 'move';
        onDrag(row);
      },
    }),
    [shownId, onTakePart, onDrag],
  );
  const onRowKey = (event: KeyboardEvent): void => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (key === 'Enter' && !(shiftKey || ctrlKey || metaKey || altKey)) {
      event.preventDefault();
      onOpen();
    }
    if ((key === 'ArrowDown' || key === 'ArrowUp') && !shiftKey && selection.ids.size > 0) selection.none();
  };
  return (
    <DataTable
      id={shownId !== undefined ? 'new-upload-beside' : 'new-upload'}
      label={t('newUpload.row.label')}
      columns={shownId !== undefined ? columns.besidePanel : columns.wide}
      count={total}
      rowAt={rowAt}
      rowHeight={52}
      open={onOpen}
      menu={menu && (({ rowId }, event) => menu({ rowId }, event))}
      onRange={onRange}
      sort={order}
      onSort={({ by, descending }) => props.onOrder({ by: DraftSort.parse(by), descending })}
      selection={selection}
      checks={checks}
      onRowKey={onRowKey}
      onActive={onActive}
      handle={handle}
      question={question}
      empty={props.empty}
    />
  );
};

const nothingKeys = {
  undecided: 'undecided',
  matched: 'matched',
  'left-out': 'leftOut',
  problems: 'problems',
} as const;

type NoRowsProps = {
  readonly draft: Pick<Draft, 'phase' | 'toSend'>;
  readonly question: Pick<RowsQuestion, 'filter' | 'text'>;
  readonly onShowAll: () => void;
};

/** Says why a filter shows no folder, and what comes next once nothing needs a decision. */
export const NoRows = ({ draft: { phase, toSend }, question: { filter, text }, onShowAll }: NoRowsProps) => {
  // Until everything has been matched, more folders may come under each filter.
  if (text.trim() !== '' || filter === 'all' || phase !== 'ready')
    return (
      <Empty
        title={t('newUpload.filter.none')}
        action={<Button onClick={onShowAll}>{t('common.clearFilters')}</Button>}
      />
    );
  const next =
    toSend.files > 0 ? t('newUpload.filter.nothing.undecidedHint') : t('newUpload.filter.nothing.allLeftOut');
  return (
    <Empty
      title={t(`newUpload.filter.nothing.${nothingKeys[filter]}`)}
      hint={filter === 'undecided' ? next : undefined}
      action={<Button onClick={onShowAll}>{t('newUpload.filter.showAll')}</Button>}
    />
  );
};
