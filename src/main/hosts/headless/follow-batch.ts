/** Following a batch to its end: progress while it runs, a summary when it has ended. */

import type { Batch, LeftOut } from '../../../contract/batches.ts';
import { type ErrorData, fromErrorData } from '../../../contract/errors.ts';
import type { UploadFile } from '../../../contract/upload-files.ts';
import type { Desk } from '../../core/desk.ts';
import { errorText, fileErrorText } from '../../core/english-error-text.ts';
import { EXIT, exitCodeOf } from '../shared/exit-codes.ts';
import type { Output } from './output.ts';
import { formatBytes, formatTime } from './units.ts';
import type { CliContext } from './with-desk.ts';

/** Lines of progress where there is no terminal to draw on: at most one in this time. */
const PLAIN_INTERVAL_MS = 10_000;

/**
 * Waits until the batch does not run any more and prints how it went; the exit code says whether all is done. Ctrl-C
 * (`signal`) breaks it off, for `uploads resume` to finish.
 */
export const followBatch = async (desk: Desk, { output, signal }: CliContext, id: string): Promise<number> => {
  const beganMs = performance.now();
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
  if (batch.state === 'cancelled') output.say('Cancelled.');
  if (batch.state === 'finished' || batch.state === 'cancelled') return batch.failed > 0 ? EXIT.failures : EXIT.done;
  output.say(`Stopped. To continue: uploads resume ${id}`);
  return batch.reason ? exitCodeOf(batch.reason.code) : EXIT.interrupted;
};

/** Puts each file that reached its end into the JSON stream. Undefined without one: telling of each file costs time. */
export const tellFile = ({ json, event }: Output): ((batch: string, file: UploadFile) => void) | undefined =>
  json
    ? (batch, { path, FileName, sizeBytes, state, sha256, error }) =>
        event({ type: 'file', batch, path, FileName, size: sizeBytes, state, sha256, error })
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
      output.status(progressLine(batch));
    } else if (performance.now() - lastPlainMs >= PLAIN_INTERVAL_MS) {
      lastPlainMs = performance.now();
      output.say(progressLine(batch));
    }
  };
};

const BAR = 24;

/** Why the upload does not go on, for scripts. `until`: when what asked for a pause is tried again. */
const waitsFor = ({ code, details: { host, until } }: ErrorData) => ({
  code,
  ...(host !== undefined && { host }),
  ...(typeof until === 'number' && { until: new Date(until).toISOString() }),
});

/** The same for people, to be put behind the progress. */
const waitWords = ({ reason }: Batch): string => {
  if (!reason) return '';
  const { until } = reason.details;
  const end = typeof until === 'number' ? ` Next attempt at ${formatTime(until)}.` : '';
  return `  waiting: ${errorText(reason).title}${end}`;
};

const progressLine = (batch: Batch): string => {
  const share = batch.bytes === 0 ? 0 : Math.min(1, batch.bytesSent / batch.bytes);
  const bar = '█'.repeat(Math.round(share * BAR)).padEnd(BAR, '░');
  const settled = batch.uploaded + batch.skipped + batch.failed;
  if (batch.state === 'scanning') {
    return `Scanning the folder: ${batch.files} files found, ${settled} processed${waitWords(batch)}`;
  }
  const failed = batch.failed > 0 ? `, ${batch.failed} failed` : '';
  const amount = `${formatBytes(batch.bytesSent)} of ${formatBytes(batch.bytes)}`;
  const pace = waitWords(batch) || `  ${formatBytes(batch.bytesPerSecond)}/s`;
  return `${bar} ${settled}/${batch.files} files${failed}  ${amount}${pace}`;
};

const summarize = async (desk: Desk, output: Output, batch: Batch, seconds: number): Promise<void> => {
  const { batchId: id, files, uploaded, skipped, failed, bytes } = batch;
  const rounded = Math.round(seconds * 1000) / 1000;
  output.event({ type: 'summary', batch: id, files, uploaded, skipped, failed, bytes, seconds: rounded });
  const left = leftOutWords(batch.leftOut);
  const already = skipped > 0 ? `, ${skipped} skipped` : '';
  output.say(
    `${uploaded} of ${files} files uploaded${already}, ${failed} failed, ${formatBytes(bytes)} in ${seconds.toFixed(1)} s${left}`,
  );
  if (failed === 0) return;
  const { files: worst } = await desk
    .connected()
    .uploads.files(id, { states: ['failed', 'uncertain'], offset: 0, limit: 10 });
  for (const { path, error } of worst)
    output.say(`  ${path}: ${error ? fileErrorText(error).title : ''} (${error?.code})`);
  output.say(`List all: uploads show ${id} --failed   Retry: uploads retry ${id}`);
};

/** What was not taken up, to be put behind a sentence; empty where that is nothing. */
export const leftOutWords = ({ hidden, system, links, special, unreadable }: LeftOut): string => {
  const total = hidden + system + links + special + unreadable;
  if (total === 0) return '';
  const devices = `${special} pipes, sockets or devices`;
  return `; left out: ${hidden} hidden, ${system} system, ${links} links, ${devices}, ${unreadable} unreadable`;
};
