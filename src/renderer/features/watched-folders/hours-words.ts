/** Upload hours in words. */
import type { Hours } from '../../../contract/hours.ts';
import { t } from '../../words/words.ts';

/** The days that the form offers; `undefined`: every day. */
export const WORKING_DAYS: readonly number[] = [1, 2, 3, 4, 5];

/** Whether a period begins on working days only. */
export const isOnWorkingDays = (days: readonly number[] | undefined): boolean =>
  days !== undefined && days.length === WORKING_DAYS.length && WORKING_DAYS.every((day) => days.includes(day));

/** The hours, shortly; undefined for any time. */
export const hoursText = (hours: Hours): string | undefined => {
  const [first] = hours;
  if (first === undefined) return undefined;
  const text = t(isOnWorkingDays(first.days) ? 'watched.hours.workingDays' : 'watched.hours.between', first);
  return hours.length > 1 || (first.days !== undefined && !isOnWorkingDays(first.days))
    ? t('watched.hours.special')
    : text;
};
