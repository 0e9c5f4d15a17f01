/**
 * The contents of a receipt or a report in every format: facts of the whole, a line for each assignment (in a report, also for
 * each performer or person), and each assignment with its folders and their files.
 */
import { basename } from 'node:path';
import { sumBy } from 'es-toolkit';
import type { Connection } from '../../../contract/connection.ts';
import { type DayRange, wholeMonth } from '../../../contract/day-range.ts';
import type { Letterhead } from '../../../contract/preferences.ts';
import { type AssignmentSummary, assignmentName, customerName } from '../../../contract/resources.ts';
import { shownPath } from '../../../contract/text.ts';
import type { Batch, ReportBy } from '../../../contract/uploads.ts';
import { createFormats, type FormatSettings, type Formats } from '../../../words/formats.ts';
import type { Spoken } from '../../../words/languages.ts';
import { createHostSpeech, type Speech, type Translate } from '../../../words/speech.ts';
import { type Item, listedState } from '../ledger/items.ts';
import { chosenFolderOf, splitInner } from '../source/paths.ts';

/** A receipt that is to be written. Everything in it is cloneable. `page`: HTML to be printed. */
export type ReceiptJob = {
  readonly format: 'page' | 'xlsx' | 'csv' | 'json';
  readonly spoken: Spoken;
  readonly formats: FormatSettings;
  readonly service: Pick<Connection, 'baseUrl' | 'sample'>;
  readonly madeAtMs: number;
  /** `logo`: a `data:` URL. */
  readonly letterhead: Pick<Letterhead, 'office' | 'people'> & { readonly logo?: string };
  /** Whether every file is listed, with its key and checksum. */
  readonly listsFiles: boolean;
  /** Absent: a receipt. Otherwise a report about the uploads that were started in a period, with a line for each of `by`. */
  readonly report?: (DayRange & { readonly by: ReportBy }) | undefined;
  /** `assignment`: as far as it has been read here. */
  readonly batches: readonly {
    readonly batchId: string;
    readonly assignment?: AssignmentSummary | undefined;
    readonly verified?: Verified | undefined;
  }[];
  /** Only these files are listed, counted from 1 over all batches; part `no` of `of`. Absent: all of them. */
  readonly part?: ReceiptPart | undefined;
};
/** When the files of a batch were last compared with those on this computer, how many, and how many were the same. */
export type Verified = { readonly atMs: number; readonly files: number; readonly same: number };
type ReceiptPart = {
  readonly no: number;
  readonly of: number;
  readonly first: number;
  readonly last: number;
};

/** The ledger's data of a batch. `sender`: the subject of the token. `items`: its files, from one number on. */
export type ReceiptSource = {
  readonly batch: Batch;
  readonly sender: string | undefined;
  readonly items: (offset: number, count: number) => Iterable<Item>;
  /** The first files that did not arrive. */
  readonly failed: (count: number) => Iterable<Item>;
};

export type Cell = string | number | Date;
export type Fact = readonly [name: string, value: Cell];

export type Receipt = Awaited<ReturnType<typeof openReceipt>>;

/** One file as formatted texts. */
export type ReceiptFile = ReturnType<typeof fileOf>;

/**
 * Numbers of files by outcome, and their total bytes. `removed`: uploaded files that are no longer on the assignment;
 * `notReplaced`: earlier files that are still on the assignment besides their replacements.
 */
export type Counts = Readonly<
  Record<
    'files' | 'uploaded' | 'removed' | 'skipped' | 'failed' | 'notReplaced' | 'cancelled' | 'remaining' | 'bytes',
    number
  >
>;

/** Failed files that a receipt names: more would not fit on its page. */
const MOST_UNSENT = 12;

/** Collects the data of the receipt that `job` describes. */
export const openReceipt = async (job: ReceiptJob, sourceOf: (batchId: string) => ReceiptSource) => {
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
  /** When its files were sent, or the period of a report. */
  const time = job.report ? periodText(job.report, formats) : sentText(sources, formats);
  const { baseUrl, sample } = job.service;
  const assignments = job.listsFiles ? assignmentsOf(sources, job, speech) : [];
  const by = job.report?.by ?? 'assignment';
  const lines = linesOf(sources, by, { t, formats });
  return {
    ...{ speech, formats, job, time, senders, timeZone, counts, assignments, lines },
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
    /** What the lines are about, as the heading of their column, and those of `details`. */
    headings: headingsOf(by, speech),
    unsent: job.report ? { files: [], more: 0 } : unsentOf(sources, counts.failed, speech),
  };
};

/** That the files were compared with those on the computer; nothing unless those of all batches were. */
const verifiedFact = ({ batches, report }: ReceiptJob, t: Translate<'host'>, { moment }: Formats): readonly Fact[] => {
  const all = batches.flatMap(({ verified }) => verified ?? []);
  if (report || all.length === 0 || all.length < batches.length) return [];
  const [count, same] = [sumBy(all, (one) => one.files), sumBy(all, (one) => one.same)];
  const at = moment(Math.max(...all.map(({ atMs }) => atMs)));
  return [[t('receipt.verified'), t('receipt.verifiedFiles', { at, same, count })]];
};

