/**
 * Pauses and resumes batches as their schedules require. If the user has chosen so, also holds batches back while the
 * battery is low or the connection is metered.
 */

import { DeskError, type ErrorData, onDeskError, toErrorData } from '../../../contract/errors.ts';
import { type Hours, isDue, isOpen } from '../../../contract/hours.ts';
import type { Preferences } from '../../../contract/preferences.ts';
import { type Batch, hasEnded, isActive, isBeingCancelled, isHeldBack } from '../../../contract/uploads.ts';
import { createSingleFlight } from '../../async/lock.ts';
import { createThrottle } from '../../async/throttle.ts';
import type { MachineState } from '../../net/machine-changes.ts';
import { HELD_BACK } from '../ledger/ledger.ts';
import type { RemoteUploads } from './start-engine.ts';

/** Whether uploads wait while the battery is low, and while the connection is metered. */
type Sparing = Pick<Preferences, 'waitOnBattery' | 'waitOnMetered'>;

type ScheduleKeeperOptions = {
  readonly uploads: Pick<RemoteUploads, 'present' | 'pause' | 'resume' | 'setSchedule'>;
  readonly isSignedIn: () => boolean;
  /** The organisation's hours for uploads, which apply in addition to the batches' schedules; empty: at any time. */
  readonly hours: Hours;
  /** Whether batches that have not changed since the app started are kept to their schedules, too. */
  readonly keepsAll: boolean;
  /** Absent: uploads spare neither the battery nor a metered connection. */
  readonly readMachine?: (() => Promise<MachineState>) | undefined;
  readonly wanted: () => Sparing;
  readonly onBug: (error: unknown) => void;
  /** Ms since 1970. */
  readonly now: () => number;
  readonly tickMs?: number | undefined;
};

/** How often the schedules are checked. Hours begin and end on full minutes. */
const TICK_MS = 15_000;

/** How soon the schedules are checked after a batch has started, if uploads spare the battery or a connection. */
const NEW_BATCH_MS = 500;
const LOW_PERCENT = 20;

/** Why uploads wait while the battery is low or the connection is metered; undefined if they do not wait. */
export const sparingReason = (
  { batteryPercent: percent, isMetered }: MachineState,
  { waitOnBattery, waitOnMetered }: Sparing,
): ErrorData | undefined => {
  if (waitOnBattery && percent !== undefined && percent < LOW_PERCENT)
    return toErrorData(
      new DeskError('upload/on-battery', 'the battery is low', { retry: 'later', details: { percent } }),
    );
  if (waitOnMetered && isMetered)
    return toErrorData(new DeskError('upload/on-metered', 'the connection is metered', { retry: 'later' }));
  return undefined;
};

type Step = 'hold back' | 'resume' | 'heed again';

/**
 * Returns what to do with a batch now; undefined: nothing. A user who resumes a batch overrules its schedule until the
 * batch is due again, but not the organisation's hours (`isAllowed`).
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

export const createScheduleKeeper = ({
  uploads,
  isSignedIn,
  hours,
  keepsAll,
  readMachine,
  wanted,
  onBug,
  now,
  tickMs = TICK_MS,
}: ScheduleKeeperOptions) => {
  const touched = new Set<string>();
  const resuming = new Set<string>();
  const take = async (batch: Batch, step: Step | undefined, reason: ErrorData): Promise<void> => {
    const { batchId, schedule } = batch;
    if (step === undefined && isHeldBack(batch) && batch.reason?.code !== reason.code)
      await uploads.pause(batchId, reason);
    if (step === 'hold back') {
      // A batch gets a schedule with the organisation's hours if it has no schedule, or a schedule without hours
      // (watched folders set such schedules). The new schedule shows users the hours, and can record that a user
      // overrules them.
      if (!schedule || (schedule.hours.length === 0 && hours.length > 0))
        await uploads.setSchedule(batchId, { ...schedule, hours, overruled: false });
      await uploads.pause(batchId, reason);
    }
    if (step === 'heed again' && schedule) await uploads.setSchedule(batchId, { ...schedule, overruled: false });
    // Not awaited: the batch runs again only once the last files of its previous run are settled, which may take a long
    // time.
    if (step === 'resume') resume(batchId);
  };
  const resume = (batch: string): void => {
    if (resuming.has(batch)) return;
    resuming.add(batch);
    uploads
      .resume(batch, 'keeper')
      .catch(unlessChanged)
      .catch(onBug)
      .finally(() => resuming.delete(batch));
  };
  const isConcerned = (batch: Batch): boolean =>
    (keepsAll || touched.has(batch.batchId)) && (isActive(batch) || isHeldBack(batch) || batch.schedule !== undefined);
  const isDueBySchedule = ({ schedule }: Batch, moment: Date): boolean =>
    isOpen(hours, moment) && (!schedule || isDue(schedule, moment));
  const mayRun = (batch: Batch, moment: Date): boolean =>
    (isActive(batch) || isHeldBack(batch)) && isDueBySchedule(batch, moment);
  const keepOnce = async (): Promise<void> => {
    if (!isSignedIn()) return;
    const begun = new Date(now());
    // The state of the machine is read only if a batch would otherwise run.
    const isRead = readMachine && uploads.present().some((batch) => isConcerned(batch) && mayRun(batch, begun));
    const machine = isRead ? await readMachine() : undefined;
    const moment = new Date(now());
    // The steps of all batches are requested before any is awaited, because users may change batches in the meantime.
    const apply = (batch: Batch): Promise<void> => {
      const sparing = machine && mayRun(batch, moment) ? sparingReason(machine, wanted()) : undefined;
      const step = stepOf(batch, isDueBySchedule(batch, moment) && !sparing, isOpen(hours, moment));
      return take(batch, step, sparing ?? HELD_BACK).catch(unlessChanged);
    };
    await Promise.all(uploads.present().filter(isConcerned).map(apply));
  };
  const { run: keep } = createSingleFlight(keepOnce);
  const keepOrReport = (): void => void keep().catch(onBug);
  const soon = createThrottle(keepOrReport, NEW_BATCH_MS, onBug);
  const timer = setInterval(keepOrReport, tickMs).unref();
  return {
    keep,
    /** To be called with each batch that changed. */
    see: (batch: Pick<Batch, 'batchId' | 'state'>): void => {
      if (readMachine && isActive(batch) && !touched.has(batch.batchId)) soon.request();
      touched.add(batch.batchId);
    },
    close: (): void => clearInterval(timer),
  };
};

/** Ignores a `DeskError`, such as that the batch has changed meanwhile, because the next check decides again. */
const unlessChanged = onDeskError(() => {});
