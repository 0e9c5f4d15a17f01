/**
 * The FileNames of an assignment during a scan: which names are taken, and which files already have one. They are in a
 * temporary database: in the ledger, an index of random words would cost more than the rest of a file's row, because
 * each of its pages would be written to disk over and over.
 */
import { DatabaseSync } from 'node:sqlite';
import type { NameTemplate, OnClash } from '../../../contract/uploads.ts';
import { fileNameCandidates, fileNameKey } from './file-names.ts';
import type { ScannedFile } from './scan.ts';

/**
 * A file with the name it gets on its assignment. `isThere`: its content has that name already, or will have it by the file's
 * turn, so it will not be sent. `clash`: the name it should have is taken by other content; a file that is skipped because of
 * it has the taken name.
 */
export type NamedFile = ScannedFile & { readonly fileName: string; readonly isThere?: true; readonly clash?: Clash };

/** `with`: whether the file that has the name belongs to this upload, or was on the assignment earlier. */
export type Clash = {
  /** The name that is taken. */
  readonly fileName: string;
  readonly with: 'this-upload' | 'earlier';
  /** The location of the file that has the name, if known. */
  readonly place?: Place | undefined;
  /** When that file came to the assignment. */
  readonly addedAtMs?: number | undefined;
  /** What happens to this file. Only a file that is on the assignment since before the upload can be replaced. */
  readonly onClash: OnClash;
};

/** A file on disk: its folder, as chosen, and its path below it. */
type Place = { readonly root: string; readonly path: string };

/** A file that has a FileName: one on the assignment, or one that another upload is going to put there. */
export type Holder = {
  readonly fileName: string;
  readonly isThere: boolean;
  /** Whether it belongs to the upload whose names are assigned. */
  readonly isOwn?: boolean | undefined;
  readonly addedAtMs?: number | undefined;
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

export type NameRegistry = ReturnType<typeof createNameRegistry>;

/** What happens to the file at `path`, below the folder, if its name is taken by other content. */
export type OnClashOf = (path: string) => OnClash;

const rename: OnClashOf = () => 'rename';

/** Beyond this, SQLite uses a file in the system's temporary folder, which is deleted with the registry. */
const CACHE_KIB = 8192;

/**
 * An empty registry for names made by `template` for files below `root`. `isSure`: also a file with the size and time
 * that it had when it was uploaded is read before it shares a name.
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
    CREATE TABLE holder (key TEXT, there INT, own INT, added REAL, root TEXT, path TEXT, size INT, modified REAL,
      sha256 TEXT) STRICT;
    CREATE INDEX holder_by_key ON holder (key)`);
  const take = db.prepare('INSERT OR IGNORE INTO name VALUES (?, ?, ?, ?)');
  const takenBy = db.prepare('SELECT path FROM name WHERE key = ?');
  const know = db.prepare('INSERT INTO known VALUES (?)');
  const isKnown = db.prepare('SELECT 1 FROM known WHERE path = ?');
  const hold = db.prepare('INSERT INTO holder VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const holders = db.prepare('SELECT * FROM holder WHERE key = ?');
  const holdAll = db.prepare('INSERT INTO holder SELECT key, 0, 1, NULL, ?, path, size, modified, NULL FROM name');
  let folder = root;
  let clashOf = onClash;

  const takeName = ({ path, sizeBytes, modifiedMs }: ScannedFile, fileName: string): void =>
    void take.run(fileNameKey(fileName), path, sizeBytes, modifiedMs);

  /** The name of a file for which `free` is the first that nobody has. */
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
        ? [{ isThere: false, isOwn: true, place: { root: folder, path: String(taken.path) } }]
        : holders.all(key).map(toHolder);
      // Once nobody has a name, the file is not there under another one either.
      if (held.length === 0) return named(file, name, clash);
      // A file that would be skipped, or replace another, is compared only with what arrived.
      const rivals = held.filter(({ isThere }) => isThere || (clash?.onClash ?? 'rename') === 'rename');
      if (rivals.length > 0 && (await mayShare(rivals, own, file, content, contentOf, isSure))) {
        takeName(file, name);
        return { ...file, fileName: name, isThere: true };
      }
      // What happens is decided once, by the name that the file should have.
      clash ??= { fileName: name, ...clashWith(held, clashOf(file.path)) };
    }
  };

  return {
    /** Reserves names of files on the assignment and of other uploads. */
    reserve: (all: readonly Holder[]): void => {
      for (const { fileName, isThere, isOwn, addedAtMs, place, sizeBytes, modifiedMs, sha256 } of all) {
        const facts = [place?.root ?? null, place?.path ?? null, sizeBytes ?? null, modifiedMs ?? null, sha256 ?? null];
        hold.run(fileNameKey(fileName), isThere ? 1 : 0, isOwn ? 1 : 0, addedAtMs ?? null, ...facts);
      }
    },
    /** Continues with another folder of the upload. The names assigned so far stay reserved. */
    startFolder: (next: string, onClashNext = rename): void => {
      holdAll.run(folder);
      db.exec('DELETE FROM name; DELETE FROM known');
      folder = next;
      clashOf = onClashNext;
    },
    /**
     * Adds files of the folder that are already planned. Without `hasName` the file was skipped because another has its
     * name.
     */
    add: (files: readonly (NamedFile & { readonly hasName?: boolean })[]): void => {
      for (const file of files) {
        know.run(file.path);
        if (file.hasName ?? true) takeName(file, file.fileName);
      }
    },
    /**
     * Assigns a name to each file that has none yet, in order. A taken name is only assigned to a file with the same
     * content, which is then skipped, or to a file that replaces the present one.
     */
    assignNames: async (files: readonly ScannedFile[]): Promise<readonly NamedFile[]> => {
      const named: NamedFile[] = [];
      for (const file of files) if (!isKnown.get(file.path)) named.push(await nameOf(file));
      return named;
    },
    /** Remembers files of the folder that have their names, so that they get no further ones. */
    know: (files: readonly Pick<ScannedFile, 'path'>[]): void => {
      for (const { path } of files) know.run(path);
    },
    isKnown: ({ path }: Pick<ScannedFile, 'path'>): boolean => isKnown.get(path) !== undefined,
    close: (): void => db.close(),
  };
};

