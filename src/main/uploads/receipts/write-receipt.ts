/** Writes receipts and reports: first the data of all formats, then a section for each format. */

import { keyBy } from 'es-toolkit/array/keyBy';
import { identity } from 'es-toolkit/function/identity';
import { sumBy } from 'es-toolkit/math/sumBy';
import { mapValues } from 'es-toolkit/object/mapValues';
import { escape as escapeHtml } from 'es-toolkit/string/escape';
import type { Connection } from '../../../contract/connection.ts';
import { type DayRange, wholeMonth } from '../../../contract/day-range.ts';
import type { Letterhead } from '../../../contract/preferences.ts';
import { type AssignmentSummary, assignmentName, customerName } from '../../../contract/resources.ts';
import { sheetFormat, shownPath } from '../../../contract/text.ts';
import { type Batch, type ReportBy, settledFiles } from '../../../contract/uploads.ts';
import { createFormats, type FormatSettings, type Formats, monthText } from '../../../words/formats.ts';
import type { Spoken } from '../../../words/languages.ts';
import { sizeInUnit } from '../../../words/size.ts';
import { createHostSpeech, type Speech, type Translate } from '../../../words/speech.ts';
import { CSV_START, csvRow, localTime } from '../../data/csv.ts';
import { type Pieces, writePieces } from '../../data/files.ts';
import { pictureSize } from '../../data/picture.ts';
import { type Bold, type Row, type Sheet, type SheetPicture, workbook } from '../../data/workbook.ts';
import { type Item, listedState } from '../ledger/items.ts';
import type { LeftOutFolder } from '../ledger/ledger.ts';
import { baseName, chosenFolderOf, folderName, splitInner } from '../source/paths.ts';
import { joined } from './report.ts';

/** A receipt that is to be written. Everything in it is cloneable. `page`: HTML to be printed. */
export type ReceiptJob = {
  readonly format: 'page' | 'xlsx' | 'csv' | 'json';
  readonly spoken: Spoken;
  readonly formats: FormatSettings;
  readonly service: Pick<Connection, 'baseUrl' | 'sample'>;
  readonly madeAtMs: number;
  /** The letterhead of the page. `logo`: a `data:` URL. */
  readonly letterhead: Pick<Letterhead, 'office' | 'people'> & { readonly logo?: string };
  /** Whether every file is listed, with its key and checksum. */
  readonly listsFiles: boolean;
  /** The period of a report, and what each of its lines is about (`by`); absent for a receipt. */
  readonly report?: (DayRange & { readonly by: ReportBy }) | undefined;
  /** The batches of the receipt. `assignment`: the assignment's summary; absent if it is not known on this computer. */
  readonly batches: readonly {
    readonly batchId: string;
    readonly assignment?: AssignmentSummary | undefined;
    readonly verified?: Verified | undefined;
  }[];
  /** The folders, and single files, that the review of the uploads left out, each with its number of files. */
  readonly leftOutFolders?: readonly LeftOutFolder[] | undefined;
  /**
   * The part to write if the receipt is divided into parts: it lists the files from `first` to `last`, numbered from 1
   * over all batches. Absent: the receipt lists all files.
   */
  readonly part?: ReceiptPart | undefined;
};
/**
 * The last comparison of a batch's files with those on this computer: when it was made, the number of files that were
 * compared, and how many of them were the same.
 */
export type Verified = { readonly atMs: number; readonly files: number; readonly same: number };
type ReceiptPart = {
  readonly no: number;
  readonly of: number;
  readonly first: number;
  readonly last: number;
};

/** The ledger's data of a batch. `sender`: the subject of the token. `items`: up to `count` files from `offset` on. */
type ReceiptSource = {
  readonly batch: Batch;
  readonly sender: string | undefined;
  readonly items: (offset: number, count: number) => Iterable<Item>;
  /** Returns the first `count` files that failed or are uncertain. */
  readonly failed: (count: number) => Iterable<Item>;
};

type Cell = string | number | Date;
type Fact = readonly [name: string, value: Cell];

type Receipt = Awaited<ReturnType<typeof openReceipt>>;

type ReceiptFile = ReturnType<typeof fileOf>;

