import { once } from 'node:events';
import { isAbsolute } from 'node:path';
import {
  app,
  BrowserWindow,
  crashReporter,
  dialog,
  type IpcMainEvent,
  type IpcMainInvokeEvent,
  ipcMain,
  Menu,
  nativeTheme,
  powerMonitor,
  screen,
  session,
  systemPreferences,
} from 'electron';
import { debounce } from 'es-toolkit/function/debounce';
import { z } from 'zod';
import type { PageAction } from '../../../contract/app.ts';
import { adoptDroppedChannel, callsByName, cancelChannel, eventChannel } from '../../../contract/calls.ts';
import { DeskError, type Envelope, toErrorData } from '../../../contract/errors.ts';
import type { Preferences } from '../../../contract/preferences.ts';
import { chosenLanguage, languageOf, type Spoken, spokenOf } from '../../../words/languages.ts';
import { createHostSpeech, type Speech } from '../../../words/speech.ts';
import { sleep, steadyNow } from '../../async/clock.ts';
import { createDesk, type Desk } from '../../core/desk.ts';
import { createDispatcher, parseInput, toEnvelope } from '../../core/handlers/handlers.ts';
import { openCrashFolder } from '../../data/crash-dumps.ts';
import { cachePaths, defaultHome, makeHome } from '../../data/data-directory.ts';
import { comesToRest, endByForce } from '../../data/end-by-force.ts';
import { handOver, serveCommands } from '../shared/command-channel.ts';
import { EXIT, exitCodeOf } from '../shared/exit-codes.ts';
import {
  appId,
  type HostOptions,
  isCommand,
  parseHostOptions,
  readStart,
  restartArgs,
  Start,
} from '../shared/host-options.ts';
import { useSampleWhenUnset } from '../shared/sample-service.ts';
import { reportBug, watchOutput } from '../shared/terminal.ts';
import { createDesktopHost, openInBrowser } from './desktop-host.ts';
import { builtPath, electronParts, readDesktopPolicy } from './electron-parts.ts';
import {
  appOrigin,
  confinePages,
  declareAppScheme,
  denyRequests,
  serveAppScheme,
  silenceChromium,
} from './lock-down.ts';
import { contextTemplate, menuTemplate, type OnMenu } from './menu-templates.ts';
import { createPresence, wasStartedAtSignIn } from './presence.ts';
import { createSchemeRedirect, registerScheme, type SchemeRedirect } from './scheme-redirect.ts';
import { appImageOf, programArgs, taskArgs } from './start.ts';
import {
  backgroundOf,
  frameOf,
  openingFor,
  overlayOf,
  type SystemLook,
  titleBarOf,
  type WindowState,
} from './window-state.ts';

/** The key of the window's stored position. It differs from the page's keys, which have a dot or are `place`. */
const windowKey = 'window';

/**
 * Starts the app, which runs until it quits. If another instance already uses the data directory, passes the start to
 * that instance (`isFirstStart`) and quits.
 */
export const runDesktop = async (): Promise<void> => {
  // Output may fail, because the terminal from which the app was started may be closed.
  watchOutput();
  declareAppScheme();
  silenceChromium();
  // By default, V8 lets the heap of a page grow to four times its used size before it collects garbage, and rows that
  // were scrolled past took 300 MB. With a limit below 1 GB, V8 lets the heap grow only to twice its used size.
  app.commandLine.appendSwitch('js-flags', '--max-old-space-size=1000');
  const args = process.argv.slice(1);
  const options = parseHostOptions(args, process.env);
  const home = options.home ?? defaultHome();
  const { browser: browserData } = cachePaths(home);
  const ownArgs = programArgs(process.argv, app.isPackaged);
  const start = readStart(ownArgs);
  try {
    // Chromium would create these folders readable by everyone.
    for (const folder of [home, browserData]) makeHome(folder);
    // The single-instance lock is in userData, so there is one instance for each data directory.
    app.setPath('userData', home);
    app.setPath('sessionData', browserData);
    if (!(await isFirstStart(home, ownArgs, start))) {
      app.quit();
      return;
    }
    recordCrashes(home);
  } catch (error) {
    void app.whenReady().then(() => quitBecause(error));
    return;
  }
  // Windows shows notifications only of a program with the id of its installed shortcut.
  app.setAppUserModelId(appId);
  // In `npm run dev`, Vite serves the page.
  const devServer = app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL;
  const origin = devServer === undefined ? appOrigin : new URL(devServer).origin;
  confinePages(origin);
  const redirect = createSchemeRedirect();
  receiveCallbacks(redirect);
  const given = receiveGiven(start);
  registerScheme(homeArgs(options));
  openDesk(home, options, redirect, origin, given).catch(quitBecause);
};

