/** Which uploads are shown: by their state, their day, and the names of their folders and assignments. */
import { isActive } from '../../../contract/uploads.ts';
import { folderName } from '../../domain/uploads/batch-words.ts';
import type { Upload } from '../../domain/uploads/whole-upload.ts';

export const uploadStates = ['active', 'paused', 'finished', 'failures', 'cancelled'] as const;
type UploadState = (typeof uploadStates)[number];

/** Days that an upload may have started before; `today`: since midnight. */
export const uploadPeriods = ['today', 'week', 'month', 'year'] as const;
type UploadPeriod = (typeof uploadPeriods)[number];

const days: Readonly<Record<UploadPeriod, number>> = { today: 0, week: 7, month: 30, year: 365 };

export type UploadFilter = {
  readonly text: string;
  readonly state: UploadState | undefined;
  readonly period: UploadPeriod | undefined;
};

/** Whether the upload is shown. `nameOf`: the name of an assignment; `now`: the present moment. */
export const isShown = (
  { batches, whole }: Upload,
  { text, state, period }: UploadFilter,
  nameOf: (batch: Upload['whole']) => string,
  now: Date,
): boolean => {
  if (state !== undefined && stateOf(whole) !== state) return false;
  if (period !== undefined && whole.createdAtMs < startOf(period, now)) return false;
  const wanted = text.trim().toLocaleLowerCase();
  return (
    wanted === '' ||
    batches.some((batch) => `${folderName(batch.root)}\n${nameOf(batch)}`.toLocaleLowerCase().includes(wanted))
  );
};

const stateOf = (whole: Upload['whole']): UploadState => {
  if (isActive(whole)) return 'active';
  if (whole.state === 'paused' || whole.state === 'cancelled') return whole.state;
  return whole.failed + (whole.notReplaced ?? 0) > 0 ? 'failures' : 'finished';
};

/** The midnight with which the period begins. */
const startOf = (period: UploadPeriod, now: Date): number =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - days[period]).getTime();
