import type { LimitPeriod, UploadLimit } from '../../../contract/hours.ts';
import { useManaged } from '../../domain/managed/managed.tsx';
import { TimeRange } from '../../domain/time-range.tsx';
import { isOnWorkingDays } from '../../domain/uploads/hours-choice.ts';
import { useDesk, useSnapshot } from '../../state/context.tsx';
import { t } from '../../words/words.ts';
import { SettingChoice } from './setting-choice.tsx';
import { useSetting } from './use-setting.ts';

const bytesPerMegabit = 125_000;
const usual = [1, 2, 5, 10, 25, 50, 100, 250];
const none = 0;

const workingHours = { from: '08:00', to: '17:00', days: [1, 2, 3, 4, 5] } as const;

const choicesWith = (chosen: number, free: string) => [
  { value: none, name: free },
  ...[...new Set([...usual, ...(chosen === none ? [] : [chosen])])]
    .sort((a, b) => a - b)
    .map((value) => ({ value, name: t('settings.megabits', { count: value }) })),
];

const megabitsOf = (limit: { readonly bytesPerSecond?: number | undefined } | undefined): number =>
  (limit?.bytesPerSecond ?? none) / bytesPerMegabit;

/** The speed limit of uploads: always, and in the first period of the schedule. Other periods stay as they are. */
export const SpeedSettings = () => {
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
