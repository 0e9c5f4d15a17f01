/** The rows that a map file asks for. */
import type { JobRow } from '../../matching/job-level.ts';
import { type MapProblem, parseMapFile } from '../../matching/map-file.ts';
import { type FolderTree, pathBelow, type TreeFolder } from './folder-tree.ts';

export type MappedPart = { readonly part: JobRow<TreeFolder>; readonly AssignmentId: string };

type Place = { readonly folder: TreeFolder; readonly fileName?: string };

/**
 * The parts of the tree that the map file `text` names, each with its assignment, the deepest first: what lies below a
 * folder goes with it, unless the file names it too. Or every line that is wrong. `idOf`: an id as the service writes it;
 * undefined: there is no such assignment.
 */
export const readMap = (
  text: string,
  tree: FolderTree,
  idOf: (AssignmentId: string) => string | undefined,
): { readonly parts: readonly MappedPart[] } | { readonly problems: readonly MapProblem[] } => {
  const places = new Map<string, Place[]>();
  const add = (path: string, place: Place): void => void places.set(path, [...(places.get(path) ?? []), place]);
  for (const folder of tree.folders) {
    const path = pathBelow(folder);
    add(path || '.', { folder });
    for (const { name } of folder.files) add(path ? `${path}/${name}` : name, { folder, fileName: name });
  }
  const map = parseMapFile(text, { paths: places.keys(), isKnown: (id) => idOf(id) !== undefined });
  if (!map.ok) return { problems: map.problems };
  const parts = [...map.assignments].flatMap(([path, id]) =>
    (places.get(path) ?? []).map(({ folder, fileName }): MappedPart & { readonly depth: number } => ({
      part: fileName === undefined ? { kind: 'all', folder } : { kind: 'named', folder, fileNames: [fileName] },
      AssignmentId: idOf(id) ?? id,
      depth: fileName === undefined ? folder.depth : Number.POSITIVE_INFINITY,
    })),
  );
  return { parts: parts.sort((one, other) => (one.depth < other.depth ? 1 : one.depth > other.depth ? -1 : 0)) };
};
