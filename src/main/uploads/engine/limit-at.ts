/** The limit on the speed at a given moment. */

import type { UploadLimit } from '../../../contract/hours.ts';
import { isWithin } from '../../../contract/hours.ts';

/** The bytes per second that may be sent at `moment`, in local time; undefined: no limit. */
export const limitAt = ({ bytesPerSecond, schedule }: UploadLimit, moment: Date): number | undefined =>
  schedule.find((period) => isWithin(period, moment))?.bytesPerSecond ?? bytesPerSecond;

/** The lower of two limits; undefined: none. */
export const slowest = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
