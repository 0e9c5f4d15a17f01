import {
  type Hours,
  LeaveRoom,
  type LimitPeriod,
  type UploadLimit,
  WORKING_DAYS,
  WORKING_HOURS,
} from '../../../contract/hours.ts';
import { AutomaticReceipt } from '../../../contract/uploads.ts';
import { TimeRange } from '../../domain/date-field.tsx';
import { useManaged } from '../../domain/managed.tsx';
import { PreferenceChoice, SettingChoice, SettingSwitch, usePreference } from '../../domain/setting-choice.tsx';
import { receiptName } from '../../domain/uploads/batch-words.ts';
import { HoursField, isOnWorkingDays } from '../../domain/uploads/hours-choice.tsx';
import { useSnapshot } from '../../state/store.tsx';
import { formatTimeOfDay } from '../../words/dates.ts';
import { t } from '../../words/words.ts';

const ANY_TIME: Hours = [];

const usual = [1, 2, 4, 8, 16, 32, 64];

export const UploadSettings = () => {
  const isFixed = useManaged('uploads.concurrency');
  const hasDesktop = useSnapshot((snapshot) => snapshot.hasDesktop);
  const [receipt = 'none', setReceipt] = usePreference('uploadReceipt');
  const [hours = ANY_TIME, setHours] = usePreference('uploadHours');
  return (
    <>
      <PreferenceChoice
        name="concurrency"
        hint={isFixed ? undefined : t('settings.concurrencyHint')}
        path="uploads.concurrency"
        values={['auto', ...usual]}
        nameOf={(value) => (value === 'auto' ? t('settings.concurrencyAuto') : String(value))}
      />
      <SpeedSettings />
      <PreferenceChoice
        name="leaveRoom"
        hint={t('settings.leaveRoomHint', {
          from: formatTimeOfDay(WORKING_HOURS.from),
          to: formatTimeOfDay(WORKING_HOURS.to),
        })}
        path="uploads.leaveRoom"
        values={LeaveRoom.options}
        nameOf={(value) => t(`settings.leaveRoomWhen.${value}`)}
      />
      <HoursField
        label={t('settings.hours')}
        hint={t('settings.hoursHint')}
        path="uploads.hours"
        hours={hours}
        onChange={setHours}
      />
      {hasDesktop && <SparingSetting name="waitOnBattery" />}
      {hasDesktop && <SparingSetting name="waitOnMetered" />}
      <SettingChoice
        label={t('settings.receipt')}
        hint={t('settings.receiptHint')}
        value={receipt}
        values={AutomaticReceipt.options}
        nameOf={receiptName}
        onChoose={setReceipt}
      />
    </>
  );
};

/**
 * A switch for whether uploads wait to spare the battery or a metered connection. The preview does not have this
 * setting, because it may run on another machine than its page.
 */
const SparingSetting = ({ name }: { readonly name: 'waitOnBattery' | 'waitOnMetered' }) => {
  const [checked, set] = usePreference(name);
  return (
    <SettingSwitch
      label={t(`settings.${name}`)}
      hint={t(`settings.${name}Hint`)}
      path={`uploads.${name}`}
      checked={checked}
      onChange={set}
    />
  );
};

const bytesPerMegabit = 125_000;
const none = 0;
const megabitChoices = [none, 1, 2, 5, 10, 25, 50, 100, 250];

const NO_LIMIT: UploadLimit = { schedule: [] };

const USUAL_LIMIT_HOURS = { from: '08:00', to: '17:00', days: WORKING_DAYS } as const;

const megabitsOf = (limit: { readonly bytesPerSecond?: number | undefined } | undefined): number =>
  (limit?.bytesPerSecond ?? none) / bytesPerMegabit;

/**
 * Settings for the speed limit of uploads: the limit that always applies, and that of the first period of the schedule.
 * Further periods are unchanged.
 */
const SpeedSettings = () => {
  const managed = useManaged('uploads.limit');
  const [limit, set] = usePreference('uploadLimit');
  const { schedule, ...fixed } = limit ?? NO_LIMIT;
  const [hours, ...others] = schedule;

  const setAlways = (megabits: number): void =>
    set({ schedule, ...(megabits !== none && { bytesPerSecond: megabits * bytesPerMegabit }) });
  const setHours = (period: LimitPeriod | undefined): void =>
    set({ ...fixed, schedule: period ? [period, ...others] : others });

  return (
    <>
      <SettingChoice
        label={t('settings.speed')}
        path="uploads.limit"
        value={megabitsOf(fixed)}
        values={megabitChoices}
        nameOf={(count) => (count === none ? t('settings.noLimit') : t('settings.megabits', { count }))}
        onChoose={setAlways}
      />
      <SettingChoice
        label={t('settings.speedInHours')}
        hint={hours && !isOnWorkingDays(hours.days) ? undefined : t('settings.speedInHoursHint')}
        path="uploads.limit"
        value={megabitsOf(hours)}
        values={megabitChoices}
        nameOf={(count) => (count === none ? t('settings.asAlways') : t('settings.megabits', { count }))}
        onChoose={(megabits) =>
          setHours(
            megabits === none
              ? undefined
              : { ...USUAL_LIMIT_HOURS, ...hours, bytesPerSecond: megabits * bytesPerMegabit },
          )
        }
      />
      {hours && (
        <TimeRange
          from={hours.from}
          to={hours.to}
          readOnly={managed}
          labels={{ from: t('settings.speedFrom'), to: t('settings.speedTo') }}
          onChange={(change) => setHours({ ...hours, ...change })}
        />
      )}
    </>
  );
};
