/**
 * The Node that runs the app's processes: this one or, on a machine that is not Windows, a Node for Windows that
 * INSPECTION_DESK_TEST_RUNTIME names, as a script around the real program. It sees absolute paths of this machine on its
 * drive Z:, and lies beside a folder `prefix` with its other drives.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Undefined: this one. */
export const otherRuntime = process.env.INSPECTION_DESK_TEST_RUNTIME || undefined;

/** Whether the app's processes run on Windows. */
export const onWindows = otherRuntime !== undefined || process.platform === 'win32';

/** A module of the repository as the app's processes load it: of its bundle (scripts/bundle-cli.mjs), or as it is. */
export const program = (path: string): string =>
  join(process.env.INSPECTION_DESK_TEST_BUNDLE || fileURLToPath(new URL('../../..', import.meta.url)), path);

/** An absolute path of this machine as the app's processes see it. */
export const seen = (path: string): string => (otherRuntime === undefined ? path : `Z:${path.replaceAll('/', '\\')}`);

/** Where `path` of the other runtime's own drives is on this machine: `dosdevices`, `drive_c/…`. */
export const inPrefix = (path: string): string => join(dirname(otherRuntime ?? ''), 'prefix', path);

/**
 * Ends the program `main` at once: the process that the script with the id `script` has started for it. Whether there was
 * one.
 */
export const endProgram = (script: number, main: string): boolean => {
  const id = childrenOf(script).find((child) => read(`/proc/${child}/cmdline`).includes(main));
  return id !== undefined && process.kill(id, 'SIGKILL');
};

const childrenOf = (id: number): readonly number[] =>
  (read(`/proc/${id}/task/${id}/children`).match(/\d+/g) ?? []).map(Number);

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process has ended.
    return '';
  }
};
