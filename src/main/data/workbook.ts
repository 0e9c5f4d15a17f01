/**
 * Excel workbooks (ECMA-376, "Office Open XML"). Rows are written as they arrive, so that a workbook of any length
 * needs little memory. Texts are written as text cells, which spreadsheets never read as formulas.
 */
// The variant of fflate for Node declares a `require`, which collides with one that the build may add to the same
// bundle.
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate/browser';
import type { PictureType } from './picture.ts';

export type Bold = { readonly bold: string };
type Day = { readonly day: Date };
/** Dates are written in local time, and spreadsheet programs format them for the user's locale. */
export type Row = readonly (string | number | Date | Day | Bold | undefined)[];

/** A picture for a sheet. `width`, `height`: in pixels. */
export type SheetPicture = {
  readonly type: PictureType;
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
};

/**
 * A sheet of a workbook. `widths`: the widths of the columns, in characters; `picture`: shown in a row of its own at
 * the top; `header`: a bold row, which stays in view if the sheet has no picture.
 */
export type Sheet = {
  readonly name: string;
  readonly widths: readonly number[];
  readonly picture?: SheetPicture | undefined;
  readonly header?: readonly string[];
  readonly rows: Iterable<Row> | AsyncIterable<Row>;
};

/** The maximum number of rows in a sheet (Excel specifications and limits). */
const MOST_ROWS = 1_048_576;
/** The maximum length of a text in a cell (Excel specifications and limits). */
const LONGEST_TEXT = 32_767;
/** Rows are joined to texts of about this number of characters, so that they are not compressed one by one. */
const PIECE_LENGTH = 65_536;

/**
 * Yields the file in chunks. A sheet that has more than `mostRows` rows, including header and picture, continues on
 * numbered sheets.
 */
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
      // Yields even without output, so that the reader can return to the event loop.
      yield* pieces.length > 0 ? pieces.splice(0) : [new Uint8Array()];
    }
    file.push(new Uint8Array(), true);
  };
  const names: string[] = [];
  const pictures: NumberedPicture[] = [];
  for (const sheet of sheets) {
    const rows = rowsOf(sheet);
    let next = await rows.next();
    for (let no = 1; no === 1 || !next.done; no += 1) {
      names.push(no === 1 ? sheetName(sheet.name) : `${sheetName(sheet.name)} ${no}`);
      const picture = no === 1 ? sheet.picture : undefined;
      const rowsAbove = [picture, sheet.header].filter(Boolean).length;
      const taken = async function* (): AsyncGenerator<Row> {
        for (let count = rowsAbove; count < mostRows && !next.done; count += 1) {
          yield next.value;
          next = await rows.next();
        }
      };
      if (picture) pictures.push({ ...picture, no: names.length });
      yield* add(`xl/worksheets/sheet${names.length}.xml`, sheetXml({ ...sheet, picture }, taken()));
    }
  }
  for (const picture of pictures) {
    const file = new ZipPassThrough(`xl/${mediaPath(picture)}`);
    zip.add(file);
    file.push(picture.bytes, true);
    yield* pieces.splice(0);
  }
  for (const [path, text] of Object.entries(packageParts(names, pictures))) yield* add(path, [XML + text]);
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

/**
 * Replaces characters that Excel refuses in names of sheets. Cuts the name, to leave room for a number within Excel's
 * 31 characters.
 */
const sheetName = (name: string): string => name.replaceAll(/[[\]:*?/\\]/g, ' ').slice(0, 27);

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/**
 * The index of each cell format in `cellXfs`. The formats use number formats built into Excel, which follow the user's
 * locale: 22 (date and time), 3 (integer) and 14 (date).
 */
const STYLE = { any: 0, bold: 1, moment: 2, whole: 3, day: 4 } as const;
const STYLES = `<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" numFmtId="22" applyNumberFormat="1"/><xf xfId="0" numFmtId="3" applyNumberFormat="1"/><xf xfId="0" numFmtId="14" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

async function* sheetXml({ widths, picture, header }: Sheet, rows: AsyncIterable<Row>): AsyncGenerator<string> {
  const pane = header ? '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' : '';
  const columns = widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`);
  yield `${XML}<worksheet xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData>`;
  let no = 0;
  if (picture) yield `<row r="${++no}" ht="${drawnSize(picture).height / EMU_A_POINT + 6}" customHeight="1"/>`;
  if (header)
    yield rowXml(
      header.map((text) => ({ bold: text })),
      ++no,
    );
  for await (const row of rows) yield rowXml(row, ++no);
  yield `</sheetData>${picture ? '<drawing r:id="rId1"/>' : ''}</worksheet>`;
}

