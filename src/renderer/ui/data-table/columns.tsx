import { makeStyles, mergeClasses, tokens, typographyStyles } from '@fluentui/react-components';
import { clamp, sumBy } from 'es-toolkit';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { LAST_SHEET_MS, type SheetCell } from '../../../contract/sheets.ts';
import { formatDay, formatMoment, isTime } from '../../words/dates.ts';
import { useMemoInWords } from '../../words/formats.ts';
import type { TextKey } from '../../words/words.ts';
import { useMedia } from '../hooks.ts';
import { MiddleCut } from '../middle-cut.tsx';
import { useUi } from '../ui-context.ts';

/** A column of a table. The first column has the row's name, which can be a button that opens the row or its menu. */
export type Column<Row> = {
  /** Identifies the column in a stored view; the same in every language. */
  readonly id: string;
  readonly header: TextKey;
  /** A CSS width. Columns without a width share the remaining room. */
  readonly width?: string;
  readonly align?: 'end';
  /**
   * Whether the column is hidden in a narrow window, unless the user has chosen to show it. With `first`, it is also
   * hidden in a window of medium width.
   */
  readonly minor?: boolean | 'first';
  /** Whether the column is hidden in every window, unless the user has chosen to show it. */
  readonly rare?: boolean;
  /** The value of `Sort.by` for this column, if rows can be sorted by it. */
  readonly sort?: string;
  readonly cell: (row: Row) => ReactNode;
  /**
   * The text of a cell for copying and exporting, if `cell` returns more than a text. False: the cells are buttons,
   * which are neither copied nor exported.
   */
  readonly text?: ((row: Row) => string) | false;
  /** The exported value of a cell, if it is more than a text: a time, or a number whose unit is in `sheetHeader`. */
  readonly value?: (row: Row) => SheetCell;
  readonly sheetHeader?: TextKey;
};

/**
 * Returns the cells of a column of times. `timeMs` returns a time in ms since 1970; 0 and undefined are shown as a
 * dash.
 */
export const timeCells = <Row,>(timeMs: (row: Row) => number | undefined, show: 'day' | 'moment') => {
  const cell = (row: Row): string => (show === 'day' ? formatDay : formatMoment)(timeMs(row) ?? 0);
  const value = (row: Row): SheetCell => {
    const ms = timeMs(row) ?? 0;
    if (!isTime(ms)) return '';
    return ms <= LAST_SHEET_MS ? { ms, day: show === 'day' } : cell(row);
  };
  return { cell, value };
};

/** The order of a table's rows; `by` is the `sort` of one of the table's columns. */
const Sort = z.object({ by: z.string(), descending: z.boolean() });
export type Sort = Readonly<z.infer<typeof Sort>>;

/** Returns the order after a press of the heading of the column `by`: ascending first, then reversed by each press. */
export const nextSort = (sort: Sort | undefined, by: string): Sort => ({
  by,
  descending: sort?.by === by && !sort.descending,
});

// The widths that the user has chosen for columns: percent of the table's width, by the column's id.

const ColumnWidths = z.record(z.string(), z.number().min(0).max(100));
export type ColumnWidths = Readonly<z.infer<typeof ColumnWidths>>;

/** The minimum width of a column. It leaves room for a word or two and the sort arrow. */
const narrowestPx = 64;

/** A column on one side of the boundary that the user drags, with its width on screen. */
export type Neighbour = {
  readonly id: string;
  readonly px: number;
  /** Whether the column has no width of its own and shares the remaining room. */
  readonly flexible: boolean;
};

export type Boundary = { readonly left: Neighbour; readonly right: Neighbour; readonly tablePx: number };

/**
 * Returns `widths` after the boundary was moved by `byPx` to the right, but only so far that the columns on both sides
 * keep their minimum width. One column gains what the other loses, so that the rest of the table stays in place. If
 * only one of the columns is flexible, it stays flexible.
 */
export const withBoundaryMoved = (
  widths: ColumnWidths,
  { left, right, tablePx }: Boundary,
  byPx: number,
): ColumnWidths => {
  const most = Math.max(0, right.px - narrowestPx);
  const least = Math.min(0, narrowestPx - left.px);
  const moved = clamp(byPx, least, most);
  const percent = (px: number): number => Math.round((10_000 * px) / tablePx) / 100;
  const isFixed = ({ flexible }: Neighbour): boolean => !flexible || (left.flexible && right.flexible);
  return {
    ...widths,
    ...(isFixed(left) && { [left.id]: percent(left.px + moved) }),
    ...(isFixed(right) && { [right.id]: percent(right.px - moved) }),
  };
};

// How the user has arranged a table. The view is stored under the table's id. Because it is JSON, it can also be saved
// under a name.

export const TableView = z.object({
  /**
   * The ids of columns in their order. A column that is missing from `order` follows the column that usually precedes
   * it.
   */
  order: z.array(z.string()).readonly().exactOptional(),
  /**
   * Whether the user has chosen to show a column, by the column's id. For a column without a choice, `minor` and `rare`
   * decide.
   */
  shown: z.record(z.string(), z.boolean()).exactOptional(),
  widths: ColumnWidths.exactOptional(),
  sort: Sort.exactOptional(),
});
export type TableView = Readonly<z.infer<typeof TableView>>;

const usualView: TableView = {};

/** Returns the view of the table `id`, and a function that sets it; undefined restores the usual view. */
export const useTableView = (id: string): readonly [TableView, (view: TableView | undefined) => void] => {
  const [view = usualView, store] = useUi().useStored(`table.${id}`, TableView);
  return [view, store];
};

/**
 * Returns the order of the rows of the table `id` (undefined until the user chooses one), and a function that sets it.
 */
