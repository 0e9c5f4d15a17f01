import { FluentProvider, makeStyles, Spinner, webDarkTheme, webLightTheme } from '@fluentui/react-components';
import { Suspense, useEffect, useState } from 'react';
import { Failure } from '../domain/errors/failure.tsx';
import { useApp } from '../state/context.tsx';
import { later } from '../ui/later.ts';
import { useWordsRevision } from '../words/revision.ts';
import { spokenLocale, t } from '../words/words.ts';
import { AppUi } from './app-ui.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Notices } from './notices.tsx';
import { Shell } from './shell.tsx';
import { useDark } from './use-dark.ts';
import { useDropGuard } from './use-drop-guard.ts';

const Welcome = later(async () => (await import('../features/connection/welcome.tsx')).Welcome);

const ProxyPasswordDialog = later(async () => (await import('./proxy-password-dialog.tsx')).ProxyPasswordDialog);

const Toasts = later(async () => (await import('./toasts.tsx')).Toasts);

const useStyles = makeStyles({
  app: { height: '100vh', '@media print': { height: 'auto' } },
  starting: { display: 'grid', placeContent: 'center', height: '100%' },
});

/** The window: loading, welcome, or the shell. */
const Content = () => {
  const styles = useStyles();
  const known = useApp(({ projection }) => projection.snapshot !== undefined);
  const connected = useApp(({ projection }) => projection.snapshot?.connection !== undefined);
  const failure = useApp((state) => state.failure);
  const synchronise = useApp((state) => state.synchronise);
  if (known) return connected ? <Shell /> : <Welcome notices={<Notices />} />;
  return (
    <main className={styles.starting}>
      {failure === undefined ? (
        <Spinner label={t('shell.starting')} />
      ) : (
        <Failure error={failure} onRetry={synchronise} />
      )}
    </main>
  );
};

/** Asks for the password of a proxy, over whatever is shown. Once loaded it stays, as the layer behind it has to outlive it. */
const ProxyQuestion = () => {
  const wanted = useApp(({ projection }) => projection.snapshot?.wantedPassword);
  const [last, setLast] = useState(wanted);
  if (wanted !== undefined && wanted !== last) setLast(wanted);
  return last && <ProxyPasswordDialog wanted={last} open={wanted !== undefined} />;
};

/** The app in the chosen theme. */
export const App = () => {
  const styles = useStyles();
  useDropGuard();
  // Loaded with the first report, then kept.
  const [failed, setFailed] = useState(false);
  const failing = useApp(({ reports }) => reports.length > 0);
  if (failing && !failed) setFailed(true);
  // A change of language or formats renders everything again.
  useWordsRevision();
  const locale = spokenLocale();
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  return (
    <FluentProvider theme={useDark() ? webDarkTheme : webLightTheme}>
      {/* Not on the provider: its class is copied to the layer of every dialog, which would cover the window. */}
      <div className={styles.app}>
        <AppUi>
          <ErrorBoundary>
            <Suspense>
              <Content />
            </Suspense>
            <Suspense>
              <ProxyQuestion />
            </Suspense>
          </ErrorBoundary>
        </AppUi>
      </div>
      {failed && (
        <Suspense>
          <Toasts />
        </Suspense>
      )}
    </FluentProvider>
  );
};
