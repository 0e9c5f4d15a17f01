/** Keeps batches to their schedules: holds them back when their hours end, and resumes them at their time. */

import { DeskError } from '../../../contract/errors.ts';
import { type Hours, isDue, isOpen } from '../../../contract/hours.ts';
import { type Batch, hasEnded, isActive, isBeingCancelled, isHeldBack } from '../../../contract/uploads.ts';
import { HELD_BACK } from '../ledger/batches.ts';
import type { RemoteUploads } from './start-engine.ts';

type ScheduleKeeper = {
  /** Pauses and resumes batches as their schedules require now. */
  readonly keep: () => Promise<void>;
  /** To be called with each batch that changed. */
  readonly see: (batch: Pick<Batch, 'batchId'>) => void;
  readonly close: () => void;
};

type ScheduleKeeperOptions = {
  readonly uploads: Pick<RemoteUploads, 'present' | 'pause' | 'resume' | 'setSchedule'>;
  readonly isSignedIn: () => boolean;
  /** The hours in which the organisation allows uploads, whatever their schedules say; empty: at any time. */
  readonly hours: Hours;
  /** Whether batches that the user has not touched since the app started are scheduled, too. */
  readonly keepsAll: boolean;
  readonly onBug: (error: unknown) => void;
  /** Wall-clock time. */
  readonly now: () => number;
  readonly tickMs?: number | undefined;
};

/** How often it looks: hours begin and end with minutes. */
const TICK_MS = 15_000;

type Step = 'hold back' | 'resume' | 'heed again';

/**
 * What has to be done with a batch now. A user who resumes it overrules its schedule until the next time it is due; its
 * schedule never resumes a batch that a user paused. `isAllowed`: by the organisation's hours, which users cannot
 * overrule.
 */
export const stepOf = (
  batch: Pick<Batch, 'state' | 'reason' | 'schedule'>,
  isDueNow: boolean,
  isAllowed = true,
): Step | undefined => {
  if (hasEnded(batch) || isBeingCancelled(batch)) return undefined;
  if (!isAllowed) return isActive(batch) ? 'hold back' : undefined;
  if (!isDueNow) return isActive(batch) && !batch.schedule?.overruled ? 'hold back' : undefined;
  if (isHeldBack(batch)) return 'resume';
  return batch.schedule?.overruled ? 'heed again' : undefined;
};

/** Checks the schedules every few seconds until it is closed. */
export const createScheduleKeeper = ({
  uploads,
  isSignedIn,
  hours,
  keepsAll,
  onBug,
  now,
  tickMs = TICK_MS,
}: ScheduleKeeperOptions): ScheduleKeeper => {
  const touched = new Set<string>();
  const resuming = new Set<string>();
  const apply = async ({ batchId, schedule }: Batch, step: Step): Promise<void> => {
    if (step === 'hold back') {
      // The time that users are shown.
      if (!schedule) await uploads.setSchedule(batchId, { hours, overruled: false });
      await uploads.pause(batchId, HELD_BACK);
    }
    if (step === 'heed again' && schedule) await uploads.setSchedule(batchId, { ...schedule, overruled: false });
    // Not awaited: a batch runs again only when the last files of its previous run are settled.
    if (step === 'resume') resume(batchId);
  };
  const resume = (batch: string): void => {
    if (resuming.has(batch)) return;
    resuming.add(batch);
    uploads
      .resume(batch, true)
      .catch(unlessChanged)
      .catch(onBug)
      .finally(() => resuming.delete(batch));
  };
  const keep = async (): Promise<void> => {
    if (!isSignedIn()) return;
    const moment = new Date(now());
    const isAllowed = isOpen(hours, moment);
    for (const batch of uploads.present()) {
      if (!batch.schedule && !isHeldBack(batch) && isAllowed) continue;
      if (!keepsAll && !touched.has(batch.batchId)) continue;
      const step = stepOf(batch, !batch.schedule || isDue(batch.schedule, moment), isAllowed);
      if (step) await apply(batch, step).catch(unlessChanged);
    }
  };
  const timer = setInterval(() => void keep().catch(onBug), tickMs).unref();
  return {
    keep,
    see: ({ batchId }) => void touched.add(batchId),
    close: () => clearInterval(timer),
  };
};

/** The batch changed in the meantime, or belongs to another user: the next check decides again. */
const unlessChanged = (error: unknown): void => {
  if (!(error instanceof DeskError)) throw error;
};
