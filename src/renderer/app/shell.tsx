import { Button, makeStyles, Tooltip, tokens } from '@fluentui/react-components';
import { ArrowLeft20Regular, ArrowRight20Regular } from '@fluentui/react-icons';
import { useApp, useSnapshot } from './context.tsx';
import { Navigation } from './navigation.tsx';
import { Notices } from './notices.tsx';
import { Pages } from './pages.tsx';
import { UploadAnnouncer } from './upload-announcer.tsx';
import { useHistoryInput } from './use-history-input.ts';

const useStyles = makeStyles({
  shell: {
    display: 'grid',
    gridTemplateColumns: '208px minmax(0, 1fr)',
    height: '100%',
    '@media (max-width: 999px)': { gridTemplateColumns: '88px minmax(0, 1fr)' },
  },
  side: {
    display: 'flex',
    flexDirection: 'column',
    minHeight: 0,
    overflow: 'auto',
    backgroundColor: tokens.colorNeutralBackground3,
    borderRight: `1px solid ${tokens.colorNeutralStroke3}`,
  },
  top: { display: 'flex', alignItems: 'center', padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM} 0` },
  where: {
    marginTop: 'auto',
    padding: tokens.spacingHorizontalM,
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    whiteSpace: 'nowrap',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    '@media (max-width: 999px)': { padding: tokens.spacingHorizontalXS, textAlign: 'center' },
  },
  content: { display: 'flex', flexDirection: 'column', minHeight: 0, minWidth: 0 },
  main: { flexGrow: 1, minHeight: 0, paddingTop: tokens.spacingVerticalXS },
});

/** The window once a service is set up: navigation beside the current page. */
export const Shell = () => {
  const styles = useStyles();
  const { back, forward, history } = useApp((state) => state);
  const connection = useSnapshot((snapshot) => snapshot.connection);
  useHistoryInput();
  return (
    <div className={styles.shell}>
      <header className={styles.side}>
        <div className={styles.top}>
          <Tooltip content="Back" relationship="label">
            <Button
              appearance="subtle"
              icon={<ArrowLeft20Regular />}
              disabledFocusable={history.back.length === 0}
              onClick={back}
            />
          </Tooltip>
          <Tooltip content="Forward" relationship="label">
            <Button
              appearance="subtle"
              icon={<ArrowRight20Regular />}
              disabledFocusable={history.forward.length === 0}
              onClick={forward}
            />
          </Tooltip>
        </div>
        <Navigation />
        {connection !== undefined && (
          <div className={styles.where} title={connection.baseUrl}>
            {connection.sample ? 'Sample data' : new URL(connection.baseUrl).host}
          </div>
        )}
      </header>
      <div className={styles.content}>
        <Notices />
        <main className={styles.main}>
          <Pages />
        </main>
      </div>
      <UploadAnnouncer />
    </div>
  );
};
