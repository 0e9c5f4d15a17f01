/** What holds for a new upload as a whole: when it may be sent, and the receipt that it ends with. */

import { isDue, type WantedSchedule } from '../../../contract/hours.ts';
import type { AutomaticReceipt, BatchSchedule, ReceiptFormat } from '../../../contract/uploads.ts';
import type { SettingsStore } from '../../settings/settings.ts';

/** What a person wants of an upload; what is absent is left to the settings. */
export type WantedRules = {
  readonly schedule?: WantedSchedule | undefined;
  readonly receipt?: AutomaticReceipt | undefined;
  /** Whether files that were added or changed after the review are uploaded, too. */
  readonly takesLater?: boolean | undefined;
};

/** As the engine takes them. `isHeldBack`: it may not be sent now. */
export type UploadRules = {
  readonly schedule?: BatchSchedule;
  readonly isHeldBack?: boolean;
  readonly receipt?: ReceiptFormat;
  readonly takesLater?: boolean;
};

/** The rules of an upload that begins at `moment`. */
export const uploadRules = (
  { schedule = {}, receipt, takesLater = false }: WantedRules,
  settings: Pick<SettingsStore, 'get' | 'managed'>,
  moment: Date,
): UploadRules => {
  const format = receipt ?? settings.get().uploads.receipt ?? 'none';
  const rules = { ...(format !== 'none' && { receipt: format }), ...(takesLater && { takesLater }) };
  return { ...timeOf(schedule, settings, moment), ...rules };
};

/** The organisation's hours count for all uploads, those of the settings where none are wanted. */
const timeOf = (
  { notBeforeMs, hours: wanted }: WantedSchedule,
  settings: Pick<SettingsStore, 'get' | 'managed'>,
  moment: Date,
): Pick<UploadRules, 'schedule' | 'isHeldBack'> => {
  const usual = settings.get().uploads.hours ?? [];
  const hours = settings.managed.includes('uploads.hours') ? usual : (wanted ?? usual);
  if (notBeforeMs === undefined && hours.length === 0) return {};
  const schedule = { hours, ...(notBeforeMs !== undefined && { notBeforeMs }) };
  return { schedule: { ...schedule, overruled: false }, isHeldBack: !isDue(schedule, moment) };
};
