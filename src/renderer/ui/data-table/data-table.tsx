import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { Warning16Regular } from '@fluentui/react-icons';
import { clamp } from 'es-toolkit';
import {
  type ChangeEvent,
  type DragEvent,
  Fragment,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  type Ref,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { marksIn } from '../../../contract/search.ts';
import { useWordsRevision } from '../../words/formats.ts';
import { t } from '../../words/words.ts';
import { useDialog } from '../dialogs.tsx';
import { isInside, useLatest, useOnChange } from '../hooks.ts';
import { lazily } from '../lazy.tsx';
import { Loading } from '../page.tsx';
import { oneLine } from '../styles.ts';
import { useUi } from '../ui-context.ts';
import { type Column, useColumns, useRowHeight, useTableView } from './columns.tsx';
import type { ExportDialogProps, Rest } from './export-dialog.tsx';
import type { RowMenuProps } from './menus.tsx';
import { controlAt, focusOf, useRowFocus, useTypeAhead } from './row-focus.ts';
import { headerHeight, useTableStyles } from './styles.ts';
import { TableFrame, type TableLook } from './table-frame.tsx';
import { Box, cellOf, type RowChecks, usePicks } from './use-picks.tsx';
import { listed, type RowId, type RowSource, type Rows, type TableSelection } from './use-selection.ts';

// Chromium makes elements at most about 33.5 million pixels high, Firefox 17.8 million. If all rows together are higher
// than `HIGHEST_PX`, the element that scrolls is lower than its rows: each pixel that it is scrolled moves the rows by
// more than one pixel.

const HIGHEST_PX = 15_000_000;

/** The number of rows rendered above and below those in view, so that scrolling shows no gaps. */
const OVERSCAN = 8;

/**
 * Returns the indexes of the rows to render: those in view (from `first` to `last`), some above and below, and the row
 * `also`. `count`: the number of all rows.
 */
export const rowsInView = (count: number, first: number, last: number, also: number): readonly number[] => {
  const from = Math.max(0, first - OVERSCAN);
  const to = Math.min(count - 1, last + OVERSCAN);
  const indexes = Array.from({ length: Math.max(0, to - from + 1) }, (_, position) => from + position);
  if (also < from) indexes.unshift(also);
  if (also > to && also < count) indexes.push(also);
  return indexes;
};

/**
 * Returns the height of the scrolling element for rows that are `rowsPx` high together, in a view of `viewPx`, and two
 * functions: `toRows` converts a scroll position of the element to that of the rows, `toElement` converts it back. Both
 * positions are equal unless the rows are higher than `HIGHEST_PX`.
 */
export const longScroll = (rowsPx: number, viewPx: number) => {
  const heightPx = Math.min(rowsPx, HIGHEST_PX);
  const ratio = heightPx === rowsPx ? 1 : (rowsPx - viewPx) / (heightPx - viewPx);
  return { heightPx, toRows: (px: number): number => px * ratio, toElement: (px: number): number => px / ratio };
};

/**
 * Returns the scroll position at which the row from `startPx` to `endPx` is in view. If the row is in view at the
 * current position `fromPx`, returns `fromPx`. If the row is higher than the view, its upper edge is at the top of the
 * view. `viewPx`, the height of the view, can be 0 or less until it has been measured.
 */
export const offsetFor = (startPx: number, endPx: number, fromPx: number, viewPx: number): number => {
  if (startPx < fromPx) return startPx;
  return endPx > fromPx + viewPx ? Math.min(startPx, endPx - viewPx) : fromPx;
};

/**
 * Returns the scroll position of `scroller`, rounded down to a multiple of `stepPx`, and the height of its view (0
 * until it is known). Scrolls back to the top when `question` changes.
 */
const useViewport = (scroller: RefObject<HTMLElement | null> | undefined, stepPx: number, question: unknown) => {
  const [heightPx, setHeight] = useState(0);
  const [scrolled, setScrolled] = useState({ question, topPx: 0 });
  /** The exact scroll position. Reading it from the element would lay out the rows. */
  const exactPx = useRef(0);
  const onScroll = useLatest((element: HTMLElement): void => {
    exactPx.current = element.scrollTop;
    const topPx = Math.floor(exactPx.current / stepPx) * stepPx;
    if (scrolled.question === question && scrolled.topPx === topPx) return;
    // Renders in the same frame as the event. Rows that follow one frame later would flicker.
    flushSync(() => setScrolled({ question, topPx }));
  });
  useLayoutEffect(() => {
    const element = scroller?.current;
    if (!element) return;
    const leaving = new AbortController();
    const resized = new ResizeObserver(() => setHeight(element.clientHeight));
    setHeight(element.clientHeight);
    // Restores the position when the page comes back into view.
    if (exactPx.current > 0) element.scrollTo({ top: exactPx.current });
    element.addEventListener('scroll', () => onScroll(element), { signal: leaving.signal, passive: true });
    resized.observe(element);
    return () => {
      leaving.abort();
      resized.disconnect();
    };
  }, [scroller, onScroll]);
  useOnChange(question, () => {
    if (exactPx.current > 0) scroller?.current?.scrollTo({ top: 0 });
  });
  // For a new question, the first rows are rendered immediately, because the scroll event arrives only with the next
  // frame.
  return { heightPx, topPx: scrolled.question === question ? scrolled.topPx : 0 };
};

type InView = {
  /** The element that scrolls; undefined if the page scrolls instead, and all rows are rendered. */
  readonly scroller: RefObject<HTMLElement | null> | undefined;
  readonly body: RefObject<HTMLElement | null>;
  readonly rows: number;
  readonly rowPx: number;
  readonly active: number;
  readonly question: unknown;
};

/**
 * Chooses which of `rows` rows are rendered: those around the view of `scroller`, and the row at `active`, so that this
 * row keeps the focus. Returns these rows with the height of the gap above each (`gapPx`) and below the last
 * (`restPx`), the indexes of the first and the last row in view, and `bring`, which scrolls a row into view.
 */
const useRowsInView = ({ scroller, body, rows, rowPx, active, question }: InView) => {
  const rowsPx = rows * rowPx;
  const { heightPx, topPx } = useViewport(scroller, rowsPx > HIGHEST_PX ? 1 : rowPx, question);
  const viewPx = heightPx - headerHeight;
  const { heightPx: elementPx, toRows, toElement } = longScroll(rowsPx, viewPx);
  const fromPx = toRows(topPx);
  const first = Math.floor(fromPx / rowPx);
  const last = Math.max(0, Math.floor((fromPx + viewPx) / rowPx));
  if (scroller === undefined) {
    const rendered = Array.from({ length: rows }, (_, index) => ({ index, gapPx: 0 }));
    const bring = (index: number): void =>
      body.current?.querySelector(`[data-row="${index}"]`)?.scrollIntoView({ block: 'nearest' });
    return { rendered, restPx: 0, first, last, bring };
  }
  const bottomPx = headerHeight + elementPx;
  let placedPx = headerHeight;
  const rendered = (heightPx === 0 ? [] : rowsInView(rows, first, last, active)).map((index) => {
    // If all rows together are higher than `HIGHEST_PX`, the place that is computed for a row out of view can be
    // outside of the element. Such a row is put at the edge of the element.
    const placePx = clamp(headerHeight + index * rowPx - fromPx + topPx, headerHeight, bottomPx - rowPx);
    const gapPx = Math.max(0, placePx - placedPx);
    placedPx += gapPx + rowPx;
    return { index, gapPx };
  });
  const bring = (index: number): void => {
    const element = scroller.current;
    if (element === null) return;
    const nowPx = toRows(element.scrollTop);
    const offsetPx = offsetFor(index * rowPx, (index + 1) * rowPx, nowPx, viewPx);
    if (offsetPx !== nowPx) element.scrollTo({ top: toElement(offsetPx) });
  };
  return { rendered, restPx: bottomPx - placedPx, first, last, bring };
};

export type TableHandle = {
  /**
   * Brings the row at `index` into view, and makes it the one that Tab leads to. If a row has the focus, the focus
   * moves along.
   */
  readonly show: (index: number) => void;
  /** Brings the row at `index` into view and focuses it. Without an index: the row that Tab leads to. */
  readonly focus: (index?: number) => void;
  readonly exportRows: () => void;
};

type DataTableProps<Row> = TableLook<Row> & {
  readonly id: string;
  readonly rows: readonly Row[] | RowSource<Row>;
  readonly loading?: string;
  /**
   * If given, the table shows at most this many rows and renders all of them, and the page scrolls instead of the
   * table.
   */
  readonly first?: number | undefined;
  /**
   * The number of rows of the whole list, if it is more than can be scrolled through.
   */
  readonly total?: number | undefined;
  /** Whether the table is as wide as its container, however narrow that is. Otherwise it is wider by its padding. */
  readonly fits?: boolean;
  /** Whether cells have two lines (`TwoLines`). */
  readonly hasTwoLines?: boolean;
  /** Opens a row. `index`: its position; the row may be out of view. */
  readonly open?: ((row: Row, index: number) => void) | undefined;
  /** Opens the page's own menu of a row, in place of the table's menu. */
  readonly menu?: OpenMenu<Row> | undefined;
  /** Returns the id of a row. Rows can be selected and copied only with this function or with a `selection`. */
  readonly rowKey?: (row: Row) => RowId;
  /** Called when a key is pressed in the rows, before the table handles it. `index`: the row with the focus. */
  readonly onRowKey?: ((event: KeyboardEvent, index: number) => void) | undefined;
  /** Called with the index of the row that Tab leads to, whenever it changes. */
  readonly onActive?: ((index: number) => void) | undefined;
  readonly handle?: Ref<TableHandle> | undefined;
  readonly searched?: string | undefined;
  /**
   * Returns the fields of a row that contain words of `searched` that its cells lack. They are shown below the row's
   * name.
   */
  readonly foundIn?: FindReason<Row> | undefined;
  /** The rest of a partly loaded list, which an export can include; absent if the list is complete. */
  readonly rest?: Rest | undefined;
  readonly empty?: ReactNode;
};

const TableOptions = lazily(async () => (await import('./menus.tsx')).TableOptions);
const ExportDialog = lazily(async () => (await import('./export-dialog.tsx')).ExportDialog<unknown>);
const RowMenu = lazily(async () => (await import('./menus.tsx')).RowMenu);

/**
 * Returns `value` as it was when `question` last changed, or the current value if there is no question. While the user
 * types, the previous rows therefore keep their marks: marking them again would take as long as marking the new rows.
 */
const useOfQuestion = <T,>(value: T, question: unknown): T => {
  const held = useRef({ question, value });
  if (question === undefined || held.current.question !== question) held.current = { question, value };
  return held.current.value;
};

/**
 * Keeps the active row: once it was loaded, the row at `active` stays in the returned rows, even while only another
 * part of the list is loaded. Otherwise the row would disappear, and the focus with it.
 */
const useWithActive = <Row,>(rows: Rows<Row>, active: number): Rows<Row> => {
  const { question } = rows;
  const held = useRef<{ readonly active: number; readonly question: unknown; readonly row: Row | undefined }>(
    undefined,
  );
  const isSame = active < rows.count && held.current?.active === active && held.current.question === question;
  const row = rows.rowAt(active) ?? (isSame ? held.current?.row : undefined);
  held.current = { active, question, row };
  return { ...rows, rowAt: (index) => rows.rowAt(index) ?? (index === active ? row : undefined) };
};

type LoadedTableProps<Row> = Omit<DataTableProps<Row>, 'rows' | 'loading' | 'first'> & {
  readonly rows: Rows<Row>;
  /** The number of rows that can be read, of which `first` may show fewer. */
  readonly listed: number;
  readonly flows: boolean;
};

const LoadedTable = <Row,>(props: LoadedTableProps<Row>) => {
  const { id, label, columns: all, total = props.rows.count, unreadable = 0, fits, hasTwoLines = false } = props;
  const { count, onRange, question } = props.rows;
  const { listed, flows, open, menu, selection, checks, rowKey, foundIn, onRowKey, onActive, handle, rest, empty } =
    props;
  const searched = useOfQuestion(props.searched, question);
  const styles = useTableStyles();
  useWordsRevision();
  const [tableView, setTableView] = useTableView(id);
  const { shown: columns, arrangement, minWidthPx } = useColumns(all, tableView, setTableView);
  const height = useRowHeight(hasTwoLines);
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const [isInHeadings, setInHeadings] = useState(false);
  const [activated, activate] = useState(0);
  const active = Math.max(0, Math.min(activated, count - 1));
  const rows = useWithActive(props.rows, active);
  const lines = count + unreadable;
  const place = { scroller: flows ? undefined : scroller, body, rows: lines, rowPx: height, active, question };
  const { bring, ...view } = useRowsInView(place);
  const { first } = view;
  const last = Math.min(view.last, Math.max(0, count - 1));
  const written = columns.filter(({ text }) => text !== false);
  const selecting = usePicks({ scroller, columns: written, rows, active, rowKey, selection });
  const { chosen } = selecting;
  const leave = (): void => scroller.current?.querySelector<HTMLElement>('thead [data-heading]')?.focus();
  const focusing = { count, active, activate, isStop: !isInHeadings, bring, extend: chosen?.extend, leave };
  const { move, ...focus } = useRowFocus(body, focusing);
  const nameOf = (row: Row): string => (all[0] === undefined ? '' : String(cellOf(all[0], row)));
  const typeAhead = useTypeAhead({ rows, nameOf, move });
  const exporting = useDialog<true>();
  const exportRows = useLatest(() => exporting.open(document.activeElement, true));
  const events = useRowEvents({ ...props, rows }, { scroller, active, activate, move, selecting, exportRows });
  const hasFocus = (open ?? menu ?? chosen) !== undefined;
  const latestBring = useLatest(bring);
  useOnChange(question, () => {
    selecting.clear();
    activate(0);
  });
  useEffect(() => onActive?.(active), [onActive, active]);
  useEffect(() => onRange?.(first, last), [onRange, first, last]);
  useImperativeHandle(handle, () => {
    const show = (index: number): void => {
      if (body.current?.contains(document.activeElement)) {
        move(index);
      } else {
        activate(index);
        latestBring(index);
      }
    };
    return { show, focus: (index = active) => move(index), exportRows };
  }, [active, move, latestBring, exportRows]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isInside(event)) return;
    onRowKey?.(event, active);
    if (event.defaultPrevented || events.onKeyDown(event)) return;
    focus.onKeyDown(event);
    selecting.onRowKey(event, active);
    typeAhead(event, active);
  };
  const opens = open ? 'row' : menu && !selection ? 'menu' : undefined;
  const row = { columns, height, opens, selection, chosen, checks, searched, foundIn, onBox: events.onBox } as const;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: key events of its rows, which have buttons, bubble up to it.
    <div
      ref={scroller}
      className={mergeClasses(!flows && styles.scroller, !fits && styles.flush)}
      // If no row can have the focus, the scroller takes it, so that the keyboard can scroll the table.
      {...(!flows && { role: 'group', 'aria-label': label, tabIndex: hasFocus ? -1 : 0 })}
      onKeyDown={selecting.onKeyDown}
    >
      <TableFrame
        {...props}
        columns={columns}
        total={total}
        options={(tabStop) => <TableOptions arrangement={arrangement} onExport={exportRows} tabStop={tabStop} />}
        tabStop={isInHeadings || !hasFocus || count === 0}
        onFocus={() => setInHeadings(true)}
        onLeave={() => hasFocus && count > 0 && move(active)}
        minWidthPx={fits ? 0 : minWidthPx}
        widths={tableView.widths}
        onWidths={(widths) => setTableView({ ...tableView, widths })}
      >
        <tbody
          ref={body}
          {...events.ofRows}
          onFocus={(event) => {
            const index = rowOf(event)?.index;
            if (index === undefined) return;
            activate(index);
            setInHeadings(false);
          }}
          onKeyDown={hasFocus ? onKeyDown : undefined}
        >
          <RenderedRows {...view} rows={rows} row={row} />
        </tbody>
      </TableFrame>
      {lines === 0 && empty}
      {selecting.bar}
      {events.menu}
      {exporting.about && (
        <ExportDialog
          name={label}
          columns={written as readonly Column<unknown>[]}
          count={listed}
          read={rows.read}
          selection={chosen as ExportDialogProps<unknown>['selection']}
          rest={rest}
          onClose={(saved) => {
            exporting.close();
            // The menu that opened the dialog no longer exists, so the focus would be lost.
            if (hasFocus && count > 0 && document.activeElement === document.body) move(active);
            if (saved)
              selecting.say(() => t(saved.written < saved.count ? 'common.export.savedPart' : 'common.saved', saved));
          }}
        />
      )}
    </div>
  );
};

