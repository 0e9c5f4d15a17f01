import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { Warning16Regular } from '@fluentui/react-icons';
import { type ChangeEvent, type MouseEvent, memo, type ReactNode, useLayoutEffect, useRef } from 'react';
import { marksIn } from '../../../contract/search.ts';
import { useWordsRevision } from '../../words/formats.ts';
import { t } from '../../words/words.ts';
import { MiddleCut } from '../middle-cut.tsx';
import { oneLine } from '../styles.ts';
import type { Column } from './columns.tsx';
import { controlAt, focusOf, leaveOneStop } from './row-focus.ts';
import { useTableStyles } from './styles.ts';
import { Box, type RowChecks } from './use-picks.tsx';
import type { TableSelection } from './use-selection.ts';

const useStyles = makeStyles({
  line: { display: 'block', overflow: 'hidden', textOverflow: 'ellipsis' },
  name: { fontWeight: tokens.fontWeightSemibold },
  proposed: { color: tokens.colorNeutralForeground3, fontStyle: 'italic' },
  minor: {
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    // The second line is not bold, even in the button of a row, whose text is bold.
    fontWeight: tokens.fontWeightRegular,
    color: tokens.colorNeutralForeground3,
  },
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
    // The system's own colours for marks may not differ enough from the text.
    '@media (forced-colors: active)': { forcedColorAdjust: 'none', backgroundColor: 'Canvas', color: 'CanvasText' },
  },
});

type TwoLinesProps = {
  readonly first: ReactNode;
  /** The second line, in smaller type. An empty text leaves it out. */
  readonly second: ReactNode;
  readonly title?: string | undefined;
  readonly look?: 'name' | 'proposed' | undefined;
};

/** The content of a cell in two lines, for tables with a `rowHeight` of 52. */
export const TwoLines = ({ first, second, title, look }: TwoLinesProps) => {
  const styles = useStyles();
  return (
    <span className={styles.line} title={title}>
      <span className={mergeClasses(styles.line, look && styles[look])}>{first}</span>
      {second !== '' && <span className={mergeClasses(styles.line, styles.minor)}>{second}</span>}
    </span>
  );
};

/** Returns the cells of a column of names. A name that does not fit is cut in the middle. */
export const nameCells = <Row,>(nameOf: (row: Row) => string) => ({
  cell: (row: Row) => <MiddleCut name={nameOf(row)} />,
  text: nameOf,
});

/**
 * A field in which a search found a record. `name`: the field's name; `value`: its text; `searched`: the searched text,
 * whose words are marked in `value`.
 */
export type FoundIn = { readonly name: string; readonly value: string; readonly searched: string };

export type FindReason<Row> = (row: Row, shown: readonly string[], searched: string) => readonly FoundIn[];

