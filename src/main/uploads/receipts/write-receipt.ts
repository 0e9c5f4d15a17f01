/** Writes receipts: as a page to be printed, a workbook, CSV or JSON. */
import { sheetFormat } from '../../../contract/text.ts';
import { sizeInUnit } from '../../../words/size.ts';
import { CSV_START, csvRow, localTime } from '../../data/csv.ts';
import { type Pieces, writePieces } from '../../data/files.ts';
import { pictureSize } from '../../data/picture.ts';
import { type Bold, type Row, type Sheet, type SheetPicture, workbook } from '../../data/workbook.ts';
import {
  type Cell,
  type Counts,
  countColumns,
  countFacts,
  countsOf,
  type Fact,
  lineRows,
  officeFact,
  openReceipt,
  type Receipt,
  type ReceiptFile,
  type ReceiptJob,
  type ReceiptSource,
} from './receipt.ts';

/** Rows of one table. Chromium needs much more memory to print one long table than many short ones. */
const TABLE_ROWS = 200;

/** The page, piece by piece: no scripts, nothing from elsewhere, every text escaped. */
function* receiptPage(receipt: Receipt): Generator<string> {
  const { speech, formats, job, title, time, facts, counts } = receipt;
  const { t } = speech;
  yield `<!doctype html><html lang="${speech.locale}"><head><meta charset="utf-8"><title>${html(title)}</title><style>${STYLE}</style></head><body>`;
  yield letterhead(job.letterhead);
  yield `<h1>${html(title)}</h1><p class="when">${html(time)}</p>`;
  // The first fact is the time.
  yield factList(facts.slice(1));
  yield '<ul class="totals">';
  for (const [count, name] of countColumns(counts, speech))
    yield `<li class="${lookOf(count, counts[count])}"><b>${formats.number(counts[count])}</b>${html(name)}</li>`;
  yield `<li><b>${html(formats.number(...sizeInUnit(counts.bytes)))}</b>${html(t('table.title.size'))}</li></ul>`;
  // The facts are about the only assignment.
  if (job.report || receipt.lines.length > 1) yield* lineTable(receipt);
  yield* unsentList(receipt);
  if (job.listsFiles) yield* appendix(receipt);
  yield '</body></html>';
}

const letterhead = ({ office, logo }: ReceiptJob['letterhead']): string =>
  office === undefined && logo === undefined
    ? ''
    : `<header>${logo === undefined ? '' : `<img alt="" src="${html(logo)}">`}${office === undefined ? '' : `<strong>${html(office)}</strong>`}</header>`;

const factList = (facts: readonly Fact[]): string =>
  `<dl>${facts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `<div><dt>${html(name)}</dt><dd>${html(String(value))}</dd></div>`)
    .join('')}</dl>`;

/** One row for each line, and their sum if there are several. */
function* lineTable({ speech, formats, counts, headings, lines }: Receipt): Generator<string> {
  const { t } = speech;
  const columns = countColumns(counts, speech);
  const row = (name: string, details: string, of: Counts): string => {
    const counted = columns.map(([count]) => number(formats.number(of[count]), lookOf(count, of[count])));
    const size = number(formats.number(...sizeInUnit(of.bytes)));
    return `<tr><td>${html(name)}</td><td class="details">${html(details)}</td>${counted.join('')}${size}</tr>`;
  };
  const head = [...headings, ...columns.map(([, name]) => name), t('table.title.size')];
  if (lines.length === 0) yield `<p>${html(t('receipt.noUploads'))}</p>`;
  for (const [at, { name, details, counts: own }] of lines.entries()) {
    if (at % TABLE_ROWS === 0)
      yield `${at > 0 ? '</tbody></table>' : ''}<table class="lines">${headRow(at === 0 ? head : [])}<tbody>`;
    const text = typeof details === 'number' ? formats.number(details) : details;
    yield row(name, text, own);
  }
  if (lines.length > 1) yield `</tbody><tfoot>${row(t('receipt.total'), '', counts)}</tfoot></table>`;
  else if (lines.length === 1) yield '</tbody></table>';
}

function* unsentList({ speech: { t }, unsent: { files, more } }: Receipt): Generator<string> {
  if (files.length === 0) return;
  yield `<section class="unsent"><h2>${html(t('receipt.unsent'))}</h2><table><colgroup><col class="half"><col></colgroup><tbody>`;
  for (const { path, problem } of files) yield cells([html(path), html(problem)]);
  yield '</tbody></table>';
  if (more > 0) yield `<p>${html(t('receipt.moreFiles', { count: more }))}</p>`;
  yield '</section>';
}