type RowsProps<Row> = Pick<ReturnType<typeof useRowsInView>, 'rendered' | 'restPx'> & {
  readonly rows: Rows<Row>;
  readonly row: Omit<TableRowProps<Row>, 'row' | 'index'>;
};

const RenderedRows = <Row,>({ rendered, restPx, rows, row: common }: RowsProps<Row>) => {
  const { columns, height, selection, checks } = common;
  const span = columns.length + Number((selection ?? checks) !== undefined);
  return (
    <>
      {rendered.map(({ index, gapPx }) => {
        const row = index < rows.count ? rows.rowAt(index) : undefined;
        return (
          <Fragment key={index}>
            <GapRow height={gapPx} />
            {index >= rows.count ? (
              <UnreadableRow index={index} height={height} span={span} />
            ) : row === undefined ? (
              <GapRow height={height} />
            ) : (
              <TableRow {...common} row={row} index={index} />
            )}
          </Fragment>
        );
      })}
      <GapRow height={restPx} />
    </>
  );
};

const AnyTable = <Row,>({ rows, loading = '', first, ...props }: DataTableProps<Row>) => {
  const { Failure } = useUi();
  const source = useMemo<RowSource<Row>>(() => ('rowAt' in rows ? rows : listed(rows)), [rows]);
  const { count, error, reload } = source;
  if (count === undefined) {
    return error ? <Failure error={error} onRetry={reload} /> : <Loading label={loading} />;
  }
  const shown = Math.min(count, first ?? count);
  return (
    <LoadedTable
      total={count}
      {...props}
      rows={{ ...source, count: shown }}
      listed={count}
      flows={first !== undefined}
    />
  );
};

