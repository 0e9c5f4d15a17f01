/** How fast uploads may be: always, or by the time of the day. */
import { z } from 'zod';

const BytesPerSecond = z.int().min(1_000).max(10_000_000_000);

/** A time of the day, as `08:30`. */
export const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

/**
 * From `from` up to but not including `to`, local time; over midnight where `to` is not after `from`. `days`: those
 * on which it begins, 0 is Sunday; every day where absent.
 */
export const LimitPeriod = z.object({
  from: TimeOfDay,
  to: TimeOfDay,
  days: z.array(z.int().min(0).max(6)).readonly().optional(),
  bytesPerSecond: BytesPerSecond,
});
export type LimitPeriod = z.infer<typeof LimitPeriod>;

/** The first matching period sets the limit; outside all periods `bytesPerSecond` does. Absent: no limit. */
export const UploadLimit = z.object({
  bytesPerSecond: BytesPerSecond.optional(),
  schedule: z.array(LimitPeriod).max(20).readonly(),
});
export type UploadLimit = z.infer<typeof UploadLimit>;