const recordCrashes = (home: string): void => {
  app.setPath('crashDumps', openCrashFolder(home));
  crashReporter.start({ uploadToServer: false });
};

const homeArgs = ({ home }: HostOptions): readonly string[] => (home === undefined ? [] : ['--home', home]);

const receiveCallbacks = (redirect: SchemeRedirect): void => {
  onLaterStart(({ callback }) => {
    if (callback !== undefined) redirect.deliver(callback);
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    redirect.deliver(url);
  });
};

type Given = Pick<Start, 'paths' | 'task'>;

/** How long to wait for more paths. Windows and macOS pass the selected files to the app one by one. */
const GATHER_MS = 1_000;

/**
 * Holds the paths of each start of the app, the paths that macOS passes, and the last task, until a receiver is set.
 * Paths that arrive within `GATHER_MS` of each other reach the receiver together, so that they become one new upload.
 * `give` passes what a start was given; `onGiven` sets the receiver and is to be called once.
 */
const receiveGiven = ({ paths = [], task }: Given) => {
  let receive: ((given: Given) => void) | undefined;
  const passPaths = debounce((): void => {
    receive?.({ paths });
    paths = [];
  }, GATHER_MS);
  const pass = (): void => {
    if (!receive) return;
    if (task !== undefined) receive({ task });
    task = undefined;
    if (paths.length > 0) passPaths();
  };
  const give = (given: Given): void => {
    paths = [...paths, ...(given.paths ?? [])];
    task = given.task ?? task;
    pass();
  };
  onLaterStart(give);
  app.on('open-file', (event, path) => {
    event.preventDefault();
    give({ paths: [path] });
  });
  return {
    give,
    onGiven: (receiver: (given: Given) => void): void => {
      receive = receiver;
      pass();
    },
  };
};

