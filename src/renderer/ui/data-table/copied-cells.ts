/** Rows of a table as other programs take them from the clipboard. */
import { isValidElement } from 'react';
import type { Column } from './column.ts';

export type CopiedCells = { readonly text: string; readonly html: string };

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
