/** The command `uploads`: lists, shows, resumes, retries, cancels, reports and verifies batches. */

import { extname, resolve } from 'node:path';
import { keyBy } from 'es-toolkit/array/keyBy';
import { identity } from 'es-toolkit/function/identity';
import { mapValues } from 'es-toolkit/object/mapValues';
import type { DayRange } from '../../../../contract/day-range.ts';
import { DeskError } from '../../../../contract/errors.ts';
import { shownPath } from '../../../../contract/text.ts';
import {
  type Batch,
  type FileState,
  hasEnded,
  isBeingCancelled,
  ReceiptFormat,
  type ReportBy,
  type UploadFile,
  Verdict,
  type VerifiedFile,
} from '../../../../contract/uploads.ts';
import type { Speech } from '../../../../words/speech.ts';
import type { Desk } from '../../../core/desk.ts';
import type { RemoteUploads } from '../../../uploads/engine/start-engine.ts';
import { EXIT } from '../../shared/exit-codes.ts';
import { countsOf, followEach, secondsSince } from '../support/follow.ts';
import {
  type Column,
  formatBytes,
  formatTable,
  formatTime,
  isoTime,
  streamTable,
  type Translate,
  usage,
} from '../support/output.ts';
import { type CliContext, ensureSignedIn, withDesk } from '../support/with-desk.ts';

/** Lists the batches of the connection, oldest first. */
export const list = (context: CliContext): Promise<number> =>
  withDesk(context, async (desk) => {
    const { result, speech } = context.output;
    const batches = await desk.connected().uploads.list();
    const words = () => formatTable(batches, batchColumns(speech), speech.t('cli.upload.none'));
    result({ batches: batches.map(batchRow) }, words);
    return EXIT.done;
  });

/** Prints one batch and its files; with `failed`, only the files that failed or whose state is unknown. */
export const show = (context: CliContext, id: string, { failed }: { readonly failed?: boolean }): Promise<number> =>
  withDesk(context, async (desk) => {
    const { uploads } = desk.connected();
    const batch = await uploads.get(id);
    const states = failed ? (['failed', 'uncertain'] as const) : undefined;
    const files = () => everyFile(uploads, id, states);
    await context.output.longResult(
      {
        head: batchRow(batch),
        name: 'files',
        items: async function* () {
          for await (const file of files()) yield fileRow(file);
        },
      },
      async function* () {
        yield* formatTable([batch], batchColumns(context.output.speech));
        yield '';
        yield* streamTable(files(), fileColumns(context.output.speech));
      },
    );
    return EXIT.done;
  });

const PAGE_FILES = 1000;

async function* everyFile(
  uploads: RemoteUploads,
  id: string,
  states: readonly FileState[] | undefined,
): AsyncGenerator<UploadFile> {
  for (let offset = 0; ; offset += PAGE_FILES) {
    const { files } = await uploads.files(id, { states, offset, limit: PAGE_FILES });
    yield* files;
    if (files.length < PAGE_FILES) return;
  }
}

const chosen = async (
  desk: Desk,
  id: string | undefined,
  isWanted: (batch: Batch) => boolean,
): Promise<readonly Batch[]> => {
  const { uploads } = desk.connected();
  return id === undefined ? (await uploads.list()).filter(isWanted) : [await uploads.get(id)];
};

/** Resumes one batch, or all unfinished batches, one after another. */
export const resume = (context: CliContext, id: string | undefined): Promise<number> =>
  running(context, async (desk) => {
    const { uploads } = desk.connected();
    const batches = await chosen(desk, id, (batch) => !hasEnded(batch));
    // An interrupted cancellation is completed.
    const goOn = (batch: Batch) => uploads[isBeingCancelled(batch) ? 'cancel' : 'resume'](batch.batchId);
    return followAll(desk, context, batches, goOn, 'cli.upload.noneUnfinished');
  });

/**
 * Retries the failed files and failed removals of one batch, or of all batches that were not cancelled, one batch after
 * another.
 */
export const retry = (context: CliContext, id: string | undefined): Promise<number> =>
  running(context, async (desk) => {
    const { uploads } = desk.connected();
    const asked = await chosen(desk, id, ({ state }) => state !== 'cancelled');
    const failing = asked.filter(({ failed, notReplaced = 0 }) => failed + notReplaced > 0);
    return followAll(desk, context, failing, ({ batchId }) => uploads.retryFailed(batchId), 'cli.upload.noneFailed');
  });

