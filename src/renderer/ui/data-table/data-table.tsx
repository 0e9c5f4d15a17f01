/**
 * Scrolling through more rows than a browser can make an element high: Chromium ends at 33,554,432 pixels. The rows keep
 * their height, the element gets a height that every browser can make, and each pixel it is scrolled by counts for more.
 */
import { mergeClasses } from '@fluentui/react-components';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import {
  Fragment,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useRef,
} from 'react';
import { useLatest, useOnChange } from '../hooks.ts';
import { type FindReason, UnreadableRow } from './cells.tsx';
import { type Column, type Sort, useColumns } from './columns.tsx';
import { useRowFocus } from './row-focus.ts';
import { headerHeight, useTableStyles } from './styles.ts';
import { TableFrame } from './table-frame.tsx';
import { type RowMenu, TableRow } from './table-row.tsx';
import { type RowChecks, usePicks } from './use-picks.tsx';
import type { ReadRows, RowId, TableSelection } from './use-selection.ts';

/** The greatest height of an element with rows. Firefox ends at 17.8 million pixels. */
export const HIGHEST_PX = 15_000_000;

/** A row that is rendered, and where it begins below the top of the table. */
type Placed = { readonly index: number; readonly start: number };

/** Rows rendered above and below those in view. */
const OVERSCAN = 8;

/** The rows around those in view, and the row `also`, of `count`. `topPx`: what is above the first row. */
export const rowsInView = (
  { count, rowPx, topPx }: { readonly count: number; readonly rowPx: number; readonly topPx: number },
  [first, last]: readonly [number, number],
  also: number,
): readonly Placed[] => {
  const from = Math.max(0, first - OVERSCAN);
  const to = Math.min(count - 1, last + OVERSCAN);
  const indexes = Array.from({ length: Math.max(0, to - from + 1) }, (_, position) => from + position);
  if (also < from) indexes.unshift(also);
  if (also > to && also < count) indexes.push(also);
  return indexes.map((index) => ({ index, start: topPx + index * rowPx }));
};

/** How `rowsPx`, the height of all rows, is scrolled in a view of `viewPx`. */
type LongScroll = {
  /** The height of the element instead. */
  readonly heightPx: number;
  /** How far the rows are scrolled when the element is scrolled by `px`, and the other way round. */
  readonly toRows: (px: number) => number;
  readonly toElement: (px: number) => number;
};

/** Where the rows fit into an element, both are the same. */
export const longScroll = (rowsPx: number, viewPx: number): LongScroll => {
  const heightPx = Math.min(rowsPx, HIGHEST_PX);
  const ratio = heightPx === rowsPx ? 1 : (rowsPx - viewPx) / (heightPx - viewPx);
  return { heightPx, toRows: (px) => px * ratio, toElement: (px) => px / ratio };
};

/** How far rows have to be scrolled for one from `startPx` to `endPx` to be in a view that begins at `fromPx`. */
export const offsetFor = (startPx: number, endPx: number, fromPx: number, viewPx: number): number => {
  if (startPx < fromPx) return startPx;
  return endPx > fromPx + viewPx ? endPx - viewPx : fromPx;
};

export type TableHandle = {
  /** Brings the row at `index` into view; Tab leads to it from then on. */
  readonly show: (index: number) => void;
  /** The same, and gives it the focus. */
  readonly focus: (index: number) => void;
};

