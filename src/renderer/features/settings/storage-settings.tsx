import { Button, Text } from '@fluentui/react-components';
import { useCallback } from 'react';
import { useDesk } from '../../app/context.tsx';
import { FailureBar } from '../../app/failure-bar.tsx';
import { useAction } from '../../app/use-action.ts';
import { formatBytes } from '../../ui/amounts.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useAnswer } from '../../ui/use-answer.ts';
import { t } from '../../words/words.ts';

/** How much room the kept data takes, and getting rid of it. */
export const StorageSettings = () => {
  const desk = useDesk();
  const { value, error, reload } = useAnswer(useCallback(() => desk.cache.size(), [desk]));
  const clear = useAction(async () => {
    await desk.cache.clear();
    reload();
  });
  return (
    <>
      {error !== undefined && <FailureBar error={error} action={t('common.tryAgain')} onAction={reload} />}
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
