import {
  Button,
  makeStyles,
  mergeClasses,
  PortalMountNodeProvider,
  Spinner,
  Text,
  Tooltip,
  tokens,
  useTooltipVisibility,
} from '@fluentui/react-components';
import {
  ArrowLeft20Regular,
  ArrowRight20Regular,
  Navigation20Regular,
  QuestionCircle20Regular,
  Search20Regular,
} from '@fluentui/react-icons';
import { useQueryClient } from '@tanstack/react-query';
import {
  Activity,
  Component,
  type ComponentType,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useInsertionEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import type { PageAction } from '../../contract/app.ts';
import { DeskError, type ErrorData, toErrorData } from '../../contract/errors.ts';
import { Failure } from '../domain/errors.tsx';
import {
  keptPlaces,
  needsSession,
  type Place,
  type PlaceProps,
  placeKey,
  useAction,
  useApp,
  useAsksToSignIn,
  useDesk,
  useLeave,
  useSnapshot,
} from '../state/store.tsx';
import { useDialog } from '../ui/dialogs.tsx';
import { useDropZone, useLatest, useOnChange, useWindowEvent } from '../ui/hooks.ts';
import { isMac, isShortcut, isTextField } from '../ui/is-mac.ts';
import { lazily } from '../ui/lazy.tsx';
import { folded, narrow, sideBySide, unseen } from '../ui/styles.ts';
import { t } from '../words/words.ts';
import { Navigation } from './navigation.tsx';
import { Notices } from './notices.tsx';
import { SideFoot } from './side-foot.tsx';

const UploadAnnouncer = lazily(async () => (await import('./upload-signs.tsx')).UploadAnnouncer);
const SearchDialog = lazily(async () => (await import('../features/search/search-dialog.tsx')).SearchDialog);
const ShortcutsDialog = lazily(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog);

const useStyles = makeStyles({
  shell: {
    display: 'grid',
    // The navigation is as wide as its names in the current language, up to 300 pixels.
    gridTemplateColumns: 'fit-content(300px) minmax(0, 1fr)',
    height: '100%',
    [folded]: { gridTemplateColumns: '56px minmax(0, 1fr)' },
    [narrow]: { gridTemplateColumns: 'minmax(0, 1fr)' },
    '@media print': { display: 'block', height: 'auto' },
  },
  side: {
    display: 'flex',
    flexDirection: 'column',
    boxSizing: 'border-box',
    minWidth: '208px',
    minHeight: 0,
    overflow: 'auto',
    // A thin scrollbar leaves the names enough room in a low window.
    scrollbarWidth: 'thin',
    paddingTop: `max(${tokens.spacingVerticalXS}, var(--frame-row))`,
    backgroundColor: tokens.colorNeutralBackground3,
    borderRight: `1px solid ${tokens.colorNeutralStroke3}`,
    [folded]: { minWidth: 0 },
    [narrow]: { display: 'none' },
    '@media print': { display: 'none' },
  },
  sideOpen: {
    '@media screen and (max-width: 479px)': {
      position: 'fixed',
      zIndex: 3,
      insetBlock: 0,
      insetInlineStart: 0,
      minWidth: 'min(240px, 100vw)',
      maxWidth: '100vw',
      display: 'flex',
      boxShadow: tokens.shadow64,
    },
  },
  content: { display: 'flex', flexDirection: 'column', minHeight: 0, minWidth: 0 },
  main: { position: 'relative', flexGrow: 1, minHeight: 0 },
  unseen,
});

export const Shell = () => {
  const styles = useStyles();
  const main = useRef<HTMLElement>(null);
  const client = useQueryClient();
  const open = useApp((state) => state.open);
  const { about: dialog, open: ask, close } = useDialog<'search' | 'shortcuts'>();
  const side = useSide();
  useHistoryInput();
  useTooltips();
  /**
   * Opens a dialog. When it closes, the element that has the focus now gets it back or, without one, the heading of the
   * page.
   */
  const show = (name: 'search' | 'shortcuts'): void =>
    ask(document.activeElement === document.body ? (firstShown('h1') ?? null) : document.activeElement, name);
  /**
   * Opens a page, unless the current page has a dialog open. An open dialog of the shell is closed first, so that the
   * page gets the focus.
   */
  const leaveFor = (place: Place): void => {
    if (dialog !== undefined) close();
    else if (hasDialog()) return;
    open(place);
  };
  const actions: Actions = {
    newUpload: () => leaveFor({ name: 'new-upload' }),
    search: () => {
      if (dialog !== undefined || !hasDialog()) show('search');
    },
    settings: () => leaveFor({ name: 'settings' }),
    find: () => {
      if (!hasDialog() && !focusSearch()) show('search');
    },
    refresh: () => {
      if (!hasDialog()) void client.refetchQueries({ type: 'active' });
    },
    userGuide: () => leaveFor({ name: 'help' }),
    shortcuts: () => show('shortcuts'),
    licences: () => leaveFor({ name: 'licences' }),
  };
  useShortcuts(actions);
  useAsked(actions);
  return (
    <div className={styles.shell}>
      <header className={mergeClasses(styles.side, side.isOpen && styles.sideOpen)} {...side.events}>
        <Navigation />
        <SideFoot />
      </header>
      <div className={styles.content}>
        <TopBar onSearch={actions.search} onKeys={actions.shortcuts} side={side} />
        <Notices />
        <main ref={main} className={styles.main}>
          <Pages />
          <DropAnywhere main={main} />
        </main>
      </div>
      <Announcements />
      {/*
       * The search dialog is mounted from the start, so that the first letter typed after its shortcut is not lost. It
       * also keeps one layer mounted: the layer that hides the window from screen readers while any dialog is open. If
       * this layer were removed together with a page whose dialog is open, the window would stay hidden.
       */}
      <SearchDialog open={dialog === 'search'} onClose={close} />
      {dialog === 'shortcuts' && <ShortcutsDialog onClose={close} />}
    </div>
  );
};

const UploadIndicator = lazily(async () => (await import('./upload-signs.tsx')).UploadIndicator);

const useTopBarStyles = makeStyles({
  bar: {
    ...sideBySide(tokens.spacingHorizontalXS),
    // The bar is as high as the system's window buttons (main/hosts/electron/window-state.ts).
    boxSizing: 'border-box',
    height: '44px',
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL} ${tokens.spacingVerticalXS}`,
    paddingRight: `calc(${tokens.spacingHorizontalL} + var(--frame-end))`,
    // Leaves room for the buttons of a Mac's window, which are wider than the folded navigation.
    [folded]: { paddingLeft: `max(${tokens.spacingHorizontalL}, calc(var(--frame-start) - 48px))` },
    [narrow]: {
      paddingLeft: `calc(${tokens.spacingHorizontalS} + var(--frame-start))`,
      paddingRight: `calc(${tokens.spacingHorizontalS} + var(--frame-end))`,
    },
    '@media print': { display: 'none' },
  },
  side: { '@media (min-width: 480px)': { display: 'none' } },
  steps: { display: 'flex', flexGrow: 1 },
  // The global search is a button rather than a search box, so that the only search box in view is that of the page.
  search: { fontWeight: tokens.fontWeightRegular, [narrow]: { minWidth: '32px', padding: '5px' } },
  searchText: { [narrow]: unseen },
  keys: {
    marginInlineStart: tokens.spacingHorizontalM,
    fontSize: tokens.fontSizeBase200,
    color: tokens.colorNeutralForeground3,
  },
});

type TopBarProps = {
  readonly onSearch: () => void;
  readonly onKeys: () => void;
  /** The navigation. In a window as narrow as a phone, it is shown only on request. */
  readonly side: { readonly id: string; readonly isOpen: boolean; readonly toggle: () => void };
};

const TopBar = ({ onSearch, onKeys, side }: TopBarProps) => {
  const styles = useTopBarStyles();
  const back = useApp((state) => state.back);
  const forward = useApp((state) => state.forward);
  const atStart = useApp(({ history }) => history.back.length === 0);
  const atEnd = useApp(({ history }) => history.forward.length === 0);
  const hasUploads = useSnapshot(({ batches }) => batches.length > 0);
  return (
    <div className={styles.bar}>
      <Button
        className={styles.side}
        appearance="subtle"
        icon={<Navigation20Regular />}
        aria-label={t('shell.main')}
        title={t('shell.main')}
        aria-expanded={side.isOpen}
        aria-controls={side.id}
        onClick={side.toggle}
      />
      <div className={styles.steps}>
        <Tooltip content={t('shell.back')} relationship="label">
          <Button appearance="subtle" icon={<ArrowLeft20Regular />} disabledFocusable={atStart} onClick={back} />
        </Tooltip>
        <Tooltip content={t('shell.forward')} relationship="label">
          <Button appearance="subtle" icon={<ArrowRight20Regular />} disabledFocusable={atEnd} onClick={forward} />
        </Tooltip>
      </div>
      {hasUploads && <UploadIndicator />}
      <Button
        className={styles.search}
        appearance="subtle"
        icon={<Search20Regular />}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={onSearch}
      >
        <span className={styles.searchText}>
          {t('search.everywhere')}
          <span className={styles.keys} aria-hidden="true">
            {isMac() ? '⌘ K' : `${t('shortcuts.key.control')} K`}
          </span>
        </span>
      </Button>
      <Tooltip content={t('shortcuts.title')} relationship="label">
        <Button appearance="subtle" icon={<QuestionCircle20Regular />} onClick={onKeys} />
      </Tooltip>
    </div>
  );
};

/**
 * How long an announcement waits. A page that opens at the same moment would otherwise interrupt it with its own name.
 */
const announceAfterMs = 1_000;

/**
 * Announces to screen readers when uploads finish, pause or are cancelled. The element exists from the start, because
 * text in an element that was only just added is not announced.
 */
const Announcements = () => {
  const styles = useStyles();
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const [atStart] = useState(() => ({ atMs: Date.now(), batches }));
  const [said, setSaid] = useState({ text: '', times: 0 });
  const announce = useCallback((text: string): void => {
    setTimeout(() => setSaid(({ times }) => ({ text, times: times + 1 })), announceAfterMs);
  }, []);
  return (
    <>
      <div role="status" aria-label={t('uploads.title')} className={styles.unseen}>
        {/* A new element is announced even if its text is that of the previous one. */}
        <span key={said.times}>{said.text}</span>
      </div>
      {batches.length > 0 && <UploadAnnouncer atStart={atStart} onAnnounce={announce} />}
    </>
  );
};

/**
 * Handles the navigation that a button opens in a window as narrow as a phone. It closes with Escape, when the focus
 * leaves it, and when a page is opened.
 */
const useSide = () => {
  const id = useId();
  const element = useRef<HTMLElement>(null);
  const [isOpen, setOpen] = useState(false);
  const place = useApp(({ history }) => history.place);
  useOnChange(place, () => setOpen(false));
  const toggle = (): void => {
    flushSync(() => setOpen(!isOpen));
    element.current?.querySelector<HTMLElement>('[aria-current]')?.focus();
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    const isToggle = relatedTarget instanceof Element && relatedTarget.getAttribute('aria-controls') === id;
    if (!isToggle && !currentTarget.contains(relatedTarget)) setOpen(false);
  };
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key !== 'Escape' || !isOpen) return;
    setOpen(false);
    document.querySelector<HTMLElement>(`[aria-controls="${id}"]`)?.focus();
  };
  return { id, isOpen, toggle, events: { ref: element, id, onBlur, onKeyDown } };
};

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="dialog"], [role="alertdialog"]') !== null;

/**
 * Hides a tooltip when its page is left. The page stays mounted, so the tooltip would otherwise still be visible when
 * the user goes back. Also hides a tooltip when Escape is pressed in a dialog, because a visible tooltip would handle
 * the key instead of the dialog.
 */
const useTooltips = (): void => {
  const tooltips = useTooltipVisibility();
  useLeave(useCallback(() => tooltips.visibleTooltip?.hide(), [tooltips]));
  const onKey = ({ key, target }: globalThis.KeyboardEvent): void => {
    if (key === 'Escape' && isInDialog(target)) flushSync(() => tooltips.visibleTooltip?.hide());
  };
  useWindowEvent('keydown', onKey, true);
};

/**
 * Goes back and forward with Alt and an arrow key, Command and a bracket, and the side buttons of a mouse, as in a
 * browser, unless a dialog is open.
 */
const useHistoryInput = (): void => {
  const back = useApp((state) => state.back);
  const forward = useApp((state) => state.forward);
  const go = (step: () => void): void => {
    if (!hasDialog()) step();
  };
  useWindowEvent('keydown', (event) => {
    const { key, altKey, metaKey, target } = event;
    const isBack = altKey ? key === 'ArrowLeft' : metaKey && key === '[';
    const isForward = altKey ? key === 'ArrowRight' : metaKey && key === ']';
    // Leaves the keys to text fields, in which Option and an arrow key move by words on a Mac.
    if (!(isBack || isForward) || isTextField(target)) return;
    event.preventDefault();
    go(isBack ? back : forward);
  });
  useWindowEvent('mouseup', ({ button }) => {
    if (button === 3) go(back);
    if (button === 4) go(forward);
  });
};

/**
 * Returns the name of a pressed key, such as "F5". If the key of the system's shortcuts is held down (`isShortcut`),
 * "Control+" precedes the name on every system, as in "Control+k". Returns undefined if another modifier key is held
 * down, except Shift for "?".
 */
const keyName = (event: globalThis.KeyboardEvent): string | undefined => {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (isShortcut(event)) return `Control+${key.toLowerCase()}`;
  return altKey || ctrlKey || metaKey || (shiftKey && key !== '?') ? undefined : key;
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable);

type Actions = Readonly<Record<PageAction, () => void>>;

const actionOfKey: Readonly<Record<string, PageAction>> = {
  'Control+k': 'search',
  'Control+f': 'find',
  'Control+n': 'newUpload',
  'Control+,': 'settings',
  'Control+r': 'refresh',
  F5: 'refresh',
  F1: 'userGuide',
  '?': 'shortcuts',
};

const useAsked = (actions: Actions): void => {
  const asked = useApp((state) => state.asked);
  const take = useApp((state) => state.take);
  const act = useLatest(() => {
    const action = take('asked');
    if (action !== undefined) actions[action]();
  });
  useEffect(() => {
    if (asked !== undefined) act();
  }, [asked, act]);
};

/** Performs the action of a pressed key. Arrow Down moves the focus from a search field to the rows below it. */
const useShortcuts = (actions: Actions): void =>
  useWindowEvent('keydown', (event) => {
    const { target, isComposing } = event;
    const name = keyName(event);
    if (name === undefined || (name === '?' && isTyping(target))) return;
    if (name === 'ArrowDown' && !isComposing && isSearchField(target)) {
      if (focusResults(target)) event.preventDefault();
      return;
    }
    const action = actionOfKey[name];
    if (action === undefined) return;
    event.preventDefault();
    actions[action]();
  });

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
    pointerEvents: 'none',
  },
});

/**
 * Accepts folders and files that are dropped in the window. They begin a new upload; on the page of a new upload, they
 * are added to it. On an assignment's page, they begin an upload to that assignment. The page of files has a drop zone
 * of its own.
 */
const DropAnywhere = ({ main }: { readonly main: RefObject<HTMLElement | null> }) => {
  const styles = useDropAnywhereStyles();
  const desk = useDesk();
  const give = useApp((state) => state.give);
  const place = useApp(({ history }) => history.place);
  const isOwn = place.name === 'files';
  const AssignmentId = place.name === 'assignment' ? place.AssignmentId : undefined;
  const adopt = useAction(async (files: readonly File[]) =>
    give({ folders: await desk.adoptDropped(files), here: place.name === 'new-upload', AssignmentId }),
  );
  const over = useDropZone(main, isOwn ? undefined : adopt.run);
  if (!adopt.busy && (!over || isOwn)) return null;
  return (
    <div className={styles.over}>
      {adopt.busy ? (
        <Spinner label={t('newUpload.choose.adding')} />
      ) : (
        <>
          <Text size={500} weight="semibold">
            {t('newUpload.drop.here')}
          </Text>
          <Text>{AssignmentId !== undefined ? t('newUpload.drop.toThis') : t('newUpload.drop.matched')}</Text>
        </>
      )}
    </div>
  );
};

/**
 * Renders the current page, and the nearest pages of the history, which stay mounted but hidden. After a sign-out, and
 * for another user, pages that need a session are mounted anew, so that nothing is left of what was typed there.
 */
const Pages = () => {
  const history = useApp((state) => state.history);
  const turn = useUserTurn();
  return keptPlaces(history, keptPages).map((place) => (
    <OwnPortals key={needsSession(place) ? `${placeKey(place)} ${turn}` : placeKey(place)}>
      <Activity mode={placeKey(place) === placeKey(history.place) ? 'visible' : 'hidden'}>
        <ErrorBoundary>
          <PlacePage place={place} />
        </ErrorBoundary>
      </Activity>
    </OwnPortals>
  ));
};

const keptPages = 8;

/**
 * Returns a number that increases when the user signs out, when another user signs in, and when a session expires if
 * that erases offline data like a sign-out.
 */
const useUserTurn = (): number => {
  const erases = useSnapshot(({ office }) => office.signOutErases === 'offline-data');
  const hasLeft = useSnapshot(
    ({ session }) =>
      session.state === 'signed-out' &&
      (session.reason === undefined || (erases && session.reason.code === 'auth/expired')),
  );
  const subject = useSnapshot(({ session }) => (session.state === 'signed-in' ? session.subject : undefined));
  const [last, setLast] = useState({ hasLeft, user: subject, turn: 0 });
  const user = subject ?? last.user;
  if (hasLeft !== last.hasLeft || user !== last.user) {
    const isOther = last.user !== undefined && user !== last.user;
    setLast({ hasLeft, user, turn: isOther || hasLeft ? last.turn + 1 : last.turn });
  }
  return last.turn;
};

/**
 * Gives the portals of a page an element of their own, and removes it with the page. Fluent UI never removes the
 * portals of a page that was hidden when it was unmounted, such as its tooltips.
 */
const OwnPortals = ({ children }: { readonly children: ReactNode }) => {
  const [element] = useState(() => document.createElement('div'));
  useInsertionEffect(() => {
    document.body.append(element);
    return () => element.remove();
  }, [element]);
  return <PortalMountNodeProvider value={element}>{children}</PortalMountNodeProvider>;
};

// The code of a page is loaded when the page is first opened, or later by `loadRest`. The first screen waits only for
// the code of its own page.
const pages: { readonly [Name in Place['name']]: ComponentType<PlaceProps<Name>> } = {
  overview: lazily(async () => {
    // The browser discovers nested imports one after another, so the page's table is imported in parallel with the
    // page.
    const table = import('../features/overview/work-table.tsx');
    const [{ OverviewPage }] = await Promise.all([import('../features/overview/overview-page.tsx'), table]);
    return OverviewPage;
  }),
  protocols: lazily(async () => (await import('../features/protocols/protocols-page.tsx')).ProtocolsPage),
  protocol: lazily(async () => (await import('../features/protocol/protocol-page.tsx')).ProtocolPage),
  search: lazily(async () => (await import('../features/search/search-page.tsx')).SearchPage),
  assignments: lazily(async () => (await import('../features/assignments/assignments-page.tsx')).AssignmentsPage),
  assignment: lazily(async () => (await import('../features/assignment/assignment-page.tsx')).AssignmentPage),
  'orderable-events': lazily(
    async () => (await import('../features/orderable-events/orderable-events-page.tsx')).OrderableEventsPage,
  ),
  'new-upload': lazily(async () => (await import('../features/new-upload/new-upload-page.tsx')).NewUploadPage),
  uploads: lazily(async () => (await import('../features/uploads/uploads-page.tsx')).UploadsPage),
  upload: lazily(async () => (await import('../features/uploads/upload-page.tsx')).UploadPage),
  batch: lazily(async () => (await import('../features/uploads/upload-page.tsx')).BatchPage),
  'watched-folders': lazily(
    async () => (await import('../features/watched-folders/watched-folders-page.tsx')).WatchedFoldersPage,
  ),
  files: lazily(async () => (await import('../features/files/files-page.tsx')).FilesPage),
  settings: lazily(async () => (await import('../features/settings/settings-page.tsx')).SettingsPage),
  licences: lazily(async () => (await import('../features/licences/licences-page.tsx')).LicencesPage),
  help: lazily(async () => (await import('../features/help/help-page.tsx')).HelpPage),
  doctor: lazily(async () => (await import('../features/doctor/doctor-page.tsx')).DoctorPage),
};

const SignInPage = lazily(async () => (await import('../features/sign-in/sign-in-page.tsx')).SignInPage);

/**
 * Renders the page of `place`, or the sign-in page in its stead. A page that was shown stays mounted but hidden behind
 * the sign-in page, so that what was typed there is not lost when a session expires.
 */
const PlacePage = ({ place }: { readonly place: Place }) => {
  const asks = useAsksToSignIn(place);
  const [wasShown, setShown] = useState(false);
  if (!asks && !wasShown) setShown(true);
  const Page = pages[place.name] as ComponentType<Place>;
  return (
    <>
      {asks && <SignInPage />}
      {wasShown && (
        <Activity mode={asks ? 'hidden' : 'visible'}>
          <Page {...place} />
        </Activity>
      )}
    </>
  );
};

type Props = { readonly children: ReactNode };
type State = { readonly error: ErrorData | undefined };

/**
 * Converts an error that a component threw while rendering. Unlike other unexpected errors, it keeps its message,
 * because the message comes from code in the window, not from the service.
 */
const asBug = (error: unknown): ErrorData =>
  error instanceof Error && !(error instanceof DeskError)
    ? { ...toErrorData(error), message: `${error.name}: ${error.message}` }
    : toErrorData(error);

/**
 * Shows an error in place of children that fail to render. A retry loads the window again, on the same page: Chromium
 * does not request code again that it once failed to load. The component is a class, because React has no hook that
 * catches errors of rendering.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { error: asBug(error) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <Failure error={error} onRetry={() => location.reload()} />;
  }
}

// Finds the elements of the visible page that shortcuts move the focus to. The page's search field has the attribute
// `data-find`.

const allShown = (selector: string): readonly HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => element.checkVisibility());

const firstShown = (selector: string): HTMLElement | undefined => allShown(selector)[0];

/**
 * Whether a dialog, or a menu in it, has the focus. Both are outside of the page's root element. A dialog that is
 * fading out has already returned the focus.
 */
const hasDialog = (): boolean => {
  const isInPage = document.querySelector('#root')?.contains(document.activeElement) ?? false;
  return !isInPage && firstShown('[role="dialog"], [role="alertdialog"]') !== undefined;
};

/** Focuses the search field of the page or, without one, its first filter. Returns false if the page has neither. */
const focusSearch = (): boolean => {
  const found = firstShown('main [data-find]') ?? firstShown('main search');
  const field = found?.matches('input') ? found : found?.querySelector<HTMLElement>('input, select');
  field?.focus();
  if (field instanceof HTMLInputElement) field.select();
  return field != null;
};

/**
 * Whether `target` is a search field or a text filter of the page, and Arrow Down has no other function in the field.
 */
const isSearchField = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement &&
  target.matches('main :is(search input, input[data-find]):not([role="combobox"], [type="checkbox"])');

const results = 'main [data-row] :is(button, input)[tabindex="0"], main [data-result] button';

/**
 * Focuses the row that Tab would reach in the first list below `field`. If there is no such list, focuses the first
 * disclosure on the page. Returns whether an element was found.
 */
const focusResults = (field: Node): boolean => {
  const isBelow = (element: Node): boolean =>
    (field.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const row = allShown(results).find(isBelow) ?? firstShown('main summary');
  row?.focus();
  return row !== undefined;
};
