import { Button, makeStyles, mergeClasses, tokens, typographyStyles } from '@fluentui/react-components';
import {
  ArrowSync20Regular,
  Clock20Regular,
  type FluentIcon,
  Person20Regular,
  PersonArrowRight20Regular,
  PersonProhibited20Regular,
  PlugConnected20Regular,
  PlugDisconnected20Regular,
} from '@fluentui/react-icons';
import { compact } from 'es-toolkit';
import { useRef } from 'react';
import type { Reach } from '../../contract/connection.ts';
import { isPending, isRejected } from '../../contract/offline.ts';
import { useApp, useAsksToSignIn, useSnapshot } from '../state/store.tsx';
import { useOnChange } from '../ui/hooks.ts';
import { lazily } from '../ui/lazy.tsx';
import { bareButton, folded, sideBySide, unseen } from '../ui/styles.ts';
import { formatNear } from '../words/dates.ts';
import { t } from '../words/words.ts';
import { SideTip } from './navigation.tsx';

const SignOut = lazily(async () => (await import('../domain/sign-out.tsx')).SignOut);

const useStyles = makeStyles({
  foot: {
    marginTop: 'auto',
    // Long addresses are cut off instead of widening the navigation.
    contain: 'inline-size',
    padding: tokens.spacingHorizontalS,
    ...typographyStyles.caption1,
    color: tokens.colorNeutralForeground2,
  },
  line: {
    ...sideBySide(tokens.spacingHorizontalS),
    minHeight: '32px',
    paddingInlineStart: tokens.spacingHorizontalM,
    '& svg': { flexShrink: 0 },
    [folded]: { flexDirection: 'column', justifyContent: 'center', paddingInline: 0 },
  },
  text: { flexGrow: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', [folded]: unseen },
  host: { color: tokens.colorNeutralForeground3, whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis' },
  changes: {
    ...bareButton,
    width: '100%',
    boxSizing: 'border-box',
    paddingBlock: 0,
    color: tokens.colorBrandForegroundLink,
    textAlign: 'start',
    textDecorationLine: 'underline',
    cursor: 'pointer',
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
});

export const SideFoot = () => (
  <div className={useStyles().foot}>
    <ConnectionState />
    <ChangeIndicator />
    <Account />
  </div>
);

type Look = { readonly Icon: FluentIcon; readonly words: string };

const lookOf = (service: Reach): Look | undefined => {
  switch (service.state) {
    case 'unknown':
      return undefined;
    case 'online':
      return { Icon: PlugConnected20Regular, words: t('shell.online') };
    case 'unreachable':
      return { Icon: PlugDisconnected20Regular, words: t('shell.offlineSince', { at: formatNear(service.sinceMs) }) };
    case 'held':
      return { Icon: Clock20Regular, words: t('reach.pausedUntil', { at: formatNear(service.untilMs) }) };
  }
};

const storageWords = (storage: Reach): string | undefined => {
  if (storage.state === 'unreachable') return t('reach.storageOffline', { at: formatNear(storage.sinceMs) });
  return storage.state === 'held' ? t('reach.storagePaused', { at: formatNear(storage.untilMs) }) : undefined;
};

const ConnectionState = () => {
  const styles = useStyles();
  const connection = useSnapshot((snapshot) => snapshot.connection);
  const signedIn = useSnapshot(({ session }) => session.state === 'signed-in');
  const { service, storage } = useSnapshot(({ reachability }) => reachability);
  const look = signedIn ? lookOf(service) : undefined;
  const ofStorage = signedIn ? storageWords(storage) : undefined;
  const host = connection && (connection.sample ? t('shell.sample') : new URL(connection.baseUrl).host);
  return (
    <SideTip name={compact([look?.words, ofStorage, host]).join(' · ')}>
      <div className={styles.line}>
        {look ? <look.Icon aria-hidden="true" /> : <PlugConnected20Regular aria-hidden="true" />}
        <div className={styles.text}>
          <div role="status">{look?.words}</div>
          <div role="status">{ofStorage}</div>
          <div className={styles.host} title={connection?.baseUrl}>
            {host}
          </div>
        </div>
      </div>
    </SideTip>
  );
};

const ChangeIndicator = () => {
  const styles = useStyles();
  const open = useApp((state) => state.open);
  const waiting = useSnapshot(({ outbox }) => outbox.filter(isPending).length);
  const refused = useSnapshot(({ outbox }) => outbox.filter(isRejected).length);
  const words = compact([
    refused > 0 && t('shell.changesRefused', { count: refused }),
    waiting > 0 && t('shell.changesWaiting', { count: waiting }),
  ]).join(', ');
  return (
    <div role="status">
      {words !== '' && (
        <SideTip name={words}>
          <button
            type="button"
            className={mergeClasses(styles.line, styles.changes)}
            onClick={() => open({ name: 'overview' })}
          >
            <ArrowSync20Regular aria-hidden="true" />
            <span className={styles.text}>{words}</span>
          </button>
        </SideTip>
      )}
    </div>
  );
};

const Account = () => {
  const styles = useStyles();
  const session = useSnapshot((snapshot) => snapshot.session);
  const requestSignIn = useApp((state) => state.requestSignIn);
  const asksToSignIn = useAsksToSignIn(useApp(({ history }) => history.place));
  const line = useRef<HTMLDivElement>(null);
  const signedIn = session.state === 'signed-in';
  const name = signedIn ? (session.subject ?? t('shell.signedIn')) : t('shell.signedOut');
  const Icon = signedIn ? Person20Regular : PersonProhibited20Regular;
  // The button that had the focus no longer exists, so the focus moves to the button in its place.
  useOnChange(signedIn, () => {
    if (document.activeElement === document.body) line.current?.querySelector('button')?.focus();
  });
  return (
    <SideTip name={name}>
      <div ref={line} className={styles.line}>
        <Icon aria-hidden="true" />
        <div role="status" className={mergeClasses(styles.text, styles.host)} title={name}>
          {name}
        </div>
        {signedIn && <SignOut isIcon />}
        {!(signedIn || asksToSignIn) && (
          <Button
            appearance="subtle"
            icon={<PersonArrowRight20Regular />}
            title={t('signIn.title')}
            aria-label={t('signIn.title')}
            onClick={requestSignIn}
          />
        )}
      </div>
    </SideTip>
  );
};
