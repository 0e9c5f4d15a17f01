import { app, BrowserWindow, Menu } from 'electron';
import type { Speech } from '../../../words/speech/speech.ts';
import { menuTemplate } from './menu-template.ts';

/** Opens the page's help by sending it the key, since the page has no other way in. */
const pressHelp = (): void => {
  const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
  window?.webContents.sendInputEvent({ type: 'keyDown', keyCode: 'F1' });
};

/** Sets the application's menu. Only unpackaged builds have items for developers. */
export const setAppMenu = (speech: Speech<'host'>): void => {
  const isMac = process.platform === 'darwin';
  const parts = { appName: app.name, isMac, isDeveloper: !app.isPackaged, onUserGuide: pressHelp };
  Menu.setApplicationMenu(Menu.buildFromTemplate([...menuTemplate(parts, speech)]));
};
