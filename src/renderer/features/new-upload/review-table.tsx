import { Button } from '@fluentui/react-components';
import type { KeyboardEvent, Ref } from 'react';
import type { DraftRow } from '../../../contract/drafts.ts';
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
  /** `byKey`: the keyboard goes on in the panel. */
  readonly onOpen: (byKey: boolean) => void;
  readonly onTakePart: (row: DraftRow, takes: boolean) => void;
  readonly onDrag: (row: DraftRow) => void;
  readonly order: Order | undefined;
  readonly onOrder: (order: Order) => void;
  readonly onClearFilters: () => void;
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
      onOpen(true);
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
      open={() => onOpen(false)}
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
      empty={
        <Empty
          title={t('newUpload.filter.none')}
          action={<Button onClick={props.onClearFilters}>{t('common.clearFilters')}</Button>}
        />
      }
    />
  );
};
