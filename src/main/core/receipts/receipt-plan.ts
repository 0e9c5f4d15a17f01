/** Which receipts an order makes, and what each is called: pure. */

import type { AssignmentSummary } from '../../../contract/resources.ts';
import { assignmentName } from '../../../contract/resources.ts';
import type { Batch, ReceiptFormat } from '../../../contract/uploads.ts';
import type { Translate } from '../../../words/speech/speech.ts';
import type { ReceiptJob } from '../../uploads/receipts/receipt.ts';

export type ReceiptOrder = {
  readonly batchIds: readonly string[];
  readonly format: ReceiptFormat;
  readonly eachAssignment: boolean;
};

/** `name`: of the file, without its extension. */
export type PlannedReceipt = { readonly name: string; readonly job: ReceiptJob };

type PlanOptions = Omit<ReceiptJob, 'format' | 'batches' | 'part'> & {
  readonly t: Translate<'host'>;
  /** What the receipt is about. */
  readonly name: string;
  /** The name of the file, unless it follows from what it is about. */
  readonly fileName?: string | undefined;
  readonly summaryOf: (AssignmentId: string) => AssignmentSummary | undefined;
};

/** The memory that Chromium needs to print grows with the files: a PDF of more becomes several. */
const MOST_PRINTED_FILES = 5_000;

/** The receipts of `batches`, in order, with different names. */
export const planReceipts = (
  { format, eachAssignment }: Pick<ReceiptOrder, 'format' | 'eachAssignment'>,
  batches: readonly Batch[],
  { t, name, fileName, summaryOf, ...style }: PlanOptions,
  mostPrinted = MOST_PRINTED_FILES,
): readonly PlannedReceipt[] => {
  const byAssignment = [...Map.groupBy(batches, ({ AssignmentId }) => AssignmentId)];
  const groups = eachAssignment
    ? byAssignment.map(([id, of]) => ({ about: nameOf(id, summaryOf(id)), of }))
    : [{ about: name, of: batches }];
  const date = isoDay(new Date(style.madeAtMs));
  const receipts = groups.flatMap(({ about, of }): readonly PlannedReceipt[] => {
    const whole = {
      name: fileName ?? t('receipt.fileName', { name: safeName(about), date }),
      job: {
        ...style,
        format: format === 'pdf' ? ('page' as const) : format,
        batches: of.map(({ batchId, AssignmentId }) => ({ batchId, assignment: summaryOf(AssignmentId) })),
      },
    };
    const files = of.reduce((sum, batch) => sum + batch.files, 0);
    const parts = Math.ceil(files / mostPrinted);
    if (format !== 'pdf' || parts <= 1) return [whole];
    return Array.from({ length: parts }, (_, at) => ({
      name: t('receipt.partName', { name: whole.name, no: at + 1, of: parts }),
      job: {
        ...whole.job,
        part: { no: at + 1, of: parts, first: at * mostPrinted + 1, last: Math.min(files, (at + 1) * mostPrinted) },
      },
    }));
  });
  return distinct(receipts);
};

const nameOf = (id: string, summary: AssignmentSummary | undefined): string =>
  (summary && assignmentName(summary)) || id;

const LONGEST_NAME = 100;

/** A name that is valid on every file system, and leaves room for what follows it. */
export const safeName = (name: string): string =>
  name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}<>:"/\\|?*]/gu, ' ')
    .slice(0, LONGEST_NAME)
    .trim() || 'upload';

/** The local day of `time`, such as `2026-11-22`. */
export const isoDay = (time: Date): string =>
  [time.getFullYear(), ...[time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0'))].join('-');

/** Numbers what would have the name of another, on file systems that ignore the case as well. */
const distinct = (receipts: readonly PlannedReceipt[]): readonly PlannedReceipt[] => {
  const taken = new Set<string>();
  return receipts.map((receipt) => {
    let { name } = receipt;
    for (let no = 2; taken.has(name.toLowerCase()); no += 1) name = `${receipt.name} (${no})`;
    taken.add(name.toLowerCase());
    return { ...receipt, name };
  });
};