const openDesk = async (
  home: string,
  options: HostOptions,
  redirect: SchemeRedirect,
  origin: string,
  { give, onGiven }: ReturnType<typeof receiveGiven>,
): Promise<void> => {
  const startedMs = steadyNow();
  await app.whenReady();
  denyRequests(session.defaultSession);
  let readDocument: Parameters<typeof serveAppScheme>[1] = async () => undefined;
  serveAppScheme(builtPath('renderer'), (file) => readDocument(file));
  const system = systemLanguage();
  let show = async (): Promise<void> => {};
  let onMenu: OnMenu = () => {};
  const language = await createDesktopSpeech(system, (action) => onMenu(action));
  const policy = await readDesktopPolicy();
  const desk = await createDesk(
    createDesktopHost(home, options, policy, redirect, () => show(), system, language.speech),
    { hasWindow: true, notice: options.restarted ? restartedNotice : undefined },
  );
  const onBug = (error: unknown): void => {
    desk.log.write('bug', { error });
    reportBug(error);
  };
  readDocument = (file) =>
    desk.documentAt(file).catch((error: unknown) => {
      if (!(error instanceof DeskError)) onBug(error);
      return undefined;
    });
  const startsHidden = options.hidden || wasStartedAtSignIn();
  let recover: (error: unknown) => void = quitBecause;
  process.on('uncaughtException', (error) => {
    onBug(error);
    recover(error);
  });
  process.on('unhandledRejection', onBug);
  let mayQuit = async (): Promise<boolean> => true;
  const parts = { ...electronParts(), browse: openInBrowser };
  const front = (): void => void show().catch(onBug);
  const commands = await serveCommands(
    home,
    async (request, io) => {
      if (!isCommand(request.args)) {
        give(readStart(request.args));
        front();
        return EXIT.done;
      }
      // The code of commands is loaded only when the first command arrives, so that the window opens sooner.
      const { runOnDesk } = await import('../headless/run-cli.ts');
      return runOnDesk(request, io, desk, { home, parts, policy, tokenStore: options.tokenStore });
    },
    onBug,
  );
  const close = async (): Promise<void> => {
    await commands.close();
    await desk.close();
  };
  const { isQuitting, end } = closeBeforeQuit({ ...desk, close }, () => mayQuit(), onBug);
  recover = (error) => {
    if (isQuitting()) return;
    // When the app ends, `onEnd` would install an update, while the app already starts again.
    app.off('quit', desk.onEnd);
    if (options.restarted && steadyNow() - startedMs < RESTART_AGAIN_AFTER_MS) {
      end(() => quitBecause(error));
      return;
    }
    restart(startsHidden);
    end();
  };
  registerIpc(desk, origin, onBug);
  if (options.sample) await useSampleWhenUnset(desk).catch(onBug);
  let redraw = (): void => {};
  const followPreferences = async (preferences: Preferences): Promise<void> => {
    nativeTheme.themeSource = preferences.appearance;
    await language.speak(preferences);
    redraw();
  };
  desk.onEvent((event) => event.type === 'preferences' && void followPreferences(event.value));
  await followPreferences(desk.snapshot().preferences);
  const presence = await createPresence({
    desk,
    speech: language.speech,
    front,
    isQuitting,
    onBug,
    launch: {
      program: process.execPath,
      args: taskArgs({ isPackaged: app.isPackaged, appPath: app.getAppPath() }, homeArgs(options)),
    },
  });
  ({ mayQuit, redraw } = presence);
  const onPage = (action: PageAction): void => void show().then(() => desk.act(action), onBug);
  const onAbout = (): void => void showAbout(language.speech(), () => onPage('licences')).catch(onBug);
  onMenu = (action) => (action === 'about' ? onAbout() : onPage(action));
  showContextMenus(language.speech);
  const remember = async (value: WindowState) => desk.handlers.view.remember({ key: windowKey, value });
  show = async () => {
    const { views, preferences } = desk.snapshot();
    await showDeskWindow({
      address: `${origin}/`,
      spoken: chosenLanguage(preferences, system),
      state: views[windowKey],
      remember: (value) => void remember(value).catch(onBug),
      onOpen: presence.watchClosing,
    });
  };
  app.on('second-instance', (_event, _args, _folder, data) => {
    // Without data, a second instance only asks whether the first one is still there.
    if (data) front();
  });
  app.on('open-url', front);
  app.on('activate', front);
  if (startsHidden) await presence.startHidden(show);
  else await show();
  onGiven(({ paths = [], task }) => {
    const act = async (): Promise<void> => {
      const given = await desk.adoptGiven(paths.filter((path) => isAbsolute(path)));
      if (given.length === 0 && task === undefined) return;
      await show();
      if (given.length > 0) desk.give(given);
      if (task !== undefined) presence.perform(task);
    };
    void act().catch(onBug);
  });
};

/**
 * If an exception occurs within this time after the app restarted because of another exception, the app quits with an
 * error.
 */
const RESTART_AGAIN_AFTER_MS = 3_600_000;

const restartedNotice = new DeskError('app/restarted', 'the app restarted after an uncaught exception');

let hasShown = false;
app.on('browser-window-created', (_event, window) => {
  window.once('show', () => {
    hasShown = true;
  });
});

/**
 * Makes the system start the app again once it has quit: with its options, but without the files, the address or the
 * task that it was started for. `startedHidden`: the app was started without a window.
 */
const restart = (startedHidden: boolean): void => {
  const args = process.argv.slice(1);
  const own = programArgs(process.argv, app.isPackaged);
  const isHidden = hasShown ? !BrowserWindow.getAllWindows().some((window) => window.isVisible()) : startedHidden;
  app.relaunch({
    // Once the app has quit, the program of an AppImage is no longer at its path.
    execPath: appImageOf(process.execPath, process.env) ?? process.execPath,
    args: [...args.slice(0, args.length - own.length), ...restartArgs(own, isHidden)],
  });
};

const quitBecause = async (error: unknown): Promise<void> => {
  const data = toErrorData(error);
  if (data.code === 'app/bug') reportBug(error);
  const { title, todo } = (await createHostSpeech(systemLanguage())).errorText(data);
  const said = title.includes(' • ') ? `${title.replaceAll(' • ', '\n• ')}\n\n${todo}` : `${title} ${todo}`;
  dialog.showErrorBox(app.name, `${said}\n\n${data.code}`);
  app.exit(exitCodeOf(data.code));
};

