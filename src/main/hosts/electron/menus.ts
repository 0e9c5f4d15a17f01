/** The menus of the app and of texts. */
import { app, Menu } from 'electron';
import type { Speech } from '../../../words/speech.ts';
import { presentWindow } from './electron-parts.ts';
import { contextTemplate, menuTemplate, type PageAction } from './menu-templates.ts';

export type MenuActions = {
  /** Brings the window to the front, with its page loaded. */
  readonly show: () => Promise<void>;
  readonly onAbout: () => void;
};

const isMac = process.platform === 'darwin';
const command = isMac ? 'meta' : 'control';

/** The keys for which the page does it. */
const keys: Readonly<Record<PageAction, readonly [key: string, modifier?: typeof command]>> = {
  newUpload: ['N', command],
  search: ['K', command],
  settings: [',', command],
  find: ['F', command],
  refresh: ['F5'],
  userGuide: ['F1'],
  shortcuts: ['?'],
};

/** Runs an action of the page as if its key had been pressed; the page has no other entry point. */
export const pressInPage = (action: PageAction): void => {
  const [keyCode, modifier] = keys[action];
  presentWindow()?.webContents.sendInputEvent({ type: 'keyDown', keyCode, modifiers: modifier ? [modifier] : [] });
};

/** Sets the application's menu. Only unpackaged builds have items for developers. */
export const setAppMenu = (speech: Speech<'host'>, { show, onAbout }: MenuActions): void => {
  const parts = {
    appName: app.name,
    isMac,
    isDeveloper: !app.isPackaged,
    onPage: (action: PageAction) => void show().then(() => pressInPage(action)),
    onAbout,
  };
  Menu.setApplicationMenu(Menu.buildFromTemplate([...menuTemplate(parts, speech)]));
};

/** Shows a menu for a right click in every window that opens from now on. */
export const showContextMenus = (speech: () => Speech<'host'>): void => {
  app.on('browser-window-created', (_event, window) => {
    window.webContents.on('context-menu', (_clicked, clicked) => {
      const template = contextTemplate(clicked, speech());
      if (template.length > 0) Menu.buildFromTemplate([...template]).popup({ window });
    });
  });
};
