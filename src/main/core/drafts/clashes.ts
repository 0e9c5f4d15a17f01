/** Files of a draft whose FileName on the assignment is taken, by the names alone: contents are compared when they are sent. */
import type { DraftClash } from '../../../contract/drafts.ts';
import type { NameTemplate } from '../../../contract/names.ts';
import { fileNameCandidates, fileNameKey } from '../../uploads/source/file-names.ts';
import { pathOf } from './folder-tree.ts';
import { filesOfRow, type Row } from './rows.ts';

/** `path`: below the folder of the row, with `/`. */
export type Clash = Omit<DraftClash, 'onClash'>;

/** A file that is on an assignment, or that another upload is about to send there. */
export type TakenName = {
  readonly FileName: string;
  readonly folder?: string | undefined;
  readonly addedAtMs?: number | undefined;
};

/** Rows that go to the same assignment, in the order in which they are planned. */
type Group = {
  readonly rows: readonly Row[];
  readonly template: NameTemplate;
  readonly taken: readonly TakenName[];
};

/** The clashes of each row that has some. Of several files of one upload with the same name the first one keeps it. */
export const findClashes = ({ rows, template, taken }: Group): ReadonlyMap<number, readonly Clash[]> => {
  const earlier = new Map(taken.map((known) => [fileNameKey(known.FileName), known]));
  const here = new Map<string, string>();
  const found = new Map<number, Clash[]>();
  for (const row of rows) {
    for (const { folder, path } of filesOfRow(row)) {
      const FileName: string = fileNameCandidates(path, template).next().value;
      const key = fileNameKey(FileName);
      const known = earlier.get(key);
      const first = here.get(key);
      if (known === undefined && first === undefined) {
        here.set(key, pathOf(folder));
        continue;
      }
      const clash: Clash = known
        ? {
            ...{ path, FileName, with: 'earlier' },
            ...(known.folder !== undefined && { folder: known.folder }),
            ...(known.addedAtMs !== undefined && { addedAtMs: known.addedAtMs }),
          }
        : { path, FileName, with: 'this-upload', ...(first !== undefined && { folder: first }) };
      found.set(row.rowId, [...(found.get(row.rowId) ?? []), clash]);
    }
  }
  return found;
};

/** The same for each group, found again only where its rows, its template or the names on its assignment are others. */
export const createClashFinder = () => {
  const known = new Map<string, { readonly group: Group; readonly clashes: ReadonlyMap<number, readonly Clash[]> }>();
  return (assignment: string, group: Group): ReadonlyMap<number, readonly Clash[]> => {
    const last = known.get(assignment);
    if (last && isSame(last.group, group)) return last.clashes;
    const clashes = findClashes(group);
    known.set(assignment, { group, clashes });
    return clashes;
  };
};

const isSame = (one: Group, other: Group): boolean =>
  one.template === other.template &&
  one.taken === other.taken &&
  one.rows.length === other.rows.length &&
  one.rows.every(({ rowId }, index) => rowId === other.rows[index]?.rowId);