/** Cancels a batch. Returns `EXIT.failures` if files failed, may have arrived, or did not replace earlier files. */
export const cancel = (context: CliContext, id: string): Promise<number> =>
  withDesk(context, async (desk) => {
    const { uploads } = desk.connected();
    // Files that may have arrived are removed from the assignment. The removal needs a session.
    if (await uploads.mayHaveArrived(id)) await ensureSignedIn(desk, context);
    const batch = await uploads.cancel(id);
    context.output.result(batchRow(batch), () =>
      context.output.speech.t('cli.upload.cancelledStay', { count: batch.uploaded }),
    );
    return batch.failed > 0 || batch.notReplaced ? EXIT.failures : EXIT.done;
  });

const running = (context: CliContext, work: (desk: Desk) => Promise<number>): Promise<number> =>
  withDesk(context, work, { onFile: context.files.ofOwn, serves: true });

const followAll = async (
  desk: Desk,
  context: CliContext,
  batches: readonly Batch[],
  begin: (batch: Batch) => Promise<Batch>,
  none: 'cli.upload.noneUnfinished' | 'cli.upload.noneFailed',
): Promise<number> => {
  if (batches.length === 0) {
    context.output.say(context.output.speech.t(none));
    return EXIT.done;
  }
  await ensureSignedIn(desk, context);
  return followEach(desk, context, batches, begin);
};

const batchRow = (batch: Batch) => ({
  batch: batch.batchId,
  upload: batch.uploadId,
  state: batch.state,
  assignment: batch.AssignmentId,
  root: batch.root,
  ...countsOf(batch),
  created: isoTime(batch.createdAtMs),
});

const fileRow = ({ path, FileName, sizeBytes, state, attempts, sha256, error, removedAtMs }: UploadFile) => ({
  path,
  FileName,
  size: sizeBytes,
  state,
  attempts,
  sha256,
  error,
  removed: isoTime(removedAtMs),
});

const batchColumns = ({ t, locale }: Speech<'host'>): readonly Column<Batch>[] => [
  { title: t('table.title.batch'), cell: ({ batchId }) => batchId },
  { title: t('table.title.state'), cell: ({ state }) => t(`table.batchState.${state}`) },
  { title: t('table.title.created'), cell: ({ createdAtMs }) => formatTime(createdAtMs) },
  { title: t('table.title.files'), cell: ({ files }) => files },
  {
    title: t('table.title.uploaded'),
    cell: ({ uploaded, removed }) => (removed ? `${uploaded} (${t('table.fileState.removed')}: ${removed})` : uploaded),
  },
  { title: t('table.title.skipped'), cell: ({ skipped }) => skipped },
  { title: t('table.title.failed'), cell: ({ failed }) => failed },
  { title: t('table.title.size'), cell: ({ bytes }) => formatBytes(bytes, { locale }) },
  { title: t('table.title.folder'), cell: ({ root }) => root },
];

const fileColumns = ({ t, locale, fileErrorText }: Speech<'host'>): readonly Column<UploadFile>[] => [
  { title: t('table.title.state'), cell: ({ state }) => t(`table.fileState.${state}`) },
  { title: t('table.title.file'), cell: ({ path }) => shownPath(path), whole: true },
  { title: 'FileName', cell: ({ FileName }) => FileName },
  { title: t('table.title.size'), cell: ({ sizeBytes }) => formatBytes(sizeBytes, { locale }) },
  { title: t('table.title.attempts'), cell: ({ attempts }) => attempts },
  {
    title: t('table.title.problem'),
    cell: ({ error }) => (error ? `${fileErrorText(error).title} (${error.code})` : ''),
  },
];

type ReportOptions = {
  readonly upload?: string;
  readonly period?: DayRange;
  readonly by: ReportBy;
  readonly listFiles?: boolean;
  readonly out: string;
  readonly format?: ReceiptFormat;
  readonly receipt?: boolean;
  readonly eachAssignment?: boolean;
};

/**
 * Writes the report of a batch, an upload or a period to `out`. In the format PDF or Excel, or with `receipt` or
 * `eachAssignment`, writes the receipt of the batch or upload instead. Resolves to the exit code.
 */