/** Every file, and their keys and checksums. */
function* appendix(receipt: Receipt): Generator<string> {
  const { speech, formats, job, assignments } = receipt;
  const { t } = speech;
  yield `<section class="appendix"><h2>${html(t('receipt.files'))}</h2>`;
  if (job.part) yield `<p>${html(t('receipt.part', job.part))}</p>`;
  for (const { name, AssignmentId, folders } of assignments) {
    yield `<h3>${html(name)} <small>${html(AssignmentId)}</small></h3>`;
    for (const { batch, name: folder, files } of folders) {
      yield `<h4>${html(folder)} <small>${html(formats.moment(batch.createdAtMs))}</small></h4>`;
      yield* fileTables(files(), receipt);
    }
  }
  yield `</section><section class="appendix keys"><h2>${html(t('receipt.keys'))}</h2>`;
  for (const { name, folders } of assignments) {
    yield `<h3>${html(name)}</h3>`;
    for (const { files } of folders) {
      yield* keyList(files());
    }
  }
  yield '</section>';
}

const FILE_COLUMNS = '<colgroup><col class="path"><col class="size"><col class="time"><col></colgroup>';

type ReceiptFiles = ReturnType<Receipt['assignments'][number]['folders'][number]['files']>;

function* fileTables(files: ReceiptFiles, { speech: { t }, formats }: Receipt): Generator<string> {
  const head = [t('table.title.file'), t('table.title.size'), t('receipt.time'), t('table.title.state')];
  const moment = (time: Date | undefined): string => (time ? formats.moment(time.getTime()) : '');
  let rows = 0;
  for (const { path, fileName, sizeBytes, time, state, removed, problem } of files) {
    if (rows % TABLE_ROWS === 0)
      yield `${rows > 0 ? '</tbody></table>' : ''}<table class="files">${FILE_COLUMNS}${headRow(rows === 0 ? head : [])}<tbody>`;
    rows += 1;
    const isRenamed = path.split('/').at(-1) !== fileName;
    const notes = [moment(removed), problem].filter(Boolean).map(note);
    yield cells([
      html(path) + (isRenamed ? note(`→ ${fileName}`) : ''),
      html(formats.number(...sizeInUnit(sizeBytes))),
      html(moment(time)),
      html(state) + notes.join(''),
    ]);
  }
  yield rows > 0 ? '</tbody></table>' : `<p>${html(t('receipt.noFiles'))}</p>`;
}

/** The Key and the checksum of each file that has one. */
function* keyList(files: ReceiptFiles): Generator<string> {
  for (const { fileName, key, sha256 } of files) {
    if (key === undefined && sha256 === undefined) continue;
    yield `<p>${[fileName, key, sha256].flatMap((text) => (text === undefined ? [] : html(text))).join('<br>')}</p>`;
  }
}

const note = (text: string): string => `<br><small>${html(text)}</small>`;

const number = (text: string, look = ''): string => `<td class="number ${look}">${html(text)}</td>`;

const lookOf = (count: keyof Counts, files: number): string => {
  if (files === 0) return 'zero';
  return count === 'failed' ? 'bad' : '';
};

const headRow = (head: readonly string[]): string =>
  head.length > 0 ? `<thead><tr>${head.map((text) => `<th>${html(text)}</th>`).join('')}</tr></thead>` : '';

const cells = (contents: readonly string[]): string =>
  `<tr>${contents.map((content) => `<td>${content}</td>`).join('')}</tr>`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** `text` as HTML. Characters that reorder or hide their neighbours are shown as `�`. */
