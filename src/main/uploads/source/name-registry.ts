/**
 * Assigns the FileNames of an assignment during a scan. The registry is a temporary database: in the ledger, an index
 * of names in random order would have each of its pages written to disk over and over.
 */
import { DatabaseSync } from 'node:sqlite';
import type { NameTemplate, OnClash } from '../../../contract/uploads.ts';
import { fileNameCandidates, fileNameKey } from './file-names.ts';
import type { ScannedFile } from './scan.ts';

/**
 * A file with its FileName on the assignment. `isThere`: the file will be skipped, because the assignment has the same
 * content under that name, or because a running upload will have put it there. `clash`: the name that the file should
 * have is taken by other content. Unless the file is renamed, `fileName` is then the taken name.
 */
export type NamedFile = ScannedFile & { readonly fileName: string; readonly isThere?: true; readonly clash?: Clash };

/** A clash of FileNames. `with`: `this-upload` if the file that has the name belongs to this upload, else `earlier`. */
export type Clash = {
  /** The name that is taken. */
  readonly fileName: string;
  readonly with: 'this-upload' | 'earlier';
  /** The location of the file that has the name, if known. */
  readonly place?: Place | undefined;
  /** When the file that has the name was added to the assignment, in ms since 1970. */
  readonly addedAtMs?: number | undefined;
  /** What happens to the file. It is `replace` only if all files with the name were on the assignment before. */
  readonly onClash: OnClash;
};

/** A file on disk: the folder as the user chose it, and the file's path below that folder. */
type Place = { readonly root: string; readonly path: string };

/** A file that has a FileName: it is on the assignment, or another batch or an earlier folder has yet to upload it. */
export type Holder = {
  readonly fileName: string;
  readonly isThere: boolean;
  /** Whether the file belongs to the upload whose names are being assigned. */
  readonly isOwn?: boolean | undefined;
  /** Whether the file's upload runs, so that the file is sent without any action of a user. */
  readonly isExpected?: boolean | undefined;
  readonly addedAtMs?: number | undefined;
  /** Where the file is or was on disk. The three facts below are those of the version that has the name. */
  readonly place?: Place | undefined;
  readonly sizeBytes?: number | undefined;
  readonly modifiedMs?: number | undefined;
  readonly sha256?: string | undefined;
};

/** Returns the sha256 of a file on disk; undefined if the file has changed or no longer exists. */
export type ContentOf = (
  place: Place,
  facts: Pick<ScannedFile, 'sizeBytes' | 'modifiedMs'>,
) => Promise<string | undefined>;

export type NameRegistry = ReturnType<typeof createNameRegistry>;

/** What happens to the file at `path`, below the folder, if its name is taken by other content. */
export type OnClashOf = (path: string) => OnClash;

const rename: OnClashOf = () => 'rename';

/**
 * The memory for the registry. A larger registry also uses a temporary file, which SQLite deletes when it is closed.
 */
const CACHE_KIB = 8192;

/**
 * Creates an empty registry for files below `root`, named by `template`. `isSure`: contents are compared before a file
 * shares the name of an uploaded one, even if place, size and time are equal.
 */
