import { Button, Text } from '@fluentui/react-components';
import { FailureBar } from '../../domain/errors/failure-bar.tsx';
import { useCacheSize } from '../../queries/overview.ts';
import { useDesk } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { formatBytes } from '../../words/amounts.ts';
import { t } from '../../words/words.ts';

/** The size of the offline data, and clearing it. */
export const StorageSettings = () => {
  const desk = useDesk();
  const { value, error, reload } = useCacheSize();
  const clear = useAction(desk.cache.clear);
  return (
    <>
      {error !== undefined && <FailureBar error={error} onRetry={reload} />}
      {value !== undefined && <Text>{t('settings.cacheSize', { size: formatBytes(value.sizeBytes) })}</Text>}
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
