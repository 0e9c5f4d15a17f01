import { mergeClasses } from '@fluentui/react-components';
import { type MouseEvent, memo } from 'react';
import { useUi } from '../ui-context.ts';
import type { RowChecks } from './checks.ts';
import type { Column } from './column.ts';
import type { RowMenu } from './row-menu.ts';
import { SelectRow } from './select-cells.tsx';
import { useTableStyles } from './styles.ts';
import type { TableSelection } from './use-selection.ts';

type TableRowProps<Row> = {
  readonly columns: readonly Column<Row>[];
  readonly row: Row;
  /** From 0; assistive technology counts the header as the first row. */
  readonly index: number;
  readonly height: number;
  readonly open?: ((row: Row) => void) | undefined;
  readonly menu?: RowMenu<Row> | undefined;
  readonly selection?: TableSelection<Row> | undefined;
  readonly checks?: RowChecks<Row> | undefined;
  /** Whether Tab leads to this row. */
  readonly tabStop: boolean;
  readonly onFocus: (index: number) => void;
};

/**
 * One row. A click anywhere in it opens it, or selects it if rows can be selected; a click that ends a selection of text
 * does neither. With checkboxes of another meaning it opens, and selects with Shift, Ctrl or Command. Where the menu is all it
 * has, its name is a button that opens it.
 */
const PlainRow = <Row,>(props: TableRowProps<Row>) => {
  const { columns, row, index, height, open, menu, selection, checks, tabStop, onFocus } = props;
  const styles = useTableStyles();
  const { texts } = useUi();
  const menuAlone = (open ?? selection) === undefined ? menu : undefined;
  const choose = (range: boolean): void => {
    if (range) selection?.extend(index, index);
    else selection?.toggle(index, row);
  };
  const onClick = ({ target, currentTarget, shiftKey, ctrlKey, metaKey }: MouseEvent): void => {
    // The checkbox handles its own clicks.
    if (target instanceof HTMLInputElement || getSelection()?.isCollapsed === false) return;
    // The keyboard continues from here, also after the person has come back.
    currentTarget.querySelector<HTMLElement>('button, input')?.focus({ preventScroll: true });
    const selects = checks === undefined || shiftKey || ctrlKey || metaKey;
    if (checks === undefined || !selects) open?.(row);
    if (selects) choose(shiftKey);
    else selection?.none();
  };
  const onMouseDown = (event: MouseEvent): void => {
    // Otherwise Shift would select text instead of rows.
    if (event.shiftKey) event.preventDefault();
  };
  return (
    <tr
      aria-rowindex={index + 2}
      data-row={index}
      aria-selected={selection?.has(row)}
      aria-current={checks?.isShown?.(row) === true ? 'true' : undefined}
      className={mergeClasses(
        styles.row,
        (open ?? selection) && styles.openable,
        (selection?.has(row) || checks?.isShown?.(row)) && styles.selected,
      )}
      onClick={(open ?? selection) && onClick}
      onMouseDown={selection && onMouseDown}
      onContextMenu={menu && ((event) => menu(row, event))}
      onFocus={() => onFocus(index)}
      draggable={checks?.onDrag !== undefined}
      onDragStart={(event) => checks?.onDrag?.(row, event)}
    >
      {checks && (
        <SelectRow
          label={checks.rowLabel(row)}
          checked={checks.has(row)}
          height={height}
          tabStop={tabStop}
          describedBy={checks.describedBy?.(row)}
          onChoose={() => checks.toggle(row, index)}
        />
      )}
      {selection && !checks && (
        <SelectRow
          label={selection.rowLabel(row)}
          checked={selection.has(row)}
          height={height}
          tabStop={tabStop}
          onChoose={choose}
        />
      )}
      {columns.map((column, position) => {
        const content = column.cell(row);
        return (
          <td
            key={column.id}
            className={mergeClasses(styles.cell, column.align === 'end' && styles.end)}
            style={{ height }}
            title={typeof content === 'string' ? content : undefined}
          >
            {(open ?? menuAlone) !== undefined && checks === undefined && position === 0 ? (
              <button
                type="button"
                className={styles.name}
                tabIndex={tabStop ? 0 : -1}
                aria-haspopup={menuAlone && 'menu'}
                onClick={menuAlone && ((event) => menuAlone(row, event))}
              >
                {content === '' ? texts.unnamed : content}
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

/** Rendered again only when it has changed: scrolling renders the table many times a second. */
export const TableRow = memo(PlainRow) as typeof PlainRow;
