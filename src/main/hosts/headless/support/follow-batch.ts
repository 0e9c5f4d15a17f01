/** Following a batch to its end: progress while it runs, a summary when it has ended. */

import { fromErrorData } from '../../../../contract/errors.ts';
import { dueAtMs } from '../../../../contract/hours.ts';
import type { UploadFile } from '../../../../contract/uploads.ts';
import { type Batch, hasEnded, isHeldBack, type LeftOut } from '../../../../contract/uploads.ts';
import type { Speech } from '../../../../words/speech/speech.ts';
import type { Desk } from '../../../core/desk.ts';
import { EXIT, exitCodeOf } from '../../shared/exit-codes.ts';
import { atRest } from './at-rest.ts';
import type { Output } from './output.ts';
import { createProgressLine, progressEvent } from './progress.ts';
import { tellReceipt } from './tell-receipt.ts';
import { formatBytes, formatTime } from './units.ts';
import type { CliContext } from './with-desk.ts';

/**
 * Waits until the batch is no longer running and prints the result; the exit code says whether everything was uploaded.
 * Ctrl-C (`signal`) stops it; `uploads resume` continues it.
 */
export const followBatch = async (desk: Desk, { output, signal }: CliContext, id: string): Promise<number> => {
  const beganMs = performance.now();
  const { t } = output.speech;
  const { uploads } = desk.connected();
  const show = createProgressLine(output);
  const unsubscribe = desk.onEvent((event) => {
    if (event.type !== 'batches') return;
    const changed = event.batches.find(({ batchId }) => batchId === id);
    if (!changed) return;
    output.event(progressEvent(changed));
    show(changed);
  });
  const stop = (): void => void uploads.close();
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  const [batch] = await atRest(desk, { output, signal }, [id]).finally(() => {
    unsubscribe();
    signal.removeEventListener('abort', stop);
    output.status('');
  });
  if (!batch) throw new Error('the batch that was asked for is returned');
  // Stopped while it waits: nothing is wrong, and nothing was sent.
  if (isHeldBack(batch)) {
    output.event(summaryEvent(batch, (performance.now() - beganMs) / 1000));
    sayKept(output, batch);
    return EXIT.interrupted;
  }
  if (batch.reason) output.error(fromErrorData(batch.reason));
  const saved = await tellReceipt(desk, output, batch.uploadId);
  await summarize(desk, output, batch, (performance.now() - beganMs) / 1000);
  if (batch.state === 'cancelled') output.say(t('cli.upload.cancelled'));
  if (hasEnded(batch)) return Math.max(saved, batch.failed > 0 || batch.notReplaced ? EXIT.failures : EXIT.done);
  output.say(t('cli.upload.stopped', { id }));
  return batch.reason ? exitCodeOf(batch.reason.code) : EXIT.interrupted;
};

/** What happens to a batch that was left before its time. */
export const sayKept = ({ say, speech }: Output, { batchId: id, schedule }: Batch): void => {
  const at = schedule && dueAtMs(schedule, new Date());
  say(
    at === undefined ? speech.t('cli.upload.stopped', { id }) : speech.t('cli.upload.kept', { id, at: formatTime(at) }),
  );
};

/** Writes each settled file into the JSON stream. Undefined without `--json`, because reporting each file costs time. */
export const tellFile = ({ json, event }: Output): ((batch: string, file: UploadFile) => void) | undefined =>
  json
    ? (batch, { path, FileName, sizeBytes, state, sha256, error, replaced }) =>
        event({ type: 'file', batch, path, FileName, size: sizeBytes, state, sha256, error, replaced })
    : undefined;

const summaryEvent = (batch: Batch, seconds: number) => {
  const { batchId: id, files, uploaded, removed, resent, skipped, failed, notReplaced, bytes } = batch;
  const counts = { files, uploaded, removed, resent, skipped, failed, notReplaced, bytes };
  const rounded = Math.round(seconds * 1000) / 1000;
  return { type: 'summary', batch: id, ...counts, seconds: rounded };
};

/** What became of a batch that has ended. */
export const summarize = async (desk: Desk, output: Output, batch: Batch, seconds: number): Promise<void> => {
  output.event(summaryEvent(batch, seconds));
  output.say(summaryWords({ ...batch, seconds }, output));
  await sayFailures(desk, output, batch);
};

type Counted = Pick<Batch, 'files' | 'uploaded' | 'skipped' | 'failed' | 'bytes' | 'leftOut'> &
  Pick<Batch, 'removed' | 'resent' | 'notReplaced'> & { readonly seconds: number };

/** How an upload went, in one line. */
export const summaryWords = (
  { files, uploaded, removed = 0, resent = 0, skipped, failed, notReplaced = 0, bytes, leftOut, seconds }: Counted,
  { speech }: Pick<Output, 'speech'>,
): string =>
  speech.t('cli.upload.summary', {
    done: uploaded,
    files: speech.t('cli.file', { count: files }),
    skipped: [
      resent > 0 && speech.t('cli.upload.resent', { count: resent }),
      removed > 0 && speech.t('cli.upload.removed', { count: removed }),
      skipped > 0 && speech.t('cli.upload.skipped', { count: skipped }),
      notReplaced > 0 && speech.t('cli.upload.notReplaced', { count: notReplaced }),
    ]
      .filter((part) => part !== false)
      .map((part) => `, ${part}`)
      .join(''),
    failed,
    size: formatBytes(bytes, speech),
    seconds: seconds.toLocaleString(speech.locale, oneDigit),
    leftOut: leftOutWords(leftOut, speech.t),
  });

const oneDigit = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;

/** The first files of a batch that failed, and what to do next. */
export const sayFailures = async (
  desk: Desk,
  output: Output,
  { batchId: id, failed }: Pick<Batch, 'batchId' | 'failed'>,
): Promise<void> => {
  if (failed === 0) return;
  const { t, fileErrorText } = output.speech;
  const { files: worst } = await desk
    .connected()
    .uploads.files(id, { states: ['failed', 'uncertain'], offset: 0, limit: 10 });
  for (const { path, error } of worst)
    output.say(`  ${path}: ${error ? fileErrorText(error).title : ''} (${error?.code})`);
  output.say(t('cli.upload.next', { id }));
};

/** The files left out, as an addition to a sentence; empty if there are none. */
export const leftOutWords = (
  { hidden, system, links, special, unreadable, later = 0 }: LeftOut,
  t: Speech<'host'>['t'],
): string => {
  const total = hidden + system + links + special + unreadable + later;
  if (total === 0) return '';
  const added = later > 0 ? t('cli.upload.addedLater', { count: later }) : '';
  return t('cli.upload.leftOut', { hidden, system, links, special, unreadable, added });
};