const html = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu, '\ufffd')
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** Without ligatures: copied from a PDF, a checksum with one would be another text. */
const STYLE = `
body { margin: 0; font: 9.5pt/1.4 "Segoe UI", system-ui, "Helvetica Neue", "Noto Sans", sans-serif; color: #1b1b1b; overflow-wrap: anywhere; font-variant-ligatures: none; font-variant-numeric: tabular-nums; }
header { display: flex; align-items: center; justify-content: space-between; gap: 16pt; margin-bottom: 14pt; padding-bottom: 8pt; border-bottom: 0.75pt solid #888; }
header img { max-width: 60mm; max-height: 14mm; }
header strong { font-size: 12pt; font-weight: 600; text-align: end; }
header strong:only-child { text-align: start; }
h1 { margin: 0; font-size: 20pt; font-weight: 600; line-height: 1.2; }
.when { margin: 2pt 0 10pt; font-size: 12pt; color: #444; }
h2 { margin: 14pt 0 4pt; font-size: 12.5pt; font-weight: 600; break-after: avoid; }
h3 { margin: 12pt 0 2pt; font-size: 10.5pt; break-after: avoid; }
h4 { margin: 8pt 0 3pt; font-size: 9.5pt; font-weight: 600; break-after: avoid; }
small { color: #555; font-weight: normal; font-size: 8pt; }
dl { display: grid; grid-template-columns: repeat(3, auto); justify-content: space-between; gap: 7pt 18pt; margin: 0; }
dt { color: #555; font-size: 8pt; }
dd { margin: 0; }
.totals { display: flex; flex-wrap: wrap; margin: 10pt 0; padding: 5pt 0; border: solid #ccc; border-width: 0.5pt 0; list-style: none; }
.totals li { flex: 1; min-width: 70pt; padding-inline-end: 8pt; font-size: 8pt; color: #555; }
.totals b { display: block; font-size: 15pt; font-weight: 600; line-height: 1.25; color: #1b1b1b; white-space: nowrap; }
.totals .bad b { color: #b10e1c; }
table { width: 100%; border-collapse: collapse; }
th { text-align: start; vertical-align: bottom; color: #555; font-size: 8pt; font-weight: 600; line-height: 1.2; overflow-wrap: normal; }
th, td { padding: 1.75pt 8pt 1.75pt 0; border-bottom: 0.5pt solid #ddd; vertical-align: top; }
thead th { border-bottom: 0.75pt solid #888; }
tr { break-inside: avoid; }
.lines { font-size: 9pt; line-height: 1.3; overflow-wrap: break-word; }
.lines th:first-child { width: 38%; }
.lines th:nth-child(2) { width: 24%; }
.lines th:nth-child(n + 3), .number { padding-inline: 6pt 0; text-align: end; }
.details { max-width: 0; overflow: hidden; text-overflow: ellipsis; }
.details, .number { white-space: nowrap; }
td.zero { color: #888; }
td.bad { font-weight: 600; color: #b10e1c; }
tfoot { display: table-row-group; font-weight: 600; }
tfoot td { border: 0; border-top: 0.75pt solid #888; }
.unsent { break-inside: avoid; }
.half { width: 55%; }
.appendix { break-before: page; }
.appendix h2 { margin-top: 0; }
.files { table-layout: fixed; }
.path { width: 46%; } .size { width: 12%; } .time { width: 25%; }
.keys { font-size: 8pt; }
.keys p { margin: 0 0 4pt; break-inside: avoid; }
`;

// A receipt or a report as an Excel workbook: a sheet for its facts and lines and, if files are listed, sheets for all files and for
// their object keys and checksums.

const bold = (text: string): Bold => ({ bold: text });

/** The file, piece by piece. */
const receiptXlsx = (receipt: Receipt): AsyncGenerator<Uint8Array> => {
  const { speech, job } = receipt;
  const { t } = speech;
  return workbook([
    {
      name: t(job.report ? 'receipt.sheetReport' : 'receipt.sheetReceipt'),
      widths: job.report
        ? [36, 28, ...Array<number>(9).fill(14)]
        : [36, 24, 28, 38, 28, 18, 18, 10, 12, 14, 12, 12, 16],
      picture: logoOf(job),
      rows: overview(receipt),
    },
    ...(job.listsFiles ? fileSheets(receipt) : []),
  ]);
};

