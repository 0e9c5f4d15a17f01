/** A plain table for a terminal: columns as wide as their widest cell, numbers to the right. */

/** `whole`: never cut, as what is to be copied into another command. */
export type Column<T> = {
  readonly title: string;
  readonly cell: (row: T) => string | number;
  readonly whole?: boolean;
};

const WIDEST = 48;

/** The rows under a line of titles; a cell of more than 48 characters is cut, unless its column is `whole`. */
export const formatTable = <T>(rows: readonly T[], columns: readonly Column<T>[]): string => {
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row)));
  const widths = columns.map(({ title, whole }, index) => {
    const widest = cells.reduce((width, row) => Math.max(width, String(row[index]).length), title.length);
    return whole ? widest : Math.min(WIDEST, widest);
  });
  const line = (values: readonly (string | number)[]): string =>
    values
      .map((value, index) => fit(value, widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(columns.map(({ title }) => title)), ...cells.map(line)].join('\n');
};

const fit = (value: string | number, width: number): string => {
  // Control characters of a service's text could steer the terminal.
  const text = String(value).replaceAll(/\p{Cc}/gu, ' ');
  const cut = text.length > width ? `${text.slice(0, width - 1)}…` : text;
  return typeof value === 'number' ? cut.padStart(width) : cut.padEnd(width);
};
