/** Finds the level of the assignment folders in a folder tree, and divides the tree into rows at that level. */
import type { MatchIndex, MatchOptions } from './match-index.ts';
import { tokensOf } from './names.ts';
import { type FolderName, namesOf } from './targets.ts';
import { isFilling, isWorkWord } from './words.ts';

/** A folder of a scan. `depth`: 0 for a chosen folder; `files`: the files directly in the folder. */
type FolderNode<Folder> = {
  readonly name: string;
  readonly depth: number;
  readonly parent: Folder | undefined;
  readonly folders: readonly Folder[];
  readonly files: readonly { readonly name: string }[];
};

/**
 * The files that go to one assignment. `all`: a folder with everything below it; `loose`: the files directly in the
 * folder, without those in `except`; `named`: only `fileNames`, which are directly in the folder.
 */
export type AssignmentPart<Folder> =
  | { readonly kind: 'all'; readonly folder: Folder }
  | { readonly kind: 'loose'; readonly folder: Folder; readonly except: ReadonlySet<string> }
  | { readonly kind: 'named'; readonly folder: Folder; readonly fileNames: readonly string[] };

/** The maximum number of folders that are matched as a sample of one level, or inside one folder. */
const MOST_TRIED = 400;
/** The maximum number of levels that are matched. Deeper folders are part of an assignment folder. */
const MOST_LEVELS = 8;
/** A higher level is chosen if it names at least this share of the assignments that the best level names. */
const ENOUGH = 0.95;
/** The minimum certainty of a name that points to an assignment. */
const TELLING = 0.5;

const pathOf = <Folder extends FolderNode<Folder>>(folder: Folder): string => {
  const names: string[] = [];
  for (let at: Folder | undefined = folder; at !== undefined; at = at.parent) names.push(at.name);
  return names.reverse().join('/');
};

function* byLevel<Folder extends FolderNode<Folder>>(
  roots: readonly Folder[],
): Generator<readonly Folder[], undefined> {
  for (let here = roots; here.length > 0; here = here.flatMap(({ folders }) => folders)) yield here;
}

/** Matches `folder`. `isTelling`: whether the folder's own name, not only a name above it, points to an assignment. */
const matched = <Folder extends FolderNode<Folder>>(folder: Folder, index: MatchIndex, options: MatchOptions) => {
  const match = index.match({ path: pathOf(folder) }, options);
  return { match, isTelling: match.depth === folder.depth && match.share >= TELLING };
};

/**
 * Counts the folders of each level, where `roots` have level 0, and finds the level of the assignment folders. `index`
 * should cache its matches, because `assignmentParts` matches the folders again.
 */
export const assignmentLevels = <Folder extends FolderNode<Folder>>(
  roots: readonly Folder[],
  index: MatchIndex,
  options: MatchOptions = {},
) => {
  /**
   * Returns how many assignments are named by the folders of one level. An assignment with a certainty of 0.8 counts as
   * 0.8. For a large level, the number is estimated from a sample.
   */
  const namedBy = (folders: readonly Folder[]): number => {
    const step = Math.max(1, folders.length / MOST_TRIED);
    const best = new Map<string, number>();
    for (const folder of folders.filter((_, at) => at % step < 1)) {
      const { match, isTelling } = matched(folder, index, options);
      const place = match.best?.AssignmentId ?? match.unread[0];
      if (place !== undefined && isTelling) best.set(place, Math.max(match.share, best.get(place) ?? 0));
    }
    return step * [...best.values()].reduce((sum, share) => sum + share, 0);
  };
  const all = [...byLevel(roots)];
  const named = all.slice(0, MOST_LEVELS).map(namedBy);
  const most = Math.max(0, ...named);
  return {
    levels: all.map((folders, level) => ({ level, folders: folders.length })),
    // If no folder names an assignment, the folders directly in the chosen one are the assignment folders, as in most
    // offices.
    level: most === 0 ? Math.min(1, all.length - 1) : named.findIndex((one) => one >= most * ENOUGH),
  };
};

/**
 * Divides the chosen folders `roots` into rows; every file is in exactly one row. Folders above the level of the
 * assignment folders are opened, and folders at that level are whole rows. The files directly in an opened folder are
 * one row, except those whose names point to assignments: these have one row for each assignment. Without `level`, the
 * level is detected, and names can overrule it. Then a folder at the level or above it stays whole if it names an
 * assignment, unless folders inside it name other assignments. A folder at the level that names no assignment is opened
 * if folders directly inside it name assignments.
 */
