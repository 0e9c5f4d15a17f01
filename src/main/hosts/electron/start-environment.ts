/**
 * The environment with which the program was started. Where Electron's fuse for Node's options is off, as in a release,
 * Electron takes NODE_EXTRA_CA_CERTS out of it before any script runs, although the app reads that file itself (net/trust.ts).
 * Linux keeps the environment of the start. Windows and macOS do not, but know the variables that are set for all programs of
 * a user; one that is set in a single terminal is lost there.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { registryText } from '../../settings/policy/windows-machine.ts';

const EXTRA_AUTHORITIES = 'NODE_EXTRA_CA_CERTS';

/** How each system is asked for a variable; undefined, or empty, if it is not set. */
export type Variables = Partial<Record<NodeJS.Platform, (name: string) => Promise<string | undefined>>>;

/** As the system itself has them: those of a user count before those of the computer. */
const REGISTRY_KEYS = [
  'HKCU\\Environment',
  'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment',
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

/** Puts NODE_EXTRA_CA_CERTS back into `environment`. A system that does not tell it changes nothing. */
export const restoreExtraAuthorities = async (
  environment = process.env,
  platform = process.platform,
  variables = ofSystem,
): Promise<void> => {
  if (environment[EXTRA_AUTHORITIES] !== undefined) return;
  const value = await variables[platform]?.(EXTRA_AUTHORITIES).catch(() => undefined);
  if (value) environment[EXTRA_AUTHORITIES] = value;
};
