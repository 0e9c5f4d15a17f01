/**
 * Chooses FileNames, and finds clashes with the names of files on the assignment and in other uploads to it. Used to
 * queue the files of a batch, to preview an upload, and to rename a file whose name is taken.
 */
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { once } from 'es-toolkit/function/once';
import type { DraftClash } from '../../../contract/drafts.ts';
import type { FileState, LeftOut, NameTemplate, OnClash, Rename, RenameReason } from '../../../contract/uploads.ts';
import { cancellation, orCancelled, partsInTime, throwIfCancelled } from '../../async/cancel.ts';
import { type Item, itemPages } from '../ledger/items.ts';
import type { AssignmentRef, KnownName } from '../ledger/known-files.ts';
import type { BatchRow, ClashChoices, Ledger } from '../ledger/ledger.ts';
import { type Clash, fileNameCandidates, fileNameKey, type NamedFile, renameReason } from '../source/file-names.ts';
import { hashInTime } from '../source/local-file.ts';
import { archiveOf, baseName, chosenFolderOf, insideOf, localPath, realRootOf, splitInner } from '../source/paths.ts';
import {
  assertFolder,
  createPatience,
  type FoundFolder,
  filesOf,
  inPatience,
  type Patience,
  type Scan,
  type ScanListeners,
  type ScannedFile,
  type Source,
  scanInPatience,
} from '../source/scan.ts';
import type { Job, TransferContext } from './transfer-context.ts';

// The plan of a batch, and previews of it.

/** The number of files written to the ledger in one commit; few enough for a commit to be short. */
const CHUNK_FILES = 250;

/** The time after which a chunk is written even if it is not full, so that its first files can be sent. */
const CHUNK_MS = 100;

export type Plan = Pick<TransferContext, 'ledger' | 'lock' | 'open' | 'timeouts'> & {
  readonly registries: KeptRegistries;
  readonly batch: BatchRow;
  readonly signal: AbortSignal;
  /** Called when files were queued. `settled`: the ids of files that are not sent because their name is taken. */
  readonly onAdded: (settled: readonly number[]) => void;
  /** Called in the commit that completes the plan. */
  readonly onWhole?: () => void;
};

/**
 * Queues the files of the batch. Files that are already queued can be sent in the meantime. With `leavesLater`, queues
 * the reviewed files as they were reviewed; otherwise queues all files that are present now, and reviewed files that
 * are missing. After an interruption, planning again adds only files that are not queued yet. Errors: those of
 * `assertFolder` and `inPatience`, `data/…`.
 */
export const planBatch = async (plan: Plan): Promise<void> => {
  const { ledger, batch, signal, onWhole } = plan;
  // Batches of an assignment are planned one at a time, so that each sees the names that those before it have taken.
  using _names = await plan.lock.take(namesOf(batch), signal);
  const { id, reviewed, leavesLater } = batch;
  const folder = { ...batch, identity: ledger.batches.folderAt(id, '') };
  await inPatience(folder.root, assertFolder(folder), signal);
  let leftOut = batch.leftOut;
  await naming(plan, async ({ queue, isKnown, onFolder }) => {
    const opened = new Set<string>();
    const noted =
      (isLeft: boolean) =>
      ({ path }: ScannedFile): boolean => {
        if (splitInner(path)) opened.add(archiveOf(path));
        return isLeft;
      };
    const setReviewed = () => ledger.commit(() => ledger.batches.setReviewed(id));
    if (reviewed) await queue(without(noted(!leavesLater), filesOf(folder, ledger.lists, signal, { onFolder }).files));
    if (reviewed && leavesLater) await setReviewed();
    // No file can have been added to a batch of single files after the review.
    if (leavesLater && batch.only) return;
    const folderAt = (below: string) => ledger.batches.folderAt(id, below);
    const scan = scanInPatience(folder, signal, { onFolder, folderAt });
    let later = 0;
    /**
     * Whether an archive was reviewed as a folder. Such a folder contains the archive itself, unless the user left it
     * out.
     */
    const isOpened = ({ path }: ScannedFile): boolean => {
      const itself = insideOf(path, baseName(path));
      return opened.has(path) || isKnown({ path: itself }) || batch.except?.includes(itself) === true;
    };
    const isLeft = (file: ScannedFile): boolean => {
      if (isOpened(file)) return true;
      if (!leavesLater) return false;
      if (!isKnown(file)) later += 1;
      return true;
    };
    await queue(without(isLeft, scan.files));
    if (reviewed && !leavesLater) {
      // Reviewed files that the scan did not find are queued, too: those in archives, and missing ones, which then
      // fail, so that users see their names.
      await queue(without(isKnown, filesOf(folder, ledger.lists, signal).files));
      await setReviewed();
    }
    leftOut = { ...scan.leftOut(), inReview: leftOut.inReview, ...(leavesLater && { later }) };
  });
  throwIfCancelled(signal);
  // Rejects if the drive was disconnected during the scan: otherwise its files would be left out permanently.
  if (leftOut.unreadable > 0) await inPatience(folder.root, assertFolder(folder), signal);
  await ledger.commit(() => {
    ledger.batches.setScanned(id, leftOut);
    onWhole?.();
  });
};

