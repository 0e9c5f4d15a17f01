/**
 * A receipt or a report as an Excel workbook, with a sheet for its facts and lines and, if files are listed, sheets for all files
 * and for their object keys and checksums.
 */

import { Zip, ZipDeflate } from 'fflate';
import { countFacts, countsOf, lineRows, officeFact, type Receipt, type ReceiptFile } from './receipt.ts';

const bold = (text: string): Bold => ({ bold: text });

/** The file, piece by piece. */
export const receiptXlsx = (receipt: Receipt): Generator<Uint8Array> => {
  const { speech, job } = receipt;
  const { t } = speech;
  return workbook([
    {
      name: t(job.report ? 'receipt.sheetReport' : 'receipt.sheetReceipt'),
      widths: job.report
        ? [36, 28, ...Array<number>(9).fill(14)]
        : [36, 24, 28, 38, 28, 18, 18, 10, 12, 14, 12, 12, 16],
      rows: overview(receipt),
    },
    ...(job.listsFiles ? fileSheets(receipt) : []),
  ]);
};

const fileSheets = (receipt: Receipt): readonly Sheet[] => {
  const { t } = receipt.speech;
  return [
    {
      name: t('receipt.files'),
      widths: [30, 24, 24, 44, 36, 14, 18, 16, 18, 44],
      header: [
        ...[t('table.title.address'), t('receipt.customer'), t('table.title.folder'), t('table.title.file')],
        ...[t('receipt.fileOnAssignment'), t('receipt.bytes'), t('receipt.time'), t('table.title.state')],
        ...[t('receipt.removed'), t('table.title.problem')],
      ],
      rows: everyFile(
        receipt,
        ({ summary, customer }, folder, { path, fileName, sizeBytes, time, state, removed, problem }) => [
          ...[summary?.Address, customer, folder, path, fileName, sizeBytes, time, state, removed, problem],
        ],
      ),
    },
    {
      name: t('receipt.sheetKeys'),
      widths: [38, 44, 36, 60, 68],
      header: [
        ...[t('receipt.assignment'), t('table.title.file'), t('receipt.fileOnAssignment'), t('receipt.key')],
        t('receipt.checksum'),
      ],
      rows: everyFile(receipt, ({ AssignmentId }, _folder, { path, fileName, key, sha256 }) => [
        ...[AssignmentId, path, fileName, key, sha256],
      ]),
    },
  ];
};

function* overview(receipt: Receipt): Generator<Row> {
  const { speech, job, title, facts, counts, assignments } = receipt;
  const { t } = speech;
  yield [bold(title)];
  yield [];
  for (const [name, value] of [...officeFact(receipt), ...facts, ...countFacts(counts, speech)])
    yield [bold(name), value];
  yield [];
  if (job.report) {
    const [head = [], ...lines] = lineRows(receipt);
    yield head.map((text) => bold(String(text)));
    yield* lines;
    return;
  }
  yield [
    ...[t('table.title.address'), t('table.title.city'), t('receipt.customer'), t('receipt.assignment')],
    ...[t('table.title.folder'), t('receipt.started'), t('receipt.finished'), t('table.title.files')],
    ...[
      t('table.title.uploaded'),
      t('receipt.removedFiles'),
      t('table.title.skipped'),
      t('table.title.failed'),
      t('receipt.bytes'),
    ],
  ].map(bold);
  for (const { AssignmentId, summary, customer, folders } of assignments) {
    for (const { name, batch } of folders) {
      const { files, uploaded, removed, skipped, failed, bytes } = countsOf([{ batch }]);
      yield [
        ...[summary?.Address, summary?.City, customer, AssignmentId, name, new Date(batch.createdAtMs)],
        ...[
          batch.finishedAtMs === undefined ? undefined : new Date(batch.finishedAtMs),
          files,
          uploaded,
          removed,
          skipped,
        ],
        ...[failed, bytes],
      ];
    }
  }
}

