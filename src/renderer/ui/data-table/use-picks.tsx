import { Button, makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import {
  type ComponentProps,
  type DragEvent,
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { pastedCell, sheetFormat } from '../../../contract/text.ts';
import { formats } from '../../words/formats.ts';
import { t } from '../../words/words.ts';
import { isInside, useLatest, useOnChange, useWindowEvent } from '../hooks.ts';
import { isShortcut, isTextField } from '../is-mac.ts';
import { sideBySide } from '../styles.ts';
import type { Column } from './columns.tsx';
import { useTableStyles } from './styles.ts';
import { type RowId, type Rows, readStep, type TableSelection, useSelection } from './use-selection.ts';

/**
 * The maximum number of rows that can be copied, which is more than users paste. An export to a file has no such limit.
 */
const mostCopied = 10_000;

type Said = () => string;

/**
 * Copies rows of the table to the clipboard. In the result, `copy` copies the selected rows or, if none is selected,
 * the row with the focus; `said` is the message about the last copy.
 */
const useRowCopy = <Row,>({ scroller, columns, rows: of, active }: UsePicks<Row>, selection?: TableSelection<Row>) => {
  const { count, rowAt } = of;
  const [said, setSaid] = useState<{ readonly text: Said; readonly times: number }>();
  const say = (text: Said | undefined): void => setSaid((before) => text && { text, times: (before?.times ?? 0) + 1 });
  const selected = selection?.ids.size ?? 0;

  /** Returns the rows to copy that are loaded, in the order of the table. */
  const loaded = (): readonly Row[] => {
    const focused = rowAt(active);
    if (selected === 0) return focused === undefined ? [] : [focused];
    const rows: Row[] = [];
    for (let index = 0; index < count && rows.length < selected; index += 1) {
      const row = rowAt(index);
      if (row !== undefined && selection?.has(row)) rows.push(row);
    }
    return rows;
  };
  const read = async (): Promise<readonly Row[]> => {
    const rows: Row[] = [];
    for (let offset = 0; offset < count && rows.length < Math.min(selected, mostCopied); offset += readStep) {
      const page = await of.read(offset, Math.min(readStep, count - offset));
      rows.push(...page.rows.filter((row) => selection?.has(row)));
    }
    return rows;
  };
  const copy = useLatest(() => {
    const here = loaded();
    const isHere = here.length >= selected;
    if (!isHere) say(() => t('common.rows.copying'));
    const rows = (isHere ? Promise.resolve(here) : read()).then((all) => all.slice(0, mostCopied));
    // The clipboard can be set only in direct response to a key or a click, so it gets promises of the cells.
    const cells = rows.then((all) => copiedCells(columns, all));
    const item = (type: string, part: keyof CopiedCells) => cells.then((copied) => new Blob([copied[part]], { type }));
    const items = { 'text/plain': item('text/plain', 'text'), 'text/html': item('text/html', 'html') };
    Promise.all([rows, navigator.clipboard.write([new ClipboardItem(items)])]).then(
      ([{ length: copied }]) =>
        say(() =>
          copied < selected && copied === mostCopied
            ? t('common.rows.copiedPart', { copied, count: selected })
            : t('common.rows.copied', { count: copied }),
        ),
      () => say(() => t('shell.copyImpossible')),
    );
  });
  const copiesRows = (target: EventTarget): boolean =>
    selection !== undefined && !hasText(scroller.current, target) && (selected > 0 || rowAt(active) !== undefined);
  // Copy in the system's menu dispatches its event at the body if no text is selected, so a listener in the table would
  // miss it.
  useWindowEvent('copy', (event) => {
    const { activeElement } = document;
    if (event.defaultPrevented || getSelection()?.isCollapsed === false) return;
    if (!activeElement || !scroller.current?.contains(activeElement) || !copiesRows(activeElement)) return;
    event.preventDefault();
    copy();
  });
  return { copiesRows, copy, said, say };
};

/** Whether text is selected in the table, or `target` is a text field. In both cases Ctrl+C copies text, not rows. */
const hasText = (table: HTMLElement | null, target: EventTarget): boolean => {
  if (isTextField(target)) return true;
  const selected = getSelection();
  return selected !== null && !selected.isCollapsed && table !== null && selected.containsNode(table, true);
};

type CopiedCells = { readonly text: string; readonly html: string };

type Cell = string | number;

/** Converts `rows` to tab-separated text and to a table in HTML. */
const copiedCells = <Row,>(columns: readonly Column<Row>[], rows: readonly Row[]): CopiedCells => {
  const written = (cell: Cell): string => pastedCell(cell, sheetFormat(formats().number));
  const cells = rows.map((row) => columns.map((column) => cellOf(column, row)));
  return {
    text: cells.map((row) => `${row.map(written).join('\t')}\r\n`).join(''),
    html: `<table>${cells.map((row) => `<tr>${row.map((cell) => td(cell, written(cell))).join('')}</tr>`).join('')}</table>`,
  };
};

export const cellOf = <Row,>({ text, cell }: Column<Row>, row: Row): Cell => {
  if (text) return text(row);
  const content = cell(row);
  return typeof content === 'string' || typeof content === 'number' ? content : '';
};

/**
 * Returns the HTML of a cell. Texts are marked as such, because Excel would otherwise read a postcode as a number, and
 * "3-4" as a day.
 */
const td = (cell: Cell, written: string): string => {
  const style = typeof cell === 'number' ? '' : ` style="mso-number-format:'\\@'"`;
  return `<td${style}>${written.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</td>`;
};

type Checked = boolean | 'mixed';

/**
 * A column with a checkbox for each row. `describedBy`: the id of the element that describes the checkbox; `isShown`:
 * whether the row is shown in a panel. The object should be stable, because a new one renders the rows again.
 */
export type RowChecks<Row> = {
  readonly heading: string;
  readonly has: (row: Row) => Checked;
  readonly toggle: (row: Row, index: number) => void;
  readonly rowLabel: (row: Row) => string;
  readonly describedBy?: (row: Row) => string;
  readonly isShown?: (row: Row) => boolean;
  /** Makes rows draggable; called when a drag begins. */
  readonly onDrag?: (row: Row, event: DragEvent) => void;
};

type SelectAllProps = {
  readonly selection: Pick<TableSelection<never>, 'ids' | 'all' | 'none' | 'allLabel'>;
  readonly total: number;
  readonly tabStop: boolean;
};

export const selectWidth = '40px';

type BoxProps = Omit<ComponentProps<'input'>, 'checked' | 'type'> & { readonly checked: Checked };

export const Box = ({ checked, className, ...rest }: BoxProps) => {
  const styles = useTableStyles();
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    // Sets the mixed state after each render, because there is no attribute for it, and a click ends it.
    if (box.current) box.current.indeterminate = checked === 'mixed';
  });
  return (
    <input
      ref={box}
      type="checkbox"
      className={mergeClasses(styles.checkbox, className)}
      checked={checked === true}
      {...rest}
    />
  );
};

