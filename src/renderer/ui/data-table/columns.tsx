/** The columns of a table: what they show, their order, their widths, and which of them are shown. */
import { type ReactNode, useSyncExternalStore } from 'react';
import { z } from 'zod';
import type { SheetCell } from '../../../contract/sheets.ts';
import { useMemoInWords } from '../../words/formats.ts';
import { useUi } from '../ui-context.ts';

/** One column of a table. The first names the row: where rows can be opened, it is the button that opens them. */
export type Column<Row> = {
  /** Names the column in a view, the same in every language. */
  readonly id: string;
  /** The heading. */
  readonly header: () => string;
  /** A CSS width; columns without one share the remaining room. */
  readonly width?: string;
  readonly align?: 'end';
  /** Whether a narrow window leaves it out, unless the user has chosen it. */
  readonly minor?: boolean;
  /** Whether every window leaves it out, unless the user has chosen it. */
  readonly rare?: boolean;
  /** The value of `Sort.by` for this column, if rows can be sorted by it. */
  readonly sort?: string;
  readonly cell: (row: Row) => ReactNode;
  /** The text of a cell for copying and exporting, if `cell` returns more than a text. */
  readonly text?: (row: Row) => string;
  /** The exported value of a cell, where that is more than its text: a time, or a number with its unit in `sheetHeader`. */
  readonly value?: (row: Row) => SheetCell;
  readonly sheetHeader?: () => string;
};

/** The order of a table's rows; `by` is the `sort` of one of its columns. */
const Sort = z.object({ by: z.string(), descending: z.boolean() });
export type Sort = Readonly<z.infer<typeof Sort>>;

/** The order after the heading of `by` is pressed: first ascending, then descending. */
export const nextSort = (sort: Sort | undefined, by: string): Sort => ({
  by,
  descending: sort?.by === by && !sort.descending,
});

// The widths that the user has chosen for columns: percent of the table's width, by the column's id.

const ColumnWidths = z.record(z.string(), z.number().min(0).max(100));
export type ColumnWidths = Readonly<z.infer<typeof ColumnWidths>>;

/** The narrowest column: a word or two and the sort arrow stay readable. */
const narrowestPx = 64;

/** A column on one side of the boundary that the user drags, with its width on screen. */
export type Neighbour = {
  readonly id: string;
  readonly px: number;
  /** Whether it takes the room that the others leave. */
  readonly flexible: boolean;
};

/** The boundary between two columns of a table that is `tablePx` wide. */
export type Boundary = { readonly left: Neighbour; readonly right: Neighbour; readonly tablePx: number };

/**
 * `widths` after a boundary was moved by `byPx` to the right. One column gains what the other loses, so that all others stay
 * where they are. A flexible column stays flexible, unless both are.
 */
export const withBoundaryMoved = (
  widths: ColumnWidths,
  { left, right, tablePx }: Boundary,
  byPx: number,
): ColumnWidths => {
  const most = Math.max(0, right.px - narrowestPx);
  const least = Math.min(0, narrowestPx - left.px);
  const moved = Math.min(most, Math.max(least, byPx));
  const percent = (px: number): number => Math.round((10_000 * px) / tablePx) / 100;
  const isFixed = ({ flexible }: Neighbour): boolean => !flexible || (left.flexible && right.flexible);
  return {
    ...widths,
    ...(isFixed(left) && { [left.id]: percent(left.px + moved) }),
    ...(isFixed(right) && { [right.id]: percent(right.px - moved) }),
  };
};

/** `widths` with the columns of these ids at their usual width. */
export const withoutWidths = (widths: ColumnWidths, ids: readonly string[]): ColumnWidths =>
  Object.fromEntries(Object.entries(widths).filter(([id]) => !ids.includes(id)));

// How the user has arranged a table: remembered under the table's id, and as JSON fit to be saved under a name.

export const TableView = z.object({
  /** The ids of columns in their order; the others follow the column that usually precedes them. */
  order: z.array(z.string()).readonly().exactOptional(),
  /** By the column's id. A column without a choice is shown wherever it fits. */
  shown: z.record(z.string(), z.boolean()).exactOptional(),
  widths: ColumnWidths.exactOptional(),
  sort: Sort.exactOptional(),
});
export type TableView = Readonly<z.infer<typeof TableView>>;

const usualView: TableView = {};

/** The view of the table `id`, which the table and its page share; undefined restores the usual one. */
export const useTableView = (id: string): readonly [TableView, (view: TableView | undefined) => void] => {
  const [view = usualView, store] = useUi().useStored(`table.${id}`, TableView);
  return [view, store];
};

/** The order of the rows of the table `id`; undefined until one is chosen. */
export const useSort = (id: string): readonly [Sort | undefined, (sort: Sort) => void] => {
  const [view, setView] = useTableView(id);
  return [view.sort, (sort) => setView({ ...view, sort })];
};

