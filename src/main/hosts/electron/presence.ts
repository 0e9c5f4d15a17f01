/** The app's tray icon, taskbar button and start at sign-in, and the effects of closing the window and of quitting. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  app,
  BrowserWindow,
  dialog,
  Menu,
  type MessageBoxOptions,
  type NativeImage,
  nativeImage,
  Tray,
} from 'electron';
import { attempt } from 'es-toolkit/util/attempt';
import type { Preferences } from '../../../contract/preferences.ts';
import type { Speech } from '../../../words/speech.ts';
import { createThrottle } from '../../async/throttle.ts';
import type { Desk } from '../../core/desk.ts';
import type { StartTask } from '../shared/host-options.ts';
import {
  closingOf,
  type DesktopStatus,
  desktopStatus,
  hiddenOption,
  jumpListTasks,
  type Launch,
  setAutostart,
  type TrayActions,
  type TrayIcon,
  trayIcon,
  trayTemplate,
  trayText,
} from './desktop-status.ts';
import { installFinderService } from './finder-service.ts';
import { appImageOf } from './start.ts';

type PresenceParts = {
  readonly desk: Pick<Desk, 'handlers' | 'snapshot' | 'activity' | 'onEvent' | 'act'>;
  readonly speech: () => Speech<'host'>;
  readonly front: () => void;
  /** Whether the app is ending. Its windows then close without a question. */
  readonly isQuitting: () => boolean;
  readonly launch: Launch;
  readonly onBug: (error: unknown) => void;
};

/** The key under which the app stores that the user was told how uploads continue without the window. */
const toldKey = 'closing';

/** The interval at which the app looks for a tray. Some desktops register the tray only after the user's sign-in. */
const LOOK_FOR_TRAY_MS = 10_000;
const LOOKS_FOR_TRAY = 12;

export const createPresence = async ({ desk, speech, front, isQuitting, launch, onBug }: PresenceParts) => {
  const { handlers, onEvent } = desk;
  const { preferences, views } = desk.snapshot();
  let wanted: Preferences['desktop'] = preferences.desktop;
  let wasTold = views[toldKey] === true;
  let hasTrayHost = await showsTrayIcons();
  let staysInBackground = false;

  const forEach = (uploads: readonly string[], change: (input: { readonly uploadId: string }) => unknown): void => {
    for (const uploadId of uploads) Promise.resolve(change({ uploadId })).catch(onBug);
  };
  const onPause = (): void => forEach(status().active, handlers.uploads.pause);
  const onResume = (): void => forEach(status().paused, handlers.uploads.resume);
  const showJumpList = createJumpList(launch);
  const tray = createDesktopTray({ onOpen: front, onPause, onResume, onQuit: () => app.quit() });
  const status = (): DesktopStatus => desktopStatus(desk.activity());
  const redraw = (): void => {
    const now = status();
    tray.show(wanted.tray && hasTrayHost ? now : undefined, speech());
    showInTaskbar(now, speech());
    showJumpList(now, speech());
  };
  const redrawing = createThrottle(redraw, REDRAW_INTERVAL_MS, onBug);
  /**
   * The app also runs if it may not be started at sign-in, for example because a folder belongs to an administrator.
   */
  const followStartAtSignIn = (): void => {
    const [error] = attempt(() => startAtSignIn(wanted.startAtSignIn, launch.args));
    if (error) onBug(error);
  };
  onEvent((event) => {
    if (SHOWN.has(event.type)) redrawing.request();
    if (event.type !== 'preferences') return;
    wanted = event.value.desktop;
    followStartAtSignIn();
    redraw();
  });
  followStartAtSignIn();
  if (process.platform === 'darwin' && app.isPackaged)
    installFinderService({ resources: process.resourcesPath, home: app.getPath('home') }).catch(onBug);
  redraw();
  const onTrayHost = (): void => {
    hasTrayHost = true;
    redraw();
  };
  if (!hasTrayHost) lookForTray(onTrayHost).catch(onBug);
  app.on('browser-window-created', () => {
    staysInBackground = false;
    setImmediate(redraw);
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin' && !staysInBackground) app.quit();
  });

  const isShown = (): boolean => process.platform === 'darwin' || tray.isShown();
  const ask = async (question: MessageBoxOptions, window?: BrowserWindow): Promise<boolean> => {
    const { response } = await (window ? dialog.showMessageBox(window, question) : dialog.showMessageBox(question));
    return response === 0;
  };
  /**
   * Asks the user whether uploads may continue, unless the user has agreed before. Resolves to whether the user agrees.
   */
  const tell = async (window: BrowserWindow, minimises: boolean): Promise<boolean> => {
    if (wasTold) return true;
    const agrees = await ask(continueQuestion(minimises, speech()), window);
    if (agrees) {
      wasTold = true;
      await handlers.view.remember({ key: toldKey, value: true });
    }
    return agrees;
  };
  const closing = () => closingOf(status(), wanted.keepUploading, isShown());
  const leave = async (window: BrowserWindow): Promise<void> => {
    const how = closing();
    if (how === 'close') return window.close();
    if (how === 'ask') return app.quit();
    if (!(await tell(window, how === 'minimise'))) return;
    if (how === 'minimise') return window.minimize();
    staysInBackground = true;
    window.destroy();
  };

  const tasks: Readonly<Record<StartTask, () => void>> = {
    'new-upload': () => desk.act('newUpload'),
    'pause-uploads': onPause,
    'resume-uploads': onResume,
  };
  return {
    /** Performs a task of the taskbar. To be called while the window is open. */
    perform: (task: StartTask): void => tasks[task](),
    /** To be called when the texts are in another language. */
    redraw,
    /** Starts without a window, or with a minimised window if nothing else would show that the app runs. */
    startHidden: async (show: () => Promise<void>): Promise<void> => {
      if (isShown()) return;
      await show();
      for (const window of BrowserWindow.getAllWindows()) window.minimize();
    },
    mayQuit: async (): Promise<boolean> => {
      const { active, scheduled } = status();
      const count = active.length + scheduled.length;
      return count === 0 || ask(quitQuestion(count, speech()));
    },
    watchClosing: (window: BrowserWindow): void => {
      window.on('close', (event) => {
        if (isQuitting() || closing() === 'close') return;
        event.preventDefault();
        leave(window).catch(onBug);
      });
    },
  };
};

