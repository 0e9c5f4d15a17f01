/** The menus of the app and of texts. */
import { app, Menu } from 'electron';
import type { PageAction } from '../../../contract/app.ts';
import type { Speech } from '../../../words/speech.ts';
import { contextTemplate, menuTemplate } from './menu-templates.ts';

export type MenuActions = {
  /** Brings the window to the front, and has its page perform the action. */
  readonly onPage: (action: PageAction) => void;
  readonly onAbout: () => void;
};

/** Sets the application's menu. Only unpackaged builds have items for developers. */
export const setAppMenu = (speech: Speech<'host'>, actions: MenuActions): void => {
  const isMac = process.platform === 'darwin';
  const parts = { appName: app.name, isMac, isDeveloper: !app.isPackaged, ...actions };
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
