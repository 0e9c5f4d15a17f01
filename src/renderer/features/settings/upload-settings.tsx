import { useRef, useState } from 'react';
import { type Hours, LeaveRoom, type LimitPeriod, type UploadLimit, WORKING_HOURS } from '../../../contract/hours.ts';
import type { Preferences } from '../../../contract/preferences.ts';
import { AutomaticReceipt } from '../../../contract/uploads.ts';
import { TimeRange } from '../../domain/date-field.tsx';
import { useManaged } from '../../domain/managed.tsx';
import { hoursChoice, hoursChoices, isOnWorkingDays, withChoice } from '../../domain/uploads/hours-choice.ts';
import { useAction, useDesk, useSnapshot } from '../../state/context.tsx';
import { formatTimeOfDay } from '../../words/dates.ts';
import { t } from '../../words/words.ts';
import { SettingChoice } from './setting-choice.tsx';

type Concurrency = Preferences['concurrency'];

const usual = [1, 2, 4, 8, 16, 32, 64];

/** How many files are uploaded at the same time, when and how fast, and the receipt that an upload ends with. */
export const UploadSettings = () => {
  const { preferences } = useDesk();
  const concurrency = useSnapshot((snapshot) => snapshot.preferences.concurrency);
  const isFixed = useManaged('uploads.concurrency');
  const choose = useAction((value: Concurrency) => preferences.set({ concurrency: value }));
  const receipt = useSnapshot((snapshot) => snapshot.preferences.uploadReceipt ?? 'none');
  const chooseReceipt = useAction((uploadReceipt: AutomaticReceipt) => preferences.set({ uploadReceipt }));
  const leaveRoom = useSnapshot((snapshot) => snapshot.preferences.leaveRoom);
  const chooseLeaveRoom = useAction((value: LeaveRoom) => preferences.set({ leaveRoom: value }));
  const chosen = concurrency === 'auto' ? [] : [concurrency];
  const choices = [...new Set([...usual, ...chosen])].sort((a, b) => a - b);
  return (
    <>
      <SettingChoice
        label={t('settings.concurrency')}
        hint={isFixed ? undefined : t('settings.concurrencyHint')}
        path="uploads.concurrency"
        value={concurrency}
        choices={[
          { value: 'auto', name: t('settings.concurrencyAuto') },
          ...choices.map((value) => ({ value, name: String(value) })),
        ]}
        onChoose={choose.run}
      />
      <SpeedSettings />
      <SettingChoice
        label={t('settings.leaveRoom')}
        hint={t('settings.leaveRoomHint', {
          from: formatTimeOfDay(WORKING_HOURS.from),
          to: formatTimeOfDay(WORKING_HOURS.to),
        })}
        path="uploads.leaveRoom"
        value={leaveRoom}
        choices={LeaveRoom.options.map((value) => ({ value, name: t(`settings.leaveRoomWhen.${value}`) }))}
        onChoose={chooseLeaveRoom.run}
      />
      <HoursSettings />
      <SettingChoice
        label={t('settings.receipt')}
        hint={t('settings.receiptHint')}
        value={receipt}
        choices={AutomaticReceipt.options.map((value) => ({
          value,
          name: value === 'none' ? t('settings.receiptNone') : t(`uploads.receipt.format.${value}`),
        }))}
        onChoose={chooseReceipt.run}
      />
    </>
  );
};

const ANY_TIME: Hours = [];

/** When new uploads run, unless another time is chosen for them. */
const HoursSettings = () => {
  const { preferences } = useDesk();
  const managed = useManaged('uploads.hours');
  const kept = useSnapshot((snapshot) => snapshot.preferences.uploadHours ?? ANY_TIME);
  const [hours, set] = useSetting<Hours>(kept, (uploadHours) => preferences.set({ uploadHours }));
  const choice = hoursChoice(hours);
  const [period] = hours;
  return (
    <>
      <SettingChoice
        label={t('settings.hours')}
        hint={t('settings.hoursHint')}
        path="uploads.hours"
        value={choice}
        choices={hoursChoices(hours)}
        onChoose={(chosen) => set(withChoice(hours, chosen))}
      />
      {period && choice !== 'special' && (
        <TimeRange
          from={period.from}
          to={period.to}
          readOnly={managed}
          labels={{ from: t('watched.form.from'), to: t('watched.form.to') }}
          onChange={(change) => set([{ ...period, ...change }])}
        />
      )}
    </>
  );
};

const bytesPerMegabit = 125_000;
const usualMegabits = [1, 2, 5, 10, 25, 50, 100, 250];
const none = 0;

const workingHours = { from: '08:00', to: '17:00', days: [1, 2, 3, 4, 5] } as const;

const choicesWith = (chosen: number, free: string) => [
  { value: none, name: free },
  ...[...new Set([...usualMegabits, ...(chosen === none ? [] : [chosen])])]
    .sort((a, b) => a - b)
    .map((value) => ({ value, name: t('settings.megabits', { count: value }) })),
];

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
        choices={choicesWith(megabitsOf(fixed), t('settings.noLimit'))}
        onChoose={setAlways}
      />
      <SettingChoice
        label={t('settings.speedInHours')}
        hint={hours && !isOnWorkingDays(hours.days) ? undefined : t('settings.speedInHoursHint')}
        path="uploads.limit"
        value={megabitsOf(hours)}
        choices={choicesWith(megabitsOf(hours), t('settings.asAlways'))}
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
 * A setting that is changed in several steps, and how to change it: the last choice counts until it is stored, so that a
 * choice made meanwhile builds on it. `store` is called once at a time, in the order of the choices.
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
