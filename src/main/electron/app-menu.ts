/** The smallest menu that is right: on macOS copy and paste work only through it. */
import { app, Menu, type MenuItemConstructorOptions } from 'electron';

/** Sets the application's menu. Reload and DevTools are there in unpackaged builds only. */
export const setAppMenu = (): void => {
  const isMac = process.platform === 'darwin';
  const developer: readonly MenuItemConstructorOptions[] = app.isPackaged
    ? []
    : [{ role: 'reload' }, { role: 'toggleDevTools' }, { type: 'separator' }];
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
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
};
