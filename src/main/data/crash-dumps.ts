/**
 * Crash dumps of the window's processes, in the data directory. Electron's crash reporter writes them and sends them nowhere. A dump
 * holds memory of the process, which may contain tokens, names of files and parts of documents.
 */
import { lstatSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { CrashDump } from '../../contract/doctor.ts';
import { makeHome } from './data-directory.ts';

/** The maximum number of dumps that are kept: enough to see whether crashes have one cause. Each takes one to some ten megabytes. */
export const KEPT_DUMPS = 5;

/** The folder of the dumps in the data directory `home`. */
export const crashFolder = (home: string): string => join(home, 'crashes');

/**
 * Creates the folder, and removes all dumps but the newest, each with its notes. Returns the folder. To be called by the only window
 * of `home`, before its crash reporter starts. Errors: `data/unwritable`.
 */
export const openCrashFolder = (home: string): string => {
  const folder = crashFolder(home);
  makeHome(folder);
  for (const { file } of readCrashDumps(home).slice(KEPT_DUMPS)) {
    const path = join(folder, file);
    const stem = basename(path, '.dmp');
    // A file that another program has open is removed at a later start.
    tryTo(() => {
      for (const name of readdirSync(dirname(path)).filter((one) => one.startsWith(`${stem}.`)))
        tryTo(() => rmSync(join(dirname(path), name), { force: true }));
    });
  }
  return folder;
};

/** The dumps, newest first. `file`: the path below the folder, with `/`. None if the folder cannot be read. */
export const readCrashDumps = (home: string): readonly CrashDump[] => {
  const folder = crashFolder(home);
  const dumps: CrashDump[] = [];
  tryTo(() => {
    // A link is not followed: the app's dumps are never behind one.
    if (!lstatSync(folder).isDirectory()) return;
    // Each system's reporter has folders of its own: completed, pending, reports.
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile() || !entry.name.endsWith('.dmp')) continue;
      // The reporter moves a dump when it is complete.
      tryTo(() => {
        const { mtimeMs, size } = statSync(path);
        dumps.push({ file: relative(folder, path).replaceAll('\\', '/'), atMs: Math.round(mtimeMs), sizeBytes: size });
      });
    }
  });
  return dumps.sort((one, other) => other.atMs - one.atMs);
};

const tryTo = (work: () => void): void => {
  try {
    work();
  } catch {
    // Without dumps the app works as well.
  }
};