const lookForTray = async (onFound: () => void): Promise<void> => {
  for (let looks = 0; looks < LOOKS_FOR_TRAY; looks += 1) {
    await setTimeout(LOOK_FOR_TRAY_MS, undefined, { ref: false });
    if (await showsTrayIcons()) return onFound();
  }
};

const question = (message: string, detail: string, buttons: readonly [string, string]): MessageBoxOptions => ({
  type: 'question',
  title: app.name,
  message,
  detail,
  buttons: [...buttons],
  defaultId: 0,
  cancelId: 1,
  noLink: true,
});

const continueQuestion = (minimises: boolean, { t }: Speech<'host'>): MessageBoxOptions =>
  question(t('closing.continues'), t(minimises ? 'closing.minimised' : 'closing.background', { app: app.name }), [
    t('closing.ok'),
    t('closing.cancel'),
  ]);

const quitQuestion = (count: number, { t }: Speech<'host'>): MessageBoxOptions =>
  question(t('closing.quitQuestion', { app: app.name }), t('closing.quitExplained', { count }), [
    t('closing.quit'),
    t('closing.cancel'),
  ]);

/**
 * The shortest interval between updates of the icons by events of `desk`. Events of an upload arrive more often than a
 * user can read.
 */
const REDRAW_INTERVAL_MS = 500;

/** The events that can change the icons. */
const SHOWN: ReadonlySet<string> = new Set(['batches', 'reachability', 'watchedFolders', 'connection', 'session']);

const createDesktopTray = (actions: TrayActions) => {
  let tray: Tray | undefined;
  let shown = '';
  return {
    isShown: (): boolean => tray !== undefined,
    show: (status: DesktopStatus | undefined, speech: Speech<'host'>): void => {
      if (status === undefined) {
        tray?.destroy();
        tray = undefined;
        shown = '';
        return;
      }
      const template = trayTemplate(app.name, status, actions, speech);
      // Setting a menu closes an open menu, so the menu is set only if it has changed.
      const now = JSON.stringify([trayIcon(status), template]);
      if (now === shown) return;
      shown = now;
      const image = imageOf(trayIcon(status));
      if (tray === undefined) {
        tray = new Tray(image);
        // On Windows a left click opens the app and a right click the menu. Elsewhere a click usually opens the menu.
        if (process.platform === 'win32') tray.on('click', actions.onOpen);
      } else tray.setImage(image);
      tray.setToolTip(`${app.name}\n${trayText(status, speech)}`);
      tray.setContextMenu(Menu.buildFromTemplate([...template]));
    },
  };
};

