import { Button, Text } from '@fluentui/react-components';
import { FailureBar } from '../../domain/errors/failure-bar.tsx';
import { useCacheSize } from '../../queries/overview.ts';
import { useDesk, useSnapshot } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { formatBytes } from '../../words/amounts.ts';
import { t } from '../../words/words.ts';
import { SettingChoice } from './setting-choice.tsx';

const usualMegabytes = [250, 500, 1_000, 2_000, 5_000, 10_000, 20_000];

/** The size of the offline data, its limit, and clearing it. */
export const StorageSettings = () => {
  const desk = useDesk();
  const { value, error, reload } = useCacheSize();
  const clear = useAction(desk.cache.clear);
  const limit = useSnapshot((snapshot) => snapshot.preferences.cacheLimitMegabytes);
  const choose = useAction((cacheLimitMegabytes: number) => desk.preferences.set({ cacheLimitMegabytes }));
  const choices = [...new Set([...usualMegabytes, limit])].sort((a, b) => a - b);
  return (
    <>
      {error !== undefined && <FailureBar error={error} onRetry={reload} />}
      {value !== undefined && <Text>{t('settings.cacheSize', { size: formatBytes(value.sizeBytes) })}</Text>}
      <SettingChoice
        label={t('settings.cacheLimit')}
        hint={t('settings.cacheLimitHint')}
        path="cache.limitMegabytes"
        value={limit}
        choices={choices.map((value) => ({ value, name: formatBytes(value * 1_000_000) }))}
        onChoose={choose.run}
      />
      <div>
        <Confirm
          title={t('settings.clearQuestion')}
          action={t('settings.clearAction')}
          onConfirm={() => clear.run()}
          trigger={<Button disabledFocusable={clear.busy}>{t('settings.clear')}</Button>}
        >
          {t('settings.clearExplained')}
        </Confirm>
      </div>
    </>
  );
};
