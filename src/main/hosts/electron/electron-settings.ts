import Store from 'electron-store';
import { FILE_MODE } from '../../data/data-directory.ts';
import type { SettingsFile } from '../../settings/settings.ts';

/** `<home>/settings.json` by electron-store: the very file that `conf` writes in the hosts without Electron. */
export const openSettings = (home: string): SettingsFile => {
  const store = new Store({ cwd: home, name: 'settings', configFileMode: FILE_MODE });
  return {
    read: () => store.store,
    write: (settings) => {
      store.store = { ...settings };
    },
  };
};
