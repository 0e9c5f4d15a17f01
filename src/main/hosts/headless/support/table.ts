/** A plain table for a terminal: columns as wide as their widest cell, numbers to the right. */
import { plain } from '../../shared/terminal-text.ts';
import { cutToWidth, textWidth } from './text-width.ts';

/** `whole`: never cut, as what is to be copied into another command. */
export type Column<T> = {
  readonly title: string;
  readonly cell: (row: T) => string | number;
  readonly whole?: boolean;
};

type Cell = string | number;

const WIDEST = 48;

/** How many rows determine the column widths of a long table. */
const SAMPLE = 1000;

/** The lines of a table, titles first; a cell wider than 48 columns is cut, unless its column is `whole`. */
export const formatTable = <T>(rows: readonly T[], columns: readonly Column<T>[]): readonly string[] => {
  const cells = rows.map((row) => cellsOf(row, columns));
  const line = lineOf(cells, columns);
  return [line(columns.map(({ title }) => title)), ...cells.map(line)];
};

/**
 * The same of any number of rows, without holding them: the first 1,000 say how wide the columns are. What is longer
 * further down is cut, or stands out of its column where that is `whole`.
 */
export async function* streamTable<T>(rows: AsyncIterable<T>, columns: readonly Column<T>[]): AsyncGenerator<string> {
  const sample: T[] = [];
  let line: ((cells: readonly Cell[]) => string) | undefined;
  for await (const row of rows) {
    if (line) {
      yield line(cellsOf(row, columns));
    } else if (sample.push(row) === SAMPLE) {
      yield* formatTable(sample, columns);
      line = lineOf(
        sample.map((one) => cellsOf(one, columns)),
        columns,
      );
    }
  }
  if (!line) yield* formatTable(sample, columns);
}

const cellsOf = <T>(row: T, columns: readonly Column<T>[]): readonly Cell[] =>
  columns.map(({ cell }) => {
    const value = cell(row);
    return typeof value === 'number' ? value : plain(value);
  });

const lineOf = (cells: readonly (readonly Cell[])[], columns: readonly Column<never>[]) => {
  const widths = columns.map(({ title, whole }, index) => {
    const widest = cells.reduce((width, row) => Math.max(width, textWidth(String(row[index]))), textWidth(title));
    return whole ? widest : Math.min(WIDEST, widest);
  });
  return (values: readonly Cell[]): string =>
    values
      .map((value, index) => fit(value, widths[index] ?? 0, columns[index]?.whole === true))
      .join('  ')
      .trimEnd();
};

const fit = (value: Cell, width: number, whole: boolean): string => {
  const text = String(value);
  const cut = whole ? text : cutToWidth(text, width);
  const padding = ' '.repeat(Math.max(0, width - textWidth(cut)));
  return typeof value === 'number' ? padding + cut : cut + padding;
};
