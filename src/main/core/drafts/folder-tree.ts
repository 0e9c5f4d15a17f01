/** The folders and files of a draft, as far as its rows need them: names, sizes, and what is remarkable about them. */
import type { ScannedFile } from '../../uploads/source/scan.ts';

/**
 * Counts of files; `bytes`: their sizes together. `tooLarge`: as large as one that a storage has refused. `inCloud`: not on this
 * computer.
 */
export type Totals = {
  readonly files: number;
  readonly bytes: number;
  readonly empty: number;
  readonly tooLong: number;
  readonly executable: number;
  readonly tooLarge: number;
  readonly inCloud: number;
  readonly unreadable: number;
};

export type TreeFile = { readonly name: string; readonly sizeBytes: number; readonly inCloud?: true };

export type TreeFolder = {
  /** Its place in `folders`. */
  readonly id: number;
  readonly parent: TreeFolder | undefined;
  readonly name: string;
  /** Below the chosen folder, which has 0. */
  readonly depth: number;
  /** The number of the source that it belongs to. */
  readonly source: number;
  readonly folders: readonly TreeFolder[];
  /** The files that lie directly in it. */
  readonly files: readonly TreeFile[];
  /** Of those files alone, and with all files below it. */
  readonly own: Totals;
  readonly whole: Totals;
};

export type FolderTree = {
  /** Those above others come first. */
  readonly folders: readonly TreeFolder[];
  /** Adds a chosen folder; answers its number. */
  readonly addSource: (name: string) => number;
  /** Adds a folder by its path below the source, with `/`, also at the end. */
  readonly addFolder: (source: number, path: string) => TreeFolder;
  /** Adds files that lie in one folder of the source, which it returns if there are any. */
  readonly addFiles: (source: number, files: readonly ScannedFile[]) => TreeFolder | undefined;
  /** Notes a file, or a folder, that could not be read. `path`: below the source, with `/`. */
  readonly addUnreadable: (source: number, path: string) => void;
  readonly totalsOf: (files: readonly TreeFile[]) => Totals;
};

type Mutable = Omit<TreeFolder, 'folders' | 'files' | 'own' | 'whole' | 'parent'> & {
  readonly parent: Mutable | undefined;
  readonly folders: Mutable[];
  readonly files: TreeFile[];
  own: Totals;
  whole: Totals;
};

const NOTHING: Totals = {
  files: 0,
  bytes: 0,
  empty: 0,
  tooLong: 0,
  executable: 0,
  tooLarge: 0,
  inCloud: 0,
  unreadable: 0,
};

const totalsOf = (files: readonly TreeFile[], refusedBytes: number): Totals => {
  const count = (is: (file: TreeFile) => boolean): number => files.filter(is).length;
  return {
    files: files.length,
    bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    empty: count(({ sizeBytes }) => sizeBytes === 0),
    tooLong: count(({ name }) => isTooLong(name)),
    executable: count(({ name }) => isExecutable(name)),
    tooLarge: count(({ sizeBytes }) => sizeBytes >= refusedBytes),
    inCloud: count(({ inCloud = false }) => inCloud),
    unreadable: 0,
  };
};

/** Of both together. */
const sumOf = (one: Totals, other: Totals): Totals => ({
  files: one.files + other.files,
  bytes: one.bytes + other.bytes,
  empty: one.empty + other.empty,
  tooLong: one.tooLong + other.tooLong,
  executable: one.executable + other.executable,
  tooLarge: one.tooLarge + other.tooLarge,
  inCloud: one.inCloud + other.inCloud,
  unreadable: one.unreadable + other.unreadable,
});

