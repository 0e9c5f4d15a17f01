import { sizeInUnit, wholePercent } from '../../words/size.ts';
import { formats } from './formats.ts';
import { t } from './words.ts';

/** Formats a number with separators: "1,204". */
export const formatCount = (count: number): string => formats().number(count);

/** Formats a share from 0 to 1 as a whole percentage: "45%". */
export const formatPercent = (share: number): string => formats().number(share, wholePercent);

/** Formats a size in decimal units: "980 bytes", "1.4 MB", "23 GB". */
export const formatBytes = (bytes: number): string => formats().number(...sizeInUnit(bytes));

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * Returns a text that says how long `remainingBytes` take at `bytesPerSecond`, in the words of `formatLeft`; undefined
 * if `bytesPerSecond` is not positive, or `remainingBytes` is negative.
 */
export const formatTimeLeft = (remainingBytes: number, bytesPerSecond: number): string | undefined =>
  bytesPerSecond <= 0 || remainingBytes < 0 ? undefined : formatLeft((remainingBytes / bytesPerSecond) * 1000);

/**
 * Formats an estimated remaining time, coarsely rounded: "less than a minute", "about 4 minutes", "about 2 h 10 min",
 * "about 3 days".
 */
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

/** Returns a text that says how long ago `timeMs` was: "just now", "5 minutes ago", "3 hours ago", "2 days ago". */
export const formatAge = (timeMs: number, nowMs: number): string => {
  const ageMs = nowMs - timeMs;
  if (ageMs < minuteMs) return t('ago.now');
  if (ageMs < hourMs) return t('ago.minute', { count: Math.floor(ageMs / minuteMs) });
  if (ageMs < 24 * hourMs) return t('ago.hour', { count: Math.floor(ageMs / hourMs) });
  return t('ago.day', { count: Math.floor(ageMs / (24 * hourMs)) });
};
