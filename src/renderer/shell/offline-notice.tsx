import { Button } from '@fluentui/react-components';
import { useApp, useSnapshot } from '../state/context.tsx';
import { needsSession } from '../state/places.ts';
import { Message } from '../ui/message.tsx';
import { errorText, t } from '../words/words.ts';

/** Whether the page shows offline data without a session. */
export const useBrowsesOffline = (): boolean => {
  const signedIn = useSnapshot(({ session }) => session.state === 'signed-in');
  const browses = useApp(({ browsesOffline, history }) => browsesOffline && needsSession(history.place));
  return browses && !signedIn;
};

/** Shown above pages that are read without a session: why they are not up to date, and a button to sign in. */
export const OfflineNotice = () => {
  const browseOffline = useApp((state) => state.browseOffline);
  return (
    <Message
      intent="warning"
      title={errorText({ code: 'auth/expired', details: {} }).title}
      action={
        <Button size="small" onClick={() => browseOffline(false)}>
          {t('signIn.title')}
        </Button>
      }
    >
      {t('signIn.offline')}
    </Message>
  );
};
