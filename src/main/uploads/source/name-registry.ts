/**
 * The FileNames of an assignment while a folder is read: which are taken, and which files have theirs already. In a
 * temporary database of its own: an index of random words, kept for a while, would cost the ledger more than all the
 * rest of a file does, for each of its pages would be written to disk over and over.
 */
import { DatabaseSync } from 'node:sqlite';
import type { NameTemplate } from '../../../contract/names.ts';
import type { NamedFile } from '../ledger/items.ts';
import { fileNameCandidates, fileNameKey } from './file-names.ts';
import type { ScannedFile } from './scan.ts';

/** A file on disk: its folder, as chosen, and its path below it. */
export type Place = { readonly root: string; readonly path: string };

/** Who has a FileName: a file that is on the assignment, or one that another upload is going to bring there. */
export type Holder = {
  readonly fileName: string;
  readonly isThere: boolean;
  /** Where it came from, and how it was then; absent: it was not uploaded here. */
  readonly place?: Place | undefined;
  readonly sizeBytes?: number | undefined;
  readonly modifiedMs?: number | undefined;
  readonly sha256?: string | undefined;
};

/** sha256 of a file on disk, if it is there as it was. */
export type ContentOf = (
  place: Place,
  facts: Pick<ScannedFile, 'sizeBytes' | 'modifiedMs'>,
) => Promise<string | undefined>;

export type NameBook = {
  /** Names that other uploads, or files on the assignment, have. */
  readonly hold: (holders: readonly Holder[]) => void;
  /** From now on files below `root` are named, for another upload: those named so far hold their names. */
  readonly begin: (root: string) => void;
  /** Files of this upload that have their names already. */
  readonly know: (files: readonly NamedFile[]) => void;
  /**
   * Gives every file that is not known its name, in order. A name that is taken is given to nothing but the same
   * content, which is then not sent again.
   */
  readonly name: (files: readonly ScannedFile[]) => Promise<readonly NamedFile[]>;
  readonly close: () => void;
};

/** More than this goes to a file of the system's temporary folder, which is gone with the book. */
const CACHE_KIB = 32 * 1024;

/** A book without names, for names made by `template` of files below `root`. */
export const createNameBook = (template: NameTemplate, root: string, contentOf: ContentOf): NameBook => {
  const db = new DatabaseSync('');
  // One transaction for the book's whole life: a commit would write every page that it touched to the file.
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}; BEGIN;
    CREATE TABLE name (key TEXT PRIMARY KEY, path TEXT, size INT, modified REAL) STRICT, WITHOUT ROWID;
    CREATE TABLE known (path TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    CREATE TABLE holder (key TEXT, there INT, root TEXT, path TEXT, size INT, modified REAL, sha256 TEXT) STRICT;
    CREATE INDEX holder_by_key ON holder (key)`);
  const take = db.prepare('INSERT OR IGNORE INTO name VALUES (?, ?, ?, ?)');
  const isTaken = db.prepare('SELECT 1 FROM name WHERE key = ?');
  const know = db.prepare('INSERT INTO known VALUES (?)');
  const isKnown = db.prepare('SELECT 1 FROM known WHERE path = ?');
  const hold = db.prepare('INSERT INTO holder VALUES (?, ?, ?, ?, ?, ?, ?)');
  const holders = db.prepare('SELECT * FROM holder WHERE key = ?');
  const holdAll = db.prepare('INSERT INTO holder SELECT key, 0, ?, path, size, modified, NULL FROM name');
  let folder = root;
  /** Most assignments are empty: then a name costs one statement. */
  let isHeld = false;

  const toHolder = (row: Readonly<Record<string, unknown>>): Omit<Holder, 'fileName'> => ({
    isThere: row.there === 1,
    place: typeof row.path === 'string' ? { root: String(row.root), path: row.path } : undefined,
    sizeBytes: typeof row.size === 'number' ? row.size : undefined,
    modifiedMs: typeof row.modified === 'number' ? row.modified : undefined,
    sha256: typeof row.sha256 === 'string' ? row.sha256 : undefined,
  });

  const tryTake = ({ path, sizeBytes, modifiedMs }: ScannedFile, key: string): boolean =>
    take.run(key, path, sizeBytes, modifiedMs).changes === 1;

  const nameOf = async (file: ScannedFile): Promise<NamedFile> => {
    const own = { root: folder, path: file.path };
    const content = lazily(() => contentOf(own, file));
    for (const name of fileNameCandidates(file.path, template)) {
      const key = fileNameKey(name);
      const held = isHeld && !isTaken.get(key) ? holders.all(key).map(toHolder) : [];
      if (held.length > 0 && !(await mayShare(held, own, file, content, contentOf))) continue;
      if (tryTake(file, key)) return { ...file, fileName: name };
    }
    throw new Error('there is always another name');
  };

  return {
    hold: (all) => {
      for (const { fileName, isThere, place, sizeBytes, modifiedMs, sha256 } of all) {
        const facts = [place?.root ?? null, place?.path ?? null, sizeBytes ?? null, modifiedMs ?? null, sha256 ?? null];
        hold.run(fileNameKey(fileName), isThere ? 1 : 0, ...facts);
        isHeld = true;
      }
    },
    begin: (next) => {
      if (holdAll.run(folder).changes !== 0) isHeld = true;
      db.exec('DELETE FROM name; DELETE FROM known');
      folder = next;
    },
    know: (files) => {
      for (const file of files) {
        know.run(file.path);
        tryTake(file, fileNameKey(file.fileName));
      }
    },
    name: async (files) => {
      const named: NamedFile[] = [];
      for (const file of files) if (!isKnown.get(file.path)) named.push(await nameOf(file));
      return named;
    },
    close: () => db.close(),
  };
};

type Held = Omit<Holder, 'fileName'>;

/**
 * Whether a file may have the name that `held` have. What is on the assignment decides, where something is; of a file
 * that is still to come, another upload of the very same file may be at work: whichever is second finds it there.
 */
const mayShare = async (
  held: readonly Held[],
  own: Place,
  file: ScannedFile,
  content: () => Promise<string | undefined>,
  contentOf: ContentOf,
): Promise<boolean> => {
  const isSamePlace = ({ place }: Held): boolean => place?.root === own.root && place.path === own.path;
  const isSame = async (holder: Held): Promise<boolean> => {
    if (isSamePlace(holder) && (!holder.isThere || holder.modifiedMs === file.modifiedMs))
      return !holder.isThere || holder.sizeBytes === file.sizeBytes;
    const { place, sizeBytes, modifiedMs, sha256 } = holder;
    if (sizeBytes !== file.sizeBytes) return false;
    const known =
      sha256 ?? (place && modifiedMs !== undefined ? await contentOf(place, { sizeBytes, modifiedMs }) : undefined);
    return known !== undefined && known === (await content());
  };
  const there = held.filter(({ isThere }) => isThere);
  for (const holder of there) if (await isSame(holder)) return true;
  if (there.length > 0) return false;
  for (const holder of held) if (!(await isSame(holder))) return false;
  return true;
};

const lazily = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= work();
    return answer;
  };
};
