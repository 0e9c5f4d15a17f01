/** The smallest menu that is right: on macOS copy and paste work only through it. */
import { app, BrowserWindow, Menu, type MenuItemConstructorOptions } from 'electron';

/** The page opens its help as if its key had been pressed: there is no other way into it from outside. */
const pressHelp = (): void => {
  const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
  window?.webContents.sendInputEvent({ type: 'keyDown', keyCode: 'F1' });
};

/** Sets the application's menu. Reload and DevTools are there in unpackaged builds only. */
export const setAppMenu = (): void => {
  const isMac = process.platform === 'darwin';
  const developer: readonly MenuItemConstructorOptions[] = app.isPackaged
    ? []
    : [{ role: 'reload', accelerator: 'CmdOrCtrl+Shift+R' }, { role: 'toggleDevTools' }, { type: 'separator' }];
  const template: MenuItemConstructorOptions[] = [
    isMac ? { role: 'appMenu' } : { role: 'fileMenu' },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [
        ...developer,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        {
          id: 'user-guide',
          label: 'User Guide',
          // The page itself answers to the key. Where the system would send it back to the menu it is not named.
          ...(isMac ? {} : { accelerator: 'F1', registerAccelerator: false }),
          click: pressHelp,
        },
      ],
    },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
};