/**
 * The maximum length of a command line that a second instance passes to the first one through Chromium. Chromium reads
 * at most 32 KiB: the command line, and `Start`, which repeats parts of it in two bytes for each character. A longer
 * message ended the first instance in older versions of Electron.
 */
const MAX_LINE_BYTES = 8192;

/** How long a second instance waits for a first one that is still starting. */
const HAND_OVER_WITHIN_MS = 30_000;
const HAND_OVER_EVERY_MS = 500;

/**
 * Whether this is the first instance, by a lock in Electron's `userData`. Otherwise the first instance has received
 * `start`: from Chromium or, if the command line is longer than `MAX_LINE_BYTES`, through the channel of commands. With
 * a callback, a longer command line is not passed on, and this instance counts as a later one, because the author of a
 * link chose the length. Errors: `app/not-given`.
 */
const isFirstStart = async (home: string, args: readonly string[], start: Start): Promise<boolean> => {
  if (Buffer.byteLength([process.cwd(), ...process.argv].join(' ')) <= MAX_LINE_BYTES)
    return app.requestSingleInstanceLock(start);
  if (start.callback !== undefined) return false;
  const silent = { write: () => true };
  const terminal = {
    cwd: process.cwd(),
    env: {},
    stdout: silent,
    stderr: silent,
    signal: new AbortController().signal,
  };
  const until = steadyNow() + HAND_OVER_WITHIN_MS;
  for (;;) {
    // `handOver` rejects if the first instance ends meanwhile.
    const code = await handOver(home, args, terminal).catch(() => undefined);
    if (code === EXIT.done) return false;
    if (app.requestSingleInstanceLock()) return true;
    if (steadyNow() > until) throw new DeskError('app/not-given', 'the open app cannot be given so many files');
    await sleep(HAND_OVER_EVERY_MS);
  }
};

/** A second instance passes its `Start` to the first one, because Chromium would reorder its arguments. */
const onLaterStart = (deliver: (start: Start) => void): void => {
  app.on('second-instance', (_event, _args, _folder, data) => deliver(Start.safeParse(data).data ?? {}));
};

/** Returns the language that fits the system best. INSPECTION_DESK_LANGUAGE overrides it in development. */
const systemLanguage = (): Spoken =>
  (app.isPackaged ? undefined : spokenOf(process.env.INSPECTION_DESK_LANGUAGE)) ??
  languageOf(app.getPreferredSystemLanguages());

