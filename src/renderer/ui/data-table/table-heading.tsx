import { mergeClasses } from '@fluentui/react-components';
import { ArrowDown12Regular, ArrowUp12Regular } from '@fluentui/react-icons';
import type { Column } from './column.ts';
import { nextSort, type Sort } from './sort.ts';
import { useTableStyles } from './styles.ts';

export type TableHeadingProps<Row> = {
  readonly column: Column<Row>;
  readonly sort: Sort | undefined;
  readonly onSort: ((sort: Sort) => void) | undefined;
};

/** The heading of a column: a button where the table can be sorted by it. */
export const TableHeading = <Row,>({ column, sort, onSort }: TableHeadingProps<Row>) => {
  const styles = useTableStyles();
  const { header, align, minor, sort: by } = column;
  const order = sort === undefined || sort.by !== by ? undefined : sort.descending ? 'descending' : 'ascending';
  const Arrow = order === 'descending' ? ArrowDown12Regular : ArrowUp12Regular;
  return (
    <th
      scope="col"
      aria-sort={order}
      className={mergeClasses(styles.header, align === 'end' && styles.end, minor && styles.minor)}
    >
      {by === undefined || onSort === undefined ? (
        header
      ) : (
        <button type="button" className={styles.sort} onClick={() => onSort(nextSort(sort, by))}>
          {header}
          {order !== undefined && <Arrow aria-hidden="true" />}
        </button>
      )}
    </th>
  );
};
