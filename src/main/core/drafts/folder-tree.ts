/**
 * The folders and files that the scan of a draft has found. Names, sizes and warnings are in memory, for the rows.
 * Other facts of files are on disk, in the list that uploads start from (source/scan.ts).
 */
import { join, relative, resolve, sep } from 'node:path';
import { mapValues } from 'es-toolkit/object/mapValues';
import type { Unopened } from '../../../contract/drafts.ts';
import { isTooLong } from '../../uploads/source/file-names.ts';
import { archiveOf, changeOnDisk, foldersAround, isBelow, realRootOf, splitInner } from '../../uploads/source/paths.ts';
import {
  assertFolder,
  createQuickCalls,
  type FoundFolder,
  NOTHING_LEFT_OUT,
  type Range,
  type ReviewedList,
  type ScanListeners,
  type ScannedFile,
  type Source,
  scanFolder,
  sumOfLeftOut,
} from '../../uploads/source/scan.ts';

/**
 * `isJob`: whether the whole folder goes to one assignment, whatever the names of the folders in it. `AssignmentId`:
 * the assignment of everything in the source, unless the draft or the user chooses another. `replaces`: those files of
 * `only` that replace their earlier versions on the assignment, unless the user decides otherwise.
 */
export type DraftSource = Source & {
  readonly name: string;
  readonly isJob?: boolean | undefined;
  readonly AssignmentId?: string | undefined;
  readonly replaces?: readonly string[] | undefined;
};

const folderOf = ({ root, realRoot = root }: Source): string => resolve(realRoot);

export const placesOf = (source: Source): readonly string[] => {
  const folder = folderOf(source);
  return source.only?.map((name) => join(folder, name)) ?? [folder];
};

/** Drops sources that lie inside another source that is a whole folder. */
export const outermost = (sources: readonly DraftSource[]): readonly DraftSource[] => {
  const whole = new Set(sources.filter(({ only }) => only === undefined).flatMap(placesOf));
  return sources.filter(
    (source) => !placesOf(source).every((place) => foldersAround(place).some((at) => whole.has(at))),
  );
};

const pathFrom = (root: string, place: string): string => relative(root, place).split(sep).join('/');

/**
 * Counts of files, and their size in `bytes`. `tooLarge`: files at least as large as one that a storage has refused;
 * `inCloud`: files that are not on this computer; `unopened`: archives that could not be opened.
 */
export type Totals = ReturnType<typeof totalsOf>;

/** A file in the tree. `at`: its position in the scan. `modifiedMinutes`: since 1970, to take less memory than ms. */
export type TreeFile = {
  readonly name: string;
  readonly sizeBytes: number;
  readonly at: number;
  readonly modifiedMinutes: number;
  readonly inCloud?: true;
  readonly unwanted?: UnwantedKind;
  readonly unopened?: Unopened;
};

export type TreeFolder = {
  readonly id: number;
  readonly parent: TreeFolder | undefined;
  /** The name that users know: for a mail, its subject. */
  readonly name: string;
  /**
   * The path below the chosen folder, with `/` between names; empty for the chosen folder. The path of an archive ends
   * with `/`.
   */
  readonly below: string;
  /** The depth below the chosen folder, whose depth is 0. */
  readonly depth: number;
  readonly source: number;
  readonly folders: readonly TreeFolder[];
  readonly files: readonly TreeFile[];
  readonly own: Totals;
  /** The totals of all files in and below the folder; `own` has only those of the files directly in it. */
  readonly whole: Totals;
  readonly listed?: Listed | undefined;
};

/**
 * The positions, in bytes, of a folder's files in the list of reviewed files. `own`: the ranges of the files directly
 * in the folder. `end`: where the files below the folder end.
 */
type Listed = Pick<FoundFolder, 'below' | 'identity'> & { readonly own: Range[]; end: number };

/** A folder with everything below it or, with `fileNames`, some of the files directly in it. */
export type Part = { readonly folder: TreeFolder; readonly fileNames: readonly string[] | undefined };

