import { useRef, useState } from 'react';
import { type Hours, LeaveRoom, type LimitPeriod, type UploadLimit, WORKING_HOURS } from '../../../contract/hours.ts';
import { AutomaticReceipt } from '../../../contract/uploads.ts';
import { TimeRange } from '../../domain/date-field.tsx';
import { useManaged } from '../../domain/managed.tsx';
import { PreferenceChoice, SettingChoice, SettingSwitch, usePreference } from '../../domain/setting-choice.tsx';
import { receiptName } from '../../domain/uploads/batch-words.ts';
import { HoursField, isOnWorkingDays } from '../../domain/uploads/hours-choice.tsx';
import { useAction, useDesk, useSnapshot } from '../../state/context.tsx';
import { formatTimeOfDay } from '../../words/dates.ts';
import { t } from '../../words/words.ts';

const usual = [1, 2, 4, 8, 16, 32, 64];

/** How many files are uploaded at the same time, when and how fast, and the receipt that an upload ends with. */
export const UploadSettings = () => {
  const isFixed = useManaged('uploads.concurrency');
  const hasDesktop = useSnapshot((snapshot) => snapshot.hasDesktop);
  const [receipt = 'none', setReceipt] = usePreference('uploadReceipt');
  return (
    <>
      <PreferenceChoice
        name="concurrency"
        label={t('settings.concurrency')}
        hint={isFixed ? undefined : t('settings.concurrencyHint')}
        path="uploads.concurrency"
        values={['auto', ...usual]}
        nameOf={(value) => (value === 'auto' ? t('settings.concurrencyAuto') : String(value))}
      />
      <SpeedSettings />
      <PreferenceChoice
        name="leaveRoom"
        label={t('settings.leaveRoom')}
        hint={t('settings.leaveRoomHint', {
          from: formatTimeOfDay(WORKING_HOURS.from),
          to: formatTimeOfDay(WORKING_HOURS.to),
        })}
        path="uploads.leaveRoom"
        values={LeaveRoom.options}
        nameOf={(value) => t(`settings.leaveRoomWhen.${value}`)}
      />
      <HoursSettings />
      {hasDesktop && <SparingSettings />}
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

/** When uploads wait to spare the battery or a metered connection. A preview runs on another machine than its page. */
const SparingSettings = () => {
  const { preferences: calls } = useDesk();
  const preferences = useSnapshot((snapshot) => snapshot.preferences);
  const set = useAction(calls.set);
  return (['waitOnBattery', 'waitOnMetered'] as const).map((name) => (
    <SettingSwitch
      key={name}
      label={t(`settings.${name}`)}
      hint={t(`settings.${name}Hint`)}
      path={`uploads.${name}`}
      checked={preferences[name]}
      onChange={(checked) => set.run({ [name]: checked })}
    />
  ));
};

const ANY_TIME: Hours = [];

/** When new uploads run, unless another time is chosen for them. */
const HoursSettings = () => {
  const { preferences } = useDesk();
  const kept = useSnapshot((snapshot) => snapshot.preferences.uploadHours ?? ANY_TIME);
  const [hours, set] = useSetting<Hours>(kept, (uploadHours) => preferences.set({ uploadHours }));
  return (
    <HoursField
      label={t('settings.hours')}
      hint={t('settings.hoursHint')}
      path="uploads.hours"
      hours={hours}
      onChange={set}
    />
  );
};

const bytesPerMegabit = 125_000;
const none = 0;
const megabitChoices = [none, 1, 2, 5, 10, 25, 50, 100, 250];

const workingHours = { from: '08:00', to: '17:00', days: [1, 2, 3, 4, 5] } as const;

const megabitsOf = (limit: { readonly bytesPerSecond?: number | undefined } | undefined): number =>
  (limit?.bytesPerSecond ?? none) / bytesPerMegabit;

/** The speed limit of uploads: always, and in the first period of the schedule. Other periods stay as they are. */
const SpeedSettings = () => {
  const { preferences } = useDesk();
  const managed = useManaged('uploads.limit');
  const kept = useSnapshot((snapshot) => snapshot.preferences.uploadLimit);
  const [limit, set] = useSetting<UploadLimit>(kept ?? { schedule: [] }, (uploadLimit) =>
    preferences.set({ uploadLimit }),
  );
  const { schedule, ...fixed } = limit;
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
            megabits === none ? undefined : { ...workingHours, ...hours, bytesPerSecond: megabits * bytesPerMegabit },
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

/**
 * A setting that is edited in several steps, and its setter: a choice that is not yet stored is already shown, so that
 * the next one builds on it. `store` is called in the order of the choices, one call at a time.
 */
export const useSetting = <T extends object>(
  kept: T,
  store: (value: T) => Promise<unknown>,
): readonly [T, (value: T) => void] => {
  const [chosen, setChosen] = useState<T>();
  const before = useRef<Promise<unknown>>(Promise.resolve());
  const set = useAction((value: T) => {
    setChosen(value);
    const change = before.current.then(() => store(value));
    before.current = change.catch(() => {});
    return change.finally(() => setChosen((latest) => (latest === value ? undefined : latest)));
  });
  return [chosen ?? kept, set.run];
};
