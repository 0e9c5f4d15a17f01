/** Counts, sizes, speeds and durations in words. */
import { formats } from './formats.ts';
import { t } from './words.ts';

/** `count` with separators: "1,204". */
export const formatCount = (count: number): string => formats().number(count);

const units = ['', 'KB', 'MB', 'GB', 'TB'];

/** A size as file managers show it, in steps of 1024: "980 bytes", "1.4 MB", "23 GB". */
export const formatBytes = (bytes: number): string => {
  let size = bytes;
  let unit = 0;
  // 1023.5 rounds to 1,024, which is one of the next unit.
  while (size >= (unit === 0 ? 1024 : 1023.5) && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  if (unit === 0) return t('count.byte', { count: Math.round(size) });
  const digits = size < 9.95 ? 1 : 0;
  const shown = formats().number(size, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${shown} ${units[unit]}`;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How long `remainingBytes` take at `bytesPerSecond`, as `formatLeft` says it. Undefined while nothing moves. */
export const formatTimeLeft = (remainingBytes: number, bytesPerSecond: number): string | undefined =>
  bytesPerSecond <= 0 || remainingBytes < 0 ? undefined : formatLeft((remainingBytes / bytesPerSecond) * 1000);

/** A time that something still takes, as coarse as such a guess deserves: "less than a minute", "about 4 minutes", "about 2 h 10 min". */
export const formatLeft = (leftMs: number): string => {
  if (leftMs < minuteMs) return t('left.moment');
  const minutes = Math.round(leftMs / minuteMs);
  if (minutes < 60) return t('left.about', { duration: t('count.minute', { count: minutes }) });
  if (leftMs > 48 * hourMs)
    return t('left.about', { duration: t('count.day', { count: Math.round(leftMs / (24 * hourMs)) }) });
  const rest = Math.round((minutes % 60) / 5) * 5;
  const hours = Math.floor(minutes / 60) + (rest === 60 ? 1 : 0);
  return rest % 60 === 0 ? t('left.hours', { hours }) : t('left.hoursMinutes', { hours, minutes: rest });
};

/** How long ago `timeMs` was: "just now", "5 minutes ago", "3 hours ago", "2 days ago". */
export const formatAge = (timeMs: number, nowMs: number): string => {
  const ageMs = nowMs - timeMs;
  if (ageMs < minuteMs) return t('ago.now');
  if (ageMs < hourMs) return t('ago.minute', { count: Math.floor(ageMs / minuteMs) });
  if (ageMs < 24 * hourMs) return t('ago.hour', { count: Math.floor(ageMs / hourMs) });
  return t('ago.day', { count: Math.floor(ageMs / (24 * hourMs)) });
};
