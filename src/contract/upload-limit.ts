/** How fast uploads may be: always, or by the time of the day. */
import { z } from 'zod';
import { Period } from './hours.ts';

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
