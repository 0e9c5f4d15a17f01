/** The life of the desktop app, from its start to its end. */
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { app, dialog, nativeTheme, session } from 'electron';
import { toErrorData } from '../../../contract/errors.ts';
import type { Preferences } from '../../../contract/preferences.ts';
import { createHostSpeech } from '../../../words/speech/host-speech.ts';
import { chosenLanguage } from '../../../words/speech/languages.ts';
import { createDesk, type Desk } from '../../core/desk.ts';
import { cachePaths } from '../../data/cache-folder.ts';
import { makeHome } from '../../data/data-directory.ts';
import { defaultHome } from '../../data/default-home.ts';
import { openDefaultHome } from '../../data/leave-roaming.ts';
import { exitCodeOf } from '../shared/exit-codes.ts';
import { useSampleWhenUnset } from '../shared/first-run.ts';
import {
  appId,
  findCallback,
  findPaths,
  findTask,
  type HostOptions,
  parseHostOptions,
  type StartTask,
} from '../shared/host-options.ts';
import { reportBug } from '../shared/report-bug.ts';
import { watchOutput } from '../shared/terminal-text.ts';
import { showAbout } from './about.ts';
import { appOrigin, declareAppScheme, serveAppScheme } from './app-scheme.ts';
import { builtPath } from './built-path.ts';
import { closeBeforeQuit } from './close-before-quit.ts';
import { showContextMenus } from './context-menu.ts';
import { showDeskWindow } from './desk-window.ts';
import { createPresence } from './desktop/presence.ts';
import { wasStartedAtSignIn } from './desktop/sign-in-item.ts';
import { createDesktopHost } from './desktop-host.ts';
import { readDesktopPolicy } from './desktop-policy.ts';
import { createDesktopSpeech } from './desktop-speech.ts';
import { isFirstStart, onLaterStart } from './first-start.ts';
import { confinePages, denyRequests, silenceChromium } from './lock-down.ts';
import { programArgs, taskArgs } from './program-args.ts';
import { registerIpc } from './register-ipc.ts';
import { createSchemeRedirect, registerScheme, type SchemeRedirect } from './scheme-redirect.ts';
import { systemLanguage } from './system-language.ts';
import type { WindowState } from './window-state.ts';

/** What the window remembers under this name is its place on the screen; the page's own names have a dot or are `place`. */
const windowKey = 'window';

/** Runs the app until it quits. A second instance on the same data directory passes on its callback address and paths, and ends. */
export const runDesktop = (): void => {
  // The terminal that the app was started from may be closed.
  watchOutput();
  declareAppScheme();
  silenceChromium();
  const args = process.argv.slice(1);
  const options = parseHostOptions(args, process.env);
  const home = options.home ?? defaultHome();
  const { browser: browserData } = cachePaths(home);
  try {
    if (options.home === undefined) openDefaultHome();
    // Before Chromium creates them readable by everyone.
    for (const folder of [home, browserData]) makeHome(folder);
  } catch (error) {
    void app.whenReady().then(() => quitBecause(error));
    return;
  }
  // The single-instance lock is in userData: one instance per data directory. Chromium's own files are kept apart.
  app.setPath('userData', home);
  app.setPath('sessionData', browserData);
  const callback = findCallback(args);
  const paths = findPaths(programArgs(process.argv, app.isPackaged));
  const task = findTask(args);
  if (!isFirstStart({ ...(callback !== undefined && { callback }), paths, ...(task && { task }) })) {
    app.quit();
    return;
  }
  // Windows shows notifications only of a program with the id of its installed shortcut.
  app.setAppUserModelId(appId);
  // `npm run dev` serves the page from Vite instead.
  const devServer = app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL;
  const origin = devServer === undefined ? appOrigin : new URL(devServer).origin;
  confinePages(origin);
  const redirect = createSchemeRedirect();
  receiveCallbacks(redirect);
  const given = { paths: receivePaths(paths), tasks: receiveTasks(task) };
  registerScheme(homeArgs(options));
  openDesk(home, options, redirect, origin, given).catch(quitBecause);
};

/** What makes another start open the same data directory. */
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

/** What a system passes to the app to be uploaded. */
type GivenPaths = {
  /** Calls `take` with the paths so far, and with all later ones. */
  readonly take: (take: (paths: readonly string[]) => void) => void;
};

