/** The progress of an upload on the command line. */

import type { ErrorData } from '../../../../contract/errors.ts';
import { dueAtMs, type Schedule } from '../../../../contract/hours.ts';
import { type Batch, isHeldBack, settledFiles, workDone } from '../../../../contract/uploads.ts';
import type { Speech } from '../../../../words/speech/speech.ts';
import type { Output } from './output.ts';
import { formatBytes, formatTime } from './units.ts';

/** The least time between lines of progress without a terminal. */
const PLAIN_INTERVAL_MS = 10_000;

/** A batch as a line of JSON. */
export const progressEvent = (batch: Batch) => {
  const { batchId, state, files, uploaded, skipped, failed, bytes, bytesSent, bytesPerSecond, reason, schedule } =
    batch;
  const counts = { files, uploaded, skipped, failed, bytes, bytesSent, bytesPerSecond };
  return {
    type: 'progress',
    batch: batchId,
    state,
    ...counts,
    ...(reason && { waitsFor: waitsFor(reason, isHeldBack(batch) ? schedule : undefined) }),
  };
};

/** Shows progress to people: drawn over on a terminal, otherwise a line now and then. */
export const createProgressLine = (output: Output): ((batch: Batch) => void) => {
  let lastPlainMs = performance.now();
  return (batch) => {
    if (output.isTerminal) {
      output.status(progressLine(batch, output.speech));
    } else if (performance.now() - lastPlainMs >= PLAIN_INTERVAL_MS) {
      lastPlainMs = performance.now();
      output.say(progressLine(batch, output.speech));
    }
  };
};

const BAR = 24;

/** Why the upload does not go on, for scripts. `until`: when what asked for a pause is tried again, or its time comes. */
const waitsFor = ({ code, details: { host, proxy, until } }: ErrorData, schedule: Schedule | undefined) => ({
  code,
  ...(host !== undefined && { host }),
  ...(proxy !== undefined && { proxy }),
  ...isoTime(schedule ? dueAtMs(schedule, new Date()) : until),
});

const isoTime = (until: unknown) => (typeof until === 'number' ? { until: new Date(until).toISOString() } : {});

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
  const bar = '█'.repeat(Math.floor(workDone([batch]) * BAR)).padEnd(BAR, '░');
  const settled = settledFiles(batch);
  if (batch.state === 'scanning') {
    return t('cli.upload.scanning', { files, settled, wait: waitWords(batch, speech) });
  }
  const failed = batch.failed > 0 ? `, ${t('cli.upload.failed', { count: batch.failed })}` : '';
  const amount = t('cli.upload.of', {
    done: formatBytes(batch.bytesSent, speech),
    all: formatBytes(batch.bytes, speech),
  });
  const speed = batch.bytesPerSecond > 0 ? `  ${formatBytes(batch.bytesPerSecond, speech)}/s` : '';
  const pace = waitWords(batch, speech) || speed;
  return `${bar} ${settled}/${files}${failed}  ${amount}${pace}`;
};
