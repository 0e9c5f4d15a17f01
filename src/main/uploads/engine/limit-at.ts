/** The limit at a given moment. */
import { isWithin } from '../../../contract/hours.ts';
import type { UploadLimit } from '../../../contract/upload-limit.ts';

/** The bytes per second that may be sent at `moment`, in local time; undefined: no limit. */
export const limitAt = ({ bytesPerSecond, schedule }: UploadLimit, moment: Date): number | undefined =>
  schedule.find((period) => isWithin(period, moment))?.bytesPerSecond ?? bytesPerSecond;
