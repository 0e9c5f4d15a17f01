import { mergeClasses } from '@fluentui/react-components';
import type { Column } from './column.ts';
import { useTableStyles } from './styles.ts';

export type TableRowProps<Row> = {
  readonly columns: readonly Column<Row>[];
  readonly row: Row;
  /** Counts from 0; assistive technology counts the header as the first row. */
  readonly index: number;
  readonly height: number;
  readonly open?: ((row: Row) => void) | undefined;
  /** Whether Tab leads to this row. */
  readonly tabStop: boolean;
  readonly onFocus: (index: number) => void;
};

/** One row. A click anywhere in it opens it, unless the click ends a selection of text. */
export const TableRow = <Row,>({ columns, row, index, height, open, tabStop, onFocus }: TableRowProps<Row>) => {
  const styles = useTableStyles();
  const onClick = () => {
    if (getSelection()?.isCollapsed !== false) open?.(row);
  };
  return (
    <tr
      aria-rowindex={index + 2}
      data-row={index}
      className={mergeClasses(styles.row, open && styles.openable)}
      onClick={open && onClick}
      onFocus={() => onFocus(index)}
    >
      {columns.map((column, position) => {
        const content = column.cell(row);
        return (
          <td
            key={column.header}
            className={mergeClasses(styles.cell, column.align === 'end' && styles.end, column.minor && styles.minor)}
            style={{ height }}
            title={typeof content === 'string' ? content : undefined}
          >
            {open !== undefined && position === 0 ? (
              <button type="button" className={styles.name} tabIndex={tabStop ? 0 : -1}>
                {content}
              </button>
            ) : (
              content
            )}
          </td>
        );
      })}
    </tr>
  );
};
