/** Tables and figures for terminals. */

import { serviceTimeMs, type TimeBase } from '../../../../contract/resources.ts';
import { formatSize } from '../../../../words/size.ts';
import type { Speech } from '../../../../words/speech.ts';
import { plain } from '../../shared/terminal.ts';

// A plain table for a terminal: columns as wide as their widest cell, numbers to the right.

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

// How many columns of a terminal a text takes.

/** One column for each UTF-16 unit: Latin letters, with the accents that are part of them. */
const SIMPLE = /^[\u0020-\u007e\u00a0-\u02ff]*$/;

/** East Asian characters and emoji; not the halfwidth forms. */
const WIDE =
  /^(?:(?![\uff61-\uffdc])[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Yi}]|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\p{Emoji}\ufe0f)/u;

/** As people see them: a letter with its accents, or an emoji with its parts. */
const characters = (text: string): readonly string[] =>
  Array.from(new Intl.Segmenter('en').segment(text), ({ segment }) => segment);

const widthOf = (character: string): number => (WIDE.test(character) ? 2 : 1);

/** The columns that `text` takes. It has no control characters. */
export const textWidth = (text: string): number =>
  SIMPLE.test(text) ? text.length : characters(text).reduce((width, character) => width + widthOf(character), 0);

/** `text`, cut between two characters to at most `width` columns with an ellipsis where it takes more. */
export const cutToWidth = (text: string, width: number): string => {
  if (textWidth(text) <= width) return text;
  let taken = 1;
  let cut = '';
  for (const character of characters(text)) {
    taken += widthOf(character);
    if (taken > width) break;
    cut += character;
  }
  return `${cut}…`;
};

// Sizes, speeds and times in words.

/** A size as the window shows it in this language: "1.5 MB", "1,5 MB". */
export const formatBytes = (bytes: number, { locale }: Pick<Speech<'host'>, 'locale'>): string =>
  formatSize(bytes, locale);

/** A time of the service (InspectionDate, StartTime, PlanAfter) as local date and time. */
export const formatServiceTime = (value: number, base: TimeBase): string => formatTime(serviceTimeMs(value, base));

/** A time of the app, ms since 1970, as local date and time. */
export const formatTime = (ms: number): string => new Date(ms).toLocaleString();
