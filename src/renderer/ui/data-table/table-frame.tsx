import { mergeClasses } from '@fluentui/react-components';
import { ArrowDown12Regular, ArrowUp12Regular } from '@fluentui/react-icons';
import { omit } from 'es-toolkit';
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useState,
} from 'react';
import { t } from '../../words/words.ts';
import { isInside } from '../hooks.ts';
import {
  type Boundary,
  type Column,
  type ColumnWidths,
  type Neighbour,
  nextSort,
  type Sort,
  withBoundaryMoved,
} from './columns.tsx';
import { useTableStyles } from './styles.ts';
import { type RowChecks, SelectAll, selectWidth } from './use-picks.tsx';
import type { TableSelection } from './use-selection.ts';

/** The properties of the parts that a table has besides its rows: headings, checkboxes and a footer. */
export type TableLook<Row> = {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly busy?: boolean | undefined;
  /** The order of the rows. `onSort` is called when the user chooses another order. */
  readonly sort?: Sort | undefined;
  readonly onSort?: ((sort: Sort) => void) | undefined;
  /** The page's own selection, needed if rows can be selected for more than copying. Each row then has a checkbox. */
  readonly selection?: TableSelection<Row> | undefined;
  /**
   * Checkboxes with a meaning that the page defines, one for each row. They replace those of `selection`. A click on a
   * row then opens the row, and selects rows only with Shift or Ctrl.
   */
  readonly checks?: RowChecks<Row> | undefined;
  /** The number of records that could not be read. Each has a row at the end, and the footer counts them. */
  readonly unreadable?: number | undefined;
};

type TableFrameProps<Row> = TableLook<Row> & {
  /** The number of all rows, rendered or not. */
  readonly total: number;
  /** Renders the button for the table's options at the end of the headings. `tabStop`: whether Tab leads to it. */
  readonly options: (tabStop: boolean) => ReactNode;
  readonly tabStop: boolean;
  readonly onFocus: () => void;
  readonly onLeave: () => void;
  readonly minWidthPx: number;
  readonly widths: ColumnWidths | undefined;
  readonly onWidths: (widths: ColumnWidths) => void;
  readonly children: ReactNode;
};

export const TableFrame = <Row,>(props: TableFrameProps<Row>) => {
  const { label, columns, busy = false, sort, onSort, selection, checks, unreadable = 0 } = props;
  const { total, options, tabStop, onFocus, onLeave, minWidthPx, widths = usualWidths, onWidths, children } = props;
  const selectable = (selection ?? checks) !== undefined;
  const selectsByHeading = selection !== undefined && checks === undefined;
  const styles = useTableStyles();
  const { moving, onPull, onReset, moveBy } = useBoundaries(columns, widths, onWidths);
  const headings = columns.length + Number(selectsByHeading);
  const { active, activate, onKeyDown } = useHeadingFocus(moveBy, onLeave);
  return (
    <table
      className={styles.table}
      style={{ minWidth: minWidthPx }}
      aria-label={label}
      aria-rowcount={total + unreadable + 1}
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
        <tr
          aria-rowindex={1}
          onFocus={(event) => {
            activate(event);
            onFocus();
          }}
          onKeyDown={onKeyDown}
        >
          {checks && (
            <th scope="col" className={mergeClasses(styles.header, styles.select, styles.firstHeading)}>
              <span className={styles.unseen}>{checks.heading}</span>
            </th>
          )}
          {selectsByHeading && <SelectAll selection={selection} total={total} tabStop={tabStop && active === 0} />}
          {columns.map((column, index) => (
            <TableHeading
              key={column.id}
              column={column}
              sort={sort}
              onSort={onSort}
              tabStop={tabStop && index + Number(selectsByHeading) === active}
              className={mergeClasses(
                index === 0 && mergeClasses(styles.firstHeading, selectable && styles.besideBoxes),
                index === columns.length - 1 && styles.withOptions,
              )}
              boundary={index < columns.length - 1 ? { isMoving: moving === column.id, onPull, onReset } : undefined}
            />
          ))}
          {/* This cell has no width, so that it stays at the edge of the view when the table scrolls sideways. */}
          <td className={styles.options}>{options(tabStop && active >= headings)}</td>
        </tr>
      </thead>
      {children}
      {unreadable > 0 && (
        <tfoot>
          <tr>
            <td colSpan={columns.length + Number(selectable)} className={mergeClasses(styles.cell, styles.foot)}>
              {t('common.unreadable', { count: unreadable })}
            </td>
          </tr>
        </tfoot>
      )}
    </table>
  );
};