export const report = (context: CliContext, id: string | undefined, options: ReportOptions): Promise<number> => {
  const { upload, period, by, out, receipt, eachAssignment = false, listFiles: listsFiles = false } = options;
  if ([id, upload, period].filter((one) => one !== undefined).length !== 1) throw usage('batchOrUpload');
  const ending = ReceiptFormat.safeParse(extname(out).slice(1).toLowerCase()).data;
  const format = options.format ?? ending ?? 'csv';
  if (format === 'pdf' && !context.parts.printPdf) throw usage('pdf');
  return withDesk(context, async (desk) => {
    const path = resolve(context.cwd, out);
    const shown = (saved: string): string => (saved === path ? out : saved);
    if (period) {
      const file = await desk.receipts.saveAt({ ...period, by, format, listsFiles }, path);
      context.output.result({ file }, () => context.output.speech.t('cli.upload.periodReport', { path: shown(file) }));
      return EXIT.done;
    }
    const batches = await chosen(desk, id, ({ uploadId }) => uploadId === upload);
    if (batches.length === 0) {
      throw new DeskError('upload/batch-unknown', 'there is no such upload', { details: { upload: upload ?? '' } });
    }
    const batchIds = batches.map(({ batchId }) => batchId);
    let file = out;
    const isReceipt = format === 'pdf' || format === 'xlsx' || receipt || eachAssignment;
    if (isReceipt) {
      file = shown(await desk.receipts.saveAt({ batchIds, format, eachAssignment, listsFiles }, path));
    } else {
      const of = id ?? { upload: upload ?? '', batches: batchIds };
      await desk.connected().uploads.report(of, await desk.fileToWrite(path), format);
    }
    const files = batches.reduce((sum, batch) => sum + batch.files, 0);
    context.output.result({ ...(id === undefined ? { upload } : { batch: id }), file, files }, () => {
      const { t } = context.output.speech;
      const said = { count: files, path: file };
      return isReceipt ? t('cli.upload.receipt', said) : t('cli.upload.report', said);
    });
    return EXIT.done;
  });
};

/** Verifies a batch. Returns `EXIT.done` if every file is unchanged or was removed from the assignment. */
export const verify = (context: CliContext, batch: string): Promise<number> =>
  withDesk(context, async (desk) => {
    const { output, signal } = context;
    const { t } = output.speech;
    const { files } = await desk.connected().uploads.get(batch);
    const beganMs = performance.now();
    const counts = mapValues(keyBy(Verdict.options, identity), () => 0);
    let done = 0;
    const tell = ({ path, FileName, sizeBytes, state, verdict }: VerifiedFile): void => {
      done += 1;
      counts[verdict] += 1;
      output.event({ type: 'file', batch, path, FileName, size: sizeBytes, state, verdict });
      if (verdict !== 'same' && verdict !== 'removed' && !output.json)
        output.say(`${verdictWord(verdict, t)}: ${path}`);
    };
    for (let after: number | undefined = 0; after !== undefined; ) {
      const part = await desk.handlers.uploads.verify({ batchId: batch, after }, signal);
      output.status('');
      part.files.forEach(tell);
      output.status(t('cli.verify.progress', { done, count: files }));
      after = part.next;
    }
    output.status('');
    const { 'not-uploaded': notUploaded, ...rest } = counts;
    output.event({ type: 'summary', batch, files: done, ...rest, notUploaded, seconds: secondsSince(beganMs) });
    if (!output.json) output.result(undefined, () => summaryOf(done, counts, t));
    return counts.same + counts.removed === done ? EXIT.done : EXIT.failures;
  });

const differences = Verdict.exclude(['same']).options;

const verdictWord = (verdict: (typeof differences)[number], t: Translate): string =>
  t(`cli.verify.verdict.${verdict === 'not-uploaded' ? 'notUploaded' : verdict}`);

const summaryOf = (files: number, counts: Readonly<Record<Verdict, number>>, t: Translate): string => {
  const others = differences.filter((verdict) => counts[verdict] > 0);
  return [
    t('cli.verify.summary', { same: counts.same, count: files }),
    ...others.map((verdict) => `${counts[verdict]} ${verdictWord(verdict, t)}`),
  ].join(', ');
};