type Groups = AsyncIterable<readonly ScannedFile[]>;

async function* without(
  isLeft: (file: ScannedFile) => boolean,
  groups: Groups,
): AsyncGenerator<readonly ScannedFile[], void> {
  for await (const files of groups) yield files.filter((file) => !isLeft(file));
}

type Queue = Required<Pick<ScanListeners, 'onFolder'>> & {
  readonly queue: (groups: Groups) => Promise<void>;
  /** Whether the file is in the batch. Files that `queue` adds are remembered only if the batch was reviewed. */
  readonly isKnown: NameRegistry['isKnown'];
};

/** Runs `work`. All files that it queues get their names from one registry. */
const naming = async (
  { ledger, open, timeouts, registries, batch, signal, onAdded }: Plan,
  work: (queue: Queue) => Promise<void>,
): Promise<void> => {
  const { id } = batch;
  const onClash = (path: string) => ledger.batches.onClashOf(batch, path);
  /** Folders that the ledger does not have yet. */
  let folders: FoundFolder[] = [];
  const commit = async (planned: readonly NamedFile[]): Promise<void> => {
    const found = folders;
    folders = [];
    const add = (): readonly number[] => {
      ledger.batches.addFolders(id, found);
      return ledger.items.add(id, planned);
    };
    onAdded(await ledger.commitUnsynced(add));
  };
  const taken = { ledger, assignment: batch };
  const template = batch.nameTemplate;
  await registries.use({ template, open, timeouts, signal, taken, batch, onClash }, (registry) =>
    work({
      queue: async (groups) => {
        for await (const files of partsInTime(chunks(groups), (next) => orCancelled(next, signal))) {
          const planned = await orCancelled(registry.assignNames(files), signal);
          if (batch.reviewed) registry.know(planned);
          await commit(planned);
        }
        if (folders.length > 0) await commit([]);
      },
      isKnown: registry.isKnown,
      onFolder: (folder) => void folders.push(folder),
    }),
  );
};

/** Combines groups that arrive shortly after each other into chunks. */
async function* chunks(groups: AsyncIterable<readonly ScannedFile[]>): AsyncGenerator<readonly ScannedFile[], void> {
  let chunk: ScannedFile[] = [];
  let begunMs = performance.now();
  for await (const group of groups) {
    chunk.push(...group);
    if (chunk.length < CHUNK_FILES && performance.now() - begunMs < CHUNK_MS) continue;
    yield chunk;
    chunk = [];
    begunMs = performance.now();
  }
  if (chunk.length > 0) yield chunk;
}

/** A source, and what happens to its files whose FileName is taken (absent: they are renamed). */
export type PlannedSource = Source & {
  readonly onClash?: OnClash | undefined;
  readonly clashChoices?: ClashChoices | undefined;
};

/**
 * A file as an upload would send it. `isThere`: the file would be skipped, because the assignment has or will have its
 * content. `reason`: why FileName differs from the file's own name. `clash`: the name that the file should have is
 * taken; with `skip`, the file would not be sent.
 */