export const useSort = (id: string): readonly [Sort | undefined, (sort: Sort) => void] => {
  const [view, setView] = useTableView(id);
  return [view.sort, (sort) => setView({ ...view, sort })];
};

/**
 * Sorts `columns` by the ids `order`. The first column names the row and stays first. A column that is missing from
 * `order` follows the column that usually precedes it.
 */
const inOrder = <C extends { readonly id: string }>(
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

/**
 * In windows up to this width, `minor` columns are hidden. In a window of 1,024 pixels, they would leave room for one
 * letter of a customer's name.
 */
const NARROW = '(max-width: 1199px)';
/** In windows up to this width, columns whose `minor` is `first` are hidden. */
const MEDIUM = '(max-width: 1279px)';

/** The columns that are shown by default add at most this many pixels to the table's minimum width. */
const USUAL_PX = 620;
/** A column without a width in pixels adds this many pixels to the table's minimum width. */
const OPEN_PX = 170;
/**
 * A column that is shown only because the user has chosen it adds this many pixels to the table's minimum width,
 * whatever its own width.
 */
const ADDED_PX = 120;

const needsPx = ({ width = '' }: { readonly width?: string }): number =>
  width.endsWith('px') ? Number.parseInt(width, 10) : OPEN_PX;

type ArrangedColumn = Pick<Column<never>, 'id' | 'header' | 'rare'> & { readonly isShown: boolean };

/** The columns of a table except the first, in their order, and functions to arrange them. */
export type Arrangement = {
  readonly columns: readonly ArrangedColumn[];
  readonly show: (id: string, isShown: boolean) => void;
  /** Moves a column by one place towards the start (-1) or the end (1). */
  readonly move: (id: string, by: -1 | 1) => void;
  /** Restores the usual order, choice and widths of the columns; undefined if nothing was changed. */
  readonly reset: (() => void) | undefined;
};

/**
 * Returns the columns to show, functions to arrange them, and the minimum width of the table. With less room, the table
 * scrolls sideways.
 */
export const useColumns = <Row,>(
  columns: readonly Column<Row>[],
  view: TableView,
  setView: (view: TableView | undefined) => void,
) => {
  const isNarrow = useMedia(NARROW);
  const isMedium = useMedia(MEDIUM);
  return useMemoInWords(() => {
    const { sort, ...arranged } = view;
    const isUsual = ({ minor = false, rare = false }: Column<Row>): boolean =>
      !(rare || (isNarrow && minor) || (isMedium && minor === 'first'));
    const isShown = (column: Column<Row>): boolean =>
      column === columns[0] || (arranged.shown?.[column.id] ?? isUsual(column));
    const ordered = inOrder(columns, arranged.order);
    const shown = ordered.filter(isShown);
    const usualPx = sumBy(shown.filter(isUsual), needsPx);
    const added = shown.filter((column) => !isUsual(column)).length;
    const others = ordered.slice(1);
    const arrangement: Arrangement = {
      columns: others.map((column) => ({ ...column, isShown: isShown(column) })),
      show: (id, chosen) => setView({ ...view, shown: { ...arranged.shown, [id]: chosen } }),
      move: (id, by) => {
        const ids = others.map((column) => column.id).filter((one) => one !== id);
        setView({ ...view, order: ids.toSpliced(others.findIndex((column) => column.id === id) + by, 0, id) });
      },
      reset: Object.keys(arranged).length === 0 ? undefined : () => setView(sort && { sort }),
    };
    return { shown, arrangement, minWidthPx: Math.min(USUAL_PX, usualPx) + added * ADDED_PX };
  }, [columns, view, isNarrow, isMedium, setView]);
};

const CompactRows = z.boolean();

/** Returns whether the rows of all tables are compact, and a function that sets it. */
export const useCompactRows = (): readonly [boolean, (compact: boolean) => void] => {
  const [isCompact = false, store] = useUi().useStored('compact-rows', CompactRows);
  return [isCompact, store];
};

const ONE_LINE_PX = 40;
const TWO_LINES_PX = 52;
/** Compact rows are lower by this many pixels. */
const COMPACT_PX = 12;

export const useRowHeight = (hasTwoLines: boolean): number => {
  const [isCompact] = useCompactRows();
  return (hasTwoLines ? TWO_LINES_PX : ONE_LINE_PX) - (isCompact ? COMPACT_PX : 0);
};

const useStyles = makeStyles({
  line: { display: 'block', overflow: 'hidden', textOverflow: 'ellipsis' },
  name: { fontWeight: tokens.fontWeightSemibold },
  proposed: { color: tokens.colorNeutralForeground3, fontStyle: 'italic' },
  // The second line is not bold, even in a row's button, whose text is bold.
  minor: { ...typographyStyles.caption1, color: tokens.colorNeutralForeground3 },
});

type TwoLinesProps = {
  readonly first: ReactNode;
  /** The second line, in smaller type. An empty text leaves it out. */
  readonly second: ReactNode;
  readonly title?: string | undefined;
  readonly look?: 'name' | 'proposed' | undefined;
};

/** The content of a cell in two lines, for tables with `hasTwoLines`. */
export const TwoLines = ({ first, second, title, look }: TwoLinesProps) => {
  const styles = useStyles();
  return (
    <span className={styles.line} title={title}>
      <span className={mergeClasses(styles.line, look && styles[look])}>{first}</span>
      {second !== '' && <span className={mergeClasses(styles.line, styles.minor)}>{second}</span>}
    </span>
  );
};

export const nameCells = <Row,>(nameOf: (row: Row) => string) => ({
  cell: (row: Row) => <MiddleCut name={nameOf(row)} />,
  text: nameOf,
});