type Mutable = Omit<TreeFolder, 'folders' | 'files' | 'own' | 'whole' | 'parent' | 'listed'> & {
  readonly parent: Mutable | undefined;
  readonly folders: Mutable[];
  readonly files: TreeFile[];
  own: Totals;
  whole: Totals;
  listed?: Listed | undefined;
};

/**
 * The minimum size of a large file. The user is told about large files if the storage accepts files only as a whole.
 */
const LARGE_BYTES = 256_000_000;

export const isLarge = ({ sizeBytes }: Pick<TreeFile, 'sizeBytes'>): boolean => sizeBytes >= LARGE_BYTES;

const totalsOf = (files: readonly TreeFile[], refusedBytes: number) => {
  const count = (is: (file: TreeFile) => boolean): number => files.filter(is).length;
  return {
    files: files.length,
    bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    empty: count(({ unwanted }) => unwanted === 'empty'),
    tooLong: count(({ name }) => isTooLong(name)),
    executable: count(({ unwanted }) => unwanted === 'executable'),
    unwanted: count(({ unwanted }) => unwanted !== undefined),
    tooLarge: count(({ sizeBytes }) => sizeBytes >= refusedBytes),
    inCloud: count(({ inCloud = false }) => inCloud),
    large: count(isLarge),
    unopened: count(({ unopened = 'sent' }) => unopened !== 'sent'),
    unreadable: 0,
  };
};

const sumOf = (one: Totals, other: Totals): Totals => mapValues(one, (amount, kind) => amount + other[kind]);

export const without = (all: Totals, some: Totals): Totals => mapValues(all, (amount, kind) => amount - some[kind]);

const toTreeFile = (
  { sizeBytes, modifiedMs, inCloud, unopened, isOpened }: ScannedFile,
  name: string,
  at: number,
): TreeFile => {
  const unwanted = isOpened ? 'opened' : unwantedKind(name, sizeBytes);
  return {
    name,
    sizeBytes,
    at,
    modifiedMinutes: Math.floor(modifiedMs / 60_000),
    ...(inCloud && { inCloud }),
    ...(unwanted && { unwanted }),
    ...(unopened && { unopened }),
  };
};

/** Creates a record of the paths on the disk that sources include, so that no file belongs to two sources. */
const createIncludedPlaces = () => {
  const included = new Set<string>();
  const around = new Set<string>();
  const isIncluded = (place: string): boolean =>
    included.has(place) || foldersAround(place).some((at) => included.has(at));
  const includedIn = (folder: string): readonly string[] =>
    around.has(folder) ? [...included].filter((place) => isBelow(folder, place)) : [];
  return {
    hasAll: (source: Source): boolean => placesOf(source).every(isIncluded),
    /** Adds a source. Returns the paths below its folder that earlier sources include. */
    add: (source: Source): readonly string[] => {
      const folder = folderOf(source);
      const before = includedIn(folder).map((place) => pathFrom(folder, place));
      for (const place of placesOf(source)) {
        included.add(place);
        for (const at of foldersAround(place)) {
          if (around.has(at)) break;
          around.add(at);
        }
      }
      return before;
    },
  };
};

export type FolderTree = ReturnType<typeof createFolderTree>;