export type PlannedFile = Omit<NamedFile, 'fileName'> & {
  readonly FileName: string;
  readonly reason?: RenameReason;
};

export type PlannedFolder = {
  readonly root: string;
  /** The files, in the order of the scan. Errors: those of `assertFolder` and `inPatience`, `data/…`. */
  readonly files: AsyncGenerator<PlannedFile, void>;
  readonly leftOut: () => LeftOut;
};

export type Naming = Omit<NamesOptions, 'signal' | 'batch' | 'onClash' | 'renamed'>;

/**
 * Plans the sources in order: yields each folder with a generator of its planned files. The caller has to read the
 * files of each source before the next source.
 */
export async function* planFolders(
  sources: readonly PlannedSource[],
  naming: Naming,
  signal: AbortSignal,
): AsyncGenerator<PlannedFolder, void> {
  const { template, taken, patience = createPatience() } = naming;
  using registry = await openNames({ ...naming, patience, signal });
  async function* named(source: Source, scan: Scan): AsyncGenerator<PlannedFile, void> {
    await patience(source.root, () => assertFolder(source), signal);
    try {
      for await (const group of scan.files) {
        for (const { fileName: FileName, ...file } of await registry.assignNames(group)) {
          const isSent = file.isThere !== true && file.clash?.onClash !== 'skip';
          const reason = isSent ? renameReason(file.path, FileName, template) : undefined;
          yield { ...file, FileName, ...(reason && { reason }) };
        }
      }
    } catch (error) {
      throw signal.aborted ? cancellation(signal) : error;
    }
  }
  for (const source of sources) {
    const { root, onClash = 'rename', clashChoices = {} } = source;
    const choices = new Map(Object.entries(clashChoices));
    registry.startFolder(root, (path) => choices.get(path) ?? onClash);
    const scan = filesOf(source, taken?.ledger.lists, signal);
    yield { root, files: named(source, scan), leftOut: scan.leftOut };
  }
}

/** The maximum number of renames that a preview lists: a longer message would block the receiving thread. */
const LISTED_RENAMES = 10_000;

/** The maximum number of clashes that are listed. A user does not look through more. */
const LISTED_CLASHES = 1_000;

/**
 * Indexes of files in the order of the scan. `sent`: those whose content the assignment has or will have. `clashes`:
 * those whose FileName is taken.
 */
export type ComparedFiles = { readonly sent: Uint32Array; readonly clashes: Uint32Array };

/**
 * Compares the sources with their assignment, as uploads in this order would. `listed`: the index of the source whose
 * clashes are listed; undefined: none are.
 */
export const compareFolders = async (
  sources: readonly PlannedSource[],
  naming: Naming,
  listed: number | undefined,
  signal: AbortSignal,
) => {
  const compared: ComparedFiles[] = [];
  const clashes: DraftClash[] = [];
  for await (const folder of planFolders(sources, naming, signal)) {
    const [sent, clashing]: [number[], number[]] = [[], []];
    let index = 0;
    for await (const { path, isThere, clash } of folder.files) {
      if (isThere) sent.push(index);
      if (clash) {
        if (compared.length === listed && clashes.length < LISTED_CLASHES) clashes.push(toDraftClash(path, clash));
        clashing.push(index);
      }
      index += 1;
    }
    compared.push({ sent: Uint32Array.from(sent), clashes: Uint32Array.from(clashing) });
  }
  return { sources: compared, clashes };
};

const toDraftClash = (path: string, { fileName, place, addedAtMs, onClash, ...clash }: Clash): DraftClash => ({
  path,
  FileName: fileName,
  with: clash.with,
  ...(place && { folder: chosenFolderOf(place) }),
  ...(addedAtMs !== undefined && { addedAtMs }),
  onClash,
});

/** `renamed`: how many files an upload would rename; `renames`: the first of these. */
export type UploadPreview = Awaited<ReturnType<typeof previewFolders>>;

/**
 * Previews the renames of these sources, or only of the source with the index `only`. Errors: those of
 * `PlannedFolder.files`.
 */
