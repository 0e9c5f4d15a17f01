/** Upload hours in a form: at any time, or in one period. More complex hours can be kept but not edited. */
import type { Hours, Period } from '../../../contract/hours.ts';
import { OVERNIGHT, WORKING_DAYS } from '../../../contract/hours.ts';
import type { ManagedPath } from '../../../contract/preferences.ts';
import { formatTimeOfDay } from '../../words/dates.ts';
import { t } from '../../words/words.ts';
import { TimeRange } from '../date-field.tsx';
import { useManaged } from '../managed.tsx';
import { SettingChoice } from '../setting-choice.tsx';

/** A choice in the form. `special`: hours that the form cannot show. */
type HoursChoice = 'always' | 'between' | 'workingDays' | 'special';

/** Whether `days` (0 is Sunday; absent: every day) are Monday to Friday. */
export const isOnWorkingDays = (days: Period['days']): boolean =>
  days?.length === WORKING_DAYS.length && WORKING_DAYS.every((day) => days.includes(day));

const hoursChoice = ([first, ...others]: Hours): HoursChoice => {
  if (first === undefined) return 'always';
  if (others.length > 0) return 'special';
  if (first.days === undefined) return 'between';
  return isOnWorkingDays(first.days) ? 'workingDays' : 'special';
};

/** Returns the hours after a choice. A choice with a period keeps the times that were set. */
const withChoice = (hours: Hours, choice: HoursChoice): Hours => {
  if (choice === 'always') return [];
  if (choice === 'special') return hours;
  const { from, to } = hours[0] ?? OVERNIGHT;
  return [choice === 'workingDays' ? { from, to, days: WORKING_DAYS } : { from, to }];
};

/** Describes the hours in a short text; undefined if uploads are allowed at any time. */
export const hoursText = (hours: Hours): string | undefined => {
  const choice = hoursChoice(hours);
  const [first] = hours;
  if (choice === 'always' || first === undefined) return undefined;
  return t(`watched.hours.${choice}`, { from: formatTimeOfDay(first.from), to: formatTimeOfDay(first.to) });
};

type HoursFieldProps = {
  readonly label: string;
  readonly hint?: string;
  readonly path?: ManagedPath;
  readonly hours: Hours;
  readonly onChange: (hours: Hours) => void;
};

export const HoursField = ({ label, hint, path, hours, onChange }: HoursFieldProps) => {
  const managed = useManaged(path);
  const choice = hoursChoice(hours);
  const [period] = hours;
  return (
    <>
      <SettingChoice<HoursChoice>
        label={label}
        hint={hint}
        path={path}
        value={choice}
        values={['always', 'between', 'workingDays']}
        nameOf={(value) => t(`watched.form.${value}`)}
        onChoose={(chosen) => onChange(withChoice(hours, chosen))}
      />
      {period && choice !== 'special' && (
        <TimeRange
          from={period.from}
          to={period.to}
          readOnly={managed}
          onChange={(change) => onChange([{ ...period, ...change }])}
        />
      )}
    </>
  );
};
