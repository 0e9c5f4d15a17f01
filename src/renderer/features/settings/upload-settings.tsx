import { useDesk, useSnapshot } from '../../app/context.tsx';
import { useAction } from '../../app/use-action.ts';
import { t } from '../../words/words.ts';
import { SettingChoice } from './setting-choice.tsx';

const usual = [1, 2, 4, 8, 16, 32, 64];

/** How many files are sent at once. */
export const UploadSettings = () => {
  const { preferences } = useDesk();
  const concurrency = useSnapshot((snapshot) => snapshot.preferences.concurrency);
  const choose = useAction((value: number) => preferences.set({ concurrency: value }));
  const choices = [...new Set([...usual, concurrency])].sort((a, b) => a - b);
  return (
    <SettingChoice
      label={t('settings.concurrency')}
      hint={t('settings.concurrencyHint')}
      value={concurrency}
      choices={choices.map((value) => ({ value, name: String(value) }))}
      onChoose={choose.run}
    />
  );
};
