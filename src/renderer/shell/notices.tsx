import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { troubleOf } from '../../contract/connection.ts';
import { ActionButton } from '../domain/actions.tsx';
import { ErrorMessage, FailureBar } from '../domain/errors.tsx';
import { isForAll, ReachActions, troubleText } from '../domain/reach.tsx';
import { needsSession, useApp, useAsksToSignIn, useSnapshot } from '../state/store.tsx';
import { Message } from '../ui/message.tsx';
import { stacked } from '../ui/styles.ts';
import { errorText, t } from '../words/words.ts';

const useStyles = makeStyles({
  notices: {
    ...stacked(tokens.spacingVerticalXS),
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalXXL}`,
  },
});

export const Notices = () => {
  const styles = useStyles();
  const notices = useSnapshot((snapshot) => snapshot.notices);
  const dismissNotices = useApp((state) => state.dismissNotices);
  const failure = useApp((state) => state.failure);
  const synchronise = useApp((state) => state.synchronise);
  const signedIn = useSnapshot(({ session }) => session.state === 'signed-in');
  const place = useApp(({ history }) => history.place);
  const asksToSignIn = useAsksToSignIn(place);
  const requestSignIn = useApp((state) => state.requestSignIn);
  // Whether the page shows offline data because there is no session.
  const isOffline = !signedIn && needsSession(place) && !asksToSignIn;
  const service = useSnapshot(({ reachability }) => troubleOf(reachability.service));
  // `trouble` is defined if the service has requested a pause, or if every request fails until the user changes
  // something, such as a certificate or the proxy.
  const trouble = service && isForAll('service', service) ? troubleText('service', service) : undefined;
  if (notices.length === 0 && failure === undefined && !isOffline && trouble === undefined) return null;
  return (
    <section className={styles.notices} aria-label={t('shell.notices')}>
      {failure !== undefined && <FailureBar error={failure} onRetry={synchronise} />}
      {isOffline && (
        <Message
          intent="warning"
          title={errorText({ code: 'auth/expired', details: {} }).title}
          action={
            <Button size="small" onClick={requestSignIn}>
              {t('signIn.title')}
            </Button>
          }
        >
          {t('signIn.offline')}
        </Message>
      )}
      {trouble && (
        <Message intent="warning" title={trouble.title} action={<ReachActions />}>
          {trouble.todo}
        </Message>
      )}
      {notices.map((notice, position) => (
        <ErrorMessage
          // biome-ignore lint/suspicious/noArrayIndexKey: notices are only added at the end or removed together.
          key={position}
          error={notice}
          intent="warning"
          action={
            position === notices.length - 1 && (
              <ActionButton size="small" act={dismissNotices}>
                {notices.length === 1 ? t('common.dismiss') : t('common.dismissAll')}
              </ActionButton>
            )
          }
        />
      ))}
    </section>
  );
};