/**
 * A table of any length. It fills its container and renders only the rows in view, unless `first` is given. Until the
 * rows are loaded, it shows a placeholder or an error. A render of the parent does not render the table again while the
 * table's props stay the same, for example while the user types and the new rows have not arrived.
 */
export const DataTable = memo(AnyTable) as typeof AnyTable;

type PlainTableProps<Row> = DataTableProps<Row> & {
  /**
   * The height in px above which the table scrolls. By default, only a table of more than `MOST_RENDERED` rows scrolls;
   * of a shorter one, every row is rendered and the page scrolls.
   */
  readonly maxHeight?: number | undefined;
};

const MOST_RENDERED = 100;
const USUAL_MAX_HEIGHT = 420;

/** The number of rows that a table with a `maxHeight` leaves room for until its rows are loaded. */
const LOADING_ROWS = 6;

const usePlainStyles = makeStyles({
  box: { display: 'flex', flexDirection: 'column' },
});

/** A table that is only as high as its rows, for a part of a page or a dialog. */
export const PlainTable = <Row,>({ maxHeight: given, ...props }: PlainTableProps<Row>) => {
  const styles = usePlainStyles();
  const { rows, hasTwoLines = false } = props;
  const rowPx = useRowHeight(hasTwoLines);
  const count = ('rowAt' in rows ? rows.count : rows.length) ?? LOADING_ROWS;
  const maxHeight = given ?? (count > MOST_RENDERED ? USUAL_MAX_HEIGHT : undefined);
  const height = headerHeight + Math.max(1, count) * rowPx + 1;
  return (
    <div className={styles.box} style={maxHeight === undefined ? {} : { height: Math.min(height, maxHeight) }}>
      <DataTable {...(maxHeight === undefined && { first: Number.POSITIVE_INFINITY })} {...props} />
    </div>
  );
};