/**
 * Numbers of files by outcome, and the size of all `files` in `bytes`. `files` includes neither `leftOut` (left out by
 * the review) nor `unreadable` (unreadable files, and unreadable folders, each counted as one). `skipped`: files whose
 * content was already on the assignment; `removed`: uploaded files that left the assignment; `notReplaced`: replaced
 * files and check files that could not be removed.
 */
type Counts = Readonly<Record<(typeof SUMMED)[number] | 'remaining' | 'leftOut' | 'unreadable' | 'bytes', number>>;

const SUMMED = ['files', 'uploaded', 'skipped', 'nameTaken', 'failed', 'cancelled', 'removed', 'notReplaced'] as const;

/** The maximum number of failed files, and of folders left out, that a page names; the others are only counted. */
const MOST_UNSENT = 12;

/** Collects the data of the receipt that `job` describes. */
const openReceipt = async (job: ReceiptJob, sourceOf: (batchId: string) => ReceiptSource) => {
  const speech = await createHostSpeech(job.spoken);
  const { t } = speech;
  const formats = createFormats(job.formats);
  const { people } = job.letterhead;
  const sources = job.batches.map(({ batchId, assignment }): SourceOfAssignment => {
    const { sender, ...source } = sourceOf(batchId);
    return { ...source, sender: people[sender ?? ''] ?? sender, assignment };
  });
  const senders = [...new Set(sources.flatMap(({ sender }) => sender ?? []))];
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const counts = countsOf(sources);
  const time = job.report ? periodText(job.report, formats, speech.locale) : sentText(sources, formats);
  const { baseUrl, sample } = job.service;
  const assignments = job.listsFiles ? assignmentsOf(sources, job, speech) : [];
  const by = job.report?.by ?? 'assignment';
  const lines = linesOf(sources, by, { t, formats });
  return {
    speech,
    formats,
    job,
    time,
    senders,
    timeZone,
    counts,
    assignments,
    lines,
    title: t(job.report ? 'receipt.reportTitle' : 'receipt.title'),
    facts: [
      [t(job.report ? 'receipt.period' : 'receipt.sent'), time],
      ...(job.report || lines.length > 1 ? [] : assignmentFacts(sources, t)),
      [t('receipt.sentBy'), senders.join(', ') || t('receipt.sentByUnknown')],
      ...verifiedFact(job, t, formats),
      [t('receipt.service'), sample ? t('receipt.sample', { address: baseUrl }) : baseUrl],
      [
        t(job.report ? 'receipt.reportCreated' : 'receipt.created'),
        t('receipt.timeZone', { at: formats.moment(job.madeAtMs), zone: timeZone }),
      ],
    ] satisfies readonly Fact[],
    /** The headings of the first two columns of the lines: `name` and `details`. */
    headings: headingsOf(by, speech),
    unsent: job.report ? { files: [], more: 0 } : unsentOf(sources, counts.failed, speech),
  };
};

/**
 * A fact with the number of files that were the same as those on the computer; none in a report, or if a batch was not
 * compared.
 */
const verifiedFact = ({ batches, report }: ReceiptJob, t: Translate<'host'>, { moment }: Formats): readonly Fact[] => {
  const all = batches.flatMap(({ verified }) => verified ?? []);
  if (report || all.length === 0 || all.length < batches.length) return [];
  const [count, same] = [sumBy(all, (one) => one.files), sumBy(all, (one) => one.same)];
  const at = moment(Math.max(...all.map(({ atMs }) => atMs)));
  return [[t('receipt.verified'), t('receipt.verifiedFiles', { at, same, count })]];
};

const assignmentFacts = ([source]: readonly SourceOfAssignment[], t: Translate<'host'>): readonly Fact[] => {
  if (!source) return [];
  const { batch, assignment } = source;
  const known: readonly Fact[] = assignment
    ? [
        [t('table.title.address'), addressOf(assignment)],
        [t('receipt.customer'), customerName(assignment)],
        [t('receipt.facility'), assignment.FacilityId],
        [t('table.title.performer'), assignment.Performer],
      ]
    : [];
  return [...known, [t('receipt.assignment'), batch.AssignmentId]];
};

const addressOf = ({ Address, City }: AssignmentSummary): string => [Address, City].filter(Boolean).join(', ');

type SourceOfAssignment = ReceiptSource & { readonly assignment: AssignmentSummary | undefined };

