import Conf from 'conf';
import { FILE_MODE } from '../data/files.ts';
import { parseSettings, type SettingsFile } from './settings.ts';

/**
 * Opens `<home>/settings.json` with `conf`, for hosts without Electron. The desktop host writes the same file with
 * `electron-store`, which is built on `conf`.
 * @throws SyntaxError if the file is not JSON; the system's errors
 */
export const openConfSettings = (home: string): SettingsFile =>
  settingsFile(new Conf({ cwd: home, configName: 'settings', configFileMode: FILE_MODE, deserialize: parseSettings }));

export const settingsFile = (conf: Conf<Record<string, unknown>>): SettingsFile => ({
  read: () => conf.store,
  write: (settings) => {
    conf.store = { ...settings };
  },
});