/** What is known of the only assignment. */
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

/** When the files were sent: "12 Nov 2026, 08:15 – 09:02". Without an end while some are still to be sent. */
const sentText = (sources: readonly ReceiptSource[], { moment, day, hour }: Formats): string => {
  const fromMs = Math.min(...sources.map(({ batch }) => batch.createdAtMs));
  const ends = sources.map(({ batch }) => batch.finishedAtMs ?? Number.NaN);
  const toMs = Math.max(...ends);
  if (Number.isNaN(toMs) || moment(toMs) === moment(fromMs)) return moment(fromMs);
  return `${moment(fromMs)} – ${day(toMs) === day(fromMs) ? hour(toMs) : moment(toMs)}`;
};

/** "November 2026" for a whole month, otherwise its first and last day. */
const periodText = (period: DayRange, { month, day }: Formats): string => {
  if (wholeMonth(period)) return month(period.fromMs);
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

/**
 * Sorted by name. `details`: the customer of an assignment, or how many assignments the line sums up.
 */
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

/** The first files of a receipt that did not arrive, with their folders in `path`, and how many more there are. */
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

/** `Site A/photos/1.jpg`, `Site A/Offer.zip › 1.jpg`: by the name that the file has on the assignment. */
const placeOf = (root: string, { path, fileName }: Item): string => {
  const folder = chosenFolderOf({ root, path });
  return splitInner(path)?.inner.includes('/') === false ? `${folder} › ${fileName}` : `${folder}/${fileName}`;
};

/** The assignments with their folders and the files of the part. */
const assignmentsOf = (sources: readonly SourceOfAssignment[], { part }: ReceiptJob, speech: Speech<'host'>) => {
  let before = 0;
  const folders = sources.map(({ batch, assignment, items }) => {
    const from = Math.max(0, (part?.first ?? 1) - 1 - before);
    const to = Math.min(batch.files, (part?.last ?? Number.POSITIVE_INFINITY) - before);
    before += batch.files;
    const folder = {
      batch,
      name: basename(batch.root) || batch.root,
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
      ...{ AssignmentId, summary, name: nameOf(AssignmentId, summary, speech.t) },
      customer: summary ? customerName(summary) : '',
      folders: of.map(({ folder }) => folder),
    };
  });
};

/** The counts of batches together. */
export const countsOf = (sources: readonly { readonly batch: Batch }[]): Counts => {
  const sum = (count: Exclude<keyof Counts, 'remaining'>) =>
    sources.reduce((total, { batch }) => total + (batch[count] ?? 0), 0);
  const settled = {
    uploaded: sum('uploaded'),
    skipped: sum('skipped'),
    failed: sum('failed'),
    cancelled: sum('cancelled'),
  };
  const files = sum('files');
  const remaining = files - Object.values(settled).reduce((total, count) => total + count, 0);
  const others = { removed: sum('removed'), notReplaced: sum('notReplaced') };
  return { files, ...settled, ...others, remaining, bytes: sum('bytes') };
};

/** The counts that are always shown. */
const USUAL: ReadonlySet<keyof Counts> = new Set(['files', 'uploaded', 'failed']);

/** The headings of the counts of files that matter for `counts`, in order. */
export const countColumns = (counts: Counts, { t }: Speech<'host'>): readonly (readonly [keyof Counts, string])[] => {
  const columns = [
    ['files', t('table.title.files')],
    ['uploaded', t('table.title.uploaded')],
    ['removed', t('receipt.removedFiles')],
    ['skipped', t('receipt.alreadyThere')],
    ['failed', t('table.title.failed')],
    ['notReplaced', t('receipt.notReplaced')],
    ['cancelled', t('receipt.cancelled')],
    ['remaining', t('receipt.remaining')],
  ] as const;
  return columns.filter(([count]) => USUAL.has(count) || counts[count] > 0);
};

/** The counts that matter, for formats without a page. */
export const countFacts = (counts: Counts, speech: Speech<'host'>): readonly Fact[] => [
  ...countColumns(counts, speech).map(([count, name]): Fact => [name, counts[count]]),
  [speech.t('receipt.bytes'), counts.bytes],
];

/** The office, which the page shows in its letterhead. */
export const officeFact = ({ speech: { t }, job: { letterhead } }: Receipt): readonly Fact[] =>
  letterhead.office === undefined ? [] : [[t('receipt.office'), letterhead.office]];

/** The lines as rows of a sheet, with their headings. */
export const lineRows = ({ speech, counts, headings, lines }: Receipt): readonly (readonly Cell[])[] => {
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
  sizeBytes: item.sizeBytes,
  time: item.settledAtMs === undefined ? undefined : new Date(item.settledAtMs),
  state: t(`table.fileState.${listedState(item)}`),
  /** When it was removed from the assignment, if known. */
  removed: item.removed?.atMs === undefined ? undefined : new Date(item.removed.atMs),
  problem: item.error ? fileErrorText(item.error).title : '',
  /** Only if the file is known to be stored. */
  key: listedState(item) === 'done' ? item.key : undefined,
  sha256: item.sha256,
});
