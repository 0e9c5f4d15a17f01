import { mergeClasses } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import type { Column } from './column.ts';
import { useTableStyles } from './styles.ts';

export type TableFrameProps<Row> = {
  /** The table's accessible name. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** All rows there are, rendered or not; -1 when that is not known. */
  readonly rowCount: number;
  readonly busy?: boolean | undefined;
  /** The `tbody`. */
  readonly children: ReactNode;
};

/** A table with its headings. */
export const TableFrame = <Row,>({ label, columns, rowCount, busy = false, children }: TableFrameProps<Row>) => {
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
          {columns.map(({ header, align, minor }) => (
            <th
              key={header}
              scope="col"
              className={mergeClasses(styles.header, align === 'end' && styles.end, minor && styles.minor)}
            >
              {header}
            </th>
          ))}
        </tr>
      </thead>
      {children}
    </table>
  );
};
