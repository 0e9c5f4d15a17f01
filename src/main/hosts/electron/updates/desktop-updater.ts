import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import { z } from 'zod';
import type { HostUpdater } from '../../../updates/updates.ts';
import { appImageOf } from '../start.ts';
import { createElectronUpdater } from './electron-updater.ts';
import { isSignedBy, Release, updateWay } from './release.ts';

/** Creates the updater of this installation. Returns the reason if the installation cannot update itself. */
export const createDesktopUpdater = (): HostUpdater => {
  const release = readRelease();
  const packageType = join(process.resourcesPath, 'package-type');
  const installed = updateWay({
    platform: process.platform,
    isPackaged: app.isPackaged,
    release,
    packageType: existsSync(packageType) ? readFileSync(packageType, 'utf8').trim() : undefined,
    appImage: appImageOf(process.execPath, process.env),
  });
  if ('off' in installed) return installed;
  const downloads = downloadFolder();
  const updater = createElectronUpdater({
    way: installed.way,
    app: {
      version: app.getVersion(),
      name: app.getName(),
      isPackaged: true,
      appUpdateConfigPath: join(process.resourcesPath, 'app-update.yml'),
      userDataPath: join(downloads, 'inspection-desk-updater'),
      baseCachePath: downloads,
      whenReady: () => app.whenReady(),
      relaunch: () => app.relaunch(),
      quit: () => app.quit(),
      // electron-updater must not install on quit: the app starts the installation itself.
      onQuit: () => {},
    },
    isTrusted: (path, version) => isSignedBy(release?.publisher ?? '', version, path),
  });
  return { ...updater, address: release?.updates, quit: () => app.quit() };
};

const Manifest = z.object({ release: Release.optional() });

/**
 * Reads `release`, if there is one, from the archive, which the program verifies at its start, not from a file next to
 * the archive.
 */
const readRelease = (): Release | undefined =>
  Manifest.parse(JSON.parse(readFileSync(join(app.getAppPath(), 'package.json'), 'utf8'))).release;

/** Returns the user's folder for files that can be downloaded again. */
const downloadFolder = (): string => {
  const home = app.getPath('home');
  switch (process.platform) {
    case 'win32':
      return process.env.LOCALAPPDATA ?? join(home, 'AppData', 'Local');
    case 'darwin':
      return join(home, 'Library', 'Caches');
    default:
      return process.env.XDG_CACHE_HOME ?? join(home, '.cache');
  }
};
