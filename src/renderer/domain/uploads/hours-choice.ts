/** Upload hours as a form offers them: at any time, or one period; others can only be kept. */
import type { Hours, Period } from '../../../contract/hours.ts';
import { WORKING_DAYS } from '../../../contract/hours.ts';
import { formatTimeOfDay } from '../../words/dates.ts';
import { t } from '../../words/words.ts';

/** `special`: hours that the form cannot show. */
type HoursChoice = 'always' | 'between' | 'workingDays' | 'special';

/** After office hours, over night. */
const EVENINGS: Period = { from: '18:00', to: '07:00' };

/** Whether a period on these `days` (0 is Sunday; absent: all) is one from Monday to Friday. */
export const isOnWorkingDays = (days: Period['days']): boolean =>
  days?.length === WORKING_DAYS.length && WORKING_DAYS.every((day) => days.includes(day));

/** What the form shows for these hours. */
export const hoursChoice = ([first, ...others]: Hours): HoursChoice => {
  if (first === undefined) return 'always';
  if (others.length > 0) return 'special';
  if (first.days === undefined) return 'between';
  return isOnWorkingDays(first.days) ? 'workingDays' : 'special';
};

/** The choices that the form offers for these hours, by name. */
export const hoursChoices = (hours: Hours): readonly { readonly value: HoursChoice; readonly name: string }[] => {
  const usual = ['always', 'between', 'workingDays'] as const;
  const all = hoursChoice(hours) === 'special' ? ([...usual, 'special'] as const) : usual;
  return all.map((value) => ({ value, name: t(`watched.form.${value}`) }));
};

/** The hours after a choice; times that were set stay. */
export const withChoice = (hours: Hours, choice: HoursChoice): Hours => {
  if (choice === 'always') return [];
  if (choice === 'special') return hours;
  const { from, to } = hours[0] ?? EVENINGS;
  return [choice === 'workingDays' ? { from, to, days: WORKING_DAYS } : { from, to }];
};

/** The hours, shortly; undefined for any time. */
export const hoursText = (hours: Hours): string | undefined => {
  const choice = hoursChoice(hours);
  const [first] = hours;
  if (choice === 'always' || first === undefined) return undefined;
  return t(`watched.hours.${choice}`, { from: formatTimeOfDay(first.from), to: formatTimeOfDay(first.to) });
};
