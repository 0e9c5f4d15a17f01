/** Sizes, speeds and times in words. */
import { serviceTimeMs, type TimeBase } from '../../../contract/service-time.ts';

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** `bytes` in the unit that fits, in powers of 1,000: 1.5 MB. */
export const formatBytes = (bytes: number): string => {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power]}`;
};

/** A time of the service (InspectionDate, StartTime, PlanAfter) as local date and time. */
export const formatServiceTime = (value: number, base: TimeBase): string => formatTime(serviceTimeMs(value, base));

/** A time of the app, ms since 1970, as local date and time. */
export const formatTime = (ms: number): string => new Date(ms).toLocaleString();