/** A tree without folders. `refusedBytes`: the size of the smallest file that was too large for a storage; else infinite. */
export const createFolderTree = (refusedBytes = Number.POSITIVE_INFINITY): FolderTree => {
  const folders: Mutable[] = [];
  const sources: { readonly root: Mutable; readonly byPath: Map<string, Mutable> }[] = [];

  const add = (name: string, source: number, parent: Mutable | undefined): Mutable => {
    const depth = parent === undefined ? 0 : parent.depth + 1;
    const folder = { id: folders.length, parent, name, depth, source, folders: [], files: [] };
    const added: Mutable = { ...folder, own: NOTHING, whole: NOTHING };
    folders.push(added);
    parent?.folders.push(added);
    return added;
  };

  /** `path`: below the source, with `/`; empty for the source itself. */
  const folderAt = (source: number, path: string): Mutable => {
    const { root, byPath } = sources[source] ?? { root: undefined, byPath: new Map() };
    if (root === undefined) throw new Error('there is no such source');
    // From the end: the folders around it are known already, as a scan goes from the outside to the inside.
    const missing: string[] = [];
    let folder: Mutable | undefined;
    for (let here = path; folder === undefined; here = here.slice(0, Math.max(0, here.lastIndexOf('/')))) {
      folder = here === '' ? root : byPath.get(here);
      if (folder === undefined) missing.push(here);
    }
    for (const here of missing.reverse()) {
      folder = add(here.slice(here.lastIndexOf('/') + 1), source, folder);
      byPath.set(here, folder);
    }
    return folder;
  };

  const addTotals = (folder: Mutable, totals: Totals): void => {
    folder.own = sumOf(folder.own, totals);
    for (let above: Mutable | undefined = folder; above !== undefined; above = above.parent)
      above.whole = sumOf(above.whole, totals);
  };

  return {
    folders,
    addSource: (name) => {
      const source = sources.length;
      sources.push({ root: add(name, source, undefined), byPath: new Map() });
      return source;
    },
    addFolder: (source, path) => folderAt(source, path.slice(0, -1)),
    addFiles: (source, scanned) => {
      const [first] = scanned;
      if (first === undefined) return undefined;
      const prefix = first.path.slice(0, first.path.lastIndexOf('/') + 1);
      const files = scanned.map(({ path, sizeBytes, inCloud }) => ({
        name: path.slice(prefix.length),
        sizeBytes,
        ...(inCloud && { inCloud }),
      }));
      const folder = folderAt(source, prefix.slice(0, -1));
      for (const file of files) folder.files.push(file);
      addTotals(folder, totalsOf(files, refusedBytes));
      return folder;
    },
    addUnreadable: (source, path) => {
      const folder = folderAt(source, path.slice(0, Math.max(0, path.lastIndexOf('/'))));
      addTotals(folder, { ...NOTHING, unreadable: 1 });
    },
    totalsOf: (files) => totalsOf(files, refusedBytes),
  };
};

/** From the name of the chosen folder on, with `/`. */
export const pathOf = (folder: TreeFolder): string => namesOf(folder).join('/');

/** Below the chosen folder, with `/`; empty for the chosen folder itself. */
export const pathBelow = (folder: TreeFolder): string => namesOf(folder).slice(1).join('/');

const namesOf = (folder: TreeFolder): readonly string[] => {
  const names: string[] = [];
  for (let above: TreeFolder | undefined = folder; above !== undefined; above = above.parent) names.push(above.name);
  return names.reverse();
};

// What is remarkable about a file by its name alone.

/** Types that run when they are opened; services and mail filters often refuse them. */
const EXECUTABLE =
  /\.(exe|msi|msix|bat|cmd|com|scr|pif|cpl|dll|js|jse|vbs|vbe|wsf|wsh|hta|ps1|psm1|reg|lnk|url|app|dmg|pkg|command|sh|run|appimage|deb|rpm|jar|apk)$/i;

/**
 * Types that a program shows without running what is in them. Any other type may run code: a list of those that do would
 * never be complete.
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

/** Whether the file may be opened in the system's program for it. */
export const isDocument = (name: string): boolean => DOCUMENT.test(name);

const isExecutable = (name: string): boolean => EXECUTABLE.test(name);

/** The longest name, in bytes of UTF-8, that file systems and storages take. */
const LONGEST_NAME_BYTES = 255;

/** Such a name is shortened on the assignment. */
export const isTooLong = (name: string): boolean =>
  name.length > LONGEST_NAME_BYTES / 4 && Buffer.byteLength(name) > LONGEST_NAME_BYTES;
