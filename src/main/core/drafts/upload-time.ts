/** When an upload may be sent. */
import type { BatchSchedule } from '../../../contract/batches.ts';
import { isDue, type WantedSchedule } from '../../../contract/hours.ts';
import type { SettingsStore } from '../../settings/settings.ts';

/** As the engine takes it; `isHeldBack`: not now. Empty: at any time. */
export type UploadTime = { readonly schedule?: BatchSchedule; readonly isHeldBack?: boolean };

/** The time of an upload that begins at `moment`. The organisation's hours count for all, those of the settings where none are wanted. */
export const uploadTime = (
  { notBeforeMs, hours: wanted }: WantedSchedule = {},
  settings: Pick<SettingsStore, 'get' | 'managed'>,
  moment: Date,
): UploadTime => {
  const usual = settings.get().uploads.hours ?? [];
  const hours = settings.managed.includes('uploads.hours') ? usual : (wanted ?? usual);
  if (notBeforeMs === undefined && hours.length === 0) return {};
  const schedule = { hours, ...(notBeforeMs !== undefined && { notBeforeMs }) };
  return { schedule: { ...schedule, overruled: false }, isHeldBack: !isDue(schedule, moment) };
};