export const previewFolders = async (
  sources: readonly PlannedSource[],
  naming: Naming,
  signal: AbortSignal,
  only?: number,
) => {
  let [index, renamed] = [0, 0];
  const renames: Rename[] = [];
  for await (const folder of planFolders(sources, naming, signal)) {
    const isCounted = only === undefined || only === index;
    index += 1;
    for await (const { path, FileName, reason } of folder.files) {
      if (!isCounted || !reason) continue;
      renamed += 1;
      if (renamed <= LISTED_RENAMES) renames.push({ path, FileName, reason });
    }
  }
  return { renamed, renames };
};

// The names are in a temporary database. In the ledger, an index of names in random order would cost more than the rest
// of a file's row, because the pages of the index would be written to disk over and over.

/** A file that has a FileName: it is on the assignment, or another batch or an earlier folder has yet to upload it. */
type Holder = {
  readonly [Fact in 'place' | 'sizeBytes' | 'modifiedMs' | 'sha256']?: KnownName[Fact] | undefined;
} & {
  readonly fileName: string;
  readonly isThere: boolean;
  /** Whether the file belongs to the upload whose names are being assigned. */
  readonly isOwn?: boolean | undefined;
  /** Whether the file's upload runs. The file is then sent without any action of a user. */
  readonly isExpected?: boolean | undefined;
  readonly addedAtMs?: number | undefined;
};

type Place = NonNullable<Clash['place']>;

/** Returns the sha256 of a file on disk; undefined if the file has changed or cannot be read. */
type ContentOf = (place: Place, facts: Pick<ScannedFile, 'sizeBytes' | 'modifiedMs'>) => Promise<string | undefined>;

type NameRegistry = ReturnType<typeof createNameRegistry>;

/** What happens to the file at `path`, below the folder, if its name is taken by other content. */
type OnClashOf = (path: string) => OnClash;

const rename: OnClashOf = () => 'rename';

/** The memory for the registry. A larger registry also uses a temporary file, which SQLite deletes at the end. */
const CACHE_KIB = 8192;

/**
 * Creates an empty registry for files below `root`, named by `template`. `isSure`: contents are compared before a file
 * shares the name of an uploaded one, even if place, size and time are equal.
 */
