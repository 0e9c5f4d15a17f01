import type { Handlers } from '../../../contract/calls.ts';
import { isDue } from '../../../contract/hours.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import type { UploadRules } from '../../uploads/engine/uploads.ts';

/** The user's choices for an upload. Absent choices default to the settings. */
export type WantedRules = Omit<NonNullable<Parameters<Handlers['drafts']['start']>[0]>, 'chosen'>;

/**
 * Returns the rules of an upload that starts at `moment`. Upload hours that the organisation sets take precedence over
 * the user's choice, and the user's choice over the settings.
 */
export const uploadRules = (
  { schedule: { notBeforeMs, hours: wanted } = {}, receipt, takesLater = false }: WantedRules,
  settings: Pick<SettingsStore, 'get' | 'managed'>,
  moment: Date,
): UploadRules => {
  const { receipt: usualReceipt = 'none', hours: usual = [] } = settings.get().uploads;
  const format = receipt ?? usualReceipt;
  const rules = { ...(format !== 'none' && { receipt: format }), ...(takesLater && { takesLater }) };
  const hours = settings.managed.includes('uploads.hours') ? usual : (wanted ?? usual);
  if (notBeforeMs === undefined && hours.length === 0) return rules;
  const schedule = { hours, ...(notBeforeMs !== undefined && { notBeforeMs }) };
  return { ...rules, schedule: { ...schedule, overruled: false }, isHeldBack: !isDue(schedule, moment) };
};