/** Creates an empty tree. `refusedBytes`: the size of the smallest file that a storage refused. */
export const createFolderTree = ({
  refusedBytes = Number.POSITIVE_INFINITY,
  list,
}: {
  readonly refusedBytes?: number | undefined;
  readonly list?: ReviewedList | undefined;
} = {}) => {
  const nothing = totalsOf([], refusedBytes);
  const folders: Mutable[] = [];
  const roots: Mutable[] = [];
  const sources: DraftSource[] = [];
  /**
   * For each source, its folders by their paths below the source, with `/` between names. The path of the source itself
   * is empty.
   */
  const byPath: Map<string, Mutable>[] = [];
  const places = createIncludedPlaces();
  const elsewhere: (readonly string[])[] = [];
  let leftOut = NOTHING_LEFT_OUT;
  let found = 0;

  const add = (name: string, below: string, source: number, parent: Mutable | undefined): Mutable => {
    const depth = parent === undefined ? 0 : parent.depth + 1;
    const empty = { folders: [], files: [], own: nothing, whole: nothing };
    const folder: Mutable = { id: folders.length, parent, name, below, depth, source, ...empty };
    folders.push(folder);
    parent?.folders.push(folder);
    return folder;
  };

  /** Returns the folder at a path, and adds it if it is missing. `title`: the name of an added folder. */
  const folderAt = (source: number, path: string, title?: string): Mutable => {
    const known = byPath[source]?.get(path);
    if (known) return known;
    if (path === '') throw new Error('there is no such source');
    // A missing parent folder is rare, because a scan visits it first.
    const slash = path.lastIndexOf('/', path.length - 2);
    const name = title ?? path.slice(slash + 1).replace(/\/$/, '');
    const added = add(name, path, source, folderAt(source, path.slice(0, Math.max(0, slash))));
    byPath[source]?.set(path, added);
    return added;
  };

  const addTotals = (folder: Mutable, totals: Totals): void => {
    folder.own = sumOf(folder.own, totals);
    for (let above: Mutable | undefined = folder; above; above = above.parent) above.whole = sumOf(above.whole, totals);
  };

  /**
   * Adds files to the list. A scan visits everything below a folder before the next folder, so the files in and below a
   * folder form one range.
   */
  const record = (folder: Mutable, files: readonly ScannedFile[]): void => {
    if (!list) return;
    if (!folder.listed) throw new Error('files were found in an unknown folder');
    const { own } = folder.listed;
    const [from, to] = list.add(folder.listed, files);
    const last = own.at(-1);
    if (last?.[1] === from) own[own.length - 1] = [last[0], to];
    else own.push([from, to]);
    for (let above: Mutable | undefined = folder; above; above = above.parent) if (above.listed) above.listed.end = to;
  };

  const addSource = (source: DraftSource): number => {
    const index = sources.push(source) - 1;
    const root = add(source.name, '', index, undefined);
    roots.push(root);
    byPath.push(new Map([['', root]]));
    elsewhere.push(places.add(source));
    return index;
  };
  const addFolder = (source: number, { below, identity, title }: Omit<FoundFolder, 'path'>): TreeFolder => {
    const folder = folderAt(source, below.slice(0, -1), title);
    folder.listed = { below, identity, own: [], end: 0 };
    record(folder, []);
    return folder;
  };
  const addFiles = (source: number, scanned: readonly ScannedFile[]): void => {
    const [first] = scanned;
    if (first === undefined) return;
    const prefix = first.path.slice(0, first.path.lastIndexOf('/') + 1);
    const folder = folderAt(source, prefix.slice(0, -1));
    const files = scanned.map((file) => {
      found += 1;
      return toTreeFile(file, file.path.slice(prefix.length), found);
    });
    for (const file of files) folder.files.push(file);
    addTotals(folder, totalsOf(files, refusedBytes));
    record(folder, scanned);
  };

  return {
    folders: folders as readonly TreeFolder[],
    sources: sources as readonly DraftSource[],
    folderAt: (source: number, below: string): TreeFolder | undefined => byPath[source]?.get(below),
    /** Finds the file at this path on the disk; undefined if the scan has not found it. */
    fileAt: (path: string): { readonly folder: TreeFolder; readonly name: string } | undefined => {
      for (const [index, { root }] of sources.entries()) {
        if (!isBelow(root, path)) continue;
        const below = changeOnDisk(path, (onDisk) => pathFrom(root, onDisk));
        const slash = below.lastIndexOf('/');
        const folder = byPath[index]?.get(below.slice(0, Math.max(0, slash)));
        const name = below.slice(slash + 1);
        if (folder && hasFile(folder, name)) return { folder, name };
      }
      return undefined;
    },
    roots: roots as readonly TreeFolder[],
    leftOut: () => leftOut,
    totalsOf: (files: readonly TreeFile[]): Totals => totalsOf(files, refusedBytes),
    addSource,
    addFolder,
    addFiles,
    /**
     * Scans a source, and adds everything in it that no earlier source includes. `onProgress`: called after each group
     * of files. Errors: `upload/folder-…`; `data/unwritable` once everything is added.
     */
    scan: async (
      chosen: DraftSource,
      signal: AbortSignal,
      onProgress: () => void,
      listArchive?: ScanListeners['listArchive'],
    ): Promise<void> => {
      // The real path is recorded once, so that an upload stops if a link to the folder changes.
      const placed = { ...chosen, realRoot: await realRootOf(chosen) };
      if (places.hasAll(placed)) return;
      const index = addSource(placed);
      const source = { ...placed, identity: await assertFolder(placed) };
      sources[index] = source;
      const before = leftOut;
      const except = elsewhere[index];
      const { files, leftOut: leftOutHere } = scanFolder({ ...source, except }, signal, {
        ...(listArchive && { listArchive }),
        call: createQuickCalls(),
        onFolder: (found) => addFolder(index, found),
        // An unreadable file counts in its folder. An unreadable folder (`path` ends with `/`) counts in itself.
        onUnreadable: (path) =>
          addTotals(folderAt(index, path.slice(0, Math.max(0, path.lastIndexOf('/')))), { ...nothing, unreadable: 1 }),
      });
      for await (const group of files) {
        addFiles(index, group);
        leftOut = sumOfLeftOut(before, leftOutHere());
        onProgress();
      }
      leftOut = sumOfLeftOut(before, leftOutHere());
      list?.save(false);
    },
    /**
     * Returns the source from which an upload of `part` reads; undefined if the tree has no such source. `leftFiles`:
     * the paths (as in `PartFile`) of files that are not uploaded.
     */
    sourceOf: (part: Part, leftFiles: readonly string[] = []): Source | undefined => {
      const source = sources[part.folder.source];
      if (source === undefined) return undefined;
      const prefix = part.folder.below && `${part.folder.below}/`;
      const others = part.fileNames ? [] : (elsewhere[part.folder.source] ?? []);
      const inside = others.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
      const except = [...inside, ...leftFiles];
      return {
        ...sourceBelow(source, part),
        ...(except.length > 0 && { except }),
        ...(list && reviewedPart(part, list.id)),
      };
    },
    /**
     * Writes the list of the scanned files, from which the engine reads them. `isLasting`: the list must survive a
     * power cut. Errors: `data/unwritable`.
     */
    save: (isLasting: boolean) => list?.save(isLasting),
    close: () => list?.close(),
  };
};