export const createNameRegistry = (
  template: NameTemplate,
  root: string,
  contentOfFirst: ContentOf,
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
    CREATE INDEX holder_by_key ON holder (key);
    CREATE TABLE version (place TEXT PRIMARY KEY, name TEXT) STRICT, WITHOUT ROWID`);
  const take = db.prepare('INSERT OR IGNORE INTO name VALUES (?, ?, ?, ?)');
  const takenBy = db.prepare('SELECT path FROM name WHERE key = ?');
  const know = db.prepare('INSERT INTO known VALUES (?)');
  const isKnown = db.prepare('SELECT 1 FROM known WHERE path = ?');
  const hold = db.prepare('INSERT INTO holder VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const holders = db.prepare('SELECT rowid, * FROM holder WHERE key = ?');
  const keepVersion = db.prepare('INSERT OR REPLACE INTO version VALUES (?, ?)');
  const versionOf = db.prepare('SELECT name FROM version WHERE place = ?');
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
  let contentOf = contentOfFirst;

  const takeName = ({ path, sizeBytes, modifiedMs }: ScannedFile, fileName: string): void =>
    void take.run(fileNameKey(fileName), path, sizeBytes, modifiedMs);

  /** Names a file. `free`: the first of its candidates that no other file has. */
  const named = (file: ScannedFile, free: string, clash: Clash | undefined): NamedFile => {
    const fileName = clash === undefined || clash.onClash === 'rename' ? free : clash.fileName;
    if (clash?.onClash !== 'skip') takeName(file, fileName);
    return { ...file, fileName, ...(clash && { clash }) };
  };
  /** Returns the files that have the FileName with this key. */
  const heldBy = (key: string): readonly Held[] => {
    const taken = takenBy.get(key);
    return taken
      ? [{ isThere: false, isOwn: true, isExpected: true, place: { root: folder, path: String(taken.path) } }]
      : holders.all(key).map(toHolder);
  };
  /** Describes the clash of the file `own` with the files that have `fileName`, the name that it should have. */
  const clashOver = (fileName: string, held: readonly Held[], own: Place): Clash => {
    const onClash = clashOf(own.path);
    const clash = { fileName, ...clashWith(held, onClash) };
    // A file that replaces another one preferably replaces its own earlier version, whatever the name of that version.
    const version = onClash === 'replace' && !isAt(clash.place, own) && versionOf.get(localPath(own.root, own.path));
    if (!version) return clash;
    const name = String(version.name);
    return { fileName: name, ...clashWith(heldBy(fileNameKey(name)), onClash) };
  };
  const nameOf = async (file: ScannedFile): Promise<NamedFile> => {
    const own = { root: folder, path: file.path };
    const content = once(() => contentOf(own, file));
    const candidates = fileNameCandidates(file.path, template, folder);
    let clash: Clash | undefined;
    for (;;) {
      const name = candidates.next().value;
      const held = heldBy(fileNameKey(name));
      // A free name ends the search: a file of equal content would have taken it before any later candidate.
      if (held.length === 0) return named(file, name, clash);
      // A file that will be skipped, or will replace another, is compared only with files that are on the assignment.
      const rivals = held.filter(({ isThere }) => isThere || (clash?.onClash ?? 'rename') === 'rename');
      if (rivals.length > 0 && (await mayShare(rivals, own, file, content, contentOfHeld, isSure))) {
        takeName(file, name);
        const isThere = rivals.some((rival) => rival.isThere || rival.isExpected);
        return { ...file, fileName: name, ...(isThere && { isThere }) };
      }
      // Only the clash of the first candidate decides what happens.
      clash ??= clashOver(name, held, own);
    }
  };

  return {
    /** Reserves the names of files on the assignment, and of files that other batches may upload. */
    reserve: (all: readonly Holder[]): void => {
      for (const { fileName, isThere, isOwn, isExpected, addedAtMs, place, sizeBytes, modifiedMs, sha256 } of all) {
        const states = [isThere, isOwn, isExpected].map((is) => (is ? 1 : 0));
        const facts = [place?.root ?? null, place?.path ?? null, sizeBytes ?? null, modifiedMs ?? null, sha256 ?? null];
        hold.run(fileNameKey(fileName), ...states, addedAtMs ?? null, ...facts);
        if (isThere && !isOwn && place) keepVersion.run(localPath(place.root, place.path), fileName);
      }
    },
    /** Continues with another folder of the upload. The names assigned so far stay reserved. */
    startFolder: (next: string, onClashNext = rename, contentOfNext = contentOf): void => {
      holdAll.run(folder);
      db.exec('DELETE FROM name; DELETE FROM known');
      folder = next;
      clashOf = onClashNext;
      contentOf = contentOfNext;
    },
    /** Adds planned files of the folder. `hasName` is false for a file that was skipped because its name was taken. */
    add: (files: readonly (NamedFile & { readonly hasName?: boolean })[]): void => {
      for (const file of files) {
        know.run(file.path);
        if (file.hasName ?? true) takeName(file, file.fileName);
      }
    },
    /**
     * Names the files that have no names yet. A file gets a taken name only if it is skipped, replaces the other files,
     * or has the same content.
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
    [Symbol.dispose]: (): void => db.close(),
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

const isAt = (place: Place | undefined, { root, path }: Place): boolean =>
  place !== undefined && localPath(place.root, place.path) === localPath(root, path);

/** Describes a clash by one of the files in `held`, preferably one of the same upload. */
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

// The registry of a batch, with the names that the ledger knows.

/** The key of the lock that is held while names for an assignment are chosen. */
const namesOf = ({ connectionId, assignmentId }: AssignmentRef): string => `names ${connectionId} ${assignmentId}`;

/**
 * Creates a function that hashes a file on disk. It resolves to undefined after any error, including an abort. While a
 * folder's drive does not respond, no other file of that drive is read.
 */
const createContentOf =
  ({ open, timeouts, signal, patience = createPatience() }: NamesOptions): ContentOf =>
  async ({ root, path }, { sizeBytes, modifiedMs }) => {
    try {
      const within = await patience(root, () => realRootOf({ root }), signal);
      return await hashInTime(open, localPath(root, path), { sizeBytes, modifiedMs, within }, timeouts.idleMs, signal);
    } catch {
      return undefined;
    }
  };

/** The states of files that may still arrive on the assignment, or may have arrived without a clear response. */
const COMING: readonly FileState[] = ['queued', 'signing', 'sending', 'failed', 'uncertain'];

/** Whether the file may still arrive on the assignment. A failed file may arrive only if the storage may hold it. */
const mayCome = ({ state, unclear }: Item): boolean => COMING.includes(state) && (state !== 'failed' || unclear);

/** Reserves the names of files on the assignment, and of files that batches other than `batch` may still upload. */
const reserveNames = async (
  registry: NameRegistry,
  { ledger: { batches, items, knownFiles }, assignment }: TakenNames,
  batch: string | undefined,
  signal: AbortSignal,
): Promise<void> => {
  const uploadId = batch === undefined ? undefined : batches.get(batch)?.uploadId;
  const isOwn = (other: { readonly uploadId?: string }): boolean =>
    uploadId !== undefined && other.uploadId === uploadId;
  for (let page = knownFiles.after(assignment); page.length > 0; ) {
    const staying = page.filter(({ key }) => !knownFiles.isBeingRemoved(assignment, key));
    registry.reserve(staying.map((known) => ({ ...known, isThere: true, isOwn: isOwn(known) })));
    await pause(signal);
    page = knownFiles.after(assignment, page.at(-1));
  }
  for (const other of batches.ofAssignment(assignment)) {
    const { id, root } = other;
    if (id === batch) continue;
    const tally = items.tally(id);
    if (COMING.every((coming) => tally[coming].files === 0)) continue;
    const runs = other.state === 'running' || other.state === 'scanning';
    for (const found of itemPages(items, id)) {
      const coming = found.filter(mayCome);
      registry.reserve(
        coming.map(({ path, ...item }) => ({
          ...item,
          isThere: false,
          isOwn: isOwn(other),
          isExpected: runs && item.state !== 'failed' && item.state !== 'uncertain',
          place: { root, path },
        })),
      );
      await pause(signal);
    }
  }
};

type TakenNames = {
  readonly ledger: Pick<Ledger, 'batches' | 'items' | 'knownFiles' | 'lists' | 'nameChanges'>;
  readonly assignment: AssignmentRef;
};

type NamesOptions = Pick<TransferContext, 'open' | 'timeouts'> & {
  readonly template: NameTemplate;
  readonly signal: AbortSignal;
  /** Absent: no names are taken. */
  readonly taken?: TakenNames | undefined;
  /** Limits calls about folders. Absent: a new limit, which knows nothing about the drives yet. */
  readonly patience?: Patience;
  /** The batch whose files get names. Absent: an upload that is only previewed. */
  readonly batch?: Pick<BatchRow, 'id' | 'root'>;
  readonly onClash?: OnClashOf;
  /** The id of the file to rename. Its present name is not reserved, and files are read before they share a name. */
  readonly renamed?: number;
};

/** Opens a registry with the names that are taken, and those of the batch's own files. The caller closes it. */
const openNames = async (options: NamesOptions): Promise<NameRegistry> => {
  const { template, signal, taken, batch, onClash, renamed } = options;
  const contentOf = createContentOf(options);
  const registry = createNameRegistry(template, batch?.root ?? '', contentOf, onClash, renamed !== undefined);
  try {
    if (taken) await reserveNames(registry, taken, batch?.id, signal);
    await addOwn(registry, options);
    return registry;
  } catch (error) {
    registry.close();
    throw error;
  }
};

const addOwn = async (registry: NameRegistry, { taken, batch, renamed, signal }: NamesOptions): Promise<void> => {
  for (const known of taken && batch ? itemPages(taken.ledger.items, batch.id) : []) {
    const named = known.filter(({ id }) => id !== renamed);
    registry.add(named.map((item) => ({ ...item, hasName: item.error?.code !== 'upload/name-taken' })));
    await pause(signal);
  }
};

/** How long a registry is kept for the next batch of its upload, and the maximum age of the names that it has read. */
const KEPT_MS = 60_000;
const MOST_KEPT = 16;

type KeptNames = {
  readonly registry: NameRegistry;
  /** The batch that used the registry last. */
  readonly batch: BatchRow;
  /** The ids of the batches that got names from the registry. */
  readonly named: ReadonlySet<string>;
  readonly openedAtMs: number;
  /** The ledger's `nameChanges` before the registry read the names. */
  readonly changes: number | undefined;
  readonly timer: NodeJS.Timeout;
};

type KeptRegistries = ReturnType<typeof createKeptRegistries>;

/**
 * Passes the registry of a batch on to the next batch of its upload for the same assignment. If the taken names were
 * read for each of thousands of folders, the time would grow with the square of their number. A registry is not passed
 * on if names have changed other than by a plan. It would not know the names that have become free because files
 * failed, or were cancelled, renamed or removed; later files with these names would be skipped. To be used with the
 * lock `namesOf`.
 */
export const createKeptRegistries = (steady: () => number) => {
  const kept = new Map<string, KeptNames>();
  const take = (assignment: AssignmentRef): KeptNames | undefined => {
    const one = kept.get(namesOf(assignment));
    kept.delete(namesOf(assignment));
    clearTimeout(one?.timer);
    return one;
  };
  const drop = (assignment: AssignmentRef): void => take(assignment)?.registry.close();
  const keep = (one: Omit<KeptNames, 'timer'>): void => {
    kept.set(namesOf(one.batch), { ...one, timer: setTimeout(drop, KEPT_MS, one.batch).unref() });
    const [oldest] = kept.values();
    if (kept.size > MOST_KEPT && oldest) drop(oldest.batch);
  };
  const takeFor = (batch: BatchRow, changes: number | undefined): KeptNames | undefined => {
    const before = take(batch);
    const isOfUpload = before?.batch.uploadId === batch.uploadId && before.batch.nameTemplate === batch.nameTemplate;
    const isCurrent = before?.changes === changes && steady() - (before?.openedAtMs ?? 0) < KEPT_MS;
    if (before && isOfUpload && isCurrent && !before.named.has(batch.id)) return before;
    before?.registry.close();
    return undefined;
  };
  return {
    use: async (
      options: NamesOptions & { readonly batch: BatchRow },
      work: (registry: NameRegistry) => Promise<void>,
    ): Promise<void> => {
      const { batch, onClash, taken } = options;
      const changes = taken?.ledger.nameChanges();
      const before = takeFor(batch, changes);
      const { openedAtMs = steady(), named = [] } = before ?? {};
      const registry = before?.registry ?? (await openNames(options));
      try {
        if (before) {
          registry.startFolder(batch.root, onClash, createContentOf(options));
          await addOwn(registry, options);
        }
        await work(registry);
      } catch (error) {
        registry.close();
        throw error;
      }
      keep({ registry, batch, named: new Set(named).add(batch.id), openedAtMs, changes });
    },
  };
};

const pause = async (signal: AbortSignal): Promise<void> => {
  await setImmediate();
  throwIfCancelled(signal);
};

/** Renames the item to its first possible name that is free or belongs to the same content, and returns the item. */
export const giveFreeName = async (context: TransferContext, job: Job): Promise<Item> => {
  const { ledger, lock, open, timeouts } = context;
  const { item, batch, waitSignal: signal } = job;
  using _names = await lock.take(namesOf(batch), signal);
  const taken = { ledger, assignment: batch };
  const template = batch.nameTemplate;
  using registry = await openNames({ template, open, timeouts, signal, taken, batch, renamed: item.id });
  const [named] = await registry.assignNames([item]);
  const fileName = named?.fileName ?? item.fileName;
  await ledger.commit(() => {
    ledger.items.renamed(item.id, fileName);
    ledger.replacedFiles.plan(item.id, []);
  });
  return { ...item, fileName, key: undefined, url: undefined, unclear: false };
};
