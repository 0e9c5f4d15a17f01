import { Button, makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
} from 'react';
import { useLatest, useOnChange } from '../hooks.ts';
import { useUi } from '../ui-context.ts';
import type { Column } from './columns.tsx';
import { useTableStyles } from './styles.ts';
import { useCopy } from './use-copy.ts';
import { type ReadRows, type RowId, type TableSelection, useSelection } from './use-selection.ts';

/** A column of checkboxes, one a row, and what else a row with one can do. Keep it stable: it renders the rows again. */
export type RowChecks<Row> = {
  /** The heading, for screen readers. */
  readonly heading: string;
  readonly has: (row: Row) => boolean;
  readonly toggle: (row: Row, index: number) => void;
  /** The name of a row's checkbox. */
  readonly rowLabel: (row: Row) => string;
  /** The id of the element that describes the row. */
  readonly describedBy?: (row: Row) => string;
  /** Whether more of this row is shown beside the table. */
  readonly isShown?: (row: Row) => boolean;
  /** Makes rows draggable; called when a drag begins. */
  readonly onDrag?: (row: Row, event: DragEvent) => void;
};

// The column of checkboxes in a table whose rows can be selected.

type SelectAllProps = {
  readonly selection: Pick<TableSelection<never>, 'ids' | 'all' | 'none' | 'allLabel'>;
  readonly total: number;
  /** Whether Tab leads to it. */
  readonly tabStop: boolean;
};

export const selectWidth = '40px';

/** The heading: selects every row, or none. */
export const SelectAll = ({ selection: { ids, all, none, allLabel }, total, tabStop }: SelectAllProps) => {
  const styles = useTableStyles();
  const box = useRef<HTMLInputElement>(null);
  const isAll = ids.size > 0 && ids.size >= total;
  const isSome = ids.size > 0 && !isAll;
  useEffect(() => {
    // No attribute sets it.
    if (box.current) box.current.indeterminate = isSome;
  }, [isSome]);
  return (
    <th scope="col" className={mergeClasses(styles.header, styles.select)}>
      <input
        ref={box}
        type="checkbox"
        className={styles.checkbox}
        aria-label={allLabel}
        tabIndex={tabStop ? 0 : -1}
        data-heading
        checked={isAll}
        onChange={isAll ? none : all}
      />
    </th>
  );
};

/** The heading of checkboxes that mean something else than the selection. */
export const ChecksHeading = ({ heading }: { readonly heading: string }) => {
  const styles = useTableStyles();
  return (
    <th scope="col" className={mergeClasses(styles.header, styles.select)}>
      <span className={styles.unseen}>{heading}</span>
    </th>
  );
};

type SelectRowProps = {
  readonly label: string;
  readonly checked: boolean;
  readonly height: number;
  readonly tabStop: boolean;
  /** The id of the element that describes the row. */
  readonly describedBy?: string | undefined;
  /** `range`: Shift was held down. */
  readonly onChoose: (range: boolean) => void;
};

export const SelectRow = ({ label, checked, height, tabStop, describedBy, onChoose }: SelectRowProps) => {
  const styles = useTableStyles();
  return (
    <td className={mergeClasses(styles.cell, styles.select)} style={{ height }}>
      <input
        type="checkbox"
        className={mergeClasses(styles.checkbox, styles.bare)}
        aria-label={label}
        aria-describedby={describedBy}
        tabIndex={tabStop ? 0 : -1}
        checked={checked}
        onChange={({ nativeEvent }) => onChoose('shiftKey' in nativeEvent && nativeEvent.shiftKey === true)}
      />
    </td>
  );
};

// Selecting and copying rows, in every table: Ctrl+A selects all, Shift and Ctrl select several, Ctrl+C copies them. Escape
// ends it.

type UsePicks<Row> = {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly columns: readonly Column<Row>[];
  readonly count: number;
  readonly rowAt: (index: number) => Row | undefined;
  readonly rowKey: ((row: Row) => RowId) | undefined;
  /** Reads rows that are not in view; absent where `rowAt` has them all. */
  readonly read?: ReadRows<Row> | undefined;
  /** The page's own selection, if it has one. */
  readonly selection?: TableSelection<Row> | undefined;
};

type Picks<Row> = {
  /** The table's own selection; undefined where the page has one. */
  readonly picks: TableSelection<Row> | undefined;
  readonly chosen: TableSelection<Row> | undefined;
  /** Selects the rows from the one chosen last to this one. */
  readonly onExtend: (index: number) => void;
  /** For keys in the rows, once these have moved the focus; `index` is the row with the focus. */
  readonly onRowKey: (event: KeyboardEvent, index: number) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onCopy: (event: ClipboardEvent) => void;
  readonly clear: () => void;
  /** To be called with the row that has the focus. */
  readonly setActive: (index: number) => void;
  /** What stands below the rows. */
  readonly bar: ReactNode;
};