const namesIn = new WeakMap<TreeFolder, Set<string>>();

/** The names are cached, which is safe because files are never removed from a folder. */
const hasFile = (folder: TreeFolder, name: string): boolean => {
  const names = namesIn.get(folder) ?? new Set<string>();
  namesIn.set(folder, names);
  for (const file of folder.files.slice(names.size)) names.add(file.name);
  return names.has(name);
};

/** Returns the folder if it is on the disk; otherwise the folder that contains its archive. */
const onDisk = (folder: TreeFolder): TreeFolder => {
  const archive = splitInner(`${folder.below}/`)?.archive;
  let above = folder;
  while (archive !== undefined && above.parent && above.below.length >= archive.length) above = above.parent;
  return above;
};

const pathIn = ({ below }: TreeFolder, around: TreeFolder): string =>
  below === around.below ? '' : `${below.slice(around.below === '' ? 0 : around.below.length + 1)}/`;

/**
 * Returns the source on the disk from which an upload of the part reads. For a part inside an archive, the source is
 * the folder that contains the archive, and the source's `only` names the archive or the chosen files in the archive.
 */
const sourceBelow = ({ root, realRoot }: Source, { folder, fileNames }: Part): Source => {
  const place = onDisk(folder);
  const { below } = place;
  const inside = pathIn(folder, place);
  const only = inside ? (fileNames?.map((name) => inside + name) ?? [archiveOf(inside)]) : fileNames;
  return {
    root: join(root, below),
    ...(realRoot !== undefined && { realRoot: join(realRoot, below) }),
    ...(only && { only }),
  };
};

