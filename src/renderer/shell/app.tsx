import { FluentProvider, makeStyles, Spinner, webDarkTheme, webLightTheme } from '@fluentui/react-components';
import { type ReactNode, useEffect, useState } from 'react';
import { marksIn } from '../../contract/search.ts';
import { pastedCell, sheetFormat } from '../../contract/text.ts';
import { Failure } from '../domain/errors.tsx';
import { useApp, useDesk, useRemembered, useReport } from '../state/context.tsx';
import type { RendererDesk } from '../state/desk.ts';
import { useEver, useMedia, useWindowEvent } from '../ui/hooks.ts';
import { later } from '../ui/later.tsx';
import { type Ui, UiProvider } from '../ui/ui-context.ts';
import { formats, useMemoInWords, useWordsRevision } from '../words/formats.ts';
import { spokenLocale, t } from '../words/words.ts';
import { Notices } from './notices.tsx';
import { ErrorBoundary, Shell } from './shell.tsx';

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

/** Asks for the password of a proxy, over any page. It stays mounted, because the layer behind it has to outlive it. */
const ProxyQuestion = () => {
  const wanted = useApp(({ projection }) => projection.snapshot?.wantedPassword);
  const [last, setLast] = useState(wanted);
  if (wanted !== undefined && wanted !== last) setLast(wanted);
  return last && <ProxyPasswordDialog wanted={last} open={wanted !== undefined} />;
};

/** The app in the chosen theme. */
export const App = () => {
  const styles = useStyles();
  useWindowEvent('dragover', refuseFiles);
  useWindowEvent('drop', refuseFiles);
  const hasReported = useEver(useApp(({ reports }) => reports.length > 0));
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
            <Content />
            <ProxyQuestion />
          </ErrorBoundary>
        </AppUi>
      </div>
      {hasReported && <Toasts />}
    </FluentProvider>
  );
};

/** Ignores files that are dropped outside a drop zone: the browser would navigate to them. */
const refuseFiles = (event: DragEvent): void => {
  if (event.defaultPrevented) return;
  event.preventDefault();
  if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
};

/** Whether to use the dark theme: the preference, or the system's. Printing always uses the light one. */
const useDark = (): boolean => {
  const appearance = useApp(({ projection }) => projection.snapshot?.preferences.appearance ?? 'system');
  const systemIsDark = useMedia('(prefers-color-scheme: dark)');
  const onScreen = useMedia('screen');
  return onScreen && (appearance === 'system' ? systemIsDark : appearance === 'dark');
};

const createUi = (desk: RendererDesk, report: Ui['report']): Ui => ({
  texts: {
    cancel: t('common.cancel'),
    clearSearch: t('common.clearSearch'),
    tableOptions: t('common.table.options'),
    hiddenColumns: (hidden) => t('common.table.hiddenColumns', { columns: hidden.join(', ') }),
    columns: t('common.table.columns'),
    moveUp: (column) => t('common.table.moveUp', { column }),
    moveDown: (column) => t('common.table.moveDown', { column }),
    usualColumns: t('common.table.usualColumns'),
    compactRows: t('common.table.compactRows'),
    exportRows: t('common.table.export'),
    exportTitle: t('common.export.title'),
    exportType: t('common.export.type'),
    exportXlsx: t('common.export.xlsx'),
    exportCsv: t('common.export.csv'),
    exportWhich: t('common.export.which'),
    exportAll: (count) => t('common.export.all', { count }),
    exportSeen: (count) => t('common.export.seen', { count }),
    exportPart: (loaded, of) =>
      [
        t('common.export.loaded', { count: loaded }),
        of === undefined ? t('common.export.more') : t('common.export.known', { count: of }),
      ].join(' '),
    exportRest: t('common.export.rest'),
    exportReading: (loaded, of) =>
      of === undefined ? t('common.export.reading', { loaded }) : t('common.export.readingOf', { loaded, count: of }),
    exportWriting: (done, count) => t('common.export.writing', { done, count }),
    exportBegin: t('common.export.begin'),
    exported: (path) => t('common.saved', { path }),
    openRow: t('common.table.openRow'),
    selectAll: t('common.rows.all'),
    resizeColumn: t('common.resizeColumn'),
    unnamed: t('common.unnamed'),
    unreadableRow: t('common.unreadableItem'),
    unreadableRows: (count) => t('common.unreadable', { count }),
    selected: (count) => t('common.rows.selected', { count }),
    copyRows: t('common.rows.copy'),
    clearSelection: t('common.rows.clear'),
    copying: t('common.rows.copying'),
    copied: (count) => t('common.rows.copied', { count }),
    copiedPart: (copied, count) => t('common.rows.copiedPart', { copied, count }),
    notCopied: t('shell.copyImpossible'),
    notSelected: t('common.rows.notSelected'),
  },
  marksIn,
  beginSheet: async (head) => {
    const file = await desk.export.begin(head);
    return (
      file && {
        add: (rows) => desk.export.rows({ ...file, rows }),
        finish: async () => (await desk.export.finish(file))?.path,
        cancel: () => void desk.export.cancel(file).catch(() => {}),
      }
    );
  },
  report,
  sheetCell: (cell) => pastedCell(cell, sheetFormat(formats().number)),
  useStored: useRemembered,
});

/** Provides the texts, formats and storage of the components in `ui/`. */
export const AppUi = ({ children }: { readonly children: ReactNode }) => {
  const desk = useDesk();
  const report = useReport();
  const ui = useMemoInWords(() => createUi(desk, report), [desk, report]);
  return <UiProvider value={ui}>{children}</UiProvider>;
};