/**
 * When the files were sent: "12 Nov 2026, 08:15 – 09:02". The end is left out while files are still to be sent, or if
 * it reads the same as the start.
 */
const sentText = (sources: readonly ReceiptSource[], { moment, day, hour }: Formats): string => {
  const fromMs = Math.min(...sources.map(({ batch }) => batch.createdAtMs));
  const ends = sources.map(({ batch }) => batch.finishedAtMs ?? Number.NaN);
  const toMs = Math.max(...ends);
  if (Number.isNaN(toMs) || moment(toMs) === moment(fromMs)) return moment(fromMs);
  return `${moment(fromMs)} – ${day(toMs) === day(fromMs) ? hour(toMs) : moment(toMs)}`;
};

/** Formats a period: "November 2026" for a whole month, otherwise the first and the last day, or the only day. */
const periodText = (period: DayRange, formats: Formats, spoken: string): string => {
  if (wholeMonth(period)) return monthText(period.fromMs, formats, spoken);
  const { day } = formats;
  const [first, last] = [day(period.fromMs), day(period.beforeMs - 1)];
  return first === last ? first : `${first} – ${last}`;
};

const headingsOf = (by: ReportBy, { t }: Speech<'host'>): readonly [string, string] => {
  switch (by) {
    case 'assignment':
      return [t('table.title.address'), t('receipt.customer')];
    case 'performer':
      return [t('table.title.performer'), t('receipt.assignments')];
    case 'person':
      return [t('receipt.sentBy'), t('receipt.assignments')];
  }
};

/** The lines, sorted by name. `details`: the customer of an assignment, or how many assignments the line sums up. */
const linesOf = (
  sources: readonly SourceOfAssignment[],
  by: ReportBy,
  { t, formats }: { readonly t: Translate<'host'>; readonly formats: Formats },
) => {
  const keyOf = ({ batch, assignment, sender }: SourceOfAssignment): string => {
    if (by === 'assignment') return batch.AssignmentId;
    return by === 'performer' ? (assignment?.Performer ?? '') : (sender ?? '');
  };
  return [...Map.groupBy(sources, keyOf)]
    .map(([key, of]): { readonly name: string; readonly details: string | number; readonly counts: Counts } => {
      const counts = countsOf(of);
      if (by === 'assignment') {
        const summary = of.find(({ assignment }) => assignment)?.assignment;
        return {
          name: (summary && addressOf(summary)) || nameOf(key, summary, t),
          details: summary ? customerName(summary) : '',
          counts,
        };
      }
      const details = new Set(of.map(({ batch }) => batch.AssignmentId)).size;
      return { name: key || t('receipt.notKnown'), details, counts };
    })
    .toSorted((a, b) => formats.collator.compare(a.name, b.name));
};

const nameOf = (AssignmentId: string, summary: AssignmentSummary | undefined, t: Translate<'host'>): string =>
  (summary && assignmentName(summary)) || t('receipt.unreadAssignment', { id: AssignmentId });

/** The first failed and uncertain files of a receipt, with their folders in `path`, and how many more there are. */
const unsentOf = (sources: readonly ReceiptSource[], failed: number, speech: Speech<'host'>) => {
  const files: ReceiptFile[] = [];
  for (const source of sources) {
    if (source.batch.failed === 0 || files.length === MOST_UNSENT) continue;
    for (const item of source.failed(MOST_UNSENT - files.length)) {
      const { root } = source.batch;
      files.push({ ...fileOf(item, speech), path: placeOf(root, item) });
    }
  }
  return { files, more: failed - files.length };
};

/** A file's folder and FileName: `Site A/photos/1.jpg`, or `Site A/Offer.zip › 1.jpg` directly in an archive. */
const placeOf = (root: string, { path, fileName }: Item): string => {
  const folder = chosenFolderOf({ root, path });
  return splitInner(path)?.inner.includes('/') === false ? `${folder} › ${fileName}` : `${folder}/${fileName}`;
};

/**
 * The assignments with their folders and files; if the receipt is divided into parts, only with the files of this part.
 */
