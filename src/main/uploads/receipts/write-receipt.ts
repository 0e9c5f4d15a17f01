/** Writes receipts: as a page to be printed, a workbook, CSV or JSON. */

import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { sheetFormat } from '../../../contract/text.ts';
import { sizeInUnit } from '../../../words/size.ts';
import { CSV_START, csvRow } from '../../data/csv.ts';
import { replaceFile } from '../../data/files.ts';
import {
  type Cell,
  type Fact,
  openReceipt,
  type Receipt,
  type ReceiptFile,
  type ReceiptJob,
  type ReceiptSource,
} from './receipt.ts';
import { receiptXlsx } from './workbook.ts';

/** Rows of one table. Chromium needs much more memory to print one long table than many short ones. */
const TABLE_ROWS = 200;

/** The page, piece by piece: no scripts, nothing from elsewhere, every text escaped. */
function* receiptPage(receipt: Receipt): Generator<string> {
  const { speech, formats, job, title, facts, assignments } = receipt;
  const { t } = speech;
  yield `<!doctype html><html lang="${speech.locale}"><head><meta charset="utf-8"><title>${html(title)}</title><style>${STYLE}</style></head><body><h1>${html(title)}</h1>`;
  if (job.part) yield `<p>${html(t('receipt.part', job.part))}</p>`;
  yield factList(facts, receipt);
  for (const { name, facts: own, folders } of assignments) {
    yield `<section><h2>${html(name)}</h2>${factList(own, receipt)}`;
    for (const { batch, name: folder, files } of folders) {
      yield `<h3>${html(folder)} <small>${html(formats.moment(batch.createdAtMs))}</small></h3>`;
      yield* fileTables(files(), receipt);
    }
    yield '</section>';
  }
  yield `<section class="keys"><h2>${html(t('receipt.keys'))}</h2>`;
  for (const { name, folders } of assignments) {
    yield `<h3>${html(name)}</h3>`;
    for (const { files } of folders) {
      yield* keyList(files());
    }
  }
  yield '</section></body></html>';
}

type ReceiptFiles = ReturnType<Receipt['assignments'][number]['folders'][number]['files']>;

function* fileTables(files: ReceiptFiles, { speech: { t }, formats }: Receipt): Generator<string> {
  const head = [
    t('table.title.file'),
    t('receipt.fileOnAssignment'),
    t('table.title.size'),
    t('receipt.time'),
    t('table.title.state'),
  ];
  const moment = (time: Date | undefined): string => (time ? formats.moment(time.getTime()) : '');
  let rows = 0;
  for (const { path, fileName, sizeBytes, time, state, removed, problem } of files) {
    if (rows % TABLE_ROWS === 0) yield `${rows > 0 ? '</tbody></table>' : ''}${tableStart(rows === 0 ? head : [])}`;
    rows += 1;
    const isRenamed = path.split('/').at(-1) !== fileName;
    const notes = [moment(removed), problem].filter(Boolean).map(note);
    yield cells([
      html(path),
      isRenamed ? html(fileName) : '',
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

const factList = (facts: readonly Fact[], { formats }: Receipt): string =>
  `<dl>${facts
    .filter(([, value]) => value !== '')
    .map(
      ([name, value]) =>
        `<div><dt>${html(name)}</dt><dd>${html(typeof value === 'number' ? formats.number(value) : String(value))}</dd></div>`,
    )
    .join('')}</dl>`;

const tableStart = (head: readonly string[]): string =>
  `<table><colgroup><col class="path"><col class="name"><col class="size"><col class="time"><col></colgroup>${head.length > 0 ? `<thead><tr>${head.map((text) => `<th>${html(text)}</th>`).join('')}</tr></thead>` : ''}<tbody>`;

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
body { margin: 0; font: 9.5pt/1.4 "Segoe UI", system-ui, "Helvetica Neue", "Noto Sans", sans-serif; color: #1b1b1b; overflow-wrap: anywhere; font-variant-ligatures: none; }
h1 { margin: 0 0 8pt; font-size: 18pt; }
h2 { margin: 16pt 0 6pt; padding-top: 8pt; border-top: 1.5pt solid #1b1b1b; font-size: 12.5pt; break-after: avoid; }
h3 { margin: 10pt 0 4pt; font-size: 10pt; break-after: avoid; }
small { color: #555; font-weight: normal; font-size: 8pt; }
dl { display: grid; grid-template-columns: repeat(3, 1fr); gap: 5pt 14pt; margin: 0; }
dt { color: #555; font-size: 8pt; }
dd { margin: 0; }
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
.path { width: 36%; } .name { width: 20%; } .size { width: 11%; } .time { width: 17%; }
th { text-align: start; color: #555; font-size: 8pt; font-weight: 600; }
th, td { padding: 2pt 6pt 2pt 0; border-bottom: 0.5pt solid #ccc; vertical-align: top; }
tr { break-inside: avoid; }
.keys { break-before: page; font-size: 8pt; }
.keys p { margin: 0 0 4pt; break-inside: avoid; }
`;

const contents: Readonly<Record<ReceiptJob['format'], (receipt: Receipt) => Iterable<string | Uint8Array>>> = {
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
  await replaceFile(path, (temporary) =>
    pipeline(Readable.from(inTurns(contents[job.format](receipt))), createWriteStream(temporary)),
  );
};

const TURN_MS = 10;

/** Yields `pieces`, and returns to the event loop after each 10 ms. */
async function* inTurns<T extends string | Uint8Array>(pieces: Iterable<T>): AsyncGenerator<T> {
  let turnEndsAt = performance.now() + TURN_MS;
  for (const piece of pieces) {
    if (piece.length > 0) yield piece;
    if (performance.now() < turnEndsAt) continue;
    await setImmediate();
    turnEndsAt = performance.now() + TURN_MS;
  }
}

// A receipt as CSV, for the user's spreadsheet.

/** The rows: the facts, a blank line, and all files. */
function* receiptCsv({ speech: { t }, formats, job, title, facts, assignments }: Receipt): Generator<string> {
  const format = sheetFormat(formats.number);
  const row = (...cells: readonly (Cell | undefined)[]) => csvRow(cells.map(csvCell), format);
  yield CSV_START;
  yield row(title);
  for (const fact of facts) yield row(...fact);
  if (job.part) yield row(t('receipt.part', job.part));
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

const two = (value: number): string => String(value).padStart(2, '0');

/** `time` as spreadsheets read it in every country: local, such as `2026-11-22 08:15:00`. */
const localTime = (time: Date): string =>
  `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`;

const csvCell = (cell: Cell | undefined): string | number => (cell instanceof Date ? localTime(cell) : (cell ?? ''));

// A receipt as JSON: one document, with one file per line. Times are ISO 8601 in UTC.

/** The parts of the document, in order. */
function* receiptJson({ job, senders, timeZone, counts, assignments }: Receipt): Generator<string> {
  const head = {
    service: job.service.baseUrl,
    sentBy: senders,
    created: new Date(job.madeAtMs).toISOString(),
    timeZone,
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
