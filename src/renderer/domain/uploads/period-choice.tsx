/** The period of uploads: a usual one, or any days. */
import { type DayRange, lastDays, monthOf } from '../../../contract/day-range.ts';
import { Choice } from '../../ui/fields.tsx';
import { dayStart } from '../../words/dates.ts';
import { t } from '../../words/words.ts';
import { DateField } from '../date-field.tsx';

const usualPeriods = {
  today: (now) => lastDays(now, 1),
  week: (now) => lastDays(now, 7),
  thisMonth: (now) => monthOf(now),
  lastMonth: (now) => monthOf(now, -1),
  year: (now) => lastDays(now, 365),
} as const satisfies Readonly<Record<string, (now: Date) => DayRange>>;

const periods = [...(Object.keys(usualPeriods) as (keyof typeof usualPeriods)[]), 'days'] as const;

/** `name`: undefined for any time. The days, as date inputs hold them, count if it is `days`. */
export type Period = {
  readonly name: (typeof periods)[number] | undefined;
  readonly fromDay: string;
  readonly toDay: string;
};

export const anyTime: Period = { name: undefined, fromDay: '', toDay: '' };

/** Its bounds, as far as it has any. */
export const boundsOf = ({ name, fromDay, toDay }: Period, now: Date): Partial<DayRange> => {
  if (name === undefined) return {};
  if (name !== 'days') return usualPeriods[name](now);
  const [fromMs, beforeMs] = [dayStart(fromDay), dayStart(toDay, 1)];
  return { ...(fromMs !== undefined && { fromMs }), ...(beforeMs !== undefined && { beforeMs }) };
};

/** Whether an upload was started in the period. */
export const isWithin = (
  { createdAtMs }: { readonly createdAtMs: number },
  { fromMs = Number.NEGATIVE_INFINITY, beforeMs = Number.POSITIVE_INFINITY }: Partial<DayRange>,
): boolean => createdAtMs >= fromMs && createdAtMs < beforeMs;

type PeriodChoiceProps = { readonly value: Period; readonly onChange: (value: Period) => void };

/** A choice of the period, and two fields for any other days. */
export const PeriodChoice = ({ value, onChange }: PeriodChoiceProps) => (
  <>
    <Choice
      label={t('uploads.find.period')}
      all={t('uploads.find.allDates')}
      values={periods}
      nameOf={(period) => t(`uploads.find.${period}`)}
      value={value.name}
      onChange={(name) => onChange({ ...value, name })}
    />
    {value.name === 'days' &&
      (['fromDay', 'toDay'] as const).map((bound) => (
        <DateField
          key={bound}
          label={t(`uploads.find.${bound}`)}
          value={value[bound]}
          onChange={(day) => onChange({ ...value, [bound]: day })}
        />
      ))}
  </>
);
