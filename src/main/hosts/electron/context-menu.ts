import { app, Menu } from 'electron';
import type { Speech } from '../../../words/speech/speech.ts';
import { contextTemplate } from './context-template.ts';

/** Shows a menu for a right click in every window that opens from now on. */
export const showContextMenus = (speech: () => Speech<'host'>): void => {
  app.on('browser-window-created', (_event, window) => {
    window.webContents.on('context-menu', (_clicked, clicked) => {
      const template = contextTemplate(clicked, speech());
      if (template.length > 0) Menu.buildFromTemplate([...template]).popup({ window });
    });
  });
};
