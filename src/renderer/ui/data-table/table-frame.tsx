import type { ReactNode } from 'react';
import type { Column } from './column.ts';
import type { Sort } from './sort.ts';
import { useTableStyles } from './styles.ts';
import { TableHeading } from './table-heading.tsx';

export type TableFrameProps<Row> = {
  /** The table's accessible name. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** All rows there are, rendered or not; -1 when that is not known. */
  readonly rowCount: number;
  readonly busy?: boolean | undefined;
  readonly sort?: Sort | undefined;
  readonly onSort?: ((sort: Sort) => void) | undefined;
  /** The `tbody`. */
  readonly children: ReactNode;
};

/** A table with its headings. */
export const TableFrame = <Row,>(props: TableFrameProps<Row>) => {
  const { label, columns, rowCount, busy = false, sort, onSort, children } = props;
  const styles = useTableStyles();
  return (
    <table
      className={styles.table}
      aria-label={label}
      aria-rowcount={rowCount < 0 ? -1 : rowCount + 1}
      aria-busy={busy}
    >
      <colgroup>
        {columns.map(({ header, width, minor }) => (
          <col key={header} className={minor ? styles.minor : undefined} style={width === undefined ? {} : { width }} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map((column) => (
            <TableHeading key={column.header} column={column} sort={sort} onSort={onSort} />
          ))}
        </tr>
      </thead>
      {children}
    </table>
  );
};
