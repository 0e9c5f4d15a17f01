// @ts-check
/** Where the Electron to run is. Plain Node 18, no dependencies: `setup.mjs` uses it before any is installed. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packageFolder = fileURLToPath(new URL('../node_modules/electron/', import.meta.url));

/** @type {Readonly<Partial<Record<NodeJS.Platform, string>>>} */
const executables = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' };

/** Electron 35 is the first whose Node has `node:sqlite`. What is older is there for tests only. */
const OLDEST_FOR_THE_APP = 35;

/** Starts an Electron that is too old for the app as it stands. */
const oldElectron = fileURLToPath(new URL('./old-electron/electron.sh', import.meta.url));

/** @param {string} file */
const readIfThere = (file) => (existsSync(file) ? readFileSync(file, 'utf8').trim().replace(/^v/, '') : undefined);

/** The version of Electron the project asks for. */
export const wantedElectron = () => {
  const manifest = readIfThere(join(packageFolder, 'package.json'));
  return manifest === undefined ? undefined : String(JSON.parse(manifest).version);
};

/**
 * The Electron on this machine: the one that Electron's own ELECTRON_OVERRIDE_DIST_PATH names, else the
 * downloaded one, if it is complete and of the wanted version. Electron's package would download it when asked.
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

/** Chromium's own sandbox refuses to run as root on Linux. */
export const isWithoutSandbox = () => process.platform === 'linux' && process.getuid?.() === 0;
