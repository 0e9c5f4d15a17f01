/**
 * The FileNames of an assignment while a folder is scanned: which names are taken, and which files already have theirs.
 * They are kept in a temporary database: in the ledger, an index of random words would cost more than all the rest of a
 * file, because each of its pages would be written to disk over and over.
 */
import { DatabaseSync } from 'node:sqlite';
import type { NameTemplate } from '../../../contract/names.ts';
import { fileNameCandidates, fileNameKey } from './file-names.ts';
import type { ScannedFile } from './scan.ts';

/** A file with the name it gets on its assignment. */
export type NamedFile = ScannedFile & { readonly fileName: string };

/** A file on disk: its folder, as chosen, and its path below it. */
export type Place = { readonly root: string; readonly path: string };

/** A file that has a FileName: one on the assignment, or one that another upload is going to put there. */
export type Holder = {
  readonly fileName: string;
  readonly isThere: boolean;
  /** Where it was uploaded from, and how it was then; absent: it was not uploaded here. */
  readonly place?: Place | undefined;
  readonly sizeBytes?: number | undefined;
  readonly modifiedMs?: number | undefined;
  readonly sha256?: string | undefined;
};

/** sha256 of a file on disk, if it is still there unchanged. */
export type ContentOf = (
  place: Place,
  facts: Pick<ScannedFile, 'sizeBytes' | 'modifiedMs'>,
) => Promise<string | undefined>;

export type NameRegistry = {
  /** Reserves names of files on the assignment and of other uploads. */
  readonly reserve: (holders: readonly Holder[]) => void;
  /** Starts another upload, of the files below `root`. The names assigned so far stay reserved. */
  readonly startFolder: (root: string) => void;
  /** Adds files of this upload that already have their names. */
  readonly add: (files: readonly NamedFile[]) => void;
  /**
   * Assigns a name to each file that does not have one yet, in order. A name that is taken is only assigned to a file
   * with the same content, which is then skipped.
   */
  readonly assignNames: (files: readonly ScannedFile[]) => Promise<readonly NamedFile[]>;
  readonly close: () => void;
};

/** Beyond this, SQLite uses a file in the system's temporary folder, which is deleted with the registry. */
const CACHE_KIB = 32 * 1024;

/** An empty registry for names made by `template` for files below `root`. */
export const createNameRegistry = (template: NameTemplate, root: string, contentOf: ContentOf): NameRegistry => {
  const db = new DatabaseSync('');
  // One transaction for the registry's whole life: a commit would write each changed page to the file.
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
  /** Most assignments are empty: then a name takes one statement. */
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
    reserve: (all) => {
      for (const { fileName, isThere, place, sizeBytes, modifiedMs, sha256 } of all) {
        const facts = [place?.root ?? null, place?.path ?? null, sizeBytes ?? null, modifiedMs ?? null, sha256 ?? null];
        hold.run(fileNameKey(fileName), isThere ? 1 : 0, ...facts);
        isHeld = true;
      }
    },
    startFolder: (next) => {
      if (holdAll.run(folder).changes !== 0) isHeld = true;
      db.exec('DELETE FROM name; DELETE FROM known');
      folder = next;
    },
    add: (files) => {
      for (const file of files) {
        know.run(file.path);
        tryTake(file, fileNameKey(file.fileName));
      }
    },
    assignNames: async (files) => {
      const named: NamedFile[] = [];
      for (const file of files) if (!isKnown.get(file.path)) named.push(await nameOf(file));
      return named;
    },
    close: () => db.close(),
  };
};

type Held = Omit<Holder, 'fileName'>;

/**
 * Whether a file may share its name with the files in `held`. Files on the assignment decide, if there are any. Another
 * upload may be about to send the very same file: the second of the two then finds it on the assignment and skips it.
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
