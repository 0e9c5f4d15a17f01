import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { type FocusEvent, type KeyboardEvent, Suspense, useCallback, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useApp, useSnapshot } from '../state/context.tsx';
import { useOnChange } from '../ui/data-table/use-on-change.ts';
import { later } from '../ui/later.ts';
import { ConnectionState } from './connection-state.tsx';
import { DropAnywhere } from './drop-anywhere.tsx';
import { Navigation, sectionNames } from './navigation.tsx';
import { Notices } from './notices.tsx';
import { hasDialog } from './page-keys.ts';
import { Pages } from './pages.tsx';
import { TopBar } from './top-bar.tsx';
import { useDialogs } from './use-dialogs.ts';
import { useEscape } from './use-escape.ts';
import { useHistoryInput } from './use-history-input.ts';
import { useLeaveTooltip } from './use-leave-tooltip.ts';
import { useShortcuts } from './use-shortcuts.ts';

const UploadAnnouncer = later(async () => (await import('./upload-announcer.tsx')).UploadAnnouncer);
const SearchDialog = later(async () => (await import('../features/search/search-dialog.tsx')).SearchDialog);
const ShortcutsDialog = later(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog);

const useStyles = makeStyles({
  shell: {
    display: 'grid',
    gridTemplateColumns: '208px minmax(0, 1fr)',
    height: '100%',
    '@media (min-width: 480px) and (max-width: 999px)': {
      gridTemplateColumns: 'minmax(96px, min-content) minmax(0, 1fr)',
      // The longest word of the navigation fits beside a scrollbar in any font, also in bold as the current section.
      '::before': {
        content: 'attr(data-sections) / ""',
        gridArea: '1 / 1',
        height: 0,
        padding: '0 12px',
        overflow: 'hidden',
        visibility: 'hidden',
        fontSize: tokens.fontSizeBase100,
        fontWeight: tokens.fontWeightSemibold,
      },
    },
    // A window of 1,280 pixels at 400 % zoom: the navigation is behind a button, and the page has all of the width.
    '@media (max-width: 479px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
    '@media print': { display: 'block', height: 'auto' },
  },
  side: {
    display: 'flex',
    flexDirection: 'column',
    minHeight: 0,
    overflow: 'auto',
    // Leaves the names their room in a low window.
    scrollbarWidth: 'thin',
    paddingTop: `max(${tokens.spacingVerticalXS}, var(--frame-row))`,
    backgroundColor: tokens.colorNeutralBackground3,
    borderRight: `1px solid ${tokens.colorNeutralStroke3}`,
    '@media (min-width: 480px) and (max-width: 999px)': {
      boxSizing: 'border-box',
      gridArea: '1 / 1',
      width: 0,
      minWidth: '100%',
    },
    '@media (max-width: 479px)': { display: 'none' },
    '@media print': { display: 'none' },
  },
  sideOpen: {
    '@media screen and (max-width: 479px)': {
      position: 'fixed',
      zIndex: 3,
      insetBlock: 0,
      insetInlineStart: 0,
      width: 'min(240px, 100vw)',
      display: 'flex',
      boxShadow: tokens.shadow64,
    },
  },
  content: { display: 'flex', flexDirection: 'column', minHeight: 0, minWidth: 0 },
  main: { position: 'relative', flexGrow: 1, minHeight: 0, paddingTop: tokens.spacingVerticalXS },
});

/** The window of a connected service: navigation and the current page. */
export const Shell = () => {
  const styles = useStyles();
  const main = useRef<HTMLElement>(null);
  const { dialog, used, show, close } = useDialogs();
  const sideId = useId();
  const side = useRef<HTMLElement>(null);
  const [isSideOpen, setSideOpen] = useState(false);
  const place = useApp(({ history }) => history.place);
  useOnChange(place, () => setSideOpen(false));
  const toggleSide = useCallback(() => {
    flushSync(() => setSideOpen((isOpen) => !isOpen));
    side.current?.querySelector<HTMLElement>('[aria-current]')?.focus();
  }, []);
  const leaveSide = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    const isToggle = relatedTarget instanceof Element && relatedTarget.getAttribute('aria-controls') === sideId;
    if (!isToggle && !currentTarget.contains(relatedTarget)) setSideOpen(false);
  };
  const onSideKey = ({ key }: KeyboardEvent): void => {
    if (key !== 'Escape' || !isSideOpen) return;
    setSideOpen(false);
    document.querySelector<HTMLElement>(`[aria-controls="${sideId}"]`)?.focus();
  };
  const search = useCallback(() => show('search'), [show]);
  const keys = useCallback(() => show('shortcuts'), [show]);
  useHistoryInput();
  useEscape();
  useLeaveTooltip();
  const open = useApp((state) => state.open);
  const hasUploads = useSnapshot(({ batches }) => batches.length > 0);
  const settings = useCallback(() => {
    // An open dialog would cover the settings.
    if (dialog === undefined) open({ name: 'settings' });
  }, [dialog, open]);
  const newUpload = useCallback(() => {
    if (!hasDialog()) open({ name: 'new-upload' });
  }, [open]);
  const help = useCallback(() => {
    // Closed first, so that the new page gets the focus. A dialog of a page has to be answered.
    if (dialog !== undefined) close();
    else if (hasDialog()) return;
    open({ name: 'help' });
  }, [dialog, close, open]);
  useShortcuts({ onSearch: search, onNewUpload: newUpload, onSettings: settings, onKeys: keys, onHelp: help });
  return (
    <div className={styles.shell} data-sections={sectionNames()}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it closes when it is left. */}
      <header
        ref={side}
        id={sideId}
        className={mergeClasses(styles.side, isSideOpen && styles.sideOpen)}
        onBlur={leaveSide}
        onKeyDown={onSideKey}
      >
        <Navigation />
        <ConnectionState />
      </header>
      <div className={styles.content}>
        <TopBar onSearch={search} onKeys={keys} side={{ id: sideId, isOpen: isSideOpen, toggle: toggleSide }} />
        <Notices />
        <main ref={main} className={styles.main}>
          <Pages />
          <DropAnywhere main={main} />
        </main>
      </div>
      <Suspense>{hasUploads && <UploadAnnouncer />}</Suspense>
      {/*
        Mounted from the start, so that the first letter after its shortcut is not lost. And the layer that hides the
        window from screen readers has to outlive the dialogs of pages that are left.
      */}
      <Suspense>
        <SearchDialog open={dialog === 'search'} onClose={close} />
      </Suspense>
      <Suspense>
        {used.includes('shortcuts') && <ShortcutsDialog open={dialog === 'shortcuts'} onClose={close} />}
      </Suspense>
    </div>
  );
};
