import { FluentProvider, makeStyles, Spinner, webDarkTheme, webLightTheme } from '@fluentui/react-components';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Failure } from '../domain/errors.tsx';
import { useApp, useDesk, useRemembered, useReport } from '../state/store.tsx';
import { useEver, useMedia, useWindowEvent } from '../ui/hooks.ts';
import { lazily } from '../ui/lazy.tsx';
import { type Ui, UiProvider } from '../ui/ui-context.ts';
import { useWordsRevision } from '../words/formats.ts';
import { spokenLocale, t } from '../words/words.ts';
import { Notices } from './notices.tsx';
import { ErrorBoundary, Shell } from './shell.tsx';

const Welcome = lazily(async () => (await import('../features/connection/welcome.tsx')).Welcome);

const ProxyPasswordDialog = lazily(async () => (await import('./proxy-password-dialog.tsx')).ProxyPasswordDialog);

const Toasts = lazily(async () => (await import('./toasts.tsx')).Toasts);

const useStyles = makeStyles({
  app: { height: '100vh', '@media print': { height: 'auto' } },
  starting: { display: 'grid', placeContent: 'center', height: '100%' },
});

/**
 * The content of the window: a spinner or an error until main's state is known, then the welcome screen or, with a
 * connection, the shell.
 */
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

/**
 * Asks for the password of a proxy, over any page. Once it was shown, the dialog stays mounted, even while it is
 * closed: the layer that hides the rest of the window must not be removed together with an open dialog.
 */
const ProxyQuestion = () => {
  const wanted = useApp(({ projection }) => projection.snapshot?.wantedPassword);
  const [last, setLast] = useState(wanted);
  if (wanted !== undefined && wanted !== last) setLast(wanted);
  return last && <ProxyPasswordDialog wanted={last} open={wanted !== undefined} />;
};

export const App = () => {
  const styles = useStyles();
  useWindowEvent('dragover', refuseFiles);
  useWindowEvent('drop', refuseFiles);
  useWindowEvent('selectstart', refuseAll);
  const hasReported = useEver(useApp(({ reports }) => reports.length > 0));
  // Renders everything again after a change of language or formats.
  useWordsRevision();
  const locale = spokenLocale();
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  return (
    <FluentProvider theme={useDark() ? webDarkTheme : webLightTheme}>
      {/*
       * This class is not on the provider, because the provider's classes are copied to the layer of every dialog,
       * which would then cover the window.
       */}
      <div className={styles.app}>
        <AppUi>
          <ErrorBoundary>
            <Content />
            <ProxyQuestion />
            {hasReported && <Toasts />}
          </ErrorBoundary>
        </AppUi>
      </div>
    </FluentProvider>
  );
};

/** Refuses files that are dropped outside a drop zone. Otherwise the browser would navigate to them. */
const refuseFiles = (event: DragEvent): void => {
  if (event.defaultPrevented) return;
  event.preventDefault();
  if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
};

/**
 * Prevents Ctrl+A and the menu from selecting the text of the whole window, as they would do outside of a text field.
 */
const refuseAll = (event: Event): void => {
  if (event.target === document.body) event.preventDefault();
};

/** Whether to use the dark theme, by the preference or the system's setting. Printing always uses the light one. */
const useDark = (): boolean => {
  const appearance = useApp(({ projection }) => projection.snapshot?.preferences.appearance ?? 'system');
  const systemIsDark = useMedia('(prefers-color-scheme: dark)');
  const onScreen = useMedia('screen');
  return onScreen && (appearance === 'system' ? systemIsDark : appearance === 'dark');
};

export const AppUi = ({ children }: { readonly children: ReactNode }) => {
  const desk = useDesk();
  const report = useReport();
  const ui = useMemo<Ui>(() => ({ sheets: desk.export, report, Failure, useStored: useRemembered }), [desk, report]);
  return <UiProvider value={ui}>{children}</UiProvider>;
};
