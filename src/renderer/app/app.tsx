import { FluentProvider, makeStyles, Spinner, Toaster, webDarkTheme, webLightTheme } from '@fluentui/react-components';
import { Welcome } from '../features/connection/welcome.tsx';
import { useApp } from './context.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Failure } from './failure.tsx';
import { Shell } from './shell.tsx';
import { useDropGuard } from './use-drop-guard.ts';
import { usePrefersDark } from './use-prefers-dark.ts';
import { toasterId } from './use-report.tsx';

const useStyles = makeStyles({
  app: { height: '100vh' },
  starting: { display: 'grid', placeContent: 'center', height: '100%' },
});

/** The window: waiting for main, not set up yet, or at work. */
const Content = () => {
  const styles = useStyles();
  const known = useApp(({ projection }) => projection.snapshot !== undefined);
  const connected = useApp(({ projection }) => projection.snapshot?.connection !== undefined);
  const failure = useApp((state) => state.failure);
  const synchronise = useApp((state) => state.synchronise);
  if (known) return connected ? <Shell /> : <Welcome />;
  return (
    <main className={styles.starting}>
      {failure === undefined ? <Spinner label="Starting…" /> : <Failure error={failure} onRetry={synchronise} />}
    </main>
  );
};

/** The whole app, in the colours of the system. */
export const App = () => {
  const styles = useStyles();
  useDropGuard();
  return (
    <FluentProvider theme={usePrefersDark() ? webDarkTheme : webLightTheme}>
      {/* Not the provider's own class: every dialog's layer takes that over and would cover the window. */}
      <div className={styles.app}>
        <ErrorBoundary>
          <Content />
        </ErrorBoundary>
      </div>
      <Toaster toasterId={toasterId} position="bottom-end" limit={3} />
    </FluentProvider>
  );
};
