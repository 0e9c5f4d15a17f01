/**
 * The Node that runs the app's processes. Usually it is the Node that runs the tests. On a machine without Windows,
 * INSPECTION_DESK_TEST_RUNTIME can name a Node for Windows, as a script that starts the real program. That Node sees
 * this machine's absolute paths on its drive Z:. Next to the script is a folder `prefix` with the other drives of that
 * Node.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Undefined: the app's processes run on the Node that runs the tests. */
export const otherRuntime = process.env.INSPECTION_DESK_TEST_RUNTIME || undefined;

export const onWindows = otherRuntime !== undefined || process.platform === 'win32';

/**
 * The path of a module as the app's processes load it: from its bundle (scripts/bundle-cli.mjs), or from the
 * repository.
 */
export const program = (path: string): string =>
  join(process.env.INSPECTION_DESK_TEST_BUNDLE || fileURLToPath(new URL('../../..', import.meta.url)), path);

/** Converts an absolute path of this machine into the path that the app's processes see. */
export const seen = (path: string): string => (otherRuntime === undefined ? path : `Z:${path.replaceAll('/', '\\')}`);

/** The path on this machine of `path` in the folder of the other runtime's drives: `dosdevices`, `drive_c/…`. */
export const inPrefix = (path: string): string => join(dirname(otherRuntime ?? ''), 'prefix', path);

/**
 * Kills the process with the program `main` that the script with the id `script` has started. Returns whether there was
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
