/** Batches to their end, also if their schedule holds them back. */

import { dueAtMs } from '../../../../contract/hours.ts';
import { type Batch, isHeldBack } from '../../../../contract/uploads.ts';
import { createCondition } from '../../../async/condition.ts';
import type { Desk } from '../../../core/desk.ts';
import type { Output } from './output.ts';
import { progressEvent } from './progress.ts';
import { formatTime } from './units.ts';

/**
 * Resolves with the batches when none of them runs or waits for its time; or, with batches as they are, when `signal` is
 * aborted.
 */
export const atRest = async (
  desk: Desk,
  { output, signal }: { readonly output: Output; readonly signal: AbortSignal },
  ids: readonly string[],
): Promise<Batch[]> => {
  const { uploads } = desk.connected();
  const changed = createCondition();
  const unsubscribe = desk.onEvent(({ type }) => {
    if (type === 'batches') changed.notifyAll();
  });
  const untilAtRest = async (id: string): Promise<Batch> => {
    for (let saidAtMs: number | undefined; ; ) {
      const next = changed.wait();
      const batch = await uploads.ended(id);
      if (!isHeldBack(batch) || signal.aborted) return batch;
      const at = batch.schedule && dueAtMs(batch.schedule, new Date());
      if (at !== undefined && at !== saidAtMs) {
        output.event(progressEvent(batch));
        output.say(output.speech.t('cli.upload.later', { at: formatTime(at) }));
      }
      saidAtMs = at;
      await next;
    }
  };
  signal.addEventListener('abort', changed.notifyAll);
  try {
    return await Promise.all(ids.map(untilAtRest));
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', changed.notifyAll);
  }
};
