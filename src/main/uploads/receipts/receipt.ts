/**
 * The contents of a receipt in every format: facts of the whole upload, then each assignment with its folders and their
 * files.
 */
import { basename } from 'node:path';
import type { Connection } from '../../../contract/connection.ts';
import type { AssignmentSummary } from '../../../contract/resources.ts';
import { assignmentName, customerName } from '../../../contract/resources.ts';
import type { Batch } from '../../../contract/uploads.ts';
import { createFormats, type FormatSettings, type Formats } from '../../../words/formats.ts';
import type { Spoken } from '../../../words/languages.ts';
import { sizeInUnit } from '../../../words/size.ts';
import { createHostSpeech, type Speech } from '../../../words/speech.ts';
import { type Item, listedState } from '../ledger/item-row.ts';

/** A receipt that is to be written. Everything in it is cloneable. `page`: HTML to be printed. */
export type ReceiptJob = {
  readonly format: 'page' | 'xlsx' | 'csv' | 'json';
  readonly spoken: Spoken;
  readonly formats: FormatSettings;
  readonly service: Pick<Connection, 'baseUrl' | 'sample'>;
  readonly madeAtMs: number;
  /** `assignment`: as far as it has been read here. */
  readonly batches: readonly { readonly batchId: string; readonly assignment?: AssignmentSummary | undefined }[];
  /** Only these files are listed, counted from 1 over all batches; part `no` of `of`. Absent: all of them. */
  readonly part?: ReceiptPart | undefined;
};
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
};

export type Cell = string | number | Date;
export type Fact = readonly [name: string, value: Cell];

type ReceiptFolder = {
  readonly batch: Batch;
  readonly name: string;
  readonly files: () => Iterable<ReceiptFile>;
};
type ReceiptAssignment = {
  readonly AssignmentId: string;
  readonly summary: AssignmentSummary | undefined;
  readonly name: string;
  readonly customer: string;
  readonly facts: readonly Fact[];
  readonly folders: readonly ReceiptFolder[];
};
export type Receipt = {
  readonly speech: Speech<'host'>;
  readonly formats: Formats;
  readonly job: ReceiptJob;
  readonly title: string;
  readonly senders: readonly string[];
  readonly timeZone: string;
  readonly facts: readonly Fact[];
  readonly counts: Counts;
  readonly assignments: readonly ReceiptAssignment[];
};

/** One file as formatted texts. `key`: only if the file is known to be stored. */
export type ReceiptFile = {
  readonly path: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly time: Date | undefined;
  readonly state: string;
  /** When it was removed from the assignment, if known. */
  readonly removed: Date | undefined;
  readonly problem: string;
  readonly key: string | undefined;
  readonly sha256: string | undefined;
};

/**
 * Numbers of files by outcome, and their total bytes. `removed`: uploaded files that are no longer on the assignment;
 * `notReplaced`: earlier files that are still on the assignment besides their replacements.
 */
type Counts = Readonly<
  Record<
    'files' | 'uploaded' | 'removed' | 'skipped' | 'failed' | 'notReplaced' | 'cancelled' | 'remaining' | 'bytes',
    number
  >
>;

/** Collects the data of the receipt that `job` describes. */
export const openReceipt = async (job: ReceiptJob, sourceOf: (batchId: string) => ReceiptSource): Promise<Receipt> => {
  const speech = await createHostSpeech(job.spoken);
  const { t } = speech;
  const formats = createFormats(job.formats);
  const sources = job.batches.map(({ batchId, assignment }) => ({ ...sourceOf(batchId), assignment }));
  const senders = [...new Set(sources.flatMap(({ sender }) => sender ?? []))];
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const counts = countsOf(sources);
  const { baseUrl, sample } = job.service;
  const withZone = (timeMs: number) => t('receipt.timeZone', { at: formats.moment(timeMs), zone: timeZone });

  let before = 0;
  const folders = sources.map(({ batch, assignment, items }) => {
    const from = Math.max(0, (job.part?.first ?? 1) - 1 - before);
    const to = Math.min(batch.files, (job.part?.last ?? Number.POSITIVE_INFINITY) - before);
    before += batch.files;
    const folder: ReceiptFolder = {
      batch,
      name: basename(batch.root) || batch.root,
      files: function* () {
        for (const item of items(from, Math.max(0, to - from))) yield fileOf(item, speech);
      },
    };
    return { batch, assignment, folder, isListed: job.part === undefined || to > from };
  });
  const byAssignment = Map.groupBy(
    folders.filter(({ isListed }) => isListed),
    ({ batch }) => batch.AssignmentId,
  );

  return {
    speech,
    formats,
    job,
    title: t('receipt.title'),
    senders,
    timeZone,
    counts,
    facts: [
      [t('receipt.service'), sample ? t('receipt.sample', { address: baseUrl }) : baseUrl],
      [t('receipt.sentBy'), senders.join(', ') || t('receipt.sentByUnknown')],
      [t('receipt.created'), withZone(job.madeAtMs)],
      ...countFacts(counts, speech, formats),
    ],
    assignments: [...byAssignment].map(([AssignmentId, of]) => {
      const summary = of.find(({ assignment }) => assignment)?.assignment;
      const customer = summary ? customerName(summary) : '';
      return {
        AssignmentId,
        summary,
        name: (summary && assignmentName(summary)) || t('receipt.unreadAssignment', { id: AssignmentId }),
        customer,
        facts: [
          ...(summary
            ? ([
                [t('table.title.address'), [summary.Address, summary.City].filter(Boolean).join(', ')],
                [t('receipt.customer'), customer],
                [t('receipt.facility'), summary.FacilityId],
                [t('table.title.performer'), summary.Performer],
              ] as const)
            : []),
          [t('receipt.assignment'), AssignmentId],
          // A single assignment has the counts of the whole.
          ...(byAssignment.size > 1 ? countFacts(countsOf(of), speech, formats) : []),
        ],
        folders: of.map(({ folder }) => folder),
      };
    }),
  };
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

const countFacts = (counts: Counts, { t }: Speech<'host'>, formats: Formats): readonly Fact[] => {
  const { files, uploaded, removed, skipped, failed, notReplaced, cancelled, remaining, bytes } = counts;
  return [
    [t('table.title.files'), files],
    [t('table.title.uploaded'), uploaded],
    ...(removed > 0 ? ([[t('receipt.removedFiles'), removed]] as const) : []),
    [t('table.title.skipped'), skipped],
    [t('table.title.failed'), failed],
    ...(notReplaced > 0 ? ([[t('receipt.notReplaced'), notReplaced]] as const) : []),
    ...(cancelled > 0 ? ([[t('receipt.cancelled'), cancelled]] as const) : []),
    ...(remaining > 0 ? ([[t('receipt.remaining'), remaining]] as const) : []),
    [t('table.title.size'), formats.number(...sizeInUnit(bytes))],
  ];
};

const fileOf = (item: Item, { t, fileErrorText }: Speech<'host'>): ReceiptFile => ({
  path: item.path,
  fileName: item.fileName,
  sizeBytes: item.sizeBytes,
  time: item.settledAtMs === undefined ? undefined : new Date(item.settledAtMs),
  state: t(`table.fileState.${listedState(item)}`),
  removed: item.removed?.atMs === undefined ? undefined : new Date(item.removed.atMs),
  problem: item.error ? fileErrorText(item.error).title : '',
  key: listedState(item) === 'done' ? item.key : undefined,
  sha256: item.sha256,
});