/** Collects paths, also those that macOS passes before the app is ready. */
const receivePaths = (first: readonly string[]): GivenPaths => {
  let waiting = first;
  let deliver = (paths: readonly string[]): void => {
    waiting = [...waiting, ...paths];
  };
  const receive = (paths: readonly string[]): void => {
    const existing = paths.filter((path) => isAbsolute(path) && existsSync(path));
    if (existing.length > 0) deliver(existing);
  };
  onLaterStart(({ paths = [] }) => receive(paths));
  app.on('open-file', (event, path) => {
    event.preventDefault();
    receive([path]);
  });
  return {
    take: (take) => {
      deliver = take;
      receive(waiting);
    },
  };
};

/** Calls `take` with the task of this start, and with those of later ones. */
type GivenTasks = (take: (task: StartTask) => void) => void;

const receiveTasks = (first: StartTask | undefined): GivenTasks => {
  let last = first;
  let deliver = (task: StartTask): void => {
    last = task;
  };
  onLaterStart(({ task }) => task && deliver(task));
  return (take) => {
    deliver = take;
    if (last !== undefined) take(last);
  };
};

const openDesk = async (
  home: string,
  options: HostOptions,
  redirect: SchemeRedirect,
  origin: string,
  given: { readonly paths: GivenPaths; readonly tasks: GivenTasks },
): Promise<void> => {
  await app.whenReady();
  denyRequests(session.defaultSession);
  serveAppScheme(builtPath('renderer'));
  const system = systemLanguage();
  let show = async (): Promise<void> => {};
  let onAbout = (): void => {};
  const language = await createDesktopSpeech(system, { show: () => show(), onAbout: () => onAbout() });
  const desk = await createDesk(
    createDesktopHost(home, options, await readDesktopPolicy(), redirect, () => show(), system, language.speech),
  );
  const onBug = (error: unknown): void => {
    desk.log.write('bug', { error });
    reportBug(error);
  };
  process.on('uncaughtException', onBug);
  process.on('unhandledRejection', onBug);
  let mayQuit = async (): Promise<boolean> => true;
  const isQuitting = closeBeforeQuit(desk, () => mayQuit(), onBug);
  registerIpc(desk, origin, onBug);
  if (options.sample) await useSampleWhenUnset(desk).catch(onBug);
  await followAppearance(desk);
  await language.follow(desk);
  const front = (): void => void show().catch(onBug);
  const presence = await createPresence({
    ...{ desk, speech: language.speech, front, isQuitting, onBug },
    launch: {
      program: process.execPath,
      args: taskArgs({ isPackaged: app.isPackaged, appPath: app.getAppPath() }, homeArgs(options)),
    },
  });
  mayQuit = presence.mayQuit;
  const showLicences = (): void => void show().then(desk.showLicences).catch(onBug);
  onAbout = () => void showAbout(language.speech(), showLicences).catch(onBug);
  showContextMenus(language.speech);
  const remember = async (value: WindowState) => desk.handlers.view.remember({ key: windowKey, value });
  show = async () => {
    const { views, preferences } = await desk.handlers.app.snapshot(undefined);
    await showDeskWindow({
      address: `${origin}/`,
      spoken: chosenLanguage(preferences, system),
      platform: process.platform,
      state: views[windowKey],
      remember: (value) => void remember(value).catch(onBug),
      onOpen: presence.watchClosing,
    });
  };
  app.on('second-instance', front);
  app.on('open-url', front);
  app.on('activate', front);
  if (options.hidden || wasStartedAtSignIn()) await presence.startHidden(show);
  else await show();
  given.paths.take((paths) => {
    const give = async (): Promise<void> => {
      await show();
      desk.give(await desk.adoptPaths(paths));
    };
    void give().catch(onBug);
  });
  given.tasks((task) => {
    const perform = async (): Promise<void> => {
      await show();
      presence.perform(task);
    };
    void perform().catch(onBug);
  });
};

/** Menus, dialogs and the page's colours follow the chosen appearance. */
const followAppearance = async (desk: Desk): Promise<void> => {
  const follow = ({ appearance }: Preferences): void => {
    nativeTheme.themeSource = appearance;
  };
  follow((await desk.handlers.app.snapshot(undefined)).preferences);
  desk.onEvent((event) => event.type === 'preferences' && follow(event.preferences));
};

/** Shows in a dialog why the app cannot open, and ends it. */
const quitBecause = async (error: unknown): Promise<void> => {
  const data = toErrorData(error);
  if (data.code === 'app/bug') reportBug(error);
  const { title, todo } = (await createHostSpeech(systemLanguage())).errorText(data);
  // Each fault of a policy in a line of its own.
  const said = title.includes(' • ') ? `${title.replaceAll(' • ', '\n• ')}\n\n${todo}` : `${title} ${todo}`;
  dialog.showErrorBox(app.name, `${said}\n\n${data.code}`);
  app.exit(exitCodeOf(data.code));
};