/** The selection of a table's rows, by their keys. */
export const usePicks = <Row,>(options: UsePicks<Row>): Picks<Row> => {
  const { scroller, columns, count, rowAt, rowKey, read, selection } = options;
  const { texts } = useUi();
  const active = useRef(0);
  const own = useSelection<Row, RowId>({
    read: read ?? (async (offset, limit) => ({ rows: rowsFrom(rowAt, offset, Math.min(limit, count - offset)) })),
    idOf: (row) => rowKey?.(row) ?? '',
    replaces: true,
    total: count,
    onError: () => say(texts.notSelected),
    rowLabel: String,
    allLabel: '',
  });
  const picks = selection === undefined && rowKey !== undefined ? own : undefined;
  const chosen = selection ?? picks;
  const copying = { scroller, columns, count, rowAt, selection: chosen, activeNow: () => active.current };
  const { onCopy, copiesRows, copySelected, said, say, forget } = useCopy(copying);
  useOnChange(chosen?.ids, forget);
  const clear = useLatest((): void => {
    picks?.none();
    forget();
  });
  return {
    picks,
    chosen,
    onExtend: useLatest((index: number) => chosen?.extend(active.current, index)),
    onRowKey: (event, index) => {
      const row = rowAt(index);
      if (picks === undefined) return;
      if (event.key === ' ' && event.ctrlKey && row !== undefined) {
        event.preventDefault();
        picks.toggle(index, row);
      } else if (event.defaultPrevented && !event.shiftKey && picks.ids.size > 0) {
        // As in a list of files, where the selection is where the keyboard is.
        picks.none();
      }
    },
    onKeyDown: (event) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
      const isTyping = target instanceof HTMLInputElement && target.type !== 'checkbox';
      if (event.defaultPrevented || chosen === undefined || isTyping) return;
      if (key.toLowerCase() === 'a' && (ctrlKey || metaKey) && !altKey && !shiftKey) {
        event.preventDefault();
        // What was selected as text would stay marked, and be copied.
        getSelection()?.removeAllRanges();
        chosen.all();
      } else if (key.toLowerCase() === 'c' && (ctrlKey || metaKey) && !altKey && !shiftKey && copiesRows(target)) {
        // Electron sends no copy event where no text is selected.
        event.preventDefault();
        copySelected();
      } else if (key === 'Escape' && picks !== undefined && picks.ids.size > 0) {
        event.preventDefault();
        event.stopPropagation();
        clear();
      }
    },
    onCopy,
    clear,
    setActive: (index) => {
      active.current = index;
    },
    bar: <SelectionBar selected={picks?.ids.size ?? 0} said={said} onCopy={copySelected} onClear={clear} />,
  };
};

const rowsFrom = <Row,>(rowAt: (index: number) => Row | undefined, offset: number, limit: number): readonly Row[] =>
  Array.from({ length: Math.max(0, limit) }, (_, at) => rowAt(offset + at)).filter((row) => row !== undefined);

const useSelectionBarStyles = makeStyles({
  // Over the rows, so that none of them moves while several are selected.
  bar: {
    position: 'sticky',
    left: 0,
    bottom: 0,
    zIndex: 1,
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalM,
    boxSizing: 'border-box',
    minHeight: '36px',
    padding: `0 ${tokens.spacingHorizontalM}`,
    borderTop: `1px solid ${tokens.colorNeutralStroke1}`,
    backgroundColor: tokens.colorNeutralBackground3,
    color: tokens.colorNeutralForeground1,
    fontSize: tokens.fontSizeBase200,
    ':empty': { display: 'none' },
    '@media print': { display: 'none' },
  },
  said: { color: tokens.colorNeutralForeground2 },
});

type SelectionBarProps = {
  /** How many rows are selected, if nothing else on the page says so. */
  readonly selected: number;
  readonly said: string | undefined;
  readonly onCopy: () => void;
  readonly onClear: () => void;
};

/** At the end of a table: how many rows are selected, and what was copied. */
const SelectionBar = ({ selected, said, onCopy, onClear }: SelectionBarProps) => {
  const styles = useSelectionBarStyles();
  const { texts } = useUi();
  const isShown = selected > 0 || said !== undefined;
  return (
    <div className={isShown ? styles.bar : undefined}>
      <span role="status">{selected > 0 && texts.selected(selected)}</span>
      {selected > 0 && (
        <>
          <Button size="small" onClick={onCopy}>
            {texts.copyRows}
          </Button>
          <Button size="small" appearance="subtle" onClick={onClear}>
            {texts.clearSelection}
          </Button>
        </>
      )}
      <span role="status" className={styles.said}>
        {said}
      </span>
    </div>
  );
};
