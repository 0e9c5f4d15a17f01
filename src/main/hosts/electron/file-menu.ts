import { BrowserWindow, Menu } from 'electron';
import type { FileAction } from '../../../contract/files.ts';
import type { Speech } from '../../../words/speech/speech.ts';
import type { Host } from '../host.ts';

/** How long a click may arrive after its menu has closed: the order of the two differs between systems. */
const CLICK_MS = 1_000;

/** Native menus with the actions for a file, in the language of the app. */
export const createFileMenus =
  (speech: () => Speech<'host'>): NonNullable<Host['chooseFileAction']> =>
  (actions, { x, y }) => {
    const chosen = Promise.withResolvers<FileAction | undefined>();
    const close = (): void => void setTimeout(() => chosen.resolve(undefined), CLICK_MS);
    const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
    if (window === undefined) return Promise.resolve(undefined);
    const { t } = speech();
    const zoom = window.webContents.zoomFactor;
    Menu.buildFromTemplate(
      actions.map((action) => ({ label: t(`menu.${action}`), click: () => chosen.resolve(action) })),
    ).popup({ window, x: Math.round(x * zoom), y: Math.round(y * zoom), callback: close });
    return chosen.promise;
  };