const assignmentsOf = (sources: readonly SourceOfAssignment[], { part }: ReceiptJob, speech: Speech<'host'>) => {
  let before = 0;
  const folders = sources.map(({ batch, assignment, items }) => {
    const from = Math.max(0, (part?.first ?? 1) - 1 - before);
    const to = Math.min(batch.files, (part?.last ?? Number.POSITIVE_INFINITY) - before);
    before += batch.files;
    const folder = {
      batch,
      name: batch.only ?? folderName(batch.root),
      files: function* (): Generator<ReceiptFile> {
        for (const item of items(from, Math.max(0, to - from))) yield fileOf(item, speech);
      },
    };
    return { batch, assignment, folder, isListed: part === undefined || to > from };
  });
  const listed = folders.filter(({ isListed }) => isListed);
  return [...Map.groupBy(listed, ({ batch }) => batch.AssignmentId)].map(([AssignmentId, of]) => {
    const summary = of.find(({ assignment }) => assignment)?.assignment;
    return {
      AssignmentId,
      summary,
      name: nameOf(AssignmentId, summary, speech.t),
      customer: summary ? customerName(summary) : '',
      folders: of.map(({ folder }) => folder),
    };
  });
};

const countsOf = (sources: readonly { readonly batch: Batch }[]): Counts => ({
  ...mapValues(keyBy(SUMMED, identity), (count) => sumBy(sources, ({ batch }) => batch[count] ?? 0)),
  skipped: sumBy(sources, ({ batch }) => batch.skipped - (batch.nameTaken ?? 0)),
  remaining: sumBy(sources, ({ batch }) => batch.files - settledFiles(batch)),
  leftOut: sumBy(sources, ({ batch }) => batch.leftOut.inReview ?? 0),
  unreadable: sumBy(sources, ({ batch }) => batch.leftOut.unreadable),
  bytes: sumBy(sources, ({ batch }) => batch.bytes),
});

const USUAL: ReadonlySet<keyof Counts> = new Set(['files', 'uploaded', 'failed']);

/**
 * The counts of files that are shown, in order, with their headings: the counts of `USUAL`, and all others that are not
 * 0.
 */
const countColumns = (counts: Counts, { t }: Speech<'host'>): readonly (readonly [keyof Counts, string])[] => {
  const columns = [
    ['files', t('table.title.files')],
    ['uploaded', t('table.title.uploaded')],
    ['removed', t('receipt.removedFiles')],
    ['skipped', t('receipt.alreadyThere')],
    ['nameTaken', t('receipt.nameTaken')],
    ['failed', t('table.title.failed')],
    ['notReplaced', t('receipt.notReplaced')],
    ['cancelled', t('receipt.cancelled')],
    ['remaining', t('receipt.remaining')],
    ['leftOut', t('receipt.leftOut')],
    ['unreadable', t('receipt.unreadable')],
  ] as const;
  return columns.filter(([count]) => USUAL.has(count) || counts[count] > 0);
};

const countFacts = (counts: Counts, speech: Speech<'host'>): readonly Fact[] => [
  ...countColumns(counts, speech).map(([count, name]): Fact => [name, counts[count]]),
  [speech.t('receipt.bytes'), counts.bytes],
];

const officeFact = ({ speech: { t }, job: { letterhead } }: Receipt): readonly Fact[] =>
  letterhead.office === undefined ? [] : [[t('receipt.office'), letterhead.office]];

/** The lines as rows for the workbook and the CSV, after a row of headings. */
const lineRows = ({ speech, counts, headings, lines }: Receipt): readonly (readonly Cell[])[] => {
  const columns = countColumns(counts, speech);
  return [
    [...headings, ...columns.map(([, name]) => name), speech.t('receipt.bytes')],
    ...lines.map(({ name, details, counts: own }) => [
      ...[name, details, ...columns.map(([count]) => own[count])],
      own.bytes,
    ]),
  ];
};

const fileOf = (item: Item, { t, fileErrorText }: Speech<'host'>) => ({
  path: shownPath(item.path),
  fileName: item.fileName,
  isRenamed: baseName(item.path) !== item.fileName,
  sizeBytes: item.sizeBytes,
  time: item.settledAtMs === undefined ? undefined : new Date(item.settledAtMs),
  state: t(`table.fileState.${listedState(item)}`),
  removed: item.removed?.atMs === undefined ? undefined : new Date(item.removed.atMs),
  problem: item.error ? fileErrorText(item.error).title : '',
  /** The object key; absent unless the file is known to be stored. */
  key: listedState(item) === 'done' ? item.key : undefined,
  sha256: item.sha256,
});

