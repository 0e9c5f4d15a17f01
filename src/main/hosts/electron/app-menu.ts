import { app, BrowserWindow, Menu } from 'electron';
import type { Speech } from '../../../words/speech/speech.ts';
import { menuTemplate } from './menu-template.ts';

/** Has the page do what it does for a key, since it has no other way in. */
const press = (keyCode: string, modifiers: Electron.KeyboardInputEvent['modifiers'] = []): void => {
  const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
  window?.webContents.sendInputEvent({ type: 'keyDown', keyCode, modifiers: [...modifiers] });
};

/** Sets the application's menu. Only unpackaged builds have items for developers. */
export const setAppMenu = (speech: Speech<'host'>): void => {
  const isMac = process.platform === 'darwin';
  const parts = {
    appName: app.name,
    isMac,
    isDeveloper: !app.isPackaged,
    onNewUpload: () => press('N', [isMac ? 'meta' : 'control']),
    onUserGuide: () => press('F1'),
  };
  Menu.setApplicationMenu(Menu.buildFromTemplate([...menuTemplate(parts, speech)]));
};
