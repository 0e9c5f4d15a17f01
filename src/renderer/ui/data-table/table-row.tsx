import { mergeClasses } from '@fluentui/react-components';
import { type MouseEvent, memo, useRef } from 'react';
import { useUi } from '../ui-context.ts';
import { type FindReason, FoundInLine, Marked } from './cells.tsx';
import type { Column } from './columns.tsx';
import { useTableStyles } from './styles.ts';
import { type RowChecks, SelectRow } from './use-picks.tsx';
import type { TableSelection } from './use-selection.ts';

/** Opens the menu of a row, for a right click or the key for menus. */
export type RowMenu<Row> = (row: Row, event: MouseEvent) => void;

type TableRowProps<Row> = {
  readonly columns: readonly Column<Row>[];
  readonly row: Row;
  /** From 0; assistive technology counts the header as the first row. */
  readonly index: number;
  readonly height: number;
  readonly open?: ((row: Row) => void) | undefined;
  readonly menu?: RowMenu<Row> | undefined;
  readonly selection?: TableSelection<Row> | undefined;
  /** A selection without checkboxes, in the place of `selection`. */
  readonly picks?: TableSelection<Row> | undefined;
  /** Selects the rows up to this one. */
  readonly onExtend?: ((index: number) => void) | undefined;
  readonly checks?: RowChecks<Row> | undefined;
  /** The text for which the row was found: its words are marked. */
  readonly searched?: string | undefined;
  readonly foundIn?: FindReason<Row> | undefined;
  /** Whether Tab leads to this row. */
  readonly tabStop: boolean;
  readonly onFocus: (index: number) => void;
};

/** A pointer that moved farther between press and release has selected text. */
const dragPx = 4;

/**
 * One row. A click anywhere in it opens it, or selects it if it has a checkbox or nothing to open; a click that ends a
 * selection of text does neither. With Shift, Ctrl or Command it selects. Where the menu is all it has, its name is a
 * button that opens it.
 */
const PlainRow = <Row,>(props: TableRowProps<Row>) => {
  const { columns, row, index, height, open, menu, selection, picks, onExtend, checks } = props;
  const { searched, foundIn, tabStop, onFocus } = props;
  const styles = useTableStyles();
  const { texts } = useUi();
  const menuAlone = (open ?? selection) === undefined ? menu : undefined;
  const chosen = selection ?? picks;
  const hasBox = selection !== undefined && checks === undefined;
  const pressed = useRef({ x: 0, y: 0 });
  const choose = (range: boolean): void => {
    if (range) onExtend?.(index);
    else chosen?.toggle(index, row);
  };
  /** Text that is selected elsewhere, such as all of the window's, does not concern this row. */
  const hasSelectedText = ({ clientX, clientY, detail }: MouseEvent): boolean =>
    (Math.hypot(clientX - pressed.current.x, clientY - pressed.current.y) > dragPx || detail > 1) &&
    getSelection()?.isCollapsed === false;
  const onClick = (event: MouseEvent): void => {
    const { target, currentTarget, shiftKey, ctrlKey, metaKey } = event;
    // The checkbox handles its own clicks.
    if (target instanceof HTMLInputElement || hasSelectedText(event)) return;
    // The keyboard continues from here, also after another page was shown.
    currentTarget.querySelector<HTMLElement>('button, input')?.focus({ preventScroll: true });
    const hasKey = shiftKey || ctrlKey || metaKey;
    if (hasKey || hasBox) choose(shiftKey);
    else if (open === undefined) chosen?.only(index, row);
    else chosen?.none();
    if (!hasKey || hasBox) open?.(row);
  };
  const onMouseDown = (event: MouseEvent): void => {
    pressed.current = { x: event.clientX, y: event.clientY };
    // Otherwise Shift would select text instead of rows.
    if (event.shiftKey) event.preventDefault();
  };
  const box = checks
    ? {
        label: checks.rowLabel(row),
        checked: checks.has(row),
        describedBy: checks.describedBy?.(row),
        onChoose: () => checks.toggle(row, index),
      }
    : selection && { label: selection.rowLabel(row), checked: selection.has(row), onChoose: choose };
  const cells = columns.map((column) => ({ column, cell: column.cell(row) }));
  const shown = cells.flatMap(({ cell }) => (typeof cell === 'string' ? [cell] : []));
  const reasons = searched && foundIn ? foundIn(row, shown, searched) : [];
  return (
    <tr
      aria-rowindex={index + 2}
      data-row={index}
      aria-selected={selection === undefined ? picks?.has(row) || undefined : selection.has(row)}
      aria-current={checks?.isShown?.(row) === true ? 'true' : undefined}
      className={mergeClasses(
        styles.row,
        (open ?? selection) && styles.openable,
        (chosen?.has(row) || checks?.isShown?.(row)) && styles.selected,
      )}
      onClick={(open ?? chosen) && onClick}
      onMouseDown={onMouseDown}
      onContextMenu={menu && ((event) => menu(row, event))}
      onFocus={() => onFocus(index)}
      draggable={checks?.onDrag !== undefined}
      onDragStart={(event) => checks?.onDrag?.(row, event)}
    >
      {box && <SelectRow {...box} height={height} tabStop={tabStop} />}
      {cells.map(({ column, cell }, position) => {
        const content =
          searched && typeof cell === 'string' && cell !== '' ? <Marked text={cell} searched={searched} /> : cell;
        return (
          <td
            key={column.id}
            className={mergeClasses(styles.cell, column.align === 'end' && styles.end)}
            style={{ height }}
            title={typeof cell === 'string' ? cell : undefined}
          >
            {(open ?? menuAlone) !== undefined && checks === undefined && position === 0 ? (
              <button
                type="button"
                className={styles.name}
                tabIndex={tabStop ? 0 : -1}
                aria-haspopup={menuAlone && 'menu'}
                onClick={
                  menuAlone &&
                  ((event) => {
                    if (!(event.shiftKey || event.ctrlKey || event.metaKey)) menuAlone(row, event);
                  })
                }
              >
                {content === '' ? texts.unnamed : content}
                <FoundInLine fields={reasons} />
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
