/** When an upload may be sent. */
import type { BatchSchedule } from '../../../contract/batches.ts';
import { isDue, type Schedule } from '../../../contract/hours.ts';

/** As the engine takes it; `isHeldBack`: not now. Empty: at any time. */
export type UploadTime = { readonly schedule?: BatchSchedule; readonly isHeldBack?: boolean };

/** The time of an upload that begins at `moment`. */
export const uploadTime = (schedule: Schedule | undefined, moment: Date): UploadTime => {
  const isAnyTime = !schedule || (schedule.notBeforeMs === undefined && schedule.hours.length === 0);
  return isAnyTime ? {} : { schedule: { ...schedule, overruled: false }, isHeldBack: !isDue(schedule, moment) };
};
