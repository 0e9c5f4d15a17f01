/** The app's one window. */
import { once } from 'node:events';
import { app, BrowserWindow, nativeTheme, screen, systemPreferences } from 'electron';
import { debounce } from 'es-toolkit';
import type { Spoken } from '../../../words/languages.ts';
import { steadyNow } from '../../async/clock.ts';
import { builtPath } from './electron-parts.ts';
import {
  backgroundOf,
  frameOf,
  openingFor,
  overlayOf,
  type SystemLook,
  titleBarOf,
  type WindowState,
} from './window-state.ts';

const RELOAD_AGAIN_AFTER_MS = 60_000;
/** Chromium's net::ERR_ABORTED. */
const ABORTED = -3;

type DeskWindow = {
  /** The address of the page. */
  readonly address: string;
  /** The language at the start. */
  readonly spoken: Spoken;
  readonly platform: NodeJS.Platform;
  /** The remembered state, which is parsed. */
  readonly state: unknown;
  readonly remember: (state: WindowState) => void;
  /** Called with each window that is opened. */
  readonly onOpen: (window: BrowserWindow) => void;
};

/** Brings the window to the front, or opens it. Resolves when its page has loaded. */
export const showDeskWindow = async (parts: DeskWindow): Promise<void> => {
  const [window] = BrowserWindow.getAllWindows();
  if (window === undefined) return openDeskWindow(parts);
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
  if (window.webContents.isLoading()) await once(window.webContents, 'did-stop-loading');
};

/** With all of Electron's hardening, and shown once its page has rendered. */
const openDeskWindow = async ({ address, spoken, platform, state, remember, onOpen }: DeskWindow): Promise<void> => {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id);
  const { bounds, maximized } = openingFor(
    state,
    [primary, ...others].map(({ workArea }) => workArea),
  );
  const look = systemLook(platform);
  const window = new BrowserWindow({
    title: app.name,
    ...bounds,
    minWidth: 480,
    minHeight: 360,
    show: false,
    autoHideMenuBar: true,
    backgroundColor: backgroundOf(look),
    ...titleBarOf(platform, look),
    webPreferences: {
      preload: builtPath('preload/index.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      // Chromium's PDF viewer, the only plugin.
      plugins: true,
      spellcheck: false,
      devTools: !app.isPackaged,
    },
  });
  window.once('ready-to-show', () => (maximized ? window.maximize() : window.show()));
  keepWindowState(window, remember);
  onOpen(window);
  followLook(window, platform);
  reloadAfterCrash(window);
  stayAtPage(window, address);
  const frame = frameOf(platform);
  const query = new URLSearchParams({ language: spoken, ...(frame && { frame }) });
  void window.loadURL(`${address}?${query}`);
  await once(window.webContents, 'did-stop-loading');
};

const followLook = (window: BrowserWindow, platform: NodeJS.Platform): void => {
  const follow = (): void => {
    const look = systemLook(platform);
    window.setBackgroundColor(backgroundOf(look));
    if (frameOf(platform) === 'windows') window.setTitleBarOverlay(overlayOf(look));
  };
  nativeTheme.on('updated', follow);
  window.once('closed', () => nativeTheme.off('updated', follow));
};

/** Chromium navigates to about:blank or an error page without asking; the window then returns to the app. */
const stayAtPage = (window: BrowserWindow, address: string): void => {
  const comeBack = (url: string): void => {
    if (!url.startsWith(address)) void window.loadURL(address);
  };
  window.webContents.on('did-navigate', (_event, url) => comeBack(url));
  window.webContents.on('did-fail-load', (_event, code, _text, url, isMainFrame) => {
    // A navigation refused before it began has not left the page.
    if (isMainFrame && code !== ABORTED) comeBack(url);
  });
};

/** Reloads a crashed page once. A page that crashes again immediately is not reloaded, to avoid a loop. */
const reloadAfterCrash = (window: BrowserWindow): void => {
  let reloadedAt = Number.NEGATIVE_INFINITY;
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || steadyNow() - reloadedAt < RELOAD_AGAIN_AFTER_MS) return;
    reloadedAt = steadyNow();
    window.webContents.reload();
  });
};

const SETTLED_MS = 500;

/** Passes the position of `window` to `remember` once it has settled, and when it is closed. */
const keepWindowState = (window: BrowserWindow, remember: (state: WindowState) => void): void => {
  const tell = (): void => {
    soon.cancel();
    // Full screen is not remembered.
    remember({ ...window.getNormalBounds(), maximized: window.isMaximized() });
  };
  const soon = debounce(tell, SETTLED_MS);
  // One call per event, since the types have one overload per name.
  window.on('resize', soon);
  window.on('move', soon);
  window.on('maximize', soon);
  window.on('unmaximize', soon);
  window.on('close', tell);
};

/** The look of the system, with the app's own choice of light or dark. */
const systemLook = (platform: NodeJS.Platform): SystemLook => ({
  dark: nativeTheme.shouldUseDarkColors,
  ...(platform === 'win32' && nativeTheme.shouldUseHighContrastColors
    ? { forced: { window: systemPreferences.getColor('window'), text: systemPreferences.getColor('window-text') } }
    : {}),
});