type Held = Omit<Holder, 'fileName'>;

const toHolder = (row: Readonly<Record<string, unknown>>): Held => ({
  isThere: row.there === 1,
  isOwn: row.own === 1,
  addedAtMs: numberIn(row.added),
  place: row.path === null ? undefined : { root: String(row.root), path: String(row.path) },
  sizeBytes: numberIn(row.size),
  modifiedMs: numberIn(row.modified),
  sha256: row.sha256 === null ? undefined : String(row.sha256),
});

const numberIn = (column: unknown): number | undefined => (column === null ? undefined : Number(column));

/**
 * The one of `held` that the name clashes with, preferably of the same upload, and what happens. A file of the same
 * upload is never replaced.
 */
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
  isSure: boolean,
): Promise<boolean> => {
  const isSamePlace = ({ place }: Held): boolean => place?.root === own.root && place.path === own.path;
  const isSame = async (holder: Held): Promise<boolean> => {
    const { isThere, place, sizeBytes, modifiedMs, sha256 } = holder;
    if (isSamePlace(holder) && !isThere) return true;
    if (sizeBytes !== file.sizeBytes) return false;
    if (isSamePlace(holder) && !isSure && modifiedMs === file.modifiedMs) return true;
    const known =
      sha256 ?? (place && modifiedMs !== undefined ? await contentOf(place, { sizeBytes, modifiedMs }) : undefined);
    return known !== undefined && known === (await content());
  };
  const there = held.filter(({ isThere }) => isThere);
  // One file on the assignment is enough. Files to come all have to be the same: any of them may arrive last.
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
