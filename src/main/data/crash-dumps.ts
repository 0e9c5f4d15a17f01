/**
 * Crash dumps of the desktop app's processes, in the data directory. Electron's crash reporter writes them and uploads
 * none. A dump holds memory of the process, which may contain tokens, file names and parts of documents.
 */

import { lstatSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { attempt } from 'es-toolkit/util/attempt';
import type { CrashDump } from '../../contract/doctor.ts';
import { makeHome } from './data-directory.ts';

/**
 * The number of dumps that are kept: enough to see whether crashes have a common cause. A dump takes a few megabytes.
 */
export const KEPT_DUMPS = 5;

export const crashFolder = (home: string): string => join(home, 'crashes');

/**
 * Creates the folder and returns its path. Removes all dumps except the newest `KEPT_DUMPS`, each with its metadata
 * files. Dumps that cannot be removed stay. To be called by the only desktop app of `home`, before it starts the crash
 * reporter. Errors: `data/unwritable`.
 */
export const openCrashFolder = (home: string): string => {
  const folder = crashFolder(home);
  makeHome(folder);
  for (const { file } of readCrashDumps(home).slice(KEPT_DUMPS)) {
    const path = join(folder, file);
    const stem = basename(path, '.dmp');
    // On Windows a file that another program has open cannot be removed. The next start tries again.
    attempt(() => {
      for (const name of readdirSync(dirname(path)).filter((one) => one.startsWith(`${stem}.`)))
        attempt(() => rmSync(join(dirname(path), name), { force: true }));
    });
  }
  return folder;
};

/**
 * Lists the dumps, newest first. The list is empty if the folder cannot be read. `file`: the path relative to the
 * folder, separated by `/`.
 */
export const readCrashDumps = (home: string): readonly CrashDump[] => {
  const folder = crashFolder(home);
  const dumps: CrashDump[] = [];
  attempt(() => {
    // The app never creates the folder as a link. If it is a link, the files in it are not dumps of the app.
    if (!lstatSync(folder).isDirectory()) return;
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile() || !entry.name.endsWith('.dmp')) continue;
      // `attempt`, because the crash reporter may have moved this dump since the folder was read.
      attempt(() => {
        // `readdirSync` also follows links to folders. A file reached through such a link is not a dump of the app.
        if (realpathSync(path) !== join(realpathSync(folder), relative(folder, path))) return;
        const { mtimeMs, size } = statSync(path);
        dumps.push({ file: relative(folder, path).replaceAll('\\', '/'), atMs: Math.round(mtimeMs), sizeBytes: size });
      });
    }
  });
  return dumps.sort((one, other) => other.atMs - one.atMs);
};
