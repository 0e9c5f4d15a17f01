import type { FolderIdentity } from '../../uploads/source/file-identity.ts';
import { createReviewedList, type Range, type ReviewedPart } from '../../uploads/source/reviewed-list.ts';
import type { FoundFolder, ScannedFile } from '../../uploads/source/scan.ts';
import { pathBelow, type TreeFolder } from './folder-tree.ts';
import type { Row } from './rows.ts';

export type Review = {
  readonly addFolder: (folder: TreeFolder, found: FoundFolder) => void;
  /** Files that lie directly in a folder. */
  readonly addFiles: (folder: TreeFolder, files: readonly ScannedFile[]) => void;
  /** Of a row's folder, once it was scanned. Undefined: it could not be read. */
  readonly of: (row: Row) => { readonly identity: FolderIdentity; readonly reviewed: ReviewedPart } | undefined;
  /** Everything added so far can be read by the engine, and (`isLasting`) survives a power cut. Errors: `data/unwritable`. */
  readonly save: (isLasting: boolean) => void;
  readonly close: () => void;
};

/** Where a folder is in the list: with everything below it up to `end`; `own`: with the files that lie directly in it. */
type Place = { readonly found: Pick<FoundFolder, 'below' | 'identity'>; readonly own: Range[]; end: number };

/** Nothing was scanned. `directory`: the folder of lists; `id`: of the draft. */
export const createReview = (directory: string, id: string): Review => {
  const list = createReviewedList(directory, id);
  const places = new Map<TreeFolder, Place>();

  const add = (folder: TreeFolder, place: Place, files: readonly ScannedFile[]): void => {
    const [from, to] = list.add(place.found, files);
    const last = place.own.at(-1);
    if (last?.[1] === from) place.own[place.own.length - 1] = [last[0], to];
    else place.own.push([from, to]);
    // Folders are scanned from the outside to the inside, so each is followed by everything below it.
    for (let above: TreeFolder | undefined = folder; above !== undefined; above = above.parent) {
      const around = places.get(above);
      if (around) around.end = to;
    }
  };

  return {
    addFolder: (folder, { below, identity }) => {
      const place: Place = { found: { below, identity }, own: [], end: 0 };
      places.set(folder, place);
      add(folder, place, []);
    },
    addFiles: (folder, files) => {
      const place = places.get(folder);
      if (!place) throw new Error('files were found in an unknown folder');
      add(folder, place, files);
    },
    of: ({ folder, fileNames }) => {
      const place = places.get(folder);
      const begin = place?.own[0]?.[0];
      if (!place || begin === undefined) return undefined;
      const ranges: readonly Range[] = fileNames ? place.own : [[begin, place.end]];
      const below = pathBelow(folder);
      const reviewed = { list: id, below: below === '' ? '' : `${below}/`, ranges };
      return { identity: place.found.identity, reviewed };
    },
    save: list.save,
    close: list.close,
  };
};
