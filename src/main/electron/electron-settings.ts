import Store from 'electron-store';
import type { SettingsFile } from '../host.ts';

/** `<home>/settings.json` by electron-store: the very file that `conf` writes in the hosts without Electron. */
export const openSettings = (home: string): SettingsFile => {
  const store = new Store({ cwd: home, name: 'settings' });
  return {
    read: () => store.store,
    write: (settings) => {
      store.store = { ...settings };
    },
  };
};
