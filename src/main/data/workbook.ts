/**
 * Excel workbooks (ECMA-376, "Office Open XML"), written as they are read: a workbook of any length needs little
 * memory. Texts are cells of the type text, which no spreadsheet calculates.
 */
import { Zip, ZipDeflate } from 'fflate';

export type Bold = { readonly bold: string };
/** A date without its time. */
export type Day = { readonly day: Date };
/** Dates are in local time; the spreadsheet formats them by its own locale. */
export type Row = readonly (string | number | Date | Day | Bold | undefined)[];

/** `widths` of columns, in characters. `header`: a row that stays in view. */
export type Sheet = {
  readonly name: string;
  readonly widths: readonly number[];
  readonly header?: readonly string[];
  readonly rows: Iterable<Row> | AsyncIterable<Row>;
};

/** The maximum number of rows in a sheet (Excel specifications and limits). */
const MOST_ROWS = 1_048_576;
/** The maximum length of a text in a cell (specifications and limits). */
const LONGEST_TEXT = 32_767;
/** Rows are compressed together. */
const PIECE_LENGTH = 65_536;

/** The file in chunks. A sheet with too many rows continues on another one. */
export async function* workbook(sheets: readonly Sheet[], mostRows = MOST_ROWS): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    pieces.push(piece);
  });
  const add = async function* (path: string, texts: Iterable<string> | AsyncIterable<string>) {
    const file = new ZipDeflate(path, { level: 4 });
    zip.add(file);
    for await (const text of inPieces(texts)) {
      file.push(new TextEncoder().encode(text));
      // Yields even if nothing was compressed yet, so that the reader can return to the event loop.
      yield* pieces.length > 0 ? pieces.splice(0) : [new Uint8Array()];
    }
    file.push(new Uint8Array(), true);
  };
  const names: string[] = [];
  for (const sheet of sheets) {
    const rows = rowsOf(sheet);
    let next = await rows.next();
    for (let no = 1; no === 1 || !next.done; no += 1) {
      names.push(no === 1 ? sheetName(sheet.name) : `${sheetName(sheet.name)} ${no}`);
      const taken = async function* (): AsyncGenerator<Row> {
        for (let count = sheet.header ? 1 : 0; count < mostRows && !next.done; count += 1) {
          yield next.value;
          next = await rows.next();
        }
      };
      yield* add(`xl/worksheets/sheet${names.length}.xml`, sheetXml(sheet, taken()));
    }
  }
  for (const [path, text] of Object.entries(packageParts(names))) yield* add(path, [XML + text]);
  zip.end();
  yield* pieces;
}

async function* rowsOf({ rows }: Sheet): AsyncGenerator<Row> {
  yield* rows;
}

async function* inPieces(texts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** A name that Excel accepts, with room for a number. */
const sheetName = (name: string): string => name.replaceAll(/[[\]:*?/\\]/g, ' ').slice(0, 27);

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Formats of cells, by their place in `cellXfs`, as the country writes them. 22: date and time, 3: number, 14: date. */
const STYLE = { any: 0, bold: 1, moment: 2, whole: 3, day: 4 } as const;
const STYLES = `<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" numFmtId="22" applyNumberFormat="1"/><xf xfId="0" numFmtId="3" applyNumberFormat="1"/><xf xfId="0" numFmtId="14" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

async function* sheetXml({ widths, header }: Sheet, rows: AsyncIterable<Row>): AsyncGenerator<string> {
  const pane = header ? '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' : '';
  const columns = widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`);
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData>`;
  let no = 0;
  if (header)
    yield rowXml(
      header.map((text) => ({ bold: text })),
      ++no,
    );
  for await (const row of rows) yield rowXml(row, ++no);
  yield '</sheetData></worksheet>';
}

const rowXml = (row: Row, no: number): string =>
  `<row r="${no}">${row.map((cell, at) => cellXml(cell, `${columnName(at)}${no}`)).join('')}</row>`;

/** A, B, … Z, AA, AB, … */
const columnName = (at: number): string =>
  (at < 26 ? '' : columnName(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26));

const cellXml = (cell: Row[number], at: string): string => {
  if (cell === undefined || cell === '') return '';
  const valueXml = (value: number, style: number): string => `<c r="${at}" s="${style}"><v>${value}</v></c>`;
  if (typeof cell === 'number')
    return Number.isFinite(cell) ? valueXml(cell, Number.isInteger(cell) ? STYLE.whole : STYLE.any) : '';
  if (cell instanceof Date) return valueXml(serialOf(cell), STYLE.moment);
  if (typeof cell === 'object' && 'day' in cell) return valueXml(Math.floor(serialOf(cell.day)), STYLE.day);
  const [text, style] = typeof cell === 'string' ? [cell, ''] : [cell.bold, ` s="${STYLE.bold}"`];
  return `<c r="${at}"${style} t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
};

/** Days since the end of 1899, in local time. */
const serialOf = (time: Date): number => (time.getTime() - time.getTimezoneOffset() * 60_000) / 86_400_000 + 25_569;

/**
 * Escapes what XML cannot contain as `_xHHHH_` (ECMA-376, ST_Xstring), and the `_` of a text that looks like such an
 * escape.
 */
const xmlText = (text: string): string =>
  text
    .slice(0, LONGEST_TEXT)
    .toWellFormed()
    .replaceAll(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replaceAll(/(?![\t\n])[\p{Cc}\ufffe\uffff]/gu, (one) => `_x${one.charCodeAt(0).toString(16).padStart(4, '0')}_`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

const packageParts = (names: readonly string[]): Readonly<Record<string, string>> => ({
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${names.map((name, at) => `<sheet name="${xmlText(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')}</sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relations([
    ...names.map((_, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`] as const),
    ['styles', 'styles.xml'],
  ]),
  'xl/styles.xml': STYLES,
  '_rels/.rels': relations([['officeDocument', 'xl/workbook.xml']]),
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>${names.map((_, at) => `<Override PartName="/xl/worksheets/sheet${at + 1}.xml" ContentType="${TYPE}.worksheet+xml"/>`).join('')}</Types>`,
});

const relations = (targets: readonly (readonly [type: string, target: string])[]): string =>
  `<Relationships xmlns="${PACKAGE}/relationships">${targets.map(([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`).join('')}</Relationships>`;
