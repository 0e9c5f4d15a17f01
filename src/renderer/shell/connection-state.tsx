import { makeStyles, tokens } from '@fluentui/react-components';
import {
  Clock16Regular,
  type FluentIcon,
  PersonProhibited16Regular,
  PlugConnected16Regular,
  PlugDisconnected16Regular,
} from '@fluentui/react-icons';
import type { Reach } from '../../contract/connection.ts';
import { isPending, isRejected } from '../../contract/offline.ts';
import { useApp, useSnapshot } from '../state/context.tsx';
import { formatHour } from '../words/dates.ts';
import { t } from '../words/words.ts';

const useStyles = makeStyles({
  where: {
    marginTop: 'auto',
    padding: tokens.spacingHorizontalM,
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    '@media (min-width: 480px) and (max-width: 999px)': { padding: tokens.spacingHorizontalXS, textAlign: 'center' },
  },
  state: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalXS,
    color: tokens.colorNeutralForeground2,
    '@media (min-width: 480px) and (max-width: 999px)': { flexDirection: 'column', gap: 0 },
  },
  host: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
});

type Look = { readonly Icon: FluentIcon; readonly words: string };

const storageWords = (storage: Reach): string | undefined => {
  if (storage.state === 'unreachable') return t('reach.storageOffline', { at: formatHour(storage.sinceMs) });
  return storage.state === 'held' ? t('reach.storagePaused', { at: formatHour(storage.untilMs) }) : undefined;
};

/** The connected service and whether it can be reached. */
export const ConnectionState = () => {
  const styles = useStyles();
  const connection = useSnapshot((snapshot) => snapshot.connection);
  const signedIn = useSnapshot(({ session }) => session.state === 'signed-in');
  const { service, storage } = useSnapshot(({ reachability }) => reachability);
  const look = ((): Look | undefined => {
    if (!signedIn) return { Icon: PersonProhibited16Regular, words: t('shell.signedOut') };
    switch (service.state) {
      case 'unknown':
        return undefined;
      case 'online':
        return { Icon: PlugConnected16Regular, words: t('shell.online') };
      case 'unreachable':
        return { Icon: PlugDisconnected16Regular, words: t('shell.offlineSince', { at: formatHour(service.sinceMs) }) };
      case 'held':
        return { Icon: Clock16Regular, words: t('reach.pausedUntil', { at: formatHour(service.untilMs) }) };
    }
  })();
  const ofStorage = storageWords(storage);
  return (
    <div className={styles.where}>
      <div role="status" className={styles.state}>
        {look !== undefined && (
          <>
            <look.Icon aria-hidden="true" /> {look.words}
          </>
        )}
      </div>
      {signedIn && ofStorage !== undefined && (
        <div role="status" className={styles.state}>
          {ofStorage}
        </div>
      )}
      <ChangeIndicator />
      {connection !== undefined && (
        <div className={styles.host} title={connection.baseUrl}>
          {connection.sample ? t('shell.sample') : new URL(connection.baseUrl).host}
        </div>
      )}
    </div>
  );
};

const useChangeIndicatorStyles = makeStyles({
  changes: {
    padding: 0,
    border: 'none',
    background: 'none',
    font: 'inherit',
    color: tokens.colorBrandForegroundLink,
    textAlign: 'inherit',
    textDecorationLine: 'underline',
    cursor: 'pointer',
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
});

/** The number of pending and rejected changes, a link to them. Nothing if there are none. */
const ChangeIndicator = () => {
  const styles = useChangeIndicatorStyles();
  const open = useApp((state) => state.open);
  const waiting = useSnapshot(({ outbox }) => outbox.filter(isPending).length);
  const refused = useSnapshot(({ outbox }) => outbox.filter(isRejected).length);
  const words = [
    refused > 0 && t('shell.changesRefused', { count: refused }),
    waiting > 0 && t('shell.changesWaiting', { count: waiting }),
  ];
  return (
    <div role="status">
      {waiting + refused > 0 && (
        <button type="button" className={styles.changes} onClick={() => open({ name: 'overview' })}>
          {words.filter(Boolean).join(', ')}
        </button>
      )}
    </div>
  );
};
