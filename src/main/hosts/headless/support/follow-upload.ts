/** Following all batches of an upload to their end. */

import { fromErrorData } from '../../../../contract/errors.ts';
import { type Batch, hasEnded, isHeldBack } from '../../../../contract/uploads.ts';
import type { Desk } from '../../../core/desk.ts';
import { NOTHING_LEFT_OUT, sumOfLeftOut } from '../../../uploads/source/left-out.ts';
import { EXIT, exitCodeOf } from '../../shared/exit-codes.ts';
import { atRest } from './at-rest.ts';
import { sayFailures, sayKept } from './follow-batch.ts';
import { createProgressLine, progressEvent } from './progress.ts';
import type { CliContext } from './with-desk.ts';

/** How an upload went, over all of its batches. `exitCode`: the worst of theirs. */
export type FollowedUpload = Pick<Batch, 'files' | 'uploaded' | 'skipped' | 'failed' | 'bytes' | 'leftOut'> & {
  readonly notReplaced: number;
  readonly removed: number;
  readonly resent: number;
  readonly exitCode: number;
};

/** Batches whose failed files are listed. */
const MOST_LISTED = 10;

/** Waits until none of the batches runs any more. Ctrl-C (`signal`) breaks it off, for `uploads resume` to finish. */
export const followUpload = async (
  desk: Desk,
  context: CliContext,
  batchIds: readonly string[],
): Promise<FollowedUpload> => {
  const { output, signal } = context;
  const { uploads } = desk.connected();
  const seen = new Map<string, Batch>();
  const draw = createProgressLine(output);
  const unsubscribe = desk.onEvent((event) => {
    if (event.type !== 'batches') return;
    const changed = event.batches.filter(({ batchId }) => wanted.has(batchId));
    for (const batch of changed) {
      seen.set(batch.batchId, batch);
      output.event(progressEvent(batch));
    }
    const last = changed.at(-1);
    if (last) draw(sumOf([...seen.values()], last));
  });
  const wanted = new Set(batchIds);
  const stop = (): void => void uploads.close();
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  const batches = await atRest(desk, context, batchIds).finally(() => {
    unsubscribe();
    signal.removeEventListener('abort', stop);
    output.status('');
  });
  const reasons = new Map(
    batches.flatMap((batch) => (batch.reason && !isHeldBack(batch) ? [[batch.reason.code, batch.reason]] : [])),
  );
  for (const reason of reasons.values()) output.error(fromErrorData(reason));
  for (const batch of batches.filter(({ failed }) => failed > 0).slice(0, MOST_LISTED))
    await sayFailures(desk, output, batch);
  for (const batch of batches.filter((one) => !hasEnded(one))) {
    if (isHeldBack(batch)) sayKept(output, batch);
    else output.say(output.speech.t('cli.upload.stopped', { id: batch.batchId }));
  }
  const [first] = batches;
  const total = first ? sumOf(batches, first) : NOTHING_SENT;
  return {
    ...total,
    notReplaced: total.notReplaced ?? 0,
    removed: total.removed ?? 0,
    resent: total.resent ?? 0,
    exitCode: Math.max(EXIT.done, ...batches.map(exitCodeOfBatch)),
  };
};

export const NOTHING_SENT: FollowedUpload = {
  ...{ files: 0, uploaded: 0, skipped: 0, failed: 0, bytes: 0, notReplaced: 0, removed: 0, resent: 0 },
  leftOut: NOTHING_LEFT_OUT,
  exitCode: EXIT.done,
};

const exitCodeOfBatch = (batch: Batch): number => {
  if (hasEnded(batch)) return batch.failed > 0 || batch.notReplaced ? EXIT.failures : EXIT.done;
  return batch.reason && !isHeldBack(batch) ? exitCodeOf(batch.reason.code) : EXIT.interrupted;
};

const SUMMED = ['files', 'uploaded', 'skipped', 'failed', 'cancelled', 'bytes', 'bytesSent', 'bytesPerSecond'] as const;

/** All of them as one, in the state of `last`. */
const sumOf = (batches: readonly Batch[], last: Batch): Batch => {
  const sums = SUMMED.map((field) => [field, batches.reduce((total, batch) => total + batch[field], 0)] as const);
  return {
    ...last,
    ...Object.fromEntries(sums),
    notReplaced: batches.reduce((total, batch) => total + (batch.notReplaced ?? 0), 0),
    removed: batches.reduce((total, batch) => total + (batch.removed ?? 0), 0),
    resent: batches.reduce((total, batch) => total + (batch.resent ?? 0), 0),
    leftOut: batches.map(({ leftOut }) => leftOut).reduce(sumOfLeftOut, NOTHING_LEFT_OUT),
  };
};