export const SelectAll = ({ selection: { ids, all, none, allLabel }, total, tabStop }: SelectAllProps) => {
  const styles = useTableStyles();
  const isAll = ids.size > 0 && ids.size >= total;
  return (
    <th scope="col" className={mergeClasses(styles.header, styles.select, styles.firstHeading)}>
      <Box
        aria-label={allLabel}
        tabIndex={tabStop ? 0 : -1}
        data-heading
        checked={isAll || (ids.size > 0 && 'mixed')}
        onChange={isAll ? none : all}
      />
    </th>
  );
};

type UsePicks<Row> = {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly columns: readonly Column<Row>[];
  readonly rows: Rows<Row>;
  /** The index of the row that Tab leads to. */
  readonly active: number;
  readonly rowKey: ((row: Row) => RowId) | undefined;
  readonly selection: TableSelection<Row> | undefined;
};

/**
 * Handles the selection of a table's rows, which `rowKey` identifies. Ctrl+A selects all rows, Shift and Ctrl select
 * several, Ctrl+C copies the selected rows, and Escape clears the table's own selection. In the result, `picks` is the
 * table's own selection (undefined if the page has a selection, or without `rowKey`), and `chosen` is the page's
 * selection or else `picks`.
 */
export const usePicks = <Row,>(options: UsePicks<Row>) => {
  const { rows, rowKey, selection } = options;
  const styles = useSelectionBarStyles();
  const own = useSelection<Row, RowId>({
    rows,
    idOf: (row) => rowKey?.(row) ?? '',
    replaces: true,
    onError: () => say(() => t('common.rows.notSelected')),
    rowLabel: String,
    allLabel: '',
  });
  const picks = selection === undefined && rowKey !== undefined ? own : undefined;
  const chosen = selection ?? picks;
  const { copiesRows, copy, said, say } = useRowCopy(options, chosen);
  useOnChange(chosen?.ids, () => say(undefined));
  const selected = picks?.ids.size ?? 0;
  const clear = (): void => {
    picks?.none();
    say(undefined);
  };
  return {
    picks,
    chosen,
    /**
     * To be called for a key in the rows after `useRowFocus` has handled it. `index`: the row that had the focus
     * before.
     */
    onRowKey: (event: KeyboardEvent, index: number): void => {
      const row = rows.rowAt(index);
      if (picks === undefined) return;
      if (event.key === ' ' && event.ctrlKey && row !== undefined) {
        event.preventDefault();
        picks.toggle(row, index);
      } else if (event.defaultPrevented && !event.shiftKey && picks.ids.size > 0) {
        // Moving the focus without Shift clears the selection, as in a list of files.
        picks.none();
      }
    },
    onKeyDown: (event: KeyboardEvent): void => {
      const { key, target } = event;
      if (event.defaultPrevented || !isInside(event) || chosen === undefined || isTextField(target)) return;
      if (key.toLowerCase() === 'a' && isShortcut(event)) {
        event.preventDefault();
        // A text selection would otherwise stay highlighted, and be copied.
        getSelection()?.removeAllRanges();
        chosen.all();
      } else if (key.toLowerCase() === 'c' && isShortcut(event) && copiesRows(target)) {
        event.preventDefault();
        copy();
      } else if (key === 'Escape' && selected > 0) {
        event.preventDefault();
        event.stopPropagation();
        clear();
      }
    },
    copy,
    clear,
    /** Shows a message below the rows until the selection changes. */
    say,
    /**
     * A bar below the rows. It says how many rows are selected, unless the page has its own selection, and what was
     * copied.
     */
    bar: (
      <div className={selected > 0 || said !== undefined ? styles.bar : undefined}>
        <span role="status">{selected > 0 && t('common.rows.selected', { count: selected })}</span>
        {selected > 0 && (
          <>
            <Button size="small" onClick={copy}>
              {t('common.rows.copy')}
            </Button>
            <Button size="small" appearance="subtle" onClick={clear}>
              {t('common.rows.clear')}
            </Button>
          </>
        )}
        <span role="status" className={styles.said}>
          {/* A new element is announced even if its text is that of the previous one. */}
          <span key={said?.times}>{said?.text()}</span>
        </span>
      </div>
    ),
  };
};

const useSelectionBarStyles = makeStyles({
  // The bar covers rows rather than moving them when it appears.
  bar: {
    position: 'sticky',
    left: 0,
    bottom: 0,
    zIndex: 2,
    ...sideBySide(tokens.spacingHorizontalM),
    boxSizing: 'border-box',
    minHeight: '36px',
    padding: `0 ${tokens.spacingHorizontalM}`,
    borderTop: `1px solid ${tokens.colorNeutralStroke1}`,
    backgroundColor: tokens.colorNeutralBackground3,
    color: tokens.colorNeutralForeground1,
    fontSize: tokens.fontSizeBase200,
    // Removes the gap after an empty count, so that the message after it is aligned with the cells.
    '& > :first-child:empty': { marginInlineEnd: `calc(-1 * ${tokens.spacingHorizontalM})` },
    '@media print': { display: 'none' },
  },
  said: { color: tokens.colorNeutralForeground2 },
});