export const assignmentParts = <Folder extends FolderNode<Folder>>(
  roots: readonly Folder[],
  index: MatchIndex,
  { level, ...options }: MatchOptions & { readonly level?: number | undefined },
): readonly AssignmentPart<Folder>[] => {
  const cut = level ?? assignmentLevels(roots, index, options).level;
  const isTelling = (folder: Folder): boolean => matched(folder, index, options).isTelling;
  /**
   * Whether a folder inside `folder`, down to the level `cut`, names another assignment, or has a clear match although
   * `folder` has none.
   */
  const isDivided = (folder: Folder): boolean => {
    const { match } = matched(folder, index, options);
    const own = new Set(match.candidates.map(({ AssignmentId }) => AssignmentId));
    const inside = byLevel(folder.folders)
      .take(Math.max(1, cut - folder.depth))
      .toArray()
      .flat();
    return inside.slice(0, MOST_TRIED).some((below) => {
      const its = matched(below, index, options);
      const isOther = its.isTelling && its.match.best !== undefined && !own.has(its.match.best.AssignmentId);
      return isOther || (!match.isClear && its.match.isClear);
    });
  };
  const isWhole = (folder: Folder): boolean => {
    if (folder.folders.length === 0 || level !== undefined || folder.depth > cut) return folder.depth >= cut;
    if (isTelling(folder)) return !isDivided(folder);
    return folder.depth === cut && !folder.folders.some(isTelling);
  };
  const namedFiles = (folder: Folder) => {
    const path = pathOf(folder);
    const { isClear } = index.match({ path }, options);
    const assignmentOf = ({ name }: { readonly name: string }): string | undefined => {
      if (isClear || !canTell(name)) return undefined;
      const { best, depth } = index.match({ path, fileNames: [name] }, options);
      return best !== undefined && best.certainty >= TELLING && depth > folder.depth ? best.AssignmentId : undefined;
    };
    const byAssignment = Map.groupBy(folder.files, assignmentOf);
    byAssignment.delete(undefined);
    return [...byAssignment.values()].map((files) => files.map(({ name }) => name));
  };
  const rows: AssignmentPart<Folder>[] = [];
  const open = [...roots].reverse();
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const isOpened = !isWhole(folder);
    const named = isOpened ? namedFiles(folder) : [];
    const except = new Set(named.flat());
    for (const fileNames of named) rows.push({ kind: 'named', folder, fileNames });
    if (!isOpened || (folder.folders.length === 0 && except.size === 0)) rows.push({ kind: 'all', folder });
    else if (except.size < folder.files.length) rows.push({ kind: 'loose', folder, except });
    for (const inside of isOpened ? [...folder.folders].reverse() : []) open.push(inside);
  }
  return rows;
};

/** Whether a file's name has a word or number that can be an id, a place or a person, unlike "IMG_0123". */
export const canTell = (name: string): boolean =>
  /[0-9a-f]{8}/i.test(name) ||
  tokensOf(name.replace(/\.[^.]{1,5}$/, '')).some(({ text, isNumber }) =>
    isNumber ? text.length > 4 : text.length > 2 && !isWorkWord(text) && !isFilling(text),
  );

/**
 * Returns the assignment to which the files of a folder can be sent without a question; undefined if none is certain
 * enough. First the whole path is matched. If the name at its end points to no assignment, the path of the folder above
 * is matched, and so on, because the user may have confirmed a choice for a folder above. The path of the chosen folder
 * alone is matched only for the chosen folder itself.
 */
export const certainAssignment = (
  { match }: Pick<MatchIndex, 'match'>,
  folder: FolderName,
  options: MatchOptions,
): string | undefined => {
  const names = namesOf(folder.path);
  for (let last = names.length - 1; ; last -= 1) {
    const isWhole = last === names.length - 1;
    const { decision, candidates, depth, vetoes } = match(
      isWhole ? folder : { path: names.slice(0, last + 1).join('/'), rootPath: folder.rootPath },
      options,
    );
    if (decision === 'send') return candidates[0]?.AssignmentId;
    // Stops if a name has misleading characters, or if the name at the end points to an assignment, but not clearly.
    if (vetoes.some(({ signal }) => signal === 'characters') || depth >= last || last <= 1) return undefined;
  }
};