const stepPx = 16;

/**
 * Handles the focus of the headings and of the button for the options, which have the attribute `data-heading`.
 * `resize` moves the boundary at the end of a heading; `leave` is called when Arrow Down is pressed. The returned
 * `active` is the position of the heading or button that Tab leads to.
 */
const useHeadingFocus = (resize: (heading: Element, byPx: number) => void, leave: () => void) => {
  const [active, setActive] = useState(0);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const { key, target, currentTarget, altKey, ctrlKey, metaKey, shiftKey } = event;
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    // Key events of the opened options bubble to this handler but are not for the headings.
    if (!isInside(event) || altKey || ctrlKey || metaKey || (step === 0 && key !== 'ArrowDown')) return;
    event.preventDefault();
    const heading = target instanceof Element ? target.closest('th') : null;
    if (key === 'ArrowDown') leave();
    else if (shiftKey && heading !== null) resize(heading, step * stepPx);
    else stopsIn(currentTarget)[active + step]?.focus();
  };
  const activate = ({ target, currentTarget }: FocusEvent<HTMLElement>): void => {
    const at = stopsIn(currentTarget).indexOf(target);
    if (at >= 0) setActive(at);
  };
  return { active, activate, onKeyDown };
};

const stopsIn = (row: HTMLElement): HTMLElement[] => [...row.querySelectorAll<HTMLElement>('[data-heading]')];

const usualWidths: ColumnWidths = {};

/** The maximum distance in px between press and release of a click. */
const clickPx = 3;

/**
 * Moves the boundary at the end of a heading. `onPull` follows the pointer from a press to its release. After a click,
 * the pointer is followed to the next press instead, so that the user need not drag. Escape cancels. `onReset` restores
 * the usual widths of the columns on both sides.
 */