const showAbout = async ({ t }: Speech<'host'>, onLicences: () => void): Promise<void> => {
  const { electron = '', chrome = '', node } = process.versions;
  const { response } = await dialog.showMessageBox({
    type: 'info',
    title: app.name,
    message: app.name,
    detail: [
      t('about.version', { version: app.getVersion() }),
      t('about.runtime', { electron, chrome, node }),
      `${process.platform} ${process.arch}`,
    ].join('\n'),
    buttons: [t('about.ok'), t('about.licences')],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  if (response === 1) onLicences();
};

const setAppMenu = (speech: Speech<'host'>, onMenu: OnMenu): void => {
  const isMac = process.platform === 'darwin';
  const parts = { appName: app.name, isMac, isDeveloper: !app.isPackaged, onMenu };
  Menu.setApplicationMenu(Menu.buildFromTemplate([...menuTemplate(parts, speech)]));
};

const showContextMenus = (speech: () => Speech<'host'>): void => {
  app.on('browser-window-created', (_event, window) => {
    window.webContents.on('context-menu', (_clicked, clicked) => {
      const template = contextTemplate(clicked, speech());
      if (template.length > 0) Menu.buildFromTemplate([...template]).popup({ window });
    });
  });
};

/** Creates the texts in the system's language. `speak` loads those in the language of the preferences. */
const createDesktopSpeech = async (system: Spoken, onMenu: OnMenu) => {
  let wanted = system;
  let current = await createHostSpeech(system);
  setAppMenu(current, onMenu);
  return {
    speech: (): Speech<'host'> => current,
    speak: async (preferences: Preferences): Promise<void> => {
      const language = chosenLanguage(preferences, system);
      if (language === wanted) return;
      wanted = language;
      const speech = await createHostSpeech(language);
      // Another language may have been chosen in the meantime.
      if (wanted !== language) return;
      current = speech;
      setAppMenu(current, onMenu);
    },
  };
};

/** The maximum is enough for many photos dropped together from the file manager. */
const DroppedPaths = z.array(z.string().refine(isAbsolute)).min(1).max(20_000);

/**
 * Handles the calls of the top-level page of `origin`, and refuses those of other pages and of frames. Sends the desk's
 * events to every window. `onBug` receives every unexpected error.
 */
const registerIpc = (desk: Desk, origin: string, onBug: (error: unknown) => void): void => {
  const handleCalls = (channel: string, handle: (...args: unknown[]) => Promise<Envelope<unknown>>) =>
    ipcMain.handle(channel, (event, ...args: unknown[]) => (isFromPage(event, origin) ? handle(...args) : refusal));

  const { dispatch, cancel } = createDispatcher(desk.handlers, onBug);
  for (const name of callsByName.keys()) handleCalls(name, (input, id) => dispatch(name, input, id));
  ipcMain.on(cancelChannel, (event, id: unknown) => {
    if (isFromPage(event, origin)) cancel(id);
  });
  // The preload script reads the paths from the dropped files, so the page cannot make them up.
  handleCalls(adoptDroppedChannel, (input) =>
    toEnvelope(() => desk.adoptPaths(parseInput(DroppedPaths, input)), onBug),
  );
  desk.onEvent((event) => {
    for (const window of BrowserWindow.getAllWindows()) window.webContents.send(eventChannel, event);
  });
};

/**
 * Whether a call comes from the app's own page, rather than from a frame in the page or from a page that replaced it.
 */
const isFromPage = ({ senderFrame }: IpcMainEvent | IpcMainInvokeEvent, origin: string): boolean =>
  senderFrame !== null &&
  senderFrame.parent === null &&
  senderFrame.origin === origin &&
  // A page at about:blank has the origin of the page that navigated to it.
  senderFrame.url.startsWith(`${origin}/`);

const refusal: Envelope<never> = {
  ok: false,
  error: toErrorData(new DeskError('app/unsupported', 'calls are accepted from the app’s own page only')),
};

const CLOSE_WITHIN_MS = 5_000;

/**
 * Closes the desk before the app quits, if `mayQuit` agrees. On a signal, or when the computer shuts down, `mayQuit` is
 * not called. Windows has no `shutdown` event of `powerMonitor`, and ends the app. The app waits for the desk only for
 * a limited time, because the ledger survives a kill. After that time, hanging work is ended by force, because a quit
 * would wait for it. Returns `end`, which quits without `mayQuit`. Its argument `last` is called once the desk is
 * closed, or that time is over.
 */
const closeBeforeQuit = (
  { close, hangs, onEnd, onStay }: Pick<Desk, 'close' | 'hangs' | 'onEnd' | 'onStay'>,
  mayQuit: () => Promise<boolean>,
  onBug: (error: unknown) => void,
) => {
  let state: 'open' | 'asking' | 'closing' | 'closed' = 'open';
  const end = (last = async (): Promise<void> => {}): void => {
    if (state === 'closing' || state === 'closed') return;
    state = 'closing';
    const closed = close()
      .catch(onBug)
      .then(async () => !hangs() && (await comesToRest()));
    const patience = new Promise<false>((resolve) => setTimeout(resolve, CLOSE_WITHIN_MS, false));
    void Promise.race([closed, patience]).then(async (canEnd) => {
      await last();
      state = 'closed';
      if (canEnd) app.quit();
      else endByForce(EXIT.done);
    });
  };
  const ask = async (): Promise<void> => {
    state = 'asking';
    const may = await mayQuit().catch((error: unknown) => {
      onBug(error);
      return true;
    });
    if (state !== 'asking') return;
    state = 'open';
    if (may) end();
    else onStay();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end());
  // No update is installed while the computer shuts down, because the installation would be interrupted.
  // Electron's types lack the event of this listener. Unless it is prevented, Linux does not wait for the app.
  (powerMonitor as NodeJS.EventEmitter).on('shutdown', (event: Electron.Event) => {
    event.preventDefault();
    app.off('quit', onEnd);
    end();
  });
  app.on('quit', onEnd);
  app.on('before-quit', (event) => {
    if (state === 'closed') return;
    event.preventDefault();
    if (state === 'open') ask().catch(onBug);
  });
  return { end, isQuitting: (): boolean => state === 'closing' || state === 'closed' };
};

const RELOAD_AGAIN_AFTER_MS = 60_000;
const ABORTED = -3;

type DeskWindow = {
  readonly address: string;
  readonly spoken: Spoken;
  readonly state: unknown;
  readonly remember: (state: WindowState) => void;
  readonly onOpen: (window: BrowserWindow) => void;
};

const showDeskWindow = async (parts: DeskWindow): Promise<void> => {
  const [window] = BrowserWindow.getAllWindows();
  if (window === undefined) return openDeskWindow(parts);
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
  if (window.webContents.isLoading()) await once(window.webContents, 'did-stop-loading');
};

/** Opens a window, which appears once its page has rendered. Resolves when the page has loaded. */
const openDeskWindow = async ({ address, spoken, state, remember, onOpen }: DeskWindow): Promise<void> => {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id);
  const { bounds, maximized } = openingFor(
    state,
    [primary, ...others].map(({ workArea }) => workArea),
  );
  const look = systemLook();
  const window = new BrowserWindow({
    title: app.name,
    ...bounds,
    minWidth: 480,
    minHeight: 360,
    show: false,
    autoHideMenuBar: true,
    backgroundColor: backgroundOf(look),
    ...titleBarOf(process.platform, look),
    webPreferences: {
      preload: builtPath('preload/index.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      // Enables Chromium's PDF viewer, the only plugin.
      plugins: true,
      spellcheck: false,
      devTools: !app.isPackaged,
    },
  });
  window.once('ready-to-show', () => (maximized ? window.maximize() : window.show()));
  keepWindowState(window, remember);
  onOpen(window);
  followLook(window);
  reloadAfterCrash(window);
  const frame = frameOf(process.platform);
  const query = new URLSearchParams({ language: spoken, ...(frame && { frame }) });
  const load = (): void => {
    // A rejection says only that the page did not load, which `stayAtPage` learns from an event.
    void window.loadURL(`${address}?${query}`).catch(() => {});
  };
  stayAtPage(window, address, load);
  load();
  await once(window.webContents, 'did-stop-loading');
};

const followLook = (window: BrowserWindow): void => {
  const follow = (): void => {
    const look = systemLook();
    window.setBackgroundColor(backgroundOf(look));
    if (frameOf(process.platform) === 'windows') window.setTitleBarOverlay(overlayOf(look));
  };
  nativeTheme.on('updated', follow);
  window.once('closed', () => nativeTheme.off('updated', follow));
};

/**
 * Returns to the app's page by `load` when Chromium has navigated to about:blank or an error page. No event can prevent
 * such a navigation. `address`: the start of the addresses of the app's page.
 */
const stayAtPage = (window: BrowserWindow, address: string, load: () => void): void => {
  const comeBack = (url: string): void => {
    if (!url.startsWith(address)) load();
  };
  window.webContents.on('did-navigate', (_event, url) => comeBack(url));
  window.webContents.on('did-fail-load', (_event, code, _text, url, isMainFrame) => {
    // A navigation that was refused before it began has not left the page.
    if (isMainFrame && code !== ABORTED) comeBack(url);
  });
};

/**
 * Makes `window` reload its page after a crash, unless it was reloaded after a crash less than a minute before, to
 * avoid a loop.
 */
const reloadAfterCrash = (window: BrowserWindow): void => {
  let reloadedAt = Number.NEGATIVE_INFINITY;
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || steadyNow() - reloadedAt < RELOAD_AGAIN_AFTER_MS) return;
    reloadedAt = steadyNow();
    window.webContents.reload();
  });
};

const SETTLED_MS = 500;

const keepWindowState = (window: BrowserWindow, remember: (state: WindowState) => void): void => {
  const tell = (): void => {
    soon.cancel();
    // Normal bounds are those of the window when it is neither maximised nor in full screen. Full screen is not
    // remembered.
    remember({ ...window.getNormalBounds(), maximized: window.isMaximized() });
  };
  const soon = debounce(tell, SETTLED_MS);
  // Each event has its own call, because the types have one overload for each name.
  window.on('resize', soon);
  window.on('move', soon);
  window.on('maximize', soon);
  window.on('unmaximize', soon);
  window.on('close', tell);
};

const systemLook = (): SystemLook => ({
  dark: nativeTheme.shouldUseDarkColors,
  ...(process.platform === 'win32' && nativeTheme.shouldUseHighContrastColors
    ? { forced: { window: systemPreferences.getColor('window'), text: systemPreferences.getColor('window-text') } }
    : {}),
});