/** The logo of the letterhead, from its `data:` URL. */
const logoOf = ({ letterhead: { logo = '' } }: Receipt['job']): SheetPicture | undefined => {
  const bytes = Buffer.from(logo.slice(logo.indexOf(',') + 1), 'base64');
  const found = pictureSize(bytes);
  return found && { ...found, bytes };
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

const contents: Readonly<Record<ReceiptJob['format'], (receipt: Receipt) => Pieces>> = {
  page: receiptPage,
  xlsx: receiptXlsx,
  csv: receiptCsv,
  json: receiptJson,
};

/**
 * Writes a receipt to `path`, completely or not at all, in chunks: memory use does not depend on the number of files,
 * and other work runs in between. Errors: `data/unwritable`, those of `sourceOf`.
 */
export const writeReceipt = async (
  path: string,
  job: ReceiptJob,
  sourceOf: (batchId: string) => ReceiptSource,
): Promise<void> => {
  const receipt = await openReceipt(job, sourceOf);
  await writePieces(path, contents[job.format](receipt));
};

// A receipt as CSV, for the user's spreadsheet.

/** The rows: the facts and the counts, a blank line, the lines of a report, and all files. */
function* receiptCsv(receipt: Receipt): Generator<string> {
  const { speech, formats, job, title, facts, counts, assignments } = receipt;
  const { t } = speech;
  const format = sheetFormat(formats.number);
  const row = (...cells: readonly (Cell | undefined)[]) => csvRow(cells.map(csvCell), format);
  yield CSV_START;
  yield row(title);
  for (const fact of [...officeFact(receipt), ...facts, ...countFacts(counts, speech)]) yield row(...fact);
  if (job.part) yield row(t('receipt.part', job.part));
  if (job.report) for (const cells of [[], ...lineRows(receipt)]) yield row(...cells);
  if (!job.listsFiles) return;
  yield row();
  yield row(
    ...[t('table.title.address'), t('table.title.city'), t('receipt.customer'), t('receipt.assignment')],
    ...[t('table.title.folder'), t('table.title.file'), t('receipt.fileOnAssignment'), t('receipt.bytes')],
    ...[t('receipt.time'), t('table.title.state'), t('receipt.removed'), t('table.title.problem')],
    ...[t('receipt.key'), t('receipt.checksum')],
  );
  for (const { AssignmentId, summary, customer, folders } of assignments) {
    for (const { name, files } of folders) {
      for (const { path, fileName, sizeBytes, time, state, removed, problem, key, sha256 } of files()) {
        const target = [summary?.Address, summary?.City, customer, AssignmentId] as const;
        yield row(...target, name, path, fileName, sizeBytes, time, state, removed, problem, key, sha256);
      }
    }
  }
}

const csvCell = (cell: Cell | undefined): string | number => (cell instanceof Date ? localTime(cell) : (cell ?? ''));

// A receipt as JSON: one document, with one file per line. Times are ISO 8601 in UTC.

/** The parts of the document, in order. */
function* receiptJson({ job, senders, timeZone, counts, lines, assignments }: Receipt): Generator<string> {
  const { letterhead, report } = job;
  const head = {
    office: letterhead.office,
    service: job.service.baseUrl,
    sentBy: senders,
    created: new Date(job.madeAtMs).toISOString(),
    timeZone,
    ...(report && {
      report: { by: report.by, from: new Date(report.fromMs), before: new Date(report.beforeMs) },
      lines: lines.map(({ name, details, counts: own }) => ({
        name,
        ...(typeof details === 'number' && { assignments: details }),
        ...own,
      })),
    }),
    ...counts,
    ...(job.part && { part: job.part }),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"assignments":[`;
  yield* joined(assignments, function* ({ AssignmentId, summary, customer, folders }) {
    const target = {
      AssignmentId,
      address: summary?.Address,
      city: summary?.City,
      customer,
      facility: summary?.FacilityId,
    };
    yield `${JSON.stringify(target).slice(0, -1)},"folders":[`;
    yield* joined(folders, function* ({ batch, files }) {
      yield `${JSON.stringify({ batch: batch.batchId, folder: batch.root }).slice(0, -1)},"files":[`;
      yield* joined(files(), function* (file) {
        yield `\n${JSON.stringify(jsonFile(file))}`;
      });
      yield ']}';
    });
    yield ']}';
  });
  yield ']}\n';
}

const jsonFile = ({ path, fileName, sizeBytes, time, state, removed, problem, key, sha256 }: ReceiptFile) => ({
  file: path,
  FileName: fileName,
  size: sizeBytes,
  time,
  state,
  removed,
  problem,
  Key: key,
  sha256,
});

/** The pieces of all `values`, with a comma between two values. */
function* joined<T>(values: Iterable<T>, piecesOf: (value: T) => Iterable<string>): Generator<string> {
  let isFirst = true;
  for (const value of values) {
    if (!isFirst) yield ',';
    isFirst = false;
    yield* piecesOf(value);
  }
}