type DataTableProps<Row> = {
  /** The table's name where its columns and their widths are stored. */
  readonly id: string;
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** How many rows can be scrolled through. */
  readonly count: number;
  /** The row at `index`, from 0; undefined while it is loading. */
  readonly rowAt: (index: number) => Row | undefined;
  /** How many rows there are, if more than `count`; -1 if unknown. */
  readonly total?: number;
  readonly rowHeight?: number;
  readonly open?: (row: Row) => void;
  readonly menu?: RowMenu<Row> | undefined;
  /** Called with the first and last row in view whenever they change. */
  readonly onRange?: (first: number, last: number) => void;
  readonly busy?: boolean;
  /** The order of the rows; `onSort` asks for another one. */
  readonly sort?: Sort | undefined;
  readonly onSort?: (sort: Sort) => void;
  /** Tells rows apart, so that they can be selected, and copied. Not needed with `selection`. */
  readonly rowKey?: (row: Row) => RowId;
  /** Reads rows that are not in view; not needed where `rowAt` has them all. */
  readonly read?: ReadRows<Row> | undefined;
  /** The selection where more can be done with rows than to copy them: a checkbox for each. */
  readonly selection?: TableSelection<Row> | undefined;
  /**
   * A checkbox for each row that means something else than the selection. Enter or a click opens a row; Shift and Ctrl
   * select rows.
   */
  readonly checks?: RowChecks<Row> | undefined;
  /** Called for a key in the rows before it moves the focus; `index` is the row with the focus. */
  readonly onRowKey?: ((event: KeyboardEvent, index: number) => void) | undefined;
  /** Called with the row that Tab leads to whenever it changes. */
  readonly onActive?: ((index: number) => void) | undefined;
  readonly handle?: Ref<TableHandle> | undefined;
  /** How many records could not be read: each has a row at the end, the footer counts them. */
  readonly unreadable?: number;
  /** What the rows answer: when it changes, the table is shown from its first row. */
  readonly question?: unknown;
  /** The text for which the rows were found: its words are marked. */
  readonly searched?: string | undefined;
  /** The fields of a row with words of `searched` that the texts of its cells lack: they are named below its name. */
  readonly foundIn?: FindReason<Row> | undefined;
  /** Shown below the headings while there are no rows. */
  readonly empty?: ReactNode;
};

