import { Button, makeStyles, Spinner, Text, tokens } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { type ErrorData, toErrorData } from '../../../contract/errors.ts';
import { ActionButton } from '../../domain/actions.tsx';
import { ErrorMessage } from '../../domain/errors.tsx';
import { needsSession, useAction, useApp, useDesk, useHasExpired, useSnapshot } from '../../state/store.tsx';
import { useFocusOnMount, useLatest, useNow } from '../../ui/hooks.ts';
import { Line, Minor, Page } from '../../ui/page.tsx';
import { stacked } from '../../ui/styles.ts';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  content: {
    ...stacked(tokens.spacingVerticalL),
    alignItems: 'center',
    maxWidth: '560px',
    margin: '0 auto',
    paddingTop: 'min(15vh, 120px)',
    // Limits the width of a message. Without a limit, a message would be as wide as its text, which would never wrap.
    '& > *': { maxWidth: '100%' },
  },
});

/**
 * The sign-in page, shown in place of a page that needs a session, or of the page on which the user requested the
 * sign-in. After such a request, the sign-in begins immediately.
 */
export const SignInPage = () => {
  const styles = useStyles();
  const desk = useDesk();
  const session = useSnapshot((snapshot) => snapshot.session);
  const connection = useSnapshot((snapshot) => snapshot.connection);
  const browseOffline = useApp((state) => state.browseOffline);
  const signInRequested = useApp((state) => state.signInRequested);
  const isNeeded = useApp(({ history }) => needsSession(history.place));
  const hasExpired = useHasExpired();
  const [failure, setFailure] = useState<ErrorData>();
  const signIn = useAction(
    () => {
      setFailure(undefined);
      return desk.session.signIn();
    },
    (error) => setFailure(toErrorData(error)),
  );
  const begin = useLatest(() => {
    if (signInRequested && session.state === 'signed-out') signIn.run();
  });
  useEffect(() => begin(), [begin]);
  const reason = failure ?? (session.state === 'signed-out' ? session.reason : undefined);
  // A cancelled sign-in is not reported, because the user has cancelled it or begun another one.
  const shown = reason?.code === 'auth/cancelled' ? undefined : reason;
  return (
    <Page title={t('signIn.title')}>
      <div className={styles.content}>
        {session.state === 'waiting' ? (
          <SignInWaiting expiresAt={session.expiresAtMs} />
        ) : (
          <>
            {shown !== undefined && (
              <ErrorMessage error={shown} intent={shown.code === 'auth/required' ? 'info' : 'warning'} />
            )}
            <Text align="center">{connection?.sample ? t('signIn.sample') : t('signIn.service')}</Text>
            <Line>
              <Button appearance="primary" size="large" disabledFocusable={signIn.busy} onClick={() => signIn.run()}>
                {t('signIn.title')}
              </Button>
              {hasExpired && isNeeded && (
                <Button size="large" onClick={() => browseOffline(true)}>
                  {t('signIn.browseOffline')}
                </Button>
              )}
            </Line>
          </>
        )}
      </div>
    </Page>
  );
};

/**
 * Says that the app waits until the user has signed in with the browser. `expiresAt`: when the sign-in expires, in ms
 * since 1970.
 */
const SignInWaiting = ({ expiresAt }: { readonly expiresAt: number }) => {
  const { session } = useDesk();
  const [copied, setCopied] = useState(false);
  const actions = useFocusOnMount<HTMLDivElement>('button');
  const minutes = Math.max(1, Math.ceil((expiresAt - useNow(10_000)) / 60_000));
  return (
    <>
      <Spinner label={t('signIn.waiting')} labelPosition="after" size="small" />
      <Text align="center">{t('signIn.finish', { count: minutes })}</Text>
      <Line ref={actions}>
        <ActionButton act={session.cancelSignIn}>{t('common.cancel')}</ActionButton>
        <ActionButton appearance="subtle" act={session.openAgain}>
          {t('signIn.openAgain')}
        </ActionButton>
        <ActionButton appearance="subtle" act={() => session.copyAddress().then(() => setCopied(true))}>
          {t('signIn.copyAddress')}
        </ActionButton>
      </Line>
      <Minor role="status" align="center">
        {copied ? t('signIn.copied') : t('signIn.notOpened')}
      </Minor>
    </>
  );
};