const GapRow = ({ height }: { readonly height: number }) => {
  const styles = useTableStyles();
  return height <= 0 ? null : (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without content is not focusable.
    <tr aria-hidden="true">
      <td className={styles.gap} style={{ height }} />
    </tr>
  );
};

// A row, and the words in it that a search has found.

const useFoundStyles = makeStyles({
  reason: {
    display: 'block',
    ...oneLine,
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightRegular,
    lineHeight: tokens.lineHeightBase100,
  },
  mark: {
    backgroundColor: tokens.colorBrandBackground2,
    color: 'inherit',
    borderRadius: tokens.borderRadiusSmall,
    textDecorationLine: 'underline',
    textDecorationThickness: '1px',
    // Replaces the system's colours for marks, which may be hard to tell from those of other text.
    '@media (forced-colors: active)': { forcedColorAdjust: 'none', backgroundColor: 'Canvas', color: 'CanvasText' },
  },
});

/**
 * A field in which a search found a record. `name`: the field's name; `value`: its text; `searched`: the searched text,
 * whose words are marked in `value`.
 */
export type FoundIn = { readonly name: string; readonly value: string; readonly searched: string };

type FindReason<Row> = (row: Row, shown: readonly string[], searched: string) => readonly FoundIn[];

export const Marked = ({ text, searched }: { readonly text: string; readonly searched: string }) => {
  const styles = useFoundStyles();
  const marks = marksIn(text, searched);
  return (
    <>
      {marks.map(([from, to], index) => (
        <span key={from}>
          {text.slice(marks[index - 1]?.[1] ?? 0, from)}
          <mark className={styles.mark}>{text.slice(from, to)}</mark>
        </span>
      ))}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </>
  );
};

