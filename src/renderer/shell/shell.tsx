import { makeStyles, mergeClasses, Spinner, Text, tokens, useTooltipVisibility } from '@fluentui/react-components';
import { useQueryClient } from '@tanstack/react-query';
import {
  Activity,
  Component,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { DeskError, type ErrorData, toErrorData } from '../../contract/errors.ts';
import { Failure } from '../domain/errors.tsx';
import { useAction, useApp, useDesk, useLeave, useSnapshot } from '../state/context.tsx';
import { keptPlaces, needsSession, type Place, placeKey } from '../state/places.ts';
import { useDropZone, useOnChange } from '../ui/hooks.ts';
import { later } from '../ui/later.ts';
import { t } from '../words/words.ts';
import { ConnectionState } from './connection-state.tsx';
import { Navigation, sectionNames } from './navigation.tsx';
import { Notices } from './notices.tsx';
import { focusResults, focusSearch, hasDialog, isSearchField } from './page-keys.ts';
import { TopBar } from './top-bar.tsx';

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

const useDropAnywhereStyles = makeStyles({
  over: {
    position: 'absolute',
    inset: tokens.spacingHorizontalS,
    zIndex: 3,
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    justifyContent: 'center',
    border: `2px dashed ${tokens.colorCompoundBrandStroke}`,
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorBrandBackground2,
    // The page below gets the events.
    pointerEvents: 'none',
  },
});

/** Takes folders and files that are dropped on any page: they begin a new upload, on an assignment's page to that one. */
export const DropAnywhere = ({ main }: { readonly main: RefObject<HTMLElement | null> }) => {
  const styles = useDropAnywhereStyles();
  const desk = useDesk();
  const give = useApp((state) => state.give);
  const place = useApp(({ history }) => history.place);
  // That page takes them itself.
  const isOwn = place.name === 'files';
  const AssignmentId = place.name === 'assignment' ? place.AssignmentId : undefined;
  const take = useAction(async (files: readonly File[]) =>
    give({
      folders: await desk.adoptDropped(files),
      here: place.name === 'new-upload',
      AssignmentId,
    }),
  );
  const over = useDropZone(main, isOwn ? undefined : take.run);
  if (take.busy) {
    return (
      <div className={styles.over}>
        <Spinner label={t('newUpload.choose.taking')} />
      </div>
    );
  }
  if (!over || isOwn) return null;
  return (
    <div className={styles.over}>
      <Text size={500} weight="semibold">
        {t('newUpload.drop.here')}
      </Text>
      <Text>{AssignmentId !== undefined ? t('newUpload.drop.toThis') : t('newUpload.drop.matched')}</Text>
    </div>
  );
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable);

type ShortcutActions = {
  readonly onSearch: () => void;
  readonly onNewUpload: () => void;
  readonly onSettings: () => void;
  /** Shows the list of shortcuts. */
  readonly onKeys: () => void;
  readonly onHelp: () => void;
};

/**
 * Handles Ctrl or Command with K, N, comma, F and R; F1 and F5; a question mark outside text fields; the down arrow in a
 * search field. Keep the actions stable.
 */
export const useShortcuts = ({ onSearch, onNewUpload, onSettings, onKeys, onHelp }: ShortcutActions): void => {
  const client = useQueryClient();
  useEffect(() => {
    const find = (): void => {
      if (!hasDialog() && !focusSearch()) onSearch();
    };
    const again = (): void => {
      if (!hasDialog()) void client.refetchQueries({ type: 'active' });
    };
    const withControl: Readonly<Record<string, () => void>> = {
      k: onSearch,
      n: onNewUpload,
      ',': onSettings,
      f: find,
      r: again,
    };
    const alone: Readonly<Record<string, () => void>> = { F1: onHelp, F5: again };
    const actionOf = (event: globalThis.KeyboardEvent): (() => void) | undefined => {
      const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event;
      if (altKey) return undefined;
      if (ctrlKey || metaKey) return shiftKey ? undefined : withControl[key.toLowerCase()];
      if (key === '?') return isTyping(target) ? undefined : onKeys;
      return shiftKey ? undefined : alone[key];
    };
    const onKey = (event: globalThis.KeyboardEvent): void => {
      const { key, target, altKey, ctrlKey, metaKey, shiftKey, isComposing } = event;
      if (key === 'ArrowDown' && !(altKey || ctrlKey || metaKey || shiftKey || isComposing) && isSearchField(target)) {
        if (focusResults(target)) event.preventDefault();
        return;
      }
      const act = actionOf(event);
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [client, onSearch, onNewUpload, onSettings, onKeys, onHelp]);
};

// Each page is a chunk of its own, so the first screen loads only what it needs.
const AssignmentPage = later(async () => (await import('../features/assignment/assignment-page.tsx')).AssignmentPage);
const DoctorPage = later(async () => (await import('../features/doctor/doctor-page.tsx')).DoctorPage);
const HelpPage = later(async () => (await import('../features/help/help-page.tsx')).HelpPage);
const LicencesPage = later(async () => (await import('../features/licences/licences-page.tsx')).LicencesPage);
const OrderableEventsPage = later(
  async () => (await import('../features/orderable-events/orderable-events-page.tsx')).OrderableEventsPage,
);
const OverviewPage = later(async () => (await import('../features/overview/overview-page.tsx')).OverviewPage);
const ProjectsPage = later(async () => (await import('../features/projects/projects-page.tsx')).ProjectsPage);
const ProtocolPage = later(async () => (await import('../features/protocol/protocol-page.tsx')).ProtocolPage);
const ProtocolsPage = later(async () => (await import('../features/protocols/protocols-page.tsx')).ProtocolsPage);
const NewUploadPage = later(async () => (await import('../features/new-upload/new-upload-page.tsx')).NewUploadPage);
const FilesPage = later(async () => (await import('../features/files/files-page.tsx')).FilesPage);
const SearchPage = later(async () => (await import('../features/search/search-page.tsx')).SearchPage);
const SettingsPage = later(async () => (await import('../features/settings/settings-page.tsx')).SettingsPage);
const BatchPage = later(async () => (await import('../features/uploads/batch-page.tsx')).BatchPage);
const UploadPage = later(async () => (await import('../features/uploads/upload-page.tsx')).UploadPage);
const SignInPage = later(async () => (await import('../features/sign-in/sign-in-page.tsx')).SignInPage);
const UploadsPage = later(async () => (await import('../features/uploads/uploads-page.tsx')).UploadsPage);
const WatchedFoldersPage = later(
  async () => (await import('../features/watched-folders/watched-folders-page.tsx')).WatchedFoldersPage,
);

/** The page of `place`, or the sign-in page if it needs a session. */
export const PlacePage = ({ place }: { readonly place: Place }) => {
  const signedIn = useSnapshot(({ session }) => session.state === 'signed-in');
  const browsesOffline = useApp((state) => state.browsesOffline);
  const isAsked = useApp(({ signInRequested, history }) => signInRequested && history.place === place);
  if (!signedIn && (isAsked || (!browsesOffline && needsSession(place)))) return <SignInPage />;
  switch (place.name) {
    case 'overview':
      return <OverviewPage />;
    case 'protocols':
      return <ProtocolsPage month={place.month} severity={place.severity} searched={place.text} />;
    case 'protocol':
      return <ProtocolPage protocol={place.protocol} severity={place.severity} />;
    case 'search':
      return <SearchPage text={place.text} />;
    case 'projects':
      return <ProjectsPage status={place.status} />;
    case 'assignment':
      return <AssignmentPage id={place.AssignmentId} summary={place.summary} />;
    case 'orderable-events':
      return <OrderableEventsPage />;
    case 'new-upload':
      return <NewUploadPage />;
    case 'uploads':
      return <UploadsPage />;
    case 'watched-folders':
      return <WatchedFoldersPage />;
    case 'files':
      return <FilesPage text={place.text} assignment={place.assignment} />;
    case 'batch':
      return <BatchPage id={place.batch} />;
    case 'upload':
      return <UploadPage id={place.upload} />;
    case 'settings':
      return <SettingsPage />;
    case 'help':
      return <HelpPage />;
    case 'doctor':
      return <DoctorPage />;
    case 'licences':
      return <LicencesPage />;
  }
};

type Props = { readonly children: ReactNode };
type State = { readonly error: ErrorData | undefined };

/** The error of a render. Its message comes from this code and is safe to show. */
const asBug = (error: unknown): ErrorData =>
  error instanceof Error && !(error instanceof DeskError)
    ? { ...toErrorData(error), message: `${error.name}: ${error.message}` }
    : toErrorData(error);

/** Shows an error instead of children that fail to render. React offers only a class for this. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { error: asBug(error) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <Failure error={error} onRetry={() => this.setState({ error: undefined })} />;
  }
}
