import { type DayRange, lastDays, monthOf } from '../../../contract/day-range.ts';
import { Choice } from '../../ui/fields.tsx';
import { type Days, dayBounds } from '../../words/dates.ts';
import { t } from '../../words/words.ts';
import { DayFields } from '../date-field.tsx';

const usualPeriods = {
  today: (now) => lastDays(now, 1),
  week: (now) => lastDays(now, 7),
  thisMonth: (now) => monthOf(now),
  lastMonth: (now) => monthOf(now, -1),
  year: (now) => lastDays(now, 365),
} as const satisfies Readonly<Record<string, (now: Date) => DayRange>>;

export const periods = [...(Object.keys(usualPeriods) as (keyof typeof usualPeriods)[]), 'days'] as const;

/**
 * A chosen period. `name`: undefined for any time. The days, in the format of date inputs, are used only if `name` is
 * `days`.
 */
export type UploadPeriod = Days & { readonly name: (typeof periods)[number] | undefined };

export const anyTime: UploadPeriod = { name: undefined, fromDay: '', toDay: '' };

/** Returns the bounds of a period. A bound that the period does not have is absent. */
export const boundsOf = ({ name, ...days }: UploadPeriod, now: Date): Partial<DayRange> => {
  if (name === undefined) return {};
  return name === 'days' ? dayBounds(days) : usualPeriods[name](now);
};

export const isStartedIn = (
  { createdAtMs }: { readonly createdAtMs: number },
  { fromMs = Number.NEGATIVE_INFINITY, beforeMs = Number.POSITIVE_INFINITY }: Partial<DayRange>,
): boolean => createdAtMs >= fromMs && createdAtMs < beforeMs;

type PeriodChoiceProps = {
  readonly value: UploadPeriod;
  readonly onChange: (value: UploadPeriod) => void;
  /** Whether the choice has a visible label, which filters do not need. */
  readonly isLabelled?: boolean;
};

export const PeriodChoice = ({ value, onChange, isLabelled = false }: PeriodChoiceProps) => (
  <>
    <Choice
      label={t('uploads.find.period')}
      isLabelled={isLabelled}
      all={t('uploads.find.allDates')}
      values={periods}
      nameOf={(period) => t(`uploads.find.${period}`)}
      value={value.name}
      onChange={(name) => onChange({ ...value, name })}
    />
    {value.name === 'days' && (
      <DayFields
        nameOf={(bound) => t(`uploads.find.${bound}`)}
        days={value}
        onChange={(change) => onChange({ ...value, ...change })}
      />
    )}
  </>
);
