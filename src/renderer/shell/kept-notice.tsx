import { Button } from '@fluentui/react-components';
import { useApp, useSnapshot } from '../state/context.tsx';
import { needsSession } from '../state/places.ts';
import { Message } from '../ui/message.tsx';
import { errorText, t } from '../words/words.ts';

/** Whether the page in view is read without a session. */
export const useReadsKept = (): boolean => {
  const signedIn = useSnapshot(({ session }) => session.state === 'signed-in');
  const reads = useApp(({ readsKept, history }) => readsKept && needsSession(history.place));
  return reads && !signedIn;
};

/** Over pages that are read without a session: why they are not fresh, and the way to sign in. */
export const KeptNotice = () => {
  const readKept = useApp((state) => state.readKept);
  return (
    <Message
      intent="warning"
      title={errorText({ code: 'auth/expired', details: {} }).title}
      action={
        <Button size="small" onClick={() => readKept(false)}>
          {t('signIn.title')}
        </Button>
      }
    >
      {t('signIn.kept')}
    </Message>
  );
};