// A picture needs a drawing part, and its sheet refers to that part (ECMA-376 part 1, 12.3.8 and 20.5).

type NumberedPicture = SheetPicture & { readonly no: number };

const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';
/** Drawings are measured in English metric units (ECMA-376 part 1, 20.1.2.1). A pixel is 1/96 inch. */
const [EMU_A_PIXEL, EMU_A_POINT, EMU_A_MILLIMETRE] = [9_525, 12_700, 36_000];
/** The maximum size of a picture, 60 by 14 mm. The logo in the HTML of a receipt has the same limit. */
const LARGEST = { width: 60 * EMU_A_MILLIMETRE, height: 14 * EMU_A_MILLIMETRE };

/** Returns the size in English metric units. A picture is never enlarged. */
const drawnSize = ({ width, height }: SheetPicture): { readonly width: number; readonly height: number } => {
  const scale = Math.min(EMU_A_PIXEL, LARGEST.width / width, LARGEST.height / height);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
};

const mediaPath = ({ type, no }: NumberedPicture): string => `media/image${no}.${type.slice('image/'.length)}`;

const drawingXml = (picture: NumberedPicture): string => {
  const { width, height } = drawnSize(picture);
  const size = `cx="${width}" cy="${height}"`;
  return `<xdr:wsDr xmlns:xdr="${DRAWING}/spreadsheetDrawing" xmlns:a="${DRAWING}/main"><xdr:oneCellAnchor><xdr:from><xdr:col>0</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>0</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:ext ${size}/><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="Logo"/><xdr:cNvPicPr><a:picLocks noChangeAspect="1"/></xdr:cNvPicPr></xdr:nvPicPr><xdr:blipFill><a:blip xmlns:r="${OFFICE}" r:embed="rId1"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic><xdr:clientData/></xdr:oneCellAnchor></xdr:wsDr>`;
};

const pictureParts = (picture: NumberedPicture): Readonly<Record<string, string>> => {
  const drawing = `drawing${picture.no}.xml`;
  return {
    [`xl/worksheets/_rels/sheet${picture.no}.xml.rels`]: relations([['drawing', `../drawings/${drawing}`]]),
    [`xl/drawings/${drawing}`]: drawingXml(picture),
    [`xl/drawings/_rels/${drawing}.rels`]: relations([['image', `../${mediaPath(picture)}`]]),
  };
};

const rowXml = (row: Row, no: number): string =>
  `<row r="${no}">${row.map((cell, at) => cellXml(cell, `${columnName(at)}${no}`)).join('')}</row>`;

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

/** Returns Excel's number for a date: days since 30 December 1899, in local time. */
const serialOf = (time: Date): number => (time.getTime() - time.getTimezoneOffset() * 60_000) / 86_400_000 + 25_569;

/**
 * Cuts `text` to the length that a cell can have, and escapes it for XML. Control characters except tabs and line
 * feeds, U+FFFE and U+FFFF become `_xHHHH_` (ECMA-376, ST_Xstring). In text that looks like such an escape, the first
 * `_` is escaped. Lone surrogates become U+FFFD.
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

const packageParts = (
  names: readonly string[],
  pictures: readonly NumberedPicture[],
): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(pictures.flatMap((picture) => Object.entries(pictureParts(picture)))),
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${names.map((name, at) => `<sheet name="${xmlText(name).replaceAll('"', '&quot;')}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')}</sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relations([
    ...names.map((_, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`] as const),
    ['styles', 'styles.xml'],
  ]),
  'xl/styles.xml': STYLES,
  '_rels/.rels': relations([['officeDocument', 'xl/workbook.xml']]),
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${typesOf(pictures)}<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>${names.map((_, at) => `<Override PartName="/xl/worksheets/sheet${at + 1}.xml" ContentType="${TYPE}.worksheet+xml"/>`).join('')}</Types>`,
});

/** Lists the content types of the pictures and their drawings. An extension can be declared only once. */
const typesOf = (pictures: readonly NumberedPicture[]): string =>
  [
    ...new Set(
      pictures.map(({ type }) => `<Default Extension="${type.slice('image/'.length)}" ContentType="${type}"/>`),
    ),
    ...pictures.map(
      ({ no }) =>
        `<Override PartName="/xl/drawings/drawing${no}.xml" ContentType="application/vnd.openxmlformats-officedocument.drawing+xml"/>`,
    ),
  ].join('');

const relations = (targets: readonly (readonly [type: string, target: string])[]): string =>
  `<Relationships xmlns="${PACKAGE}/relationships">${targets.map(([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`).join('')}</Relationships>`;
