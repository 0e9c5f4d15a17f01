import { Button } from '@fluentui/react-components';
import { useApp, useSnapshot } from '../../state/context.tsx';
import { Message } from '../../ui/message.tsx';
import { t } from '../../words/words.ts';

/** The upload that is being prepared, and what it still needs; nothing without one. */
export const WaitingDraft = () => {
  const draft = useSnapshot((snapshot) => snapshot.draft);
  const open = useApp((state) => state.open);
  if (draft === undefined) return null;
  const { undecided } = draft.counts;
  return (
    <Message
      intent="info"
      title={t('newUpload.waiting.title')}
      action={
        <Button size="small" onClick={() => open({ name: 'new-upload' })}>
          {t('newUpload.waiting.open')}
        </Button>
      }
    >
      {undecided > 0 ? `${t('newUpload.start.undecided', { count: undecided })}.` : draft.names.join(', ')}
    </Message>
  );
};
