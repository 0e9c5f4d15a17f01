/**
 * The environment with which the program was started. Where Electron's fuse for Node's options is off, as in a release,
 * Electron takes NODE_EXTRA_CA_CERTS out of it before any script runs, although the app reads that file itself (net/trust.ts).
 * Linux keeps the environment of the start; Windows and macOS do not let a program read it.
 */
import { readFileSync } from 'node:fs';

const EXTRA_AUTHORITIES = 'NODE_EXTRA_CA_CERTS';

/** Puts NODE_EXTRA_CA_CERTS back into `environment`, from the `start` of the process as Linux keeps it. */
export const restoreExtraAuthorities = (environment = process.env, start = '/proc/self/environ'): void => {
  if (environment[EXTRA_AUTHORITIES] !== undefined) return;
  const value = variablesIn(start).find((variable) => variable.startsWith(`${EXTRA_AUTHORITIES}=`));
  if (value !== undefined) environment[EXTRA_AUTHORITIES] = value.slice(EXTRA_AUTHORITIES.length + 1);
};

const variablesIn = (path: string): readonly string[] => {
  try {
    return readFileSync(path, 'utf8').split('\0');
  } catch {
    // Another system, or one that hides it.
    return [];
  }
};
