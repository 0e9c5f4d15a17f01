/** Starting the app, without its window, when the person signs in to the computer. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import { appId } from '../../shared/host-options.ts';
import { autostartEntry, autostartFolder, hiddenOption } from './autostart-entry.ts';

/** Makes the system start the app at sign-in, or not. Nothing is changed where it is so already. */
export const startAtSignIn = (wanted: boolean): void => {
  // Unpackaged, the system would start Electron without the app.
  if (!app.isPackaged) return;
  if (process.platform === 'linux') writeEntry(wanted);
  // Setting it again would undo what the person chose in the system's own list.
  else if (app.getLoginItemSettings({ args: [hiddenOption] }).openAtLogin !== wanted)
    app.setLoginItemSettings({ openAtLogin: wanted, args: [hiddenOption] });
};

/** Whether the system started the app at sign-in; macOS passes no options. */
export const wasStartedAtSignIn = (): boolean =>
  process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;

const writeEntry = (wanted: boolean): void => {
  const folder = autostartFolder(process.env);
  const path = join(folder, `${appId}.desktop`);
  if (!wanted) {
    rmSync(path, { force: true });
    return;
  }
  mkdirSync(folder, { recursive: true });
  // An AppImage runs from a place that is different each time.
  writeFileSync(path, autostartEntry(app.name, process.env.APPIMAGE ?? process.execPath));
};
