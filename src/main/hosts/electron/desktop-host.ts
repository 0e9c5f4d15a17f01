/** Implements `Host` on Electron. */

import {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  Menu,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  shell,
} from 'electron';
import Store from 'electron-store';
import { DeskError } from '../../../contract/errors.ts';
import type { FileAction } from '../../../contract/files.ts';
import type { Spoken } from '../../../words/languages.ts';
import type { Speech } from '../../../words/speech.ts';
import { createKeytarKeychain } from '../../auth/keychain.ts';
import type { RedirectReceiver } from '../../auth/redirect.ts';
import { createLoopbackRedirect } from '../../auth/redirect.ts';
import type { Host } from '../../core/host.ts';
import { FILE_MODE } from '../../data/files.ts';
import { settingsFile } from '../../settings/conf-settings.ts';
import type { Policy } from '../../settings/policy/policy.ts';
import { environmentLayer } from '../../settings/resolve-connection.ts';
import { parseSettings, type SettingsFile } from '../../settings/settings.ts';
import { type HostOptions, isSchemeAddress, redirectWords } from '../shared/host-options.ts';
import { uploadNotice } from './desktop-status.ts';
import { electronParts, presentWindow } from './electron-parts.ts';
import { documentAddress } from './lock-down.ts';
import { createMachineReader } from './machine-state.ts';
import { canReceiveScheme, type SchemeRedirect } from './scheme-redirect.ts';
import { createDesktopUpdater } from './updates/desktop-updater.ts';

/**
 * Creates the desktop's host, whose data is in `home`. `show` brings the window to the front, with its page loaded.
 * `spoken`: the language of the app that fits the system best; `speech`: the texts in the language that the user has
 * chosen.
 */
export const createDesktopHost = (
  home: string,
  options: HostOptions,
  policy: Policy,
  scheme: SchemeRedirect,
  show: () => Promise<void>,
  spoken: Spoken,
  speech: () => Speech<'host'>,
): Host => ({
  home,
  version: app.getVersion(),
  locale: app.getSystemLocale(),
  systemLanguage: spoken === 'pseudo' ? 'en' : spoken,
  ...(options.tokenStore === 'keychain' ? { keychain: createKeytarKeychain() } : {}),
  openSettings,
  policy,
  environment: process.env,
  connectionLayers: [options.connection, environmentLayer(process.env)],
  redirect: (uri) => chooseRedirect(uri, options, scheme, speech),
  openExternal: openInBrowser,
  copyText: async (text) => clipboard.writeText(text),
  pickFolder: () => pick({ properties: ['openDirectory'] }),
  pickFile: (extensions) =>
    pick({ properties: ['openFile'], filters: [{ name: extensions[0].toUpperCase(), extensions: [...extensions] }] }),
  pickSavePath,
  documentAddress,
  openFile,
  showInFolder: (path) => shell.showItemInFolder(path),
  chooseFileAction: createFileMenus(speech),
  notify: createNotifier(show, speech),
  keepAwake: () => {
    const blocker = powerSaveBlocker.start('prevent-app-suspension');
    return () => void powerSaveBlocker.stop(blocker);
  },
  watchWake: (onWake) => {
    powerMonitor.on('resume', onWake);
    return () => powerMonitor.off('resume', onWake);
  },
  readMachine: readMachineSince(),
  ...electronParts(),
  updater: createDesktopUpdater(),
});

const readMachineSince = (): NonNullable<Host['readMachine']> => {
  const { read, forget } = createMachineReader();
  powerMonitor.on('on-ac', forget);
  powerMonitor.on('on-battery', forget);
  powerMonitor.on('resume', forget);
  return read;
};

/**
 * Returns the receiver for the redirect address `wanted`. Without `wanted`, returns the receiver of the app's scheme if
 * the operating system can pass the scheme's addresses to this app, otherwise a listener on loopback. RFC 8252 section
 * 7 allows both for native apps.
 */
const chooseRedirect = (
  wanted: string | undefined,
  options: HostOptions,
  scheme: SchemeRedirect,
  speech: () => Speech<'host'>,
): RedirectReceiver => {
  const isScheme = wanted === undefined ? canReceiveScheme(options) : isSchemeAddress(wanted);
  return isScheme
    ? scheme.receiver(wanted)
    : createLoopbackRedirect({ redirectUri: wanted, words: redirectWords(speech) });
};

/**
 * Opens `url` in the system browser. Only web addresses are accepted, because the shell may execute others (`file:`,
 * `ms-msdt:`, …). Errors: `auth/browser`.
 */
export const openInBrowser = async (url: string): Promise<void> => {
  const { protocol } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') throw new DeskError('auth/browser', 'not a web address');
  try {
    await shell.openExternal(url);
  } catch (cause) {
    throw new DeskError('auth/browser', 'the system browser cannot be opened', { cause });
  }
};

const pick = async (options: Electron.OpenDialogOptions): Promise<string | undefined> => {
  const window = presentWindow();
  const { filePaths } = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options));
  return filePaths[0];
};

const pickSavePath = async (name: string, extensions: readonly string[]): Promise<string | undefined> => {
  const filters = extensions.map((extension) => ({ name: extension.toUpperCase(), extensions: [extension] }));
  const options: Electron.SaveDialogOptions = { defaultPath: name, filters };
  const window = presentWindow();
  const { filePath } = await (window ? dialog.showSaveDialog(window, options) : dialog.showSaveDialog(options));
  return filePath || undefined;
};

const openFile = async (path: string): Promise<void> => {
  const problem = await shell.openPath(path);
  if (problem !== '')
    throw new DeskError('app/unsupported', 'the system has no program for this file', { details: { path } });
};

/** Opens `<home>/settings.json` with electron-store. Hosts without Electron open the same file with `conf`. */
const openSettings = (home: string): SettingsFile =>
  settingsFile(new Store({ cwd: home, name: 'settings', configFileMode: FILE_MODE, deserialize: parseSettings }));

/** How long to wait for a click after the menu has closed. The order of the two events differs between systems. */
const CLICK_MS = 1_000;

/**
 * Creates a function that shows a native menu. The function resolves to the chosen action, or to undefined if none is
 * chosen.
 */
const createFileMenus =
  (speech: () => Speech<'host'>): NonNullable<Host['chooseFileAction']> =>
  (actions, { x, y }) => {
    const chosen = Promise.withResolvers<FileAction | undefined>();
    const close = (): void => void setTimeout(() => chosen.resolve(undefined), CLICK_MS);
    const window = presentWindow();
    if (window === undefined) return Promise.resolve(undefined);
    const { t } = speech();
    const zoom = window.webContents.zoomFactor;
    Menu.buildFromTemplate(
      actions.map((action) => ({ label: t(`menu.${action}`), click: () => chosen.resolve(action) })),
    ).popup({ window, x: Math.round(x * zoom), y: Math.round(y * zoom), callback: close });
    return chosen.promise;
  };

/**
 * Creates a function that shows a notification, unless the app has the focus or the system has no notifications. A
 * click calls `show`, then `onOpen`.
 */
const createNotifier = (show: () => Promise<void>, speech: () => Speech<'host'>): NonNullable<Host['notify']> => {
  // A notification that is garbage-collected loses its click handler.
  const shown = new Set<Notification>();
  return (batches, onOpen) => {
    if (BrowserWindow.getFocusedWindow() !== null || !Notification.isSupported()) return;
    const notification = new Notification(uploadNotice(batches, speech()));
    shown.add(notification);
    notification.once('close', () => shown.delete(notification));
    notification.once('click', () => {
      shown.delete(notification);
      void show().then(onOpen);
    });
    notification.show();
  };
};
