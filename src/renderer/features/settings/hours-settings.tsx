import type { Hours } from '../../../contract/hours.ts';
import { useManaged } from '../../domain/managed/managed.tsx';
import { TimeRange } from '../../domain/time-range.tsx';
import { hoursChoice, hoursChoices, withChoice } from '../../domain/uploads/hours-choice.ts';
import { useDesk, useSnapshot } from '../../state/context.tsx';
import { t } from '../../words/words.ts';
import { SettingChoice } from './setting-choice.tsx';
import { useSetting } from './use-setting.ts';

const ANY_TIME: Hours = [];

/** When new uploads run, unless another time is chosen for them. */
export const HoursSettings = () => {
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
