import { makeStyles, mergeClasses, tokens, useTooltipVisibility } from '@fluentui/react-components';
import {
  Activity,
  type FocusEvent,
  type KeyboardEvent,
  Suspense,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { useApp, useLeave, useSnapshot } from '../state/context.tsx';
import { keptPlaces, placeKey } from '../state/places.ts';
import { useOnChange } from '../ui/hooks.ts';
import { later } from '../ui/later.ts';
import { ConnectionState } from './connection-state.tsx';
import { DropAnywhere } from './drop-anywhere.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Navigation, sectionNames } from './navigation.tsx';
import { Notices } from './notices.tsx';
import { hasDialog } from './page-keys.ts';
import { PlacePage } from './place-page.tsx';
import { TopBar } from './top-bar.tsx';
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

/**
 * Hides the tooltip when its page is left. The page stays mounted, so the tooltip would still be there on the way back.
 */
const useLeaveTooltip = (): void => {
  const tooltips = useTooltipVisibility();
  useLeave(useCallback(() => tooltips.visibleTooltip?.hide(), [tooltips]));
};

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="dialog"], [role="alertdialog"]') !== null;

/**
 * Lets Escape close the dialog it was pressed in. A visible tooltip of the page below would handle the key first, so it is
 * hidden before the event reaches the document.
 */
const useEscape = (): void => {
  const tooltips = useTooltipVisibility();
  useEffect(() => {
    const onKey = ({ key, target }: globalThis.KeyboardEvent): void => {
      if (key === 'Escape' && isInDialog(target)) flushSync(() => tooltips.visibleTooltip?.hide());
    };
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, [tooltips]);
};

const kept = 8;

/** The current page, and hidden behind it the nearest pages of the history. */
export const Pages = () => {
  const history = useApp((state) => state.history);
  return keptPlaces(history, kept).map((place) => (
    <Activity key={placeKey(place)} mode={placeKey(place) === placeKey(history.place) ? 'visible' : 'hidden'}>
      <ErrorBoundary>
        <Suspense>
          <PlacePage place={place} />
        </Suspense>
      </ErrorBoundary>
    </Activity>
  ));
};

const isTextField = (element: EventTarget | null): boolean =>
  element instanceof HTMLInputElement && element.type !== 'checkbox' && element.type !== 'radio';

/** Back and forward by Alt+arrows, Command+brackets, and the side buttons of a mouse, as in a browser. */
const useHistoryInput = (): void => {
  const back = useApp((state) => state.back);
  const forward = useApp((state) => state.forward);
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      const isBack = event.altKey ? event.key === 'ArrowLeft' : event.metaKey && event.key === '[';
      const isForward = event.altKey ? event.key === 'ArrowRight' : event.metaKey && event.key === ']';
      // On a Mac, Option+arrow moves by words in a text field.
      if (!(isBack || isForward) || isTextField(event.target)) return;
      event.preventDefault();
      (isBack ? back : forward)();
    };
    const onMouse = (event: MouseEvent): void => {
      if (event.button === 3) back();
      if (event.button === 4) forward();
    };
    addEventListener('keydown', onKey);
    addEventListener('mouseup', onMouse);
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener('mouseup', onMouse);
    };
  }, [back, forward]);
};

type DialogName = 'search' | 'shortcuts';

type Dialogs = {
  /** The open dialog. */
  readonly dialog: DialogName | undefined;
  /**
   * The dialogs that were opened before. They stay mounted: removing one leaves the page hidden from screen readers.
   */
  readonly used: readonly DialogName[];
  readonly show: (dialog: DialogName) => void;
  /** Returns the focus to where it was. */
  readonly close: () => void;
};

/** The dialogs of the shell. */
const useDialogs = (): Dialogs => {
  const [dialog, setDialog] = useState<DialogName>();
  const [used, setUsed] = useState<readonly DialogName[]>([]);
  const before = useRef<Element>(null);
  const show = useCallback((name: DialogName): void => {
    // A second dialog keeps the focus target of the first.
    if (document.activeElement?.closest('[role="dialog"]') === null) before.current = document.activeElement;
    setDialog(name);
    setUsed((names) => (names.includes(name) ? names : [...names, name]));
  }, []);
  const close = useCallback((): void => {
    flushSync(() => setDialog(undefined));
    const { current } = before;
    const target = current === document.body ? document.querySelector('h1') : current;
    if (target instanceof HTMLElement) target.focus();
  }, []);
  return { dialog, used, show, close };
};