const PlainDataTable = <Row,>(props: DataTableProps<Row>) => {
  const {
    id,
    label,
    columns: all,
    count,
    rowAt,
    total = count,
    rowHeight = 40,
    open,
    menu,
    onRange,
    busy,
    sort,
    onSort,
  } = props;
  const {
    rowKey,
    read,
    selection,
    checks,
    onRowKey,
    onActive,
    handle,
    unreadable = 0,
    question,
    searched,
    foundIn,
    empty,
  } = props;
  const styles = useTableStyles();
  const { shown: columns, chooser, minWidthPx } = useColumns(id, all);
  const openRow = useLatest(open);
  const openMenu = useLatest(menu);
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const selecting = usePicks({ scroller, columns, count, rowAt, rowKey, read, selection });
  const { picks, chosen } = selecting;
  const focus = useRowFocus(body, count, (index) => bring(index), chosen?.extend);
  selecting.setActive(focus.active);
  const hasFocus = (open ?? menu ?? selection) !== undefined;
  const rows = count + unreadable;
  const rowsPx = rows * rowHeight;
  const { heightPx } = longScroll(rowsPx, 0);
  /** More rows than fit into an element: then the virtualizer only says how far that is scrolled. */
  const isLong = heightPx < rowsPx;
  const virtualizer = useVirtualizer({
    count: rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isLong ? heightPx / rows : rowHeight),
    overscan: 8,
    // The rows begin below the header, which stays in view.
    scrollMargin: headerHeight,
    scrollPaddingStart: headerHeight,
    // The focused row stays rendered while it is scrolled out of view: otherwise the focus would be lost.
    rangeExtractor: (range) =>
      focus.active < range.count
        ? [...new Set([...defaultRangeExtractor(range), focus.active])].sort((a, b) => a - b)
        : defaultRangeExtractor(range),
  });
  const shown = useRef(question);
  const scrollsBack = useRef(false);
  if (shown.current !== question) {
    shown.current = question;
    // The first rows are rendered at once: that the element was scrolled is reported only with the next frame.
    scrollsBack.current = (virtualizer.scrollOffset ?? 0) > 0;
    if (scrollsBack.current) virtualizer.scrollOffset = 0;
    virtualizer.calculateRange();
  }
  const viewPx = (virtualizer.scrollRect?.height ?? 0) - headerHeight;
  const { toRows, toElement } = longScroll(rowsPx, viewPx);
  const elementPx = virtualizer.scrollOffset ?? 0;
  const fromPx = toRows(elementPx);
  const bring = (index: number): void => {
    const offsetPx = offsetFor(index * rowHeight, (index + 1) * rowHeight, fromPx, viewPx);
    if (isLong) scroller.current?.scrollTo({ top: toElement(offsetPx) });
    else virtualizer.scrollToIndex(index);
  };
  const latestBring = useLatest(bring);
  useOnChange(question, () => {
    selecting.clear();
    focus.activate(0);
    // Where it is not scrolled, asking the element for its position would lay out the new rows once more.
    if (scrollsBack.current) scroller.current?.scrollTo({ top: 0 });
  });
  const { active, activate, move } = focus;
  useEffect(() => onActive?.(active), [onActive, active]);
  useImperativeHandle(handle, () => {
    const show = (index: number): void => {
      activate(index);
      latestBring(index);
    };
    return { show, focus: move };
  }, [activate, move, latestBring]);
  const first = isLong ? Math.floor(fromPx / rowHeight) : (virtualizer.range?.startIndex ?? 0);
  const end = isLong ? Math.floor((fromPx + viewPx) / rowHeight) : (virtualizer.range?.endIndex ?? 0);
  const last = Math.min(end, Math.max(0, count - 1));
  useEffect(() => onRange?.(first, last), [onRange, first, last]);

  const onKeyDown = (event: KeyboardEvent): void => {
    onRowKey?.(event, active);
    if (event.defaultPrevented) return;
    focus.onKeyDown(event);
    selecting.onRowKey(event, active);
  };
  const items = isLong
    ? rowsInView({ count: rows, rowPx: rowHeight, topPx: headerHeight }, [first, end], active)
    : virtualizer.getVirtualItems();
  /** Where the element ends, and where each row begins in it: rows that are out of view come as near as they have to. */
  const bottomPx = headerHeight + heightPx;
  const placeOf = (startPx: number): number =>
    isLong ? Math.min(Math.max(startPx - fromPx + elementPx, headerHeight), bottomPx - rowHeight) : startPx;
  let placedPx = headerHeight;
  const gapBefore = (startPx: number): number => {
    const gap = Math.max(0, placeOf(startPx) - placedPx);
    placedPx += gap + rowHeight;
    return gap;
  };
  return (
    // It takes the focus itself where its rows have no buttons: otherwise the keyboard could not scroll it.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div
      role="group"
      ref={scroller}
      className={mergeClasses(styles.scroller, styles.flush)}
      aria-label={label}
      tabIndex={hasFocus ? -1 : 0}
      onKeyDown={selecting.onKeyDown}
      onCopy={selecting.onCopy}
    >
      <TableFrame
        id={id}
        label={label}
        columns={columns}
        rowCount={total}
        busy={busy}
        sort={sort}
        onSort={onSort}
        selection={selection}
        checks={checks}
        unreadable={unreadable}
        chooser={chooser}
        minWidthPx={minWidthPx}
      >
        <tbody ref={body} onKeyDown={hasFocus ? onKeyDown : undefined}>
          {items.map(({ index, start }) => {
            const row = index < count ? rowAt(index) : undefined;
            return (
              <Fragment key={index}>
                <GapRow height={gapBefore(start)} />
                {index >= count ? (
                  <UnreadableRow
                    index={index}
                    height={rowHeight}
                    columns={columns}
                    selectable={(selection ?? checks) !== undefined}
                  />
                ) : row === undefined ? (
                  <GapRow height={rowHeight} />
                ) : (
                  <TableRow
                    columns={columns}
                    row={row}
                    index={index}
                    height={rowHeight}
                    open={open && openRow}
                    menu={menu && openMenu}
                    selection={selection}
                    picks={picks}
                    onExtend={selecting.onExtend}
                    checks={checks}
                    searched={searched}
                    foundIn={foundIn}
                    tabStop={index === focus.active}
                    onFocus={focus.activate}
                  />
                )}
              </Fragment>
            );
          })}
          <GapRow height={bottomPx - placedPx} />
        </tbody>
      </TableFrame>
      {count + unreadable === 0 && empty}
      {selecting.bar}
    </div>
  );
};

/**
 * A table of any length that fills its container and renders only the rows in view. With the same props it is not rendered
 * again: while a person types, only new rows cost anything.
 */
export const DataTable = memo(PlainDataTable) as typeof PlainDataTable;

/** Takes the height of rows that are not rendered. */
const GapRow = ({ height }: { readonly height: number }) => {
  const styles = useTableStyles();
  return height <= 0 ? null : (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without content is not focusable.
    <tr aria-hidden="true">
      <td className={styles.gap} style={{ height }} />
    </tr>
  );
};
