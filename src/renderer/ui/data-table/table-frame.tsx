import type { ReactNode } from 'react';
import type { RowChecks } from './checks.ts';
import type { Column } from './column.ts';
import { ChecksHeading, SelectAll, selectWidth } from './select-cells.tsx';
import type { Sort } from './sort.ts';
import { useTableStyles } from './styles.ts';
import { TableHeading } from './table-heading.tsx';
import { UnreadableFoot } from './unreadable-row.tsx';
import { useColumnWidths } from './use-column-widths.ts';
import { useHeadingFocus } from './use-heading-focus.ts';
import type { TableSelection } from './use-selection.ts';

type TableFrameProps<Row> = {
  /** The table's name in the stored column widths. */
  readonly id: string;
  /** The table's accessible name. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** How many rows there are, rendered or not; -1 if unknown. */
  readonly rowCount: number;
  readonly busy?: boolean | undefined;
  readonly sort?: Sort | undefined;
  readonly onSort?: ((sort: Sort) => void) | undefined;
  readonly selection?: TableSelection<Row> | undefined;
  readonly checks?: RowChecks<Row> | undefined;
  /** How many records could not be read: the footer counts them. */
  readonly unreadable?: number | undefined;
  /** The button that chooses columns, at the end of the headings. */
  readonly chooser?: ReactNode;
  readonly minWidthPx: number;
  /** The `tbody`. */
  readonly children: ReactNode;
};

/** A table with its headings; the widths of its columns can be changed. */
export const TableFrame = <Row,>(props: TableFrameProps<Row>) => {
  const { id, label, columns, rowCount, busy = false, sort, onSort, selection, checks } = props;
  const { chooser, minWidthPx } = props;
  const { unreadable = 0, children } = props;
  const selectable = (selection ?? checks) !== undefined;
  const selectsByHeading = selection !== undefined && checks === undefined;
  const styles = useTableStyles();
  const { widths, moving, pull, move, reset } = useColumnWidths(id, columns);
  const { active, onFocus, onKeyDown } = useHeadingFocus(move);
  return (
    <table
      className={styles.table}
      style={{ minWidth: minWidthPx }}
      aria-label={label}
      aria-rowcount={rowCount < 0 ? -1 : rowCount + unreadable + 1}
      aria-busy={busy}
      {...(selection && { role: 'grid', 'aria-multiselectable': true })}
    >
      <colgroup>
        {selectable && <col style={{ width: selectWidth }} />}
        {columns.map(({ id: column, width: made }) => {
          const width = widths[column] === undefined ? made : `${widths[column]}%`;
          return <col key={column} style={width ? { width } : {}} />;
        })}
      </colgroup>
      <thead>
        <tr aria-rowindex={1} onFocus={onFocus} onKeyDown={onKeyDown}>
          {checks && <ChecksHeading heading={checks.heading} />}
          {selectsByHeading && <SelectAll selection={selection} total={rowCount} tabStop={active === 0} />}
          {columns.map((column, index) => (
            <TableHeading
              key={column.id}
              column={column}
              sort={sort}
              onSort={onSort}
              tabStop={index + (selectsByHeading ? 1 : 0) === active}
              chooser={index === columns.length - 1 ? chooser : undefined}
              boundary={
                index < columns.length - 1 ? { moving: moving === column.id, onPull: pull, onReset: reset } : undefined
              }
            />
          ))}
        </tr>
      </thead>
      {children}
      {unreadable > 0 && <UnreadableFoot count={unreadable} columns={columns} selectable={selectable} />}
    </table>
  );
};
