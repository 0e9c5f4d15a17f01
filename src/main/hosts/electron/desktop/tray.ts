/** The icon in the notification area or the menu bar. */
import { join } from 'node:path';
import { app, Menu, type NativeImage, nativeImage, Tray } from 'electron';
import type { Speech } from '../../../../words/speech/speech.ts';
import type { DesktopStatus } from './desktop-status.ts';
import { type TrayActions, type TrayIcon, trayIcon, trayTemplate, trayText } from './tray-template.ts';

type DesktopTray = {
  /** Shows the icon for `status`, or takes it away. */
  readonly show: (status: DesktopStatus | undefined, speech: Speech<'host'>) => void;
  readonly isShown: () => boolean;
};

/** A tray without an icon. */
export const createDesktopTray = (actions: TrayActions): DesktopTray => {
  let tray: Tray | undefined;
  let shown = '';
  return {
    isShown: () => tray !== undefined,
    show: (status, speech) => {
      if (status === undefined) {
        tray?.destroy();
        tray = undefined;
        shown = '';
        return;
      }
      const template = trayTemplate(app.name, status, actions, speech);
      // A menu that is open closes when another one is set.
      const now = JSON.stringify([trayIcon(status), template]);
      if (now === shown) return;
      shown = now;
      const image = imageOf(trayIcon(status));
      if (tray === undefined) {
        tray = new Tray(image);
        // On Windows a click opens the app, the other button the menu; elsewhere any click opens the menu.
        if (process.platform === 'win32') tray.on('click', actions.onOpen);
      } else tray.setImage(image);
      tray.setToolTip(`${app.name}\n${trayText(status, speech)}`);
      tray.setContextMenu(Menu.buildFromTemplate([...template]));
    },
  };
};

/** `build/tray`, in the colours of the app; on macOS the system colours the shape. */
const imageOf = (icon: TrayIcon): NativeImage => {
  const isMac = process.platform === 'darwin';
  const image = nativeImage.createFromPath(
    join(app.getAppPath(), 'build', 'tray', `${icon}${isMac ? 'Template' : ''}.png`),
  );
  image.setTemplateImage(isMac);
  return image;
};