export const createNameRegistry = (
  template: NameTemplate,
  root: string,
  contentOf: ContentOf,
  onClash: OnClashOf = rename,
  isSure = false,
) => {
  const db = new DatabaseSync('');
  // One transaction for the registry's whole life: a commit would write each changed page to the file.
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}; BEGIN;
    CREATE TABLE name (key TEXT PRIMARY KEY, path TEXT, size INT, modified REAL) STRICT, WITHOUT ROWID;
    CREATE TABLE known (path TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    CREATE TABLE holder (key TEXT, there INT, own INT, expected INT, added REAL, root TEXT, path TEXT, size INT, modified REAL,
      sha256 TEXT) STRICT;
    CREATE INDEX holder_by_key ON holder (key)`);
  const take = db.prepare('INSERT OR IGNORE INTO name VALUES (?, ?, ?, ?)');
  const takenBy = db.prepare('SELECT path FROM name WHERE key = ?');
  const know = db.prepare('INSERT INTO known VALUES (?)');
  const isKnown = db.prepare('SELECT 1 FROM known WHERE path = ?');
  const hold = db.prepare('INSERT INTO holder VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const holders = db.prepare('SELECT rowid, * FROM holder WHERE key = ?');
  const putContent = db.prepare('UPDATE holder SET sha256 = ? WHERE rowid = ?');
  const holdAll = db.prepare('INSERT INTO holder SELECT key, 0, 1, 1, NULL, ?, path, size, modified, NULL FROM name');
  /** Returns the sha256 of a file that has a name. The file is hashed once, although many files may want its name. */
  const contentOfHeld: ContentOfHeld = async ({ rowid, sha256, place, sizeBytes, modifiedMs }) => {
    if (sha256 !== undefined || !place || sizeBytes === undefined || modifiedMs === undefined) return sha256;
    const found = await contentOf(place, { sizeBytes, modifiedMs });
    if (found !== undefined && rowid !== undefined) putContent.run(found, rowid);
    return found;
  };
  let folder = root;
  let clashOf = onClash;

  const takeName = ({ path, sizeBytes, modifiedMs }: ScannedFile, fileName: string): void =>
    void take.run(fileNameKey(fileName), path, sizeBytes, modifiedMs);

  /** Names a file. `free`: the first of its candidates that no other file has. */
  const named = (file: ScannedFile, free: string, clash: Clash | undefined): NamedFile => {
    const fileName = clash === undefined || clash.onClash === 'rename' ? free : clash.fileName;
    if (clash?.onClash !== 'skip') takeName(file, fileName);
    return { ...file, fileName, ...(clash && { clash }) };
  };
  const nameOf = async (file: ScannedFile): Promise<NamedFile> => {
    const own = { root: folder, path: file.path };
    const content = lazily(() => contentOf(own, file));
    const candidates = fileNameCandidates(file.path, template);
    let clash: Clash | undefined;
    for (;;) {
      const name = candidates.next().value;
      const key = fileNameKey(name);
      const taken = takenBy.get(key);
      const held = taken
        ? [{ isThere: false, isOwn: true, isExpected: true, place: { root: folder, path: String(taken.path) } }]
        : holders.all(key).map(toHolder);
      // A free name ends the search: the same content would have got this name before any later candidate.
      if (held.length === 0) return named(file, name, clash);
      // A file that will be skipped, or will replace another, is compared only with files that are on the assignment.
      const rivals = held.filter(({ isThere }) => isThere || (clash?.onClash ?? 'rename') === 'rename');
      if (rivals.length > 0 && (await mayShare(rivals, own, file, content, contentOfHeld, isSure))) {
        takeName(file, name);
        const isThere = rivals.some((rival) => rival.isThere || rival.isExpected);
        return { ...file, fileName: name, ...(isThere && { isThere }) };
      }
      // Only the clash of the first candidate, the name that the file should have, decides what happens.
      clash ??= { fileName: name, ...clashWith(held, clashOf(file.path)) };
    }
  };

  return {
    /** Reserves the names of files on the assignment, and of files that other batches may upload. */
    reserve: (all: readonly Holder[]): void => {
      for (const { fileName, isThere, isOwn, isExpected, addedAtMs, place, sizeBytes, modifiedMs, sha256 } of all) {
        const states = [isThere ? 1 : 0, isOwn ? 1 : 0, isExpected ? 1 : 0];
        const facts = [place?.root ?? null, place?.path ?? null, sizeBytes ?? null, modifiedMs ?? null, sha256 ?? null];
        hold.run(fileNameKey(fileName), ...states, addedAtMs ?? null, ...facts);
      }
    },
    /** Continues with another folder of the upload. The names assigned so far stay reserved. */
    startFolder: (next: string, onClashNext = rename): void => {
      holdAll.run(folder);
      db.exec('DELETE FROM name; DELETE FROM known');
      folder = next;
      clashOf = onClashNext;
    },
    /** Adds planned files of the folder. `hasName` is false for a file that was skipped because its name was taken. */
    add: (files: readonly (NamedFile & { readonly hasName?: boolean })[]): void => {
      for (const file of files) {
        know.run(file.path);
        if (file.hasName ?? true) takeName(file, file.fileName);
      }
    },
    /**
     * Names the files that are not known yet, in order, and returns them. A file gets a taken name only if it is
     * skipped, replaces the other file, or has the same content as the other file.
     */
    assignNames: async (files: readonly ScannedFile[]): Promise<readonly NamedFile[]> => {
      const named: NamedFile[] = [];
      for (const file of files) if (!isKnown.get(file.path)) named.push(await nameOf(file));
      return named;
    },
    /** Remembers files of the folder that already have names, so that `assignNames` passes over them. */
    know: (files: readonly Pick<ScannedFile, 'path'>[]): void => {
      for (const { path } of files) know.run(path);
    },
    isKnown: ({ path }: Pick<ScannedFile, 'path'>): boolean => isKnown.get(path) !== undefined,
    close: (): void => db.close(),
  };
};

/** A file that has a name. `rowid`: its row in `holder`; absent for a file of the present folder. */
type Held = Omit<Holder, 'fileName'> & { readonly rowid?: number };

type ContentOfHeld = (held: Held) => Promise<string | undefined>;

const toHolder = (row: Readonly<Record<string, unknown>>): Held => ({
  rowid: Number(row.rowid),
  isThere: row.there === 1,
  isOwn: row.own === 1,
  isExpected: row.expected === 1,
  addedAtMs: numberIn(row.added),
  place: row.path === null ? undefined : { root: String(row.root), path: String(row.path) },
  sizeBytes: numberIn(row.size),
  modifiedMs: numberIn(row.modified),
  sha256: row.sha256 === null ? undefined : String(row.sha256),
});

const numberIn = (column: unknown): number | undefined => (column === null ? undefined : Number(column));

/** Describes the clash with the files in `held` by one of them, preferably one of the same upload. */
const clashWith = (held: readonly Held[], onClash: OnClash): Omit<Clash, 'fileName'> => {
  const own = held.find(({ isOwn }) => isOwn);
  const { place, addedAtMs } = own ?? held.find(({ isThere }) => isThere) ?? held[0] ?? {};
  const isReplaceable = held.every(({ isThere, isOwn }) => isThere && !isOwn);
  return {
    with: own ? 'this-upload' : 'earlier',
    place,
    addedAtMs,
    onClash: onClash === 'replace' && !isReplaceable ? 'rename' : onClash,
  };
};

/** Whether a file can share its name with the files in `held`. If some are on the assignment, only those decide. */
const mayShare = async (
  held: readonly Held[],
  own: Place,
  file: ScannedFile,
  content: () => Promise<string | undefined>,
  contentOfHeld: ContentOfHeld,
  isSure: boolean,
): Promise<boolean> => {
  const isSamePlace = ({ place }: Held): boolean => place?.root === own.root && place.path === own.path;
  const isSame = async (holder: Held): Promise<boolean> => {
    const { isThere, sizeBytes, modifiedMs } = holder;
    if (isSamePlace(holder) && !isThere) return true;
    if (sizeBytes !== file.sizeBytes) return false;
    if (isSamePlace(holder) && !isSure && modifiedMs === file.modifiedMs) return true;
    const known = await contentOfHeld(holder);
    return known !== undefined && known === (await content());
  };
  const there = held.filter(({ isThere }) => isThere);
  // One equal file on the assignment is enough. Files that have yet to arrive must all be equal, because any of them
  // may arrive last.
  const [deciding, decisive] = there.length > 0 ? [there, true] : [held, false];
  for (const holder of deciding) if ((await isSame(holder)) === decisive) return decisive;
  return !decisive;
};

const lazily = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
};