const reviewedPart = ({ folder, fileNames }: Part, list: string) => {
  const { listed } = folder;
  const begin = listed?.own[0]?.[0];
  const { below, listed: place } = onDisk(folder);
  if (!listed || !place || begin === undefined) return undefined;
  const ranges: readonly Range[] = fileNames ? listed.own : [[begin, listed.end]];
  return { identity: place.identity, reviewed: { list, below: below && `${below}/`, ranges } };
};

/**
 * A file of a part. `path`: relative to the part's folder or, for a file in an archive, to the folder with the archive.
 */
export type PartFile = { readonly folder: TreeFolder; readonly file: TreeFile; readonly path: string };

export function* filesOf({ folder, fileNames }: Part): Generator<PartFile> {
  const place = onDisk(folder);
  if (fileNames) {
    const names = new Set(fileNames);
    const prefix = pathIn(folder, place);
    for (const file of folder.files) if (names.has(file.name)) yield { folder, file, path: prefix + file.name };
    return;
  }
  const stack = [folder];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const prefix = pathIn(next, place);
    for (const file of next.files) yield { folder: next, file, path: prefix + file.name };
    for (const inside of next.folders.toReversed()) stack.push(inside);
  }
}

/** Yields the folder and the folders around it, the innermost first. */
export function* upFrom(folder: TreeFolder): Generator<TreeFolder> {
  for (let at: TreeFolder | undefined = folder; at !== undefined; at = at.parent) yield at;
}

/** The path of a folder, beginning with the name of the chosen folder. */
export const pathOf = ({ parent, name }: TreeFolder): string => (parent ? `${pathOf(parent)}/${name}` : name);

export const pathOfFile = ({ below }: TreeFolder, name: string): string => (below === '' ? name : `${below}/${name}`);

/** The kinds of files that users seldom want to upload. `opened`: an archive whose files are sent instead. */
type UnwantedKind = 'empty' | 'executable' | 'temporary' | 'opened';

/** Names of unfinished downloads, and of files that programs write next to a document while it is open. */
const TEMPORARY = /\.(part|partial|crdownload|download|tmp|temp)$|^~.+\.|~$/i;

const unwantedKind = (name: string, sizeBytes: number): UnwantedKind | undefined => {
  if (EXECUTABLE.test(name)) return 'executable';
  if (TEMPORARY.test(name)) return 'temporary';
  return sizeBytes === 0 ? 'empty' : undefined;
};

/** Names of files that run when they are opened. Services and mail filters often refuse such files. */
const EXECUTABLE =
  /\.(exe|msi|msix|bat|cmd|com|scr|pif|cpl|dll|js|jse|vbs|vbe|wsf|wsh|hta|ps1|psm1|reg|lnk|url|app|dmg|pkg|command|sh|run|appimage|deb|rpm|jar|apk)$/i;

/**
 * Names of files that a program displays without running their contents. All other files are assumed to run code,
 * because a list of the kinds that run code would never be complete.
 */
const DOCUMENT = new RegExp(
  `\\.(${[
    'pdf|txt|log|md|csv|tsv|rtf|json|xml|ifc|bcf|dwg|dxf|dwf|dwfx|rvt|skp|vsd|vsdx|mpp|pages|numbers|key',
    'doc|docx|dot|dotx|odt|xls|xlsx|xlsb|ods|ppt|pptx|pps|ppsx|odp|odg|one|eml|msg|zip',
    'jpg|jpeg|jpe|jfif|png|gif|bmp|tif|tiff|webp|heic|heif|avif|raw|dng|cr2|cr3|nef|arw|orf|rw2|psd|ai|eps',
    'mp4|m4v|mov|avi|mkv|webm|wmv|mpg|mpeg|3gp|mp3|m4a|wav|aac|ogg|flac|wma|amr',
  ].join('|')})$`,
  'i',
);

/** Whether a file of this name is safe to open in the system's program for it. */
export const isDocument = (name: string): boolean => DOCUMENT.test(name);