/** Says in which fields a record was found, such as "Facility: FAC-241187". Shows nothing if `fields` is empty. */
export const FoundInLine = ({ fields }: { readonly fields: readonly FoundIn[] }) => {
  const styles = useFoundStyles();
  if (fields.length === 0) return null;
  return (
    <span className={styles.reason}>
      {fields.map(({ name, value, searched }, index) => (
        <span key={value} title={value}>
          {index > 0 && ' · '}
          {name}: <Marked text={value} searched={searched} />
        </span>
      ))}
    </span>
  );
};

type UnreadableRowProps = {
  readonly index: number;
  readonly height: number;
  readonly span: number;
};

const UnreadableRow = ({ index, height, span }: UnreadableRowProps) => {
  const styles = useTableStyles();
  return (
    <tr aria-rowindex={index + 2}>
      <td colSpan={span} className={mergeClasses(styles.cell, styles.unreadable)} style={{ height }}>
        <Warning16Regular className={styles.warning} aria-hidden="true" /> {t('common.unreadableItem')}
      </td>
    </tr>
  );
};

/** Opens the menu of a row. `event`: a right click, the menu key, or a press of the button with the row's name. */
type OpenMenu<Row> = (row: Row, event: MouseEvent) => void;

/**
 * Returns the index and the element of the row that `event` comes from; undefined if `event` comes from no row, or from
 * a dialog that a cell has opened.
 */
