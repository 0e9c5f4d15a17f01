/** Following a batch to its end: progress while it runs, a summary when it has ended. */

import { type Batch, hasEnded, type LeftOut } from '../../../../contract/batches.ts';
import { type ErrorData, fromErrorData } from '../../../../contract/errors.ts';
import type { UploadFile } from '../../../../contract/upload-files.ts';
import type { Speech } from '../../../../words/speech/speech.ts';
import type { Desk } from '../../../core/desk.ts';
import { EXIT, exitCodeOf } from '../../shared/exit-codes.ts';
import type { Output } from './output.ts';
import { formatBytes, formatTime } from './units.ts';
import type { CliContext } from './with-desk.ts';

/** The least time between lines of progress without a terminal. */
const PLAIN_INTERVAL_MS = 10_000;

/**
 * Waits until the batch does not run any more and prints how it went; the exit code says whether all is done. Ctrl-C
 * (`signal`) breaks it off, for `uploads resume` to finish.
 */
export const followBatch = async (desk: Desk, { output, signal }: CliContext, id: string): Promise<number> => {
  const beganMs = performance.now();
  const { t } = output.speech;
  const { uploads } = desk.connected();
  const show = createProgressView(output);
  const unsubscribe = desk.onEvent((event) => {
    if (event.type === 'batch' && event.batch.batchId === id) show(event.batch);
  });
  const stop = (): void => void uploads.close();
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  const batch = await uploads.ended(id).finally(() => {
    unsubscribe();
    signal.removeEventListener('abort', stop);
    output.status('');
  });
  if (batch.reason) output.error(fromErrorData(batch.reason));
  await summarize(desk, output, batch, (performance.now() - beganMs) / 1000);
  if (batch.state === 'cancelled') output.say(t('cli.upload.cancelled'));
  if (hasEnded(batch)) return batch.failed > 0 || batch.notReplaced ? EXIT.failures : EXIT.done;
  output.say(t('cli.upload.stopped', { id }));
  return batch.reason ? exitCodeOf(batch.reason.code) : EXIT.interrupted;
};

/** Puts each file that reached its end into the JSON stream. Undefined without one: telling of each file costs time. */
export const tellFile = ({ json, event }: Output): ((batch: string, file: UploadFile) => void) | undefined =>
  json
    ? (batch, { path, FileName, sizeBytes, state, sha256, error, replaced }) =>
        event({ type: 'file', batch, path, FileName, size: sizeBytes, state, sha256, error, replaced })
    : undefined;

const createProgressView = (output: Output) => {
  let lastPlainMs = performance.now();
  return (batch: Batch): void => {
    const { batchId: id, state, files, uploaded, skipped, failed, bytes, bytesSent, bytesPerSecond, reason } = batch;
    output.event({
      type: 'progress',
      batch: id,
      state,
      files,
      uploaded,
      skipped,
      failed,
      bytes,
      bytesSent,
      bytesPerSecond,
      ...(reason && { waitsFor: waitsFor(reason) }),
    });
    if (output.isTerminal) {
      output.status(progressLine(batch, output.speech));
    } else if (performance.now() - lastPlainMs >= PLAIN_INTERVAL_MS) {
      lastPlainMs = performance.now();
      output.say(progressLine(batch, output.speech));
    }
  };
};

const BAR = 24;

const oneDigit = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;

/** Why the upload does not go on, for scripts. `until`: when what asked for a pause is tried again. */
const waitsFor = ({ code, details: { host, until } }: ErrorData) => ({
  code,
  ...(host !== undefined && { host }),
  ...(typeof until === 'number' && { until: new Date(until).toISOString() }),
});

/** The same for people, to be put behind the progress. */
const waitWords = ({ reason }: Batch, { t, errorText }: Speech<'host'>): string => {
  if (!reason) return '';
  const { until } = reason.details;
  const end = typeof until === 'number' ? ` ${t('cli.upload.nextAttempt', { at: formatTime(until) })}` : '';
  return `  ${t('cli.upload.waiting', { reason: errorText(reason).title })}${end}`;
};

const progressLine = (batch: Batch, speech: Speech<'host'>): string => {
  const { t } = speech;
  const files = t('cli.file', { count: batch.files });
  const share = batch.bytes === 0 ? 0 : Math.min(1, batch.bytesSent / batch.bytes);
  const bar = '█'.repeat(Math.round(share * BAR)).padEnd(BAR, '░');
  const settled = batch.uploaded + batch.skipped + batch.failed;
  if (batch.state === 'scanning') {
    return t('cli.upload.scanning', { files, settled, wait: waitWords(batch, speech) });
  }
  const failed = batch.failed > 0 ? `, ${t('cli.upload.failed', { count: batch.failed })}` : '';
  const amount = t('cli.upload.of', {
    done: formatBytes(batch.bytesSent, speech),
    all: formatBytes(batch.bytes, speech),
  });
  const pace = waitWords(batch, speech) || `  ${formatBytes(batch.bytesPerSecond, speech)}/s`;
  return `${bar} ${settled}/${files}${failed}  ${amount}${pace}`;
};

const summarize = async (desk: Desk, output: Output, batch: Batch, seconds: number): Promise<void> => {
  const { batchId: id, files, uploaded, skipped, failed, notReplaced, bytes } = batch;
  const rounded = Math.round(seconds * 1000) / 1000;
  output.event({ type: 'summary', batch: id, files, uploaded, skipped, failed, notReplaced, bytes, seconds: rounded });
  const { t, fileErrorText, locale } = output.speech;
  output.say(
    t('cli.upload.summary', {
      done: uploaded,
      files: t('cli.file', { count: files }),
      skipped: skipped > 0 ? `, ${t('cli.upload.skipped', { count: skipped })}` : '',
      failed,
      size: formatBytes(bytes, output.speech),
      seconds: seconds.toLocaleString(locale, oneDigit),
      leftOut: leftOutWords(batch.leftOut, t),
    }),
  );
  if (failed === 0) return;
  const { files: worst } = await desk
    .connected()
    .uploads.files(id, { states: ['failed', 'uncertain'], offset: 0, limit: 10 });
  for (const { path, error } of worst)
    output.say(`  ${path}: ${error ? fileErrorText(error).title : ''} (${error?.code})`);
  output.say(t('cli.upload.next', { id }));
};

/** The files left out, as an addition to a sentence; empty if there are none. */
export const leftOutWords = (
  { hidden, system, links, special, unreadable }: LeftOut,
  t: Speech<'host'>['t'],
): string => {
  const total = hidden + system + links + special + unreadable;
  if (total === 0) return '';
  return t('cli.upload.leftOut', { hidden, system, links, special, unreadable });
};
