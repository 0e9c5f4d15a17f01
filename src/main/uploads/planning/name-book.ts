/**
 * The FileNames of a batch while its folder is read: which are taken, and which files have theirs already. In a
 * temporary database of its own: an index of random words, kept for a while, would cost the ledger more than all the
 * rest of a file does, for each of its pages would be written to disk over and over.
 */
import { DatabaseSync } from 'node:sqlite';
import type { NameTemplate } from '../../../contract/names.ts';
import type { NamedFile } from '../ledger/items.ts';
import { fileNameCandidates, fileNameKey } from './file-names.ts';
import type { ScannedFile } from './scan.ts';

export type NameBook = {
  /** Files that have their names already. */
  readonly know: (files: readonly Pick<NamedFile, 'path' | 'fileName'>[]) => void;
  /** Gives every file that is not known its name, in order. */
  readonly name: (files: readonly ScannedFile[]) => readonly NamedFile[];
  readonly close: () => void;
};

/** More than this goes to a file of the system's temporary folder, which is gone with the book. */
const CACHE_KIB = 32 * 1024;

/** A book without names, for names made by `template`. */
export const createNameBook = (template: NameTemplate): NameBook => {
  const db = new DatabaseSync('');
  // One transaction for the book's whole life: a commit would write every page that it touched to the file.
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}; BEGIN;
    CREATE TABLE name (key TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    CREATE TABLE known (path TEXT PRIMARY KEY) STRICT, WITHOUT ROWID`);
  const take = db.prepare('INSERT OR IGNORE INTO name VALUES (?)');
  const know = db.prepare('INSERT INTO known VALUES (?)');
  const isKnown = db.prepare('SELECT 1 FROM known WHERE path = ?');

  const freeName = (path: string): string => {
    for (const name of fileNameCandidates(path, template)) if (take.run(fileNameKey(name)).changes === 1) return name;
    throw new Error('there is always another name');
  };

  return {
    know: (files) => {
      for (const { path, fileName } of files) {
        know.run(path);
        take.run(fileNameKey(fileName));
      }
    },
    name: (files) =>
      files.filter(({ path }) => !isKnown.get(path)).map((file) => ({ ...file, fileName: freeName(file.path) })),
    close: () => db.close(),
  };
};