// A receipt or a report as an HTML page.

/** The maximum number of rows of a table: Chromium needs far more memory to print one long table than short ones. */
const TABLE_ROWS = 200;

/** Yields the page, piece by piece. It has no scripts, loads nothing, and every text in it is escaped. */
function* receiptPage(receipt: Receipt): Generator<string> {
  const { speech, formats, job, title, time, facts, counts } = receipt;
  const { t } = speech;
  yield `<!doctype html><html lang="${speech.locale}"><head><meta charset="utf-8"><title>${html(title)}</title><style>${STYLE}</style></head><body>`;
  yield letterhead(job.letterhead);
  yield `<h1>${html(title)}</h1><p class="when">${html(time)}</p>`;
  // The first fact is the time, which is shown above.
  yield factList(facts.slice(1));
  yield '<ul class="totals">';
  for (const [count, name] of countColumns(counts, speech))
    yield `<li class="${lookOf(count, counts[count])}"><b>${formats.number(counts[count])}</b>${html(name)}</li>`;
  yield `<li><b>${html(formats.number(...sizeInUnit(counts.bytes)))}</b>${html(t('table.title.size'))}</li></ul>`;
  // With a single line, the facts above already describe its assignment.
  if (job.report || receipt.lines.length > 1) yield* lineTable(receipt);
  yield unsentList(receipt);
  yield leftOutList(receipt);
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

/**
 * Yields the table of the lines, with a row for their sum if there are several lines; yields a sentence if there are no
 * lines.
 */
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

const unsentList = ({ speech: { t }, unsent: { files, more } }: Receipt): string =>
  listOf(
    t('receipt.unsent'),
    files.map(({ path, problem }) => [path, problem]),
    more > 0 ? t('receipt.moreFiles', { count: more }) : '',
  );

const leftOutList = ({ speech: { t }, job: { leftOutFolders = [] } }: Receipt): string => {
  const more = leftOutFolders.length - MOST_UNSENT;
  return listOf(
    t('receipt.leftOutFolders', { count: leftOutFolders.length }),
    leftOutFolders.slice(0, MOST_UNSENT).map(({ path, files }) => [path, t('receipt.filesOf', { count: files })]),
    more > 0 ? t('receipt.moreFolders', { count: more }) : '',
  );
};

/**
 * Returns a section that lists files or folders that were not sent, each with a note; empty without rows. `more`: a
 * text below the list.
 */
const listOf = (title: string, rows: readonly (readonly [string, string])[], more: string): string =>
  rows.length === 0
    ? ''
    : `<section class="unsent"><h2>${html(title)}</h2><table><colgroup><col class="half"><col></colgroup><tbody>${rows
        .map((row) => cells(row.map(html)))
        .join('')}</tbody></table>${more && `<p>${html(more)}</p>`}</section>`;

/** The folders left out as rows for the workbook and the CSV, after a row that says how many there are. */
const leftOutRows = ({ speech: { t }, job: { leftOutFolders = [] } }: Receipt): readonly (readonly Cell[])[] =>
  leftOutFolders.length === 0
    ? []
    : [
        [t('receipt.leftOutFolders', { count: leftOutFolders.length })],
        ...leftOutFolders.map(({ path, files }) => [path, files]),
      ];

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

type ReceiptFiles = ReturnType<ReceiptAssignment['folders'][number]['files']>;

function* fileTables(files: ReceiptFiles, { speech: { t }, formats }: Receipt): Generator<string> {
  const head = [t('table.title.file'), t('table.title.size'), t('receipt.time'), t('table.title.state')];
  const moment = (time: Date | undefined): string => (time ? formats.moment(time.getTime()) : '');
  let rows = 0;
  for (const { path, fileName, isRenamed, sizeBytes, time, state, removed, problem } of files) {
    if (rows % TABLE_ROWS === 0)
      yield `${rows > 0 ? '</tbody></table>' : ''}<table class="files">${FILE_COLUMNS}${headRow(rows === 0 ? head : [])}<tbody>`;
    rows += 1;
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
  return count === 'failed' || count === 'unreadable' ? 'bad' : '';
};

const headRow = (head: readonly string[]): string =>
  head.length > 0 ? `<thead><tr>${head.map((text) => `<th>${html(text)}</th>`).join('')}</tr></thead>` : '';

const cells = (contents: readonly string[]): string =>
  `<tr>${contents.map((content) => `<td>${content}</td>`).join('')}</tr>`;

/** Escapes `text` for HTML. Control characters, and characters that reorder text or break the line, become `�`. */
const html = (text: string): string =>
  escapeHtml(
    text.toWellFormed().replaceAll(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu, '\ufffd'),
  );

/** The style of the page. Ligatures are off: with them, a checksum copied from the PDF could be a different text. */
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

// A receipt or a report as an Excel workbook: a sheet with the facts, the counts, and the folders or lines. If files
// are listed, a sheet of files and a sheet of their keys and checksums follow.

const bold = (text: string): Bold => ({ bold: text });

const receiptXlsx = (receipt: Receipt): AsyncGenerator<Uint8Array> => {
  const { speech, job } = receipt;
  const { t } = speech;
  return workbook([
    {
      name: t(job.report ? 'receipt.sheetReport' : 'receipt.sheetReceipt'),
      widths: job.report ? [36, 28, ...Array<number>(11).fill(14)] : folderColumns(speech).map(([, width]) => width),
      picture: logoOf(job),
      rows: overview(receipt),
    },
    ...(job.listsFiles ? fileSheets(receipt) : []),
  ]);
};

const logoOf = ({ letterhead: { logo = '' } }: Receipt['job']): SheetPicture | undefined => {
  const bytes = Buffer.from(logo.slice(logo.indexOf(',') + 1), 'base64');
  const found = pictureSize(bytes);
  return found && { ...found, bytes };
};

/** A column of the listed files. `width`: in characters. */
type FileColumn = readonly [
  heading: string,
  width: number,
  cell: (file: ReceiptFile, assignment: ReceiptAssignment, folder: string) => Cell | undefined,
];

const fileColumns = ({ t }: Speech<'host'>) =>
  ({
    address: [t('table.title.address'), 30, (_, { summary }) => summary?.Address],
    city: [t('table.title.city'), 24, (_, { summary }) => summary?.City],
    customer: [t('receipt.customer'), 24, (_, { customer }) => customer],
    assignment: [t('receipt.assignment'), 38, (_, { AssignmentId }) => AssignmentId],
    folder: [t('table.title.folder'), 24, (_file, _assignment, folder) => folder],
    file: [t('table.title.file'), 44, ({ path }) => path],
    fileName: [t('receipt.fileOnAssignment'), 36, ({ fileName }) => fileName],
    bytes: [t('receipt.bytes'), 14, ({ sizeBytes }) => sizeBytes],
    time: [t('receipt.time'), 18, ({ time }) => time],
    state: [t('table.title.state'), 16, ({ state }) => state],
    removed: [t('receipt.removed'), 18, ({ removed }) => removed],
    problem: [t('table.title.problem'), 44, ({ problem }) => problem],
    key: [t('receipt.key'), 60, ({ key }) => key],
    checksum: [t('receipt.checksum'), 68, ({ sha256 }) => sha256],
  }) satisfies Readonly<Record<string, FileColumn>>;

function* fileRows({ assignments }: Receipt, columns: readonly FileColumn[]): Generator<readonly (Cell | undefined)[]> {
  for (const assignment of assignments) {
    for (const { name, files } of assignment.folders) {
      for (const file of files()) yield columns.map(([, , cell]) => cell(file, assignment, name));
    }
  }
}

const fileSheets = (receipt: Receipt): readonly Sheet[] => {
  const { t } = receipt.speech;
  const { city: _, assignment, key, checksum, ...others } = fileColumns(receipt.speech);
  const sheetOf = (name: string, columns: readonly FileColumn[]): Sheet => ({
    name,
    widths: columns.map(([, width]) => width),
    header: columns.map(([heading]) => heading),
    rows: fileRows(receipt, columns),
  });
  return [
    sheetOf(t('receipt.files'), Object.values(others)),
    sheetOf(t('receipt.sheetKeys'), [assignment, others.file, others.fileName, key, checksum]),
  ];
};

function* overview(receipt: Receipt): Generator<Row> {
  const { speech, job, title, facts, counts, assignments } = receipt;
  yield [bold(title)];
  yield [];
  for (const [name, value] of [...officeFact(receipt), ...facts, ...countFacts(counts, speech)])
    yield [bold(name), value];
  yield [];
  const [heading, ...leftOut] = leftOutRows(receipt);
  if (heading) yield* [heading.map((text) => bold(String(text))), ...leftOut, []];
  if (job.report) {
    const [head = [], ...lines] = lineRows(receipt);
    yield head.map((text) => bold(String(text)));
    yield* lines;
    return;
  }
  const columns = folderColumns(speech);
  yield columns.map(([heading]) => bold(heading));
  for (const assignment of assignments)
    for (const folder of assignment.folders) yield columns.map(([, , cell]) => cell(assignment, folder));
}

type ReceiptAssignment = Receipt['assignments'][number];

/** A column of the table of folders in a receipt. `width`: in characters. */
type FolderColumn = readonly [
  heading: string,
  width: number,
  cell: (assignment: ReceiptAssignment, folder: ReceiptAssignment['folders'][number]) => Cell | undefined,
];

const folderColumns = ({ t }: Speech<'host'>): readonly FolderColumn[] => [
  [t('table.title.address'), 36, ({ summary }) => summary?.Address],
  [t('table.title.city'), 24, ({ summary }) => summary?.City],
  [t('receipt.customer'), 28, ({ customer }) => customer],
  [t('receipt.assignment'), 38, ({ AssignmentId }) => AssignmentId],
  [t('table.title.folder'), 28, (_, { name }) => name],
  [t('receipt.started'), 18, (_, { batch }) => new Date(batch.createdAtMs)],
  [t('receipt.finished'), 18, (_, { batch }) => batch.finishedAtMs && new Date(batch.finishedAtMs)],
  [t('table.title.files'), 10, (_, { batch }) => batch.files],
  [t('table.title.uploaded'), 12, (_, { batch }) => batch.uploaded],
  [t('receipt.removedFiles'), 14, (_, { batch }) => batch.removed ?? 0],
  [t('table.title.skipped'), 12, (_, { batch }) => batch.skipped],
  [t('table.title.failed'), 12, (_, { batch }) => batch.failed],
  [t('receipt.bytes'), 16, (_, { batch }) => batch.bytes],
];

const contents: Readonly<Record<ReceiptJob['format'], (receipt: Receipt) => Pieces>> = {
  page: receiptPage,
  xlsx: receiptXlsx,
  csv: receiptCsv,
  json: receiptJson,
};

/** Writes a receipt to `path`, completely or not at all. Errors: `data/unwritable`, those of `sourceOf`. */
export const writeReceipt = async (
  path: string,
  job: ReceiptJob,
  sourceOf: (batchId: string) => ReceiptSource,
): Promise<void> => {
  const receipt = await openReceipt(job, sourceOf);
  await writePieces(path, contents[job.format](receipt));
};

// A receipt or a report as CSV, for the user's spreadsheet program.

function* receiptCsv(receipt: Receipt): Generator<string> {
  const { speech, formats, job, title, facts, counts } = receipt;
  const { t } = speech;
  const format = sheetFormat(formats.number);
  const row = (...cells: readonly (Cell | undefined)[]) => csvRow(cells.map(csvCell), format);
  yield CSV_START;
  yield row(title);
  for (const fact of [...officeFact(receipt), ...facts, ...countFacts(counts, speech)]) yield row(...fact);
  if (job.part) yield row(t('receipt.part', job.part));
  for (const cells of leftOutRows(receipt)) yield row(...cells);
  if (job.report) for (const cells of [[], ...lineRows(receipt)]) yield row(...cells);
  if (!job.listsFiles) return;
  yield row();
  const columns: readonly FileColumn[] = Object.values(fileColumns(speech));
  yield row(...columns.map(([heading]) => heading));
  for (const cells of fileRows(receipt, columns)) yield row(...cells);
}

const csvCell = (cell: Cell | undefined): string | number => (cell instanceof Date ? localTime(cell) : (cell ?? ''));

// A receipt or a report as JSON: one document, with one file per line. Times are ISO 8601 in UTC.

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
    ...(job.leftOutFolders?.length && { leftOutFolders: job.leftOutFolders }),
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
