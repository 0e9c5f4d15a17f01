import { makeStyles, tokens } from '@fluentui/react-components';
import {
  type FluentIcon,
  PersonProhibited16Regular,
  PlugConnected16Regular,
  PlugDisconnected16Regular,
} from '@fluentui/react-icons';
import { formatHour } from '../ui/dates.ts';
import { t } from '../words/words.ts';
import { ChangeIndicator } from './change-indicator.tsx';
import { useApp, useSnapshot } from './context.tsx';

const useStyles = makeStyles({
  where: {
    marginTop: 'auto',
    padding: tokens.spacingHorizontalM,
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    '@media (max-width: 999px)': { padding: tokens.spacingHorizontalXS, textAlign: 'center' },
  },
  state: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalXS,
    color: tokens.colorNeutralForeground2,
    '@media (max-width: 999px)': { flexDirection: 'column', gap: 0 },
  },
  host: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
});

type Look = { readonly Icon: FluentIcon; readonly words: string };

/** Which service this is, and whether it can be worked with at present. */
export const ConnectionState = () => {
  const styles = useStyles();
  const connection = useSnapshot((snapshot) => snapshot.connection);
  const signedIn = useSnapshot(({ session }) => session.state === 'signed-in');
  const reach = useApp((state) => state.reach);
  const look = ((): Look | undefined => {
    if (!signedIn) return { Icon: PersonProhibited16Regular, words: t('shell.signedOut') };
    if (reach === undefined) return undefined;
    return reach.state === 'online'
      ? { Icon: PlugConnected16Regular, words: t('shell.online') }
      : { Icon: PlugDisconnected16Regular, words: t('shell.offlineSince', { at: formatHour(reach.since) }) };
  })();
  return (
    <div className={styles.where}>
      <div role="status" className={styles.state}>
        {look !== undefined && (
          <>
            <look.Icon aria-hidden="true" /> {look.words}
          </>
        )}
      </div>
      <ChangeIndicator />
      {connection !== undefined && (
        <div className={styles.host} title={connection.baseUrl}>
          {connection.sample ? t('shell.sample') : new URL(connection.baseUrl).host}
        </div>
      )}
    </div>
  );
};
