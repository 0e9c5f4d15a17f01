/**
 * Writes tables as files for spreadsheet programs. Rows are written as they arrive, so that a table of any length needs
 * little memory.
 */
import type { SheetCell, SheetType } from '../../contract/sheets.ts';
import type { SheetFormat } from '../../contract/text.ts';
import { CSV_START, csvRow, localDay, localTime } from './csv.ts';
import { writePieces } from './files.ts';
import { type Row, workbook } from './workbook.ts';

export type SheetRows = readonly (readonly SheetCell[])[];

type Pages = Iterable<SheetRows> | AsyncIterable<SheetRows>;

type SheetHead = { readonly name: string; readonly type: SheetType; readonly header: readonly string[] };

/**
 * Writes a table to `path` atomically. `format` applies to CSV only. Errors: `data/unwritable`, and the `DeskError`s of
 * `rows`.
 */
export const writeSheet = (path: string, head: SheetHead, rows: Pages, format: SheetFormat): Promise<void> =>
  writePieces(path, head.type === 'csv' ? csvPieces(head, rows, format) : xlsxPieces(head, rows));

async function* csvPieces({ header }: SheetHead, rows: Pages, format: SheetFormat) {
  yield CSV_START + csvRow(header, format);
  for await (const some of rows) yield some.map((row) => csvRow(row.map(csvCell), format)).join('');
}

const csvCell = (cell: SheetCell): string | number => {
  if (typeof cell !== 'object') return cell;
  return (cell.day ? localDay : localTime)(new Date(cell.ms));
};

async function* xlsxPieces({ name, header }: SheetHead, rows: Pages): AsyncGenerator<Uint8Array> {
  const every = async function* (): AsyncGenerator<Row> {
    for await (const some of rows) for (const row of some) yield row.map(xlsxCell);
  };
  const widths = header.map((text) => Math.max(WIDTH, text.length + 2));
  yield* workbook([{ name, widths, header, rows: every() }]);
}

/** The minimum width of a column, in characters. */
const WIDTH = 18;

const xlsxCell = (cell: SheetCell): Row[number] => {
  if (typeof cell !== 'object') return cell;
  const time = new Date(cell.ms);
  return cell.day ? { day: time } : time;
};
