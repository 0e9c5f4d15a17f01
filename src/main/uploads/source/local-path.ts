/** Where the files of a batch are on this machine. */
import nodePath, { type PlatformPath } from 'node:path';

/**
 * The file at `path`, which the ledger keeps with `/`, below the folder `root`. On Windows in the form that takes
 * more than 260 characters, and names that Windows itself would read as devices.
 */
export const localPath = (root: string, path: string, system: PlatformPath = nodePath): string =>
  system.toNamespacedPath(system.join(root, path));
