// @ts-check
/**
 * Finds the Electron to run. Runs on plain Node 18 without dependencies, because `setup.mjs` uses it before a
 * dependency is installed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packageFolder = fileURLToPath(new URL('../node_modules/electron/', import.meta.url));

/** @type {Readonly<Partial<Record<NodeJS.Platform, string>>>} */
const executables = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' };

/** The first Electron whose Node has `node:sqlite`. Older ones are only for tests. */
const OLDEST_FOR_THE_APP = 35;

const oldElectron = fileURLToPath(new URL('./old-electron/electron.sh', import.meta.url));

/** @param {string} file */
const readIfThere = (file) => (existsSync(file) ? readFileSync(file, 'utf8').trim().replace(/^v/, '') : undefined);

/** Returns the version of Electron that the project uses; undefined if its package is not installed. */
export const wantedElectron = () => {
  const manifest = readIfThere(join(packageFolder, 'package.json'));
  return manifest === undefined ? undefined : String(JSON.parse(manifest).version);
};

/**
 * Finds an Electron on this machine: the one that ELECTRON_OVERRIDE_DIST_PATH names (as for Electron's own package).
 * Without the variable, it is the downloaded one, if that is complete and of the wanted version. Electron's package is
 * not asked for the path, because it would download a missing Electron.
 *
 * @returns {{ readonly path: string, readonly version: string, readonly isOld: boolean } | undefined}
 */
export const findElectron = () => {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const folder = override || join(packageFolder, 'dist');
  const path = join(folder, executables[process.platform] ?? 'electron');
  const version = readIfThere(join(folder, 'version'));
  if (version === undefined || !existsSync(path)) return undefined;
  if (!override && version !== wantedElectron()) return undefined;
  const isOld = Number.parseInt(version, 10) < OLDEST_FOR_THE_APP;
  return { path: isOld ? oldElectron : path, version, isOld };
};

/** Whether Chromium has to run without its sandbox, because the sandbox refuses to run as root on Linux. */
export const isWithoutSandbox = () => process.platform === 'linux' && process.getuid?.() === 0;