/** Loads the icon from `build/tray`, in the colours of the app. On macOS, the system colours the icon's shape. */
const imageOf = (icon: TrayIcon): NativeImage => {
  const isMac = process.platform === 'darwin';
  const image = nativeImage.createFromPath(
    join(app.getAppPath(), 'build', 'tray', `${icon}${isMac ? 'Template' : ''}.png`),
  );
  image.setTemplateImage(isMac);
  return image;
};

const HOST_QUESTION = [
  ...['call', '--session', '--dest', 'org.kde.StatusNotifierWatcher', '--object-path', '/StatusNotifierWatcher'],
  ...['--method', 'org.freedesktop.DBus.Properties.Get'],
  ...['org.kde.StatusNotifierWatcher', 'IsStatusNotifierHostRegistered'],
];
const ANSWER_WITHIN_MS = 3_000;

/**
 * Whether the system shows tray icons, as Windows and macOS always do. On Linux, the desktop must have registered a
 * host for them. If that cannot be determined, the result is false, so that the app never runs without a visible sign.
 */
const showsTrayIcons = async (): Promise<boolean> => {
  if (process.platform !== 'linux') return true;
  const asked = promisify(execFile)('gdbus', HOST_QUESTION, { timeout: ANSWER_WITHIN_MS });
  return (await asked.catch(() => undefined))?.stdout.includes('true') ?? false;
};

const NO_PROGRESS = -1;

/**
 * Shows the progress on the taskbar button of each window, and the number of active uploads on the app's icon, if the
 * desktop supports that. On Windows, an overlay marks the taskbar button if something needs the user's attention.
 */
const showInTaskbar = (status: DesktopStatus, speech: Speech<'host'>): void => {
  const { active, progress = NO_PROGRESS, waits } = status;
  const needsAttention = trayIcon(status) === 'attention';
  for (const window of BrowserWindow.getAllWindows()) {
    window.setProgressBar(progress, { mode: waits ? 'paused' : 'normal' });
    if (process.platform !== 'win32') continue;
    const overlay = join(app.getAppPath(), 'build', 'tray', 'overlay.png');
    window.setOverlayIcon(needsAttention ? nativeImage.createFromPath(overlay) : null, trayText(status, speech));
  }
  app.setBadgeCount(active.length);
};

const createJumpList = (launch: Launch): ((status: DesktopStatus, speech: Speech<'host'>) => void) => {
  let shown = '';
  return (status, speech) => {
    if (process.platform !== 'win32') return;
    const tasks = jumpListTasks(launch, status, speech);
    const now = JSON.stringify(tasks);
    if (now === shown) return;
    shown = now;
    app.setUserTasks([...tasks]);
  };
};

/** Sets whether the system starts the app, with `args`, at sign-in. Does nothing if the app is not packaged. */
const startAtSignIn = (wanted: boolean, args: readonly string[]): void => {
  // For an unpackaged app, the system would start Electron without the app.
  if (!app.isPackaged) return;
  if (process.platform === 'linux') {
    // An AppImage is mounted at a different path each time, so the entry names the AppImage itself.
    const program = appImageOf(process.execPath, process.env) ?? process.execPath;
    setAutostart(wanted, app.name, [program, ...args], process.env);
    return;
  }
  // Electron quotes the arguments.
  const own = { args: [...args, hiddenOption] };
  // If the value is already set, setting it again would undo what the user chose in the system's own list.
  if (app.getLoginItemSettings(own).openAtLogin !== wanted) app.setLoginItemSettings({ openAtLogin: wanted, ...own });
};

/** Whether macOS started the app at sign-in. False on other systems, where `--hidden` is passed at sign-in instead. */
export const wasStartedAtSignIn = (): boolean =>
  process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
