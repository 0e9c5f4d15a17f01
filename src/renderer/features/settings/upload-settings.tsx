import { LeaveRoom, WORKING_HOURS } from '../../../contract/hours.ts';
import type { Preferences } from '../../../contract/preferences.ts';
import { AutomaticReceipt } from '../../../contract/uploads.ts';
import { useManaged } from '../../domain/managed/managed.tsx';
import { useDesk, useSnapshot } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { formatTimeOfDay } from '../../words/dates.ts';
import { t } from '../../words/words.ts';
import { HoursSettings } from './hours-settings.tsx';
import { SettingChoice } from './setting-choice.tsx';
import { SpeedSettings } from './speed-settings.tsx';

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
