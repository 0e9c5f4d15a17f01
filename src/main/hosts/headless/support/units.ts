/** Sizes, speeds and times in words. */
import { serviceTimeMs, type TimeBase } from '../../../../contract/resources.ts';
import { formatSize } from '../../../../words/size.ts';
import type { Speech } from '../../../../words/speech/speech.ts';

/** A size as the window shows it in this language: "1.5 MB", "1,5 MB". */
export const formatBytes = (bytes: number, { locale }: Pick<Speech<'host'>, 'locale'>): string =>
  formatSize(bytes, locale);

/** A time of the service (InspectionDate, StartTime, PlanAfter) as local date and time. */
export const formatServiceTime = (value: number, base: TimeBase): string => formatTime(serviceTimeMs(value, base));

/** A time of the app, ms since 1970, as local date and time. */
export const formatTime = (ms: number): string => new Date(ms).toLocaleString();
