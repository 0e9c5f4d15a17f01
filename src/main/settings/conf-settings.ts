import Conf from 'conf';
import { FILE_MODE } from '../data/files.ts';
import type { SettingsFile } from './settings.ts';

/**
 * `<home>/settings.json` by `conf`, for hosts without Electron: the same file that
 * `electron-store({ cwd: home, name: 'settings' })`, which is built on it, writes in the desktop host.
 * @throws SyntaxError if the file is not JSON
 */
export const openConfSettings = (home: string): SettingsFile => {
  const conf = new Conf({ cwd: home, configName: 'settings', configFileMode: FILE_MODE });
  return {
    read: () => conf.store,
    write: (settings) => {
      conf.store = { ...settings };
    },
  };
};
