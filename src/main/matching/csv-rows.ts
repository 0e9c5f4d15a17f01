/** Reads the CSV that spreadsheets write: with `,`, `;` or TAB, quotes, and any line ending. */

type CsvLine = { readonly line: number; readonly cells: readonly string[] };

/** The separator of `text`: the one that its first line has most of. */
const separatorOf = (text: string): string => {
  const [head = ''] = text.split(/\r?\n|\r/, 1);
  const count = (separator: string): number => head.split(separator).length;
  return [',', ';', '\t'].reduce((best, separator) => (count(separator) > count(best) ? separator : best));
};

/** The lines of `text`, numbered from 1; empty ones are left out. A quoted cell may go on over several lines. */
export const csvLines = (text: string): readonly CsvLine[] => {
  const content = text.replace(/^\uFEFF/, '');
  const separator = separatorOf(content);
  const lines: CsvLine[] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let line = 1;
  let begunAt = 1;
  const endLine = (): void => {
    cells.push(cell.trim());
    if (cells.some((one) => one !== '')) lines.push({ line: begunAt, cells });
    cells = [];
    cell = '';
  };
  for (let at = 0; at < content.length; at += 1) {
    const sign = content[at] ?? '';
    const isBreak = sign === '\n' || (sign === '\r' && content[at + 1] !== '\n');
    if (isBreak) line += 1;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (content[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (sign === '"' && cell.trim() === '') {
      isQuoted = true;
      cell = '';
    } else if (sign === separator) {
      cells.push(cell.trim());
      cell = '';
    } else if (isBreak) {
      endLine();
      begunAt = line;
    } else if (sign !== '\r') cell += sign;
  }
  endLine();
  return lines;
};