/** `columns` in this order of ids. The first one names the row and stays first. */
export const inOrder = <C extends { readonly id: string }>(
  columns: readonly C[],
  order: readonly string[] = [],
): readonly C[] => {
  const [first, ...others] = columns;
  const placed = order.flatMap((id) => others.find((column) => column.id === id) ?? []);
  for (const [at, column] of others.entries()) {
    const before = others[at - 1];
    if (!placed.includes(column)) placed.splice(before === undefined ? 0 : placed.indexOf(before) + 1, 0, column);
  }
  return first === undefined ? [] : [first, ...placed];
};

// Which columns of a table are shown: what the user has chosen, else what fits into the window.

/** Up to this width minor columns are left out: with them, customers were cut to a letter in a window of 1,024 pixels. */
const NARROW = '(max-width: 1199px)';

const followWidth = (onChange: () => void): (() => void) => {
  const query = matchMedia(NARROW);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
};

const isNarrow = (): boolean => matchMedia(NARROW).matches;

/** The most, in pixels, that the usual columns add to the table's minimum width. */
const USUAL_PX = 620;
/** What a usual column without a width in pixels adds. */
const OPEN_PX = 170;
/** What each column adds that the user has added, whatever its width. */
const ADDED_PX = 120;

const needsPx = ({ width = '' }: { readonly width?: string }): number =>
  width.endsWith('px') ? Number.parseInt(width, 10) : OPEN_PX;

/** `header`: its name, in the language that is spoken when it is called. */
type ArrangedColumn = { readonly id: string; readonly header: () => string; readonly isShown: boolean };

/** The columns of a table but for the first, in their order, and how to arrange them. */
export type Arrangement = {
  readonly columns: readonly ArrangedColumn[];
  /** The columns that the user, or a narrow window, has hidden; not those that every window leaves out. */
  readonly hidden: readonly Pick<ArrangedColumn, 'header'>[];
  readonly show: (id: string, isShown: boolean) => void;
  /** Moves a column before or after the next one. */
  readonly move: (id: string, by: -1 | 1) => void;
  /** Restores order, choice and widths; absent if they are the usual ones. */
  readonly reset: (() => void) | undefined;
};

type ArrangedColumns<Row> = {
  /** The columns that are shown. */
  readonly shown: readonly Column<Row>[];
  readonly arrangement: Arrangement;
  /** The minimum width of the table, which scrolls sideways where there is less room. */
  readonly minWidthPx: number;
};

/** `columns` as the table's `view` arranges them. */
export const useColumns = <Row,>(
  columns: readonly Column<Row>[],
  view: TableView,
  setView: (view: TableView | undefined) => void,
): ArrangedColumns<Row> => {
  const narrow = useSyncExternalStore(followWidth, isNarrow, () => false);
  return useMemoInWords(() => {
    const { sort, ...arranged } = view;
    const isUsual = ({ minor, rare }: Column<Row>): boolean => rare !== true && !(narrow && minor === true);
    const isShown = (column: Column<Row>): boolean =>
      column === columns[0] || (arranged.shown?.[column.id] ?? isUsual(column));
    const ordered = inOrder(columns, arranged.order);
    const shown = ordered.filter(isShown);
    const usualPx = shown.filter(isUsual).reduce((sum, column) => sum + needsPx(column), 0);
    const added = shown.filter((column) => !isUsual(column)).length;
    const others = ordered.slice(1);
    const arrangement: Arrangement = {
      columns: others.map((column) => ({ id: column.id, header: column.header, isShown: isShown(column) })),
      hidden: others.filter((column) => column.rare !== true && !shown.includes(column)),
      show: (id, chosen) => setView({ ...view, shown: { ...arranged.shown, [id]: chosen } }),
      move: (id, by) => {
        const ids = others.map((column) => column.id).filter((one) => one !== id);
        setView({ ...view, order: ids.toSpliced(others.findIndex((column) => column.id === id) + by, 0, id) });
      },
      reset: Object.keys(arranged).length === 0 ? undefined : () => setView(sort && { sort }),
    };
    return { shown, arrangement, minWidthPx: Math.min(USUAL_PX, usualPx) + added * ADDED_PX };
  }, [columns, view, narrow, setView]);
};

// The height of the rows of all tables.

const CompactRows = z.boolean();

/** Whether rows are compact. */
export const useCompactRows = (): readonly [boolean, (compact: boolean) => void] => {
  const [isCompact = false, store] = useUi().useStored('compact-rows', CompactRows);
  return [isCompact, store];
};

const COMPACT_PX = 12;

/** The height of rows that are `comfortable` px high unless the user wants more of them in view. */
export const useRowHeight = (comfortable: number): number => {
  const [isCompact] = useCompactRows();
  return isCompact ? comfortable - COMPACT_PX : comfortable;
};