const useBoundaries = <Row,>(
  columns: readonly Column<Row>[],
  widths: ColumnWidths,
  store: (widths: ColumnWidths) => void,
) => {
  const [moving, setMoving] = useState<string>();
  const neighbour = (cell: Element | null | undefined): Neighbour | undefined => {
    const column = columns.find(({ id }) => cell instanceof HTMLElement && id === cell.dataset.column);
    if (!cell || column === undefined) return undefined;
    return { ...column, flexible: column.width === undefined, px: cell.getBoundingClientRect().width };
  };
  /** Returns the boundary of the heading that is or contains `element`. */
  const boundaryAt = (element: Element): Boundary | undefined => {
    const heading = element.closest('th');
    const [left, right] = [neighbour(heading), neighbour(heading?.nextElementSibling)];
    const tablePx = heading?.closest('table')?.getBoundingClientRect().width;
    return left && right && tablePx ? { left, right, tablePx } : undefined;
  };
  const moveBy = (element: Element, byPx: number): void => {
    const boundary = boundaryAt(element);
    if (boundary !== undefined) store(withBoundaryMoved(widths, boundary, byPx));
  };
  const onReset = ({ currentTarget }: MouseEvent): void => {
    const boundary = boundaryAt(currentTarget);
    if (boundary !== undefined) store(omit(widths, [boundary.left.id, boundary.right.id]));
  };
  const onPull = (press: PointerEvent): void => {
    const boundary = boundaryAt(press.currentTarget);
    if (boundary === undefined || press.button !== 0) return;
    // The default action of the press would begin to select text.
    press.preventDefault();
    setMoving(boundary.left.id);
    const ended = new AbortController();
    const options = { signal: ended.signal, capture: true };
    const end = (): void => {
      ended.abort();
      setMoving(undefined);
    };
    const wayTo = ({ clientX }: globalThis.MouseEvent): number => clientX - press.clientX;
    const follow = (event: globalThis.MouseEvent): void => store(withBoundaryMoved(widths, boundary, wayTo(event)));
    addEventListener('pointermove', follow, options);
    addEventListener('pointerup', (event) => Math.abs(wayTo(event)) > clickPx && end(), options);
    addEventListener('pointercancel', end, options);
    const onPress = (event: globalThis.PointerEvent): void => {
      event.preventDefault();
      event.stopPropagation();
      follow(event);
      end();
      // The press that puts the boundary down is not a click on what is below the pointer.
      const released = new AbortController();
      const capturing = { capture: true, signal: released.signal };
      const ignore = (click: globalThis.MouseEvent): void => {
        click.preventDefault();
        click.stopPropagation();
      };
      addEventListener('click', ignore, capturing);
      for (const type of ['pointerup', 'pointercancel'])
        addEventListener(type, () => setTimeout(() => released.abort()), capturing);
    };
    addEventListener('pointerdown', onPress, options);
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      store(widths);
      end();
    };
    addEventListener('keydown', onKey, options);
  };
  return { moving, onPull, onReset, moveBy };
};

type TableHeadingProps<Row> = {
  readonly column: Column<Row>;
  readonly sort: Sort | undefined;
  readonly onSort: ((sort: Sort) => void) | undefined;
  readonly tabStop: boolean;
  /**
   * Styles for the heading's position: the first heading stays in view when the table scrolls sideways; the last leaves
   * room for the options.
   */
  readonly className: string;
  readonly boundary:
    | {
        readonly isMoving: boolean;
        readonly onPull: (press: PointerEvent) => void;
        readonly onReset: (event: MouseEvent) => void;
      }
    | undefined;
};

/**
 * The heading of a column. It is a button if the table can be sorted by the column. Every heading but the last has a
 * boundary that can be moved.
 */
const TableHeading = <Row,>({ column, sort, onSort, tabStop, className, boundary }: TableHeadingProps<Row>) => {
  const styles = useTableStyles();
  const { id, header, align, sort: by } = column;
  const order = sort === undefined || sort.by !== by ? undefined : sort.descending ? 'descending' : 'ascending';
  const Arrow = order === 'descending' ? ArrowDown12Regular : ArrowUp12Regular;
  const focusable = { 'data-heading': true, tabIndex: tabStop ? 0 : -1, title: t(header) };
  return (
    <th
      scope="col"
      data-column={id}
      aria-sort={order}
      className={mergeClasses(styles.header, align === 'end' && styles.end, className)}
    >
      {by === undefined || onSort === undefined ? (
        <span className={styles.heading} {...focusable}>
          {t(header)}
        </span>
      ) : (
        <button
          type="button"
          className={mergeClasses(styles.heading, styles.sort, align === 'end' && styles.sortEnd)}
          onClick={() => onSort(nextSort(sort, by))}
          {...focusable}
        >
          {t(header)}
          {order !== undefined && <Arrow aria-hidden="true" />}
        </button>
      )}
      {boundary !== undefined && (
        // The boundary is hidden from screen readers. With the keyboard, Shift and an arrow key in the heading move it.
        <span
          aria-hidden="true"
          title={t('common.resizeColumn')}
          className={mergeClasses(styles.boundary, boundary.isMoving && styles.movingBoundary)}
          onPointerDown={boundary.onPull}
          onDoubleClick={boundary.onReset}
        />
      )}
    </th>
  );
};
