/** The app's one window. */
import { app, BrowserWindow } from 'electron';
import { builtPath } from './built-path.ts';

const RELOAD_AGAIN_AFTER_MS = 60_000;

/** Brings the window to the front, or opens it on `address` where there is none. */
export const showDeskWindow = (address: string): void => {
  const [window] = BrowserWindow.getAllWindows();
  if (window === undefined) openDeskWindow(address);
  else if (window.isMinimized()) window.restore();
  else window.focus();
};

/** Hardened as far as Electron goes, and shown when its page has something to show. */
const openDeskWindow = (address: string): void => {
  const window = new BrowserWindow({
    title: app.name,
    width: 1200,
    height: 800,
    minWidth: 480,
    minHeight: 360,
    show: false,
    autoHideMenuBar: true,
    webPreferences: {
      preload: builtPath('preload/index.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      spellcheck: false,
      devTools: !app.isPackaged,
    },
  });
  window.once('ready-to-show', () => window.show());
  reloadAfterCrash(window);
  void window.loadURL(address);
};

/** A page that crashed is loaded once more; one that crashes again at once stays down rather than going in circles. */
const reloadAfterCrash = (window: BrowserWindow): void => {
  let reloadedAt = Number.NEGATIVE_INFINITY;
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || Date.now() - reloadedAt < RELOAD_AGAIN_AFTER_MS) return;
    reloadedAt = Date.now();
    window.webContents.reload();
  });
};
