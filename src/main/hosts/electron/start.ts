/** Reads the arguments of the program, and restores the part of the environment that Electron removes. */
import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { attempt } from 'es-toolkit/util/attempt';
import { registryText } from '../../settings/policy/read-policy.ts';

/** The switches of Chromium that build/linux/inspection-desk.sh puts before all other arguments. */
const LAUNCHER_SWITCH = /^--(log-level|ozone-platform)=/;

/** Returns the app's own arguments. In an unpackaged app, they follow Electron's options and the app's folder. */
export const programArgs = (argv: readonly string[], isPackaged: boolean): readonly string[] => {
  const args = argv.slice(1);
  const first = isPackaged
    ? args.findIndex((arg) => !LAUNCHER_SWITCH.test(arg))
    : args.findIndex((arg) => !arg.startsWith('-')) + 1;
  return first < 0 ? [] : args.slice(first);
};

/**
 * Returns the path of the AppImage that this program runs from; undefined if it runs from none. The program of an
 * AppImage is mounted at another path each time. The variable `APPIMAGE` alone proves nothing: this program inherits it
 * if another AppImage started it.
 */
export const appImageOf = (execPath: string, { APPIMAGE, APPDIR }: NodeJS.ProcessEnv): string | undefined => {
  if (!APPIMAGE || !APPDIR) return undefined;
  // The path of a program has no links; the folder for temporary files, where an AppImage is mounted, may have some.
  const [, mounted] = attempt(() => realpathSync(APPDIR));
  return execPath.startsWith(`${mounted ?? APPDIR}/`) ? APPIMAGE : undefined;
};

type Program = { readonly isPackaged: boolean; readonly appPath: string };

/**
 * Returns the arguments that the system passes to an unpackaged app at `appPath` before an address of the app's scheme.
 * `homeArgs` make the app open the same data directory. Because of `--`, Chromium does not read any part of an address
 * as an option.
 */
export const handlerArgs = (appPath: string, homeArgs: readonly string[]): readonly string[] => [
  appPath,
  ...homeArgs,
  '--',
];

/**
 * Returns the program's arguments that precede those of a task or of a start at sign-in. `homeArgs` make the program
 * use this app's data directory.
 */
export const taskArgs = ({ isPackaged, appPath }: Program, homeArgs: readonly string[]): readonly string[] => [
  ...(isPackaged ? [] : [appPath]),
  ...homeArgs,
];

// If Electron's fuse for Node's options is off, as in a release, Electron removes NODE_EXTRA_CA_CERTS before any script
// runs, although the app itself reads the file that this variable names (net/trust.ts). Linux keeps the original
// environment. Windows and macOS do not, but they store the variables that are set for all programs of a user. A
// variable that is set only in a terminal cannot be restored on Windows and macOS.

const EXTRA_AUTHORITIES = 'NODE_EXTRA_CA_CERTS';

/** Reads a variable by its name on each system. Resolves to undefined or an empty text if the variable is not set. */
type Variables = Partial<Record<NodeJS.Platform, (name: string) => Promise<string | undefined>>>;

/** The keys are in order of precedence: values of the user override those of the computer. */
const REGISTRY_KEYS = [
  'HKEY_CURRENT_USER\\Environment',
  'HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment',
] as const;

const ofSystem: Variables = {
  linux: async (name) => {
    const variables = (await readFile('/proc/self/environ', 'utf8')).split('\0');
    return variables.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
  },
  win32: async (name) => {
    const [user, computer] = await Promise.all(REGISTRY_KEYS.map((key) => registryText(key, name)));
    return (user ?? computer)?.replace(/%([^%]+)%/g, (whole, other: string) => process.env[other] ?? whole);
  },
  darwin: async (name) => (await promisify(execFile)('/bin/launchctl', ['getenv', name])).stdout.trim(),
};

export const restoreExtraAuthorities = async (
  environment = process.env,
  platform = process.platform,
  variables = ofSystem,
): Promise<void> => {
  if (environment[EXTRA_AUTHORITIES] !== undefined) return;
  const value = await variables[platform]?.(EXTRA_AUTHORITIES).catch(() => undefined);
  if (value) environment[EXTRA_AUTHORITIES] = value;
};
