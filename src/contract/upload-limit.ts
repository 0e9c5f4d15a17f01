/** How fast uploads may be: always, or by the time of the day. */
import { z } from 'zod';
import { isWithin, Period } from './hours.ts';

/** A speed limit. */
export const BytesPerSecond = z.int().min(1_000).max(10_000_000_000);

export const LimitPeriod = Period.extend({ bytesPerSecond: BytesPerSecond });
export type LimitPeriod = z.infer<typeof LimitPeriod>;

/** The first matching period sets the limit; outside all periods `bytesPerSecond` does. Absent: no limit. */
export const UploadLimit = z.object({
  bytesPerSecond: BytesPerSecond.optional(),
  schedule: z.array(LimitPeriod).max(20).readonly(),
});
export type UploadLimit = z.infer<typeof UploadLimit>;

/** When uploads give way to other traffic on the line. */
export const LeaveRoom = z.enum(['working-hours', 'always', 'never']);
export type LeaveRoom = z.infer<typeof LeaveRoom>;

/** Monday to Friday. */
export const WORKING_DAYS: readonly number[] = [1, 2, 3, 4, 5];

/** When offices work, in local time. */
export const WORKING_HOURS: Period = { from: '07:00', to: '18:00', days: WORKING_DAYS };

/** Whether uploads give way to other traffic at `moment`. */
export const leavesRoomAt = (when: LeaveRoom, moment: Date): boolean =>
  when === 'always' || (when === 'working-hours' && isWithin(WORKING_HOURS, moment));
