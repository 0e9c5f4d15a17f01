/** The app in the system around its window: tray, taskbar, and what closing the window and quitting do. */
import { app, BrowserWindow, dialog, type MessageBoxOptions } from 'electron';
import type { Preferences } from '../../../../contract/preferences.ts';
import type { Speech } from '../../../../words/speech/speech.ts';
import type { Desk } from '../../../core/desk.ts';
import type { StartTask } from '../../shared/host-options.ts';
import { pressInPage } from '../app-menu.ts';
import { closingOf, type DesktopStatus } from './desktop-status.ts';
import { followStatus } from './follow-status.ts';
import { createJumpList } from './jump-list.ts';
import type { Launch } from './jump-list-tasks.ts';
import { startAtSignIn } from './sign-in-item.ts';
import { showInTaskbar } from './taskbar.ts';
import { createDesktopTray } from './tray.ts';
import { showsTrayIcons } from './tray-host.ts';

type PresenceParts = {
  readonly desk: Pick<Desk, 'handlers' | 'onEvent'>;
  readonly speech: () => Speech<'host'>;
  /** Brings the window to the front. */
  readonly front: () => void;
  /** Whether the app is ending, so that its windows close. */
  readonly isQuitting: () => boolean;
  /** How the system starts this program for a task of the taskbar. */
  readonly launch: Launch;
  readonly onBug: (error: unknown) => void;
};

type Presence = {
  /** To be called for each window that opens. */
  readonly watchClosing: (window: BrowserWindow) => void;
  /** Does what a task of the taskbar is for; the window is open. */
  readonly perform: (task: StartTask) => void;
  /** Asks whether to quit, if that would interrupt uploads. */
  readonly mayQuit: () => Promise<boolean>;
  /** Starts without the window, or with a minimised one where nothing else would show that the app runs. */
  readonly startHidden: (show: () => Promise<void>) => Promise<void>;
};

/** The window remembers under this name that the person was told how uploads continue without it. */
const toldKey = 'closing';

/** A desktop that registers its tray after the person signed in is noticed then. */
const LOOK_FOR_TRAY_MS = 10_000;
const LOOKS_FOR_TRAY = 12;

/** Follows the desk and its settings from now on. */
export const createPresence = async (parts: PresenceParts): Promise<Presence> => {
  const { desk, speech, front, isQuitting, launch, onBug } = parts;
  const { handlers, onEvent } = desk;
  const { preferences, views } = await handlers.app.snapshot(undefined);
  let wanted: Preferences['desktop'] = preferences.desktop;
  let wasTold = views[toldKey] === true;
  let hasTrayHost = await showsTrayIcons(process.platform);
  let staysInBackground = false;

  const forEach = (uploads: readonly string[], change: (input: { readonly uploadId: string }) => unknown): void => {
    for (const uploadId of uploads) Promise.resolve(change({ uploadId })).catch(onBug);
  };
  const onPause = (): void => forEach(followed.status().active, handlers.uploads.pauseAll);
  const onResume = (): void => forEach(followed.status().paused, handlers.uploads.resumeAll);
  const showJumpList = createJumpList(launch);
  const tray = createDesktopTray({
    onOpen: front,
    onPause,
    onResume,
    onQuit: () => app.quit(),
  });
  const draw = (status: DesktopStatus): void => {
    tray.show(wanted.tray && hasTrayHost ? status : undefined, speech());
    showInTaskbar(status, speech());
    showJumpList(status, speech());
  };
  const followed = await followStatus(desk, draw, onBug);
  const redraw = (): void => draw(followed.status());
  onEvent((event) => {
    if (event.type !== 'preferences') return;
    wanted = event.preferences.desktop;
    startAtSignIn(wanted.startAtSignIn);
    // The language may have changed as well, and is loaded first.
    setImmediate(redraw);
  });
  startAtSignIn(wanted.startAtSignIn);
  redraw();
  lookForTray(hasTrayHost, () => {
    hasTrayHost = true;
    redraw();
  });
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
  /** Says once that uploads continue; answers whether the person agrees. */
  const tell = async (window: BrowserWindow, minimises: boolean): Promise<boolean> => {
    if (wasTold) return true;
    const agrees = await ask(continueQuestion(minimises, speech()), window);
    if (agrees) {
      wasTold = true;
      await handlers.view.remember({ key: toldKey, value: true });
    }
    return agrees;
  };
  const closing = () => closingOf(followed.status(), wanted.keepUploading, isShown());
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
    'new-upload': () => pressInPage('newUpload'),
    'pause-uploads': onPause,
    'resume-uploads': onResume,
  };
  return {
    perform: (task) => tasks[task](),
    startHidden: async (show) => {
      if (isShown()) return;
      await show();
      for (const window of BrowserWindow.getAllWindows()) window.minimize();
    },
    mayQuit: async () => {
      const { active, scheduled } = followed.status();
      const count = active.length + scheduled.length;
      return count === 0 || ask(quitQuestion(count, speech()));
    },
    watchClosing: (window) => {
      window.on('close', (event) => {
        if (isQuitting() || closing() === 'close') return;
        event.preventDefault();
        leave(window).catch(onBug);
      });
    },
  };
};

const lookForTray = (isThere: boolean, onFound: () => void): void => {
  let left = isThere ? 0 : LOOKS_FOR_TRAY;
  const look = async (): Promise<void> => {
    left -= 1;
    if (await showsTrayIcons(process.platform)) onFound();
    else lookLater();
  };
  const lookLater = (): void => {
    if (left > 0) setTimeout(look, LOOK_FOR_TRAY_MS).unref();
  };
  lookLater();
};

/** With the button that agrees first. */
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