function* everyFile(
  { assignments }: Receipt,
  rowOf: (assignment: Receipt['assignments'][number], folder: string, file: ReceiptFile) => Row,
): Generator<Row> {
  for (const assignment of assignments) {
    for (const { name, files } of assignment.folders) {
      for (const file of files()) yield rowOf(assignment, name, file);
    }
  }
}

// Excel workbooks (ECMA-376, "Office Open XML"), written as they are read: a workbook of any length needs little
// memory. Texts are cells of the type text, which no spreadsheet calculates.

type Bold = { readonly bold: string };
/** Dates are in local time; the spreadsheet formats them by its own locale. */
export type Row = readonly (string | number | Date | Bold | undefined)[];

/** `widths` of columns, in characters. `header`: a row that stays in view. */
type Sheet = {
  readonly name: string;
  readonly widths: readonly number[];
  readonly header?: readonly string[];
  readonly rows: Iterable<Row>;
};

/** The maximum number of rows in a sheet (Excel specifications and limits). */
const MOST_ROWS = 1_048_576;
/** The maximum length of a text in a cell (specifications and limits). */
const LONGEST_TEXT = 32_767;
/** Rows are compressed together. */
const PIECE_LENGTH = 65_536;

/** The file in chunks. A sheet with too many rows continues on another one. */
export function* workbook(sheets: readonly Sheet[], mostRows = MOST_ROWS): Generator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    pieces.push(piece);
  });
  const add = function* (path: string, texts: Iterable<string>): Generator<Uint8Array> {
    const file = new ZipDeflate(path, { level: 4 });
    zip.add(file);
    for (const text of inPieces(texts)) {
      file.push(new TextEncoder().encode(text));
      // Yields even if nothing was compressed yet, so that the reader can return to the event loop.
      yield* pieces.length > 0 ? pieces.splice(0) : [new Uint8Array()];
    }
    file.push(new Uint8Array(), true);
  };
  const names: string[] = [];
  for (const sheet of sheets) {
    const rows = sheet.rows[Symbol.iterator]();
    let next = rows.next();
    for (let no = 1; no === 1 || !next.done; no += 1) {
      names.push(no === 1 ? sheet.name : `${sheet.name} ${no}`);
      const taken = function* (): Generator<Row> {
        for (let count = sheet.header ? 1 : 0; count < mostRows && !next.done; count += 1) {
          yield next.value;
          next = rows.next();
        }
      };
      yield* add(`xl/worksheets/sheet${names.length}.xml`, sheetXml(sheet, taken()));
    }
  }
  for (const [path, text] of Object.entries(packageParts(names))) yield* add(path, [XML + text]);
  zip.end();
  yield* pieces;
}

function* inPieces(texts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Formats of cells, by their place in `cellXfs`. 22: date and time, 3: whole numbers, as the country writes them. */
const STYLE = { bold: 1, date: 2, number: 3 } as const;
const STYLES = `<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" numFmtId="22" applyNumberFormat="1"/><xf xfId="0" numFmtId="3" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

function* sheetXml({ widths, header }: Sheet, rows: Iterable<Row>): Generator<string> {
  const pane = header ? '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' : '';
  const columns = widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`);
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData>`;
  let no = 0;
  if (header)
    yield rowXml(
      header.map((text) => ({ bold: text })),
      ++no,
    );
  for (const row of rows) yield rowXml(row, ++no);
  yield '</sheetData></worksheet>';
}

const rowXml = (row: Row, no: number): string =>
  `<row r="${no}">${row.map((cell, at) => cellXml(cell, `${String.fromCharCode(65 + at)}${no}`)).join('')}</row>`;

const cellXml = (cell: Row[number], at: string): string => {
  if (cell === undefined || cell === '') return '';
  if (typeof cell === 'number') return `<c r="${at}" s="${STYLE.number}"><v>${cell}</v></c>`;
  if (cell instanceof Date) return `<c r="${at}" s="${STYLE.date}"><v>${serialOf(cell)}</v></c>`;
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
