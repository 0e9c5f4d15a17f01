/** Copies rows of a table as cells, for spreadsheet programs. */
import { type ClipboardEvent, isValidElement, type RefObject, useState } from 'react';
import { useLatest } from '../hooks.ts';
import { useUi } from '../ui-context.ts';
import type { Column } from './columns.tsx';
import { readStep, type TableSelection } from './use-selection.ts';

/** More rows than anybody pastes; all of them are in a file of a table that can be saved. */
const mostCopied = 10_000;

type UseCopy<Row> = {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly columns: readonly Column<Row>[];
  readonly count: number;
  readonly rowAt: (index: number) => Row | undefined;
  readonly selection: TableSelection<Row> | undefined;
  /** The row that is copied if none is selected. */
  readonly activeNow: () => number;
};

type Copy = {
  readonly onCopy: (event: ClipboardEvent) => void;
  /** Whether a key pressed there copies rows, rather than text. */
  readonly copiesRows: (target: EventTarget) => boolean;
  /** Copies the selected rows, without an event of the browser. */
  readonly copySelected: () => void;
  /** What was copied last; undefined before, and once it is forgotten. */
  readonly said: string | undefined;
  readonly say: (text: string) => void;
  readonly forget: () => void;
};

/** Copies the selected rows of a table as cells. Rows that are not in view are read first. */
export const useCopy = <Row>({ scroller, columns, count, rowAt, selection, activeNow }: UseCopy<Row>): Copy => {
  const { texts, sheetCell } = useUi();
  const [said, say] = useState<string>();

  /** Those of the selected rows that are here, in the order of the table. */
  const loaded = (): readonly Row[] => {
    const focused = rowAt(activeNow());
    if (selection === undefined) return [];
    const wanted = selection.ids.size;
    if (wanted === 0) return focused === undefined ? [] : [focused];
    const rows: Row[] = [];
    for (let index = 0; index < count && rows.length < wanted; index += 1) {
      const row = rowAt(index);
      if (row !== undefined && selection.has(row)) rows.push(row);
    }
    return rows;
  };
  const read = async ({ ids, has, read: rowsFrom }: TableSelection<Row>): Promise<readonly Row[]> => {
    const rows: Row[] = [];
    const wanted = Math.min(ids.size, mostCopied);
    for (let offset = 0; offset < count && rows.length < wanted; offset += readStep)
      rows.push(...(await rowsFrom(offset, Math.min(readStep, count - offset))).rows.filter(has));
    return rows.slice(0, wanted);
  };
  const sayCopied = (rows: readonly Row[]): void => {
    const selected = selection?.ids.size ?? 0;
    say(rows.length < selected ? texts.copiedPart(rows.length, selected) : texts.copied(rows.length));
  };
  /** A promise for each type: what is on the clipboard may be set only in answer to a key or a click. */
  const write = async (cells: Promise<CopiedCells>): Promise<void> => {
    const item = (type: string, part: keyof CopiedCells) => cells.then((copied) => new Blob([copied[part]], { type }));
    const items = { 'text/plain': item('text/plain', 'text'), 'text/html': item('text/html', 'html') };
    await navigator.clipboard.write([new ClipboardItem(items)]);
  };
  const copySelected = useLatest(() => {
    if (selection === undefined) return;
    const here = loaded();
    const isHere = here.length === Math.max(1, selection.ids.size) && here.length <= mostCopied;
    const rows = isHere ? Promise.resolve(here) : read(selection);
    if (!isHere) say(texts.copying);
    const written = write(rows.then((all) => copiedCells(columns, all, sheetCell)));
    Promise.all([rows, written]).then(
      ([all]) => sayCopied(all),
      () => say(texts.notCopied),
    );
  });
  const onCopy = useLatest((event: ClipboardEvent): void => {
    if (selection === undefined || event.defaultPrevented || hasText(scroller.current, event.target)) return;
    const here = loaded();
    if (here.length === 0 && selection.ids.size === 0) return;
    event.preventDefault();
    if (here.length < selection.ids.size || here.length > mostCopied) {
      copySelected();
      return;
    }
    const { text, html } = copiedCells(columns, here, sheetCell);
    event.clipboardData.setData('text/plain', text);
    event.clipboardData.setData('text/html', html);
    sayCopied(here);
  });
  const copiesRows = (target: EventTarget): boolean =>
    selection !== undefined &&
    !hasText(scroller.current, target) &&
    (selection.ids.size > 0 || rowAt(activeNow()) !== undefined);
  return { onCopy, copiesRows, copySelected, said, say, forget: () => say(undefined) };
};

/** Whether a person has selected text in the table, or is in a field: then that is what is copied. */
const hasText = (table: HTMLElement | null, target: EventTarget): boolean => {
  if (target instanceof HTMLInputElement && target.type !== 'checkbox') return true;
  const selected = getSelection();
  return selected !== null && !selected.isCollapsed && table !== null && selected.containsNode(table, true);
};

type CopiedCells = { readonly text: string; readonly html: string };

type Cell = string | number;

/** `rows` as tab-separated text and as a table in HTML, each cell as `written`. Columns that have no texts, such as those of buttons, are left out. */
export const copiedCells = <Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  written: (cell: Cell) => string,
): CopiedCells => {
  const texts = columns.filter(
    ({ text, cell }) => text !== undefined || !rows.some((row) => isValidElement(cell(row))),
  );
  const cells = rows.map((row) => texts.map((column) => cellOf(column, row)));
  return {
    text: cells.map((row) => `${row.map(written).join('\t')}\r\n`).join(''),
    html: `<table>${cells.map((row) => `<tr>${row.map((cell) => td(cell, written(cell))).join('')}</tr>`).join('')}</table>`,
  };
};

const cellOf = <Row>({ text, cell }: Column<Row>, row: Row): Cell => {
  if (text !== undefined) return text(row);
  const content = cell(row);
  return typeof content === 'string' || typeof content === 'number' ? content : '';
};

/** Excel would read a postcode as a number, and "3-4" as a day, unless the cell is one of text. */
const td = (cell: Cell, written: string): string => {
  const style = typeof cell === 'number' ? '' : ` style="mso-number-format:'\\@'"`;
  return `<td${style}>${written.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</td>`;
};