/** Shows `text` with the words of `searched` marked. */
export const Marked = ({ text, searched }: { readonly text: string; readonly searched: string }) => {
  const styles = useStyles();
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
  const styles = useStyles();
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

/** A row in place of a record that could not be read. */
export const UnreadableRow = ({ index, height, span }: UnreadableRowProps) => {
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
export type OpenMenu<Row> = (row: Row, event: MouseEvent) => void;

export type TableRowProps<Row> = {
  readonly columns: readonly Column<Row>[];
  readonly row: Row;
  /** The position in the table, from 0. Assistive technology counts the header as the first row. */
  readonly index: number;
  readonly height: number;
  readonly open?: ((row: Row) => void) | undefined;
  readonly menu?: OpenMenu<Row> | undefined;
  /** Opens the table's own menu. Used only if `menu` is undefined. */
  readonly onMenu?: ((index: number, event: MouseEvent) => void) | undefined;
  readonly selection?: TableSelection<Row> | undefined;
  /** The table's own selection, without checkboxes. Used only if `selection` is undefined. */
  readonly picks?: TableSelection<Row> | undefined;
  /** Selects the rows from the one chosen last to the row at `index`. */
  readonly onExtend?: ((index: number) => void) | undefined;
  readonly checks?: RowChecks<Row> | undefined;
  readonly searched?: string | undefined;
  readonly foundIn?: FindReason<Row> | undefined;
  readonly tabStop: boolean;
  readonly onFocus: (index: number) => void;
};

/** The maximum distance in px between press and release of a click; beyond it, the user may have selected text. */
const dragPx = 4;

/**
 * Handles clicks in a row, except on its controls. A click opens the row and clears the selection; if rows cannot be
 * opened, it selects only this row. If the row has a checkbox of the selection, a click toggles the checkbox and opens
 * the row. With Shift, Ctrl or Command, a click changes the selection and opens nothing. A click that ends a selection
 * of text does nothing.
 */
const useRowClicks = <Row,>(props: TableRowProps<Row>) => {
  const { row, index, open, selection, picks, onExtend, checks } = props;
  const chosen = selection ?? picks;
  const hasBox = selection !== undefined && checks === undefined;
  const pressed = useRef({ x: 0, y: 0 });
  const choose = (range: boolean): void => {
    if (range) onExtend?.(index);
    else chosen?.toggle(index, row);
  };
  /**
   * Whether the click ends a selection of text with the pointer. Text that was selected in another way, such as by
   * Select all, does not count.
   */
  const hasSelectedText = ({ clientX, clientY, detail }: MouseEvent): boolean =>
    (Math.hypot(clientX - pressed.current.x, clientY - pressed.current.y) > dragPx || detail > 1) &&
    getSelection()?.isCollapsed === false;
  const onClick = (event: MouseEvent): void => {
    const { target, currentTarget, shiftKey, ctrlKey, metaKey } = event;
    // Controls in the row handle their own clicks, except the button with its name.
    if (controlAt(target)?.hasAttribute('data-row-name') === false || hasSelectedText(event)) return;
    // The row gets the focus, so that the keyboard continues from it, even after another page was shown.
    if (currentTarget instanceof HTMLElement) focusOf(currentTarget)?.focus({ preventScroll: true });
    const hasKey = shiftKey || ctrlKey || metaKey;
    if (hasKey || hasBox) choose(shiftKey);
    else if (open === undefined) chosen?.only(index, row);
    else chosen?.none();
    if (!hasKey) open?.(row);
  };
  const onMouseDown = (event: MouseEvent): void => {
    pressed.current = { x: event.clientX, y: event.clientY };
    // The default action of the press would select text instead of rows.
    if (event.shiftKey) event.preventDefault();
  };
  return { onClick, onMouseDown, choose };
};

const boxOf = <Row,>({ row, index, checks, selection }: TableRowProps<Row>, choose: (range: boolean) => void) =>
  checks === undefined
    ? selection && {
        'aria-label': selection.rowLabel(row),
        checked: selection.has(row),
        onChange: ({ nativeEvent }: ChangeEvent) => choose('shiftKey' in nativeEvent && nativeEvent.shiftKey === true),
      }
    : {
        'aria-label': checks.rowLabel(row),
        checked: checks.has(row),
        'aria-describedby': checks.describedBy?.(row),
        onChange: () => checks.toggle(row, index),
      };

/**
 * A row. Unless it has `checks`, its name is a button: with `open`, one that opens the row; with a `menu` but neither
 * `open` nor `selection`, one that opens the menu.
 */
const PlainRow = <Row,>(props: TableRowProps<Row>) => {
  const { columns, row, index, height, open, menu, onMenu, selection, picks, checks } = props;
  const { searched, foundIn, tabStop, onFocus } = props;
  const styles = useTableStyles();
  // Cells contain dates and words. The hook renders the row again when the formats or the language change.
  useWordsRevision();
  const menuAlone = (open ?? selection) === undefined ? menu : undefined;
  const chosen = selection ?? picks;
  const { onClick, onMouseDown, choose } = useRowClicks(props);
  const box = boxOf(props, choose);
  const hasControl = box !== undefined || (open ?? menuAlone) !== undefined;
  const stop = tabStop ? 0 : -1;
  const element = useRef<HTMLTableRowElement>(null);
  useLayoutEffect(() => {
    if (element.current) leaveOneStop(element.current);
  });
  const cells = columns.map((column) => ({ column, cell: column.cell(row) }));
  return (
    <tr
      ref={element}
      aria-rowindex={index + 2}
      data-row={index}
      tabIndex={hasControl || chosen === undefined ? undefined : stop}
      aria-selected={selection === undefined ? picks?.has(row) || undefined : selection.has(row)}
      aria-current={checks?.isShown?.(row) === true ? 'true' : undefined}
      className={mergeClasses(
        styles.row,
        (open ?? selection) && styles.openable,
        (chosen?.has(row) || checks?.isShown?.(row)) && styles.selected,
      )}
      onClick={(open ?? chosen) && onClick}
      onMouseDown={onMouseDown}
      onContextMenu={menu ? (event) => menu(row, event) : onMenu && ((event) => onMenu(index, event))}
      onFocus={() => onFocus(index)}
      draggable={checks?.onDrag !== undefined}
      onDragStart={(event) => checks?.onDrag?.(row, event)}
    >
      {box && (
        <td className={mergeClasses(styles.cell, styles.select, styles.first)} style={{ height }}>
          <Box {...box} className={styles.bare} tabIndex={stop} />
        </td>
      )}
      {cells.map(({ column, cell }, position) => {
        const content =
          searched && typeof cell === 'string' && cell !== '' ? <Marked text={cell} searched={searched} /> : cell;
        const isName = position === 0;
        return (
          <td
            key={column.id}
            className={mergeClasses(
              styles.cell,
              column.align === 'end' && styles.end,
              isName && mergeClasses(styles.first, box && styles.besideBoxes),
            )}
            style={{ height }}
            title={typeof cell === 'string' ? cell : undefined}
          >
            {isName && (open ?? menuAlone) !== undefined && checks === undefined ? (
              <NameButton
                tabStop={tabStop}
                onMenu={menuAlone && ((event) => menuAlone(row, event))}
                foundIn={searched && foundIn ? foundIn(row, cells.flatMap(textOf), searched) : []}
              >
                {content === '' ? t('common.unnamed') : content}
              </NameButton>
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

type NameButtonProps = {
  readonly tabStop: boolean;
  /** Opens the menu of the row; undefined if a click on the button opens the row. */
  readonly onMenu: ((event: MouseEvent) => void) | undefined;
  readonly foundIn: readonly FoundIn[];
  readonly children: ReactNode;
};

const NameButton = ({ tabStop, onMenu, foundIn, children }: NameButtonProps) => {
  const styles = useTableStyles();
  return (
    <button
      type="button"
      data-row-name
      className={styles.name}
      tabIndex={tabStop ? 0 : -1}
      aria-haspopup={onMenu && 'menu'}
      onClick={onMenu && ((event) => event.shiftKey || event.ctrlKey || event.metaKey || onMenu(event))}
    >
      {children}
      <FoundInLine fields={foundIn} />
    </button>
  );
};

/**
 * A row of a table, rendered again only when its props, the words or the formats change, because scrolling renders the
 * table many times a second.
 */
export const TableRow = memo(PlainRow) as typeof PlainRow;