const rowOf = ({ target, currentTarget }: SyntheticEvent) => {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
  return element !== null && currentTarget.contains(element)
    ? { element, index: Number(element.dataset.row) }
    : undefined;
};

/** The maximum distance in px between press and release of a click; beyond it, the user may have selected text. */
const dragPx = 4;

type UseRowEvents<Row> = {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly active: number;
  readonly activate: (index: number) => void;
  readonly move: (index: number) => void;
  readonly selecting: ReturnType<typeof usePicks<Row>>;
  readonly exportRows: () => void;
};

/**
 * Handles the context menu of the rows, and clicks in the rows. Clicks on controls are left to the controls, except on
 * the button with the row's name.
 *
 * A click opens the row and clears the selection; if rows cannot be opened, it selects only this row. If rows have
 * checkboxes that select them, a click opens the row and leaves the selection as it is; if rows cannot be opened, it
 * toggles the checkbox. With Shift, Ctrl or Command, a click changes the selection and opens nothing. A click that ends
 * a selection of text does nothing.
 *
 * In a table with its own selection, opening the menu on a row that is not selected selects only that row, as in a list
 * of files.
 */
const useRowEvents = <Row,>(props: LoadedTableProps<Row>, options: UseRowEvents<Row>) => {
  const { rows, open, menu, selection, checks } = props;
  const { scroller, active, activate, move, selecting, exportRows } = options;
  const { picks, chosen, copy } = selecting;
  const hasBox = selection !== undefined && checks === undefined;
  const pressed = useRef({ x: 0, y: 0 });
  /** The row whose menu is open, as it was when the menu was opened. By now, another row may have its index. */
  const [menuOf, setMenu] = useState<{ readonly row: Row; readonly index: number; readonly at: RowMenuProps['at'] }>();
  const choose = (range: boolean, row: Row, index: number): void => {
    if (range) chosen?.extend(active, index);
    else chosen?.toggle(row, index);
  };
  /**
   * Whether the click ends a selection of text with the pointer. Text that was selected in another way, such as by
   * Select all, does not count.
   */
  const hasSelectedText = ({ clientX, clientY, detail }: MouseEvent): boolean =>
    (Math.hypot(clientX - pressed.current.x, clientY - pressed.current.y) > dragPx || detail > 1) &&
    getSelection()?.isCollapsed === false;
  const onRow =
    <Event extends SyntheticEvent>(act: (event: Event, row: Row, index: number, element: HTMLElement) => void) =>
    (event: Event): void => {
      const at = rowOf(event);
      const row = at && rows.rowAt(at.index);
      if (at && row !== undefined) act(event, row, at.index, at.element);
    };
  const onClick = onRow<MouseEvent>((event, row, index, element) => {
    const hasKey = event.shiftKey || event.ctrlKey || event.metaKey;
    const control = controlAt(event.target);
    const isName = control?.hasAttribute('data-row-name') === true;
    if (isName && open === undefined && !hasKey) menu?.(row, event);
    // Controls in the row handle their own clicks, except the button with the row's name.
    if ((control !== null && !isName) || hasSelectedText(event)) return;
    // The row gets the focus, so that the keyboard continues from it, even after another page was shown.
    focusOf(element)?.focus({ preventScroll: true });
    if (hasKey || (hasBox && open === undefined)) choose(event.shiftKey, row, index);
    else if (open === undefined) chosen?.only(row, index);
    else if (!hasBox) chosen?.none();
    if (!hasKey) open?.(row, index);
  });
  const onContextMenu = onRow<MouseEvent>((event, row, index) => {
    if (menu !== undefined) return menu(row, event);
    // For selected text, the system's own menu opens.
    if ((open ?? chosen) === undefined || getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    activate(index);
    if (picks !== undefined && !picks.has(row)) picks.only(row, index);
    setMenu({ row, index, at: { x: event.clientX, y: event.clientY } });
  });
  return {
    onBox: useLatest((row: Row, index: number, { nativeEvent }: ChangeEvent): void => {
      if (checks !== undefined) checks.toggle(row, index);
      else choose('shiftKey' in nativeEvent && nativeEvent.shiftKey === true, row, index);
    }),
    /**
     * With `checks`, rows have no button that opens them, so Enter opens the active row. Returns whether the key was
     * handled.
     */
    onKeyDown: (event: KeyboardEvent): boolean => {
      const { key, shiftKey, altKey, ctrlKey, metaKey } = event;
      const isHandled = checks !== undefined && key === 'Enter' && !(shiftKey || altKey || ctrlKey || metaKey);
      const row = isHandled ? rows.rowAt(active) : undefined;
      if (isHandled) event.preventDefault();
      if (row !== undefined) open?.(row, active);
      return isHandled;
    },
    ofRows: {
      onClick: (open ?? chosen ?? menu) && onClick,
      onMouseDown: (event: MouseEvent): void => {
        pressed.current = { x: event.clientX, y: event.clientY };
        // The default action of the press would select text instead of rows.
        if (event.shiftKey && isInside(event)) event.preventDefault();
      },
      onContextMenu,
      onDragStart: onRow<DragEvent>((event, row) => checks?.onDrag?.(row, event)),
    },
    menu: menuOf !== undefined && (
      <RowMenu
        at={menuOf.at}
        mountNode={scroller.current?.closest<HTMLElement>('[role="dialog"], main') ?? null}
        open={open && (() => open(menuOf.row, menuOf.index))}
        copy={chosen && copy}
        selectAll={chosen?.all}
        exportRows={exportRows}
        onClose={() => {
          setMenu(undefined);
          move(menuOf.index);
        }}
      />
    ),
  };
};

type TableRowProps<Row> = Pick<LoadedTableProps<Row>, 'columns' | 'selection' | 'checks' | 'searched' | 'foundIn'> & {
  readonly row: Row;
  /** The position in the table, from 0. Assistive technology counts the header as the first row. */
  readonly index: number;
  readonly height: number;
  /** What a press of the button with the row's name opens; undefined if there is no such button. */
  readonly opens: 'row' | 'menu' | undefined;
  /** The `selection` or, without one, the table's own selection, which has no checkboxes. */
  readonly chosen: TableSelection<Row> | undefined;
  readonly onBox: (row: Row, index: number, event: ChangeEvent) => void;
};

const PlainRow = <Row,>(props: TableRowProps<Row>) => {
  const { columns, row, index, height, opens, selection, chosen, checks, searched, foundIn, onBox } = props;
  const styles = useTableStyles();
  // Cells contain dates and words. The hook renders the row again when the formats or the language change.
  useWordsRevision();
  const boxes: Pick<RowChecks<Row>, 'has' | 'rowLabel' | 'describedBy' | 'isShown'> | undefined = checks ?? selection;
  const hasControl = (boxes ?? opens) !== undefined;
  const isSelected = chosen?.has(row) === true;
  const isShown = boxes?.isShown?.(row) === true;
  const cells = columns.map((column) => ({ column, cell: column.cell(row) }));
  return (
    <tr
      aria-rowindex={index + 2}
      data-row={index}
      tabIndex={hasControl || chosen === undefined ? undefined : -1}
      aria-selected={selection ? isSelected : isSelected || undefined}
      aria-current={isShown ? 'true' : undefined}
      className={mergeClasses(
        styles.row,
        (opens === 'row' || selection) && styles.openable,
        (isSelected || isShown) && styles.selected,
      )}
      draggable={checks?.onDrag !== undefined}
    >
      {boxes && (
        <td className={mergeClasses(styles.cell, styles.select, styles.first)} style={{ height }}>
          <Box
            aria-label={boxes.rowLabel(row)}
            aria-describedby={boxes.describedBy?.(row)}
            className={styles.bare}
            checked={boxes.has(row)}
            onChange={(event) => onBox(row, index, event)}
          />
        </td>
      )}
      {cells.map(({ column, cell }, position) => {
        // No search looks at the times and numbers of the columns with a `value`.
        const isSearched = searched && typeof cell === 'string' && cell !== '' && column.value === undefined;
        const content = isSearched ? <Marked text={cell} searched={searched} /> : cell;
        const isName = position === 0;
        return (
          <td
            key={column.id}
            className={mergeClasses(
              styles.cell,
              column.align === 'end' && styles.end,
              isName && mergeClasses(styles.first, boxes && styles.besideBoxes),
            )}
            style={{ height }}
            title={typeof cell === 'string' ? cell : undefined}
          >
            {isName && opens !== undefined && checks === undefined ? (
              <button
                type="button"
                data-row-name
                className={styles.name}
                aria-haspopup={opens === 'menu' ? 'menu' : undefined}
              >
                {content === '' ? t('common.unnamed') : content}
                {searched && foundIn && <FoundInLine fields={foundIn(row, cells.flatMap(textOf), searched)} />}
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

const textOf = ({ cell }: { readonly cell: ReactNode }): readonly string[] => (typeof cell === 'string' ? [cell] : []);

/**
 * A row of a table, rendered again only when its props, the words or the formats change, because scrolling renders the
 * table many times a second.
 */
const TableRow = memo(PlainRow) as typeof PlainRow;
