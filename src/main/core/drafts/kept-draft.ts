/**
 * The draft as it is stored, so that it survives a restart of the app: the chosen folders and the user's choices. The
 * folders are then scanned and matched again.
 */
import { createHash } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Owner } from '../../../contract/connection.ts';
import { NameTemplate, OnClash } from '../../../contract/uploads.ts';
import { FILE_MODE, makeFolder, readBounded, replaceFile } from '../../data/files.ts';
import type { Choices } from './choices.ts';
import { type FolderTree, pathBelow, pathOfFile, type TreeFolder } from './folder-tree.ts';
import type { Cut, CutPart, Row } from './rows.ts';

/**
 * A part of a source. `source`: the index of the source. `below`: the path of the part's folder. `loose`: only the
 * files directly in the folder. `names`: only the files with these names directly in the folder.
 */
const Place = z.object({
  source: z.int().min(0),
  below: z.string(),
  loose: z.literal(true).optional(),
  names: z.array(z.string()).readonly().optional(),
});
type Place = z.infer<typeof Place>;

const Decision = z.discriminatedUnion('choice', [
  z.object({ choice: z.literal('assignment'), AssignmentId: z.string() }),
  z.object({ choice: z.enum(['left-out', 'included']) }),
]);

export const KeptDraft = z.object({
  version: z.literal(1),
  connectionId: z.string(),
  subject: z.string().optional(),
  savedAtMs: z.number(),
  sources: z
    .array(z.object({ root: z.string(), name: z.string(), only: z.array(z.string()).readonly().optional() }))
    .readonly(),
  /** What was added for an assignment. */
  given: z
    .array(z.object({ root: z.string(), only: z.array(z.string()).readonly().optional(), AssignmentId: z.string() }))
    .readonly()
    .default([]),
  AssignmentId: z.string().optional(),
  level: z.int().min(0).optional(),
  nameTemplate: NameTemplate,
  onClash: OnClash,
  decisions: z.array(Place.and(Decision)).readonly(),
  clashes: z.array(Place.extend({ all: OnClash.optional(), paths: z.record(z.string(), OnClash) })).readonly(),
  /** Single files that are included or left out. `below`: the path, with the file name. */
  files: z.array(z.object({ source: z.int().min(0), below: z.string(), isIncluded: z.boolean() })).readonly(),
  /** The parts that were already started as uploads. */
  started: z.array(Place).readonly(),
  /** The rows at the time, by which changes are counted later. */
  rows: z.array(Place.extend({ files: z.int(), bytes: z.number() })).readonly(),
});
export type KeptDraft = z.infer<typeof KeptDraft>;

/** The components of a draft that hold its choices. */
type Components = {
  readonly tree: FolderTree;
  readonly cut: Pick<Cut, 'idOf' | 'partOf' | 'started' | 'adoptStarted'>;
  readonly choices: Choices;
};

const placeOf = ({ folder, kind, fileNames }: CutPart): Place => ({
  source: folder.source,
  below: pathBelow(folder),
  ...(kind === 'loose' && { loose: true }),
  ...(kind !== 'all' && fileNames && { names: fileNames }),
});

/** The loose files of a folder are one row. It is identified without their names, which may change. */
const placeOfRow = (row: Row): Place => placeOf(row.kind === 'loose' ? { ...row, fileNames: undefined } : row);

/** What the user chose, and all rows as they are now. */
export const storeChoices = (
  { tree, cut, choices }: Components,
  rows: readonly Row[],
): Omit<KeptDraft, 'version' | 'connectionId' | 'subject' | 'savedAtMs'> => {
  const { scope, given, names, decisions, clashes, files } = choices.all();
  const placed = <Value>(all: ReadonlyMap<number, Value>): readonly (Place & Value)[] =>
    [...all].flatMap(([rowId, value]) => {
      const part = cut.partOf(rowId);
      return part ? [{ ...placeOf(part), ...value }] : [];
    });
  return {
    sources: tree.sources.map(({ root, name, only }) => ({ root, name, ...(only && { only }) })),
    given,
    ...(scope.target !== undefined && { AssignmentId: scope.target }),
    ...(scope.level !== undefined && { level: scope.level }),
    ...names,
    decisions: placed(decisions),
    clashes: placed(clashes),
    files: [...files].flatMap(([folder, some]) =>
      [...some].map(([name, isIncluded]) => ({
        source: folder.source,
        below: pathOfFile(folder, name),
        isIncluded,
      })),
    ),
    started: cut.started().map(placeOf),
    rows: rows.map((row) => ({ ...placeOfRow(row), files: row.totals.files, bytes: row.totals.bytes })),
  };
};

const keyOfSource = ({ root, only }: KeptDraft['sources'][number]): string => JSON.stringify([root, only]);

/** Adopts the stored choices whose folders still exist. Must be called once everything has been scanned. */
export const adoptChoices = ({ tree, cut, choices }: Components, kept: KeptDraft): void => {
  const indexes = new Map(tree.sources.map((source, index) => [keyOfSource(source), index]));
  const folderAt = (source: number, below: string): TreeFolder | undefined => {
    const stored = kept.sources[source];
    const index = stored && indexes.get(keyOfSource(stored));
    return index === undefined ? undefined : tree.folderAt(index, below);
  };
  const partOf = ({ source, below, loose, names }: Place): readonly CutPart[] => {
    const folder = folderAt(source, below);
    const kind = loose ? 'loose' : names ? 'named' : 'all';
    return folder ? [{ folder, kind, fileNames: names }] : [];
  };
  const byRow = <Value extends Place>(all: readonly Value[]): ReadonlyMap<number, Value> =>
    new Map(all.flatMap((one) => partOf(one).map((part) => [cut.idOf(part), one] as const)));
  cut.adoptStarted(kept.started.flatMap(partOf));
  choices.adopt({
    given: kept.given,
    decisions: byRow(kept.decisions),
    clashes: byRow(kept.clashes),
    files: kept.files.flatMap(({ source, below, isIncluded }) => {
      const slash = below.lastIndexOf('/');
      const folder = folderAt(source, below.slice(0, Math.max(0, slash)));
      return folder ? [[folder, below.slice(slash + 1), isIncluded] as const] : [];
    }),
  });
};

/** How many rows have another number of files or bytes than before, are new, or are gone. */
export const countChanged = (rows: readonly Row[], { rows: before }: KeptDraft): number => {
  const keyOf = ({ source, below, loose, names }: Place): string => JSON.stringify([source, below, loose, names]);
  const unseen = new Map(before.map((row) => [keyOf(row), row]));
  let changed = 0;
  for (const row of rows) {
    const key = keyOf(placeOfRow(row));
    const was = unseen.get(key);
    if (was?.files !== row.totals.files || was.bytes !== row.totals.bytes) changed += 1;
    unseen.delete(key);
  }
  return changed + unseen.size;
};

/** The path of the stored draft of a user: each user of a connection has one. `directory`: the folder of drafts. */
export const keptDraftPath = (directory: string, { connectionId, subject }: Owner): string => {
  const user = subject === undefined ? '' : `-${createHash('sha256').update(subject).digest('hex').slice(0, 16)}`;
  return join(directory, `${connectionId}${user}.json`);
};

/** The maximum size of a stored draft: one of a million folders takes about 100 MB. */
const MOST_BYTES = 256 * 1024 * 1024;

const readKept = async (path: string): Promise<KeptDraft | undefined> => {
  try {
    const bytes = await readBounded(path, MOST_BYTES);
    return bytes && KeptDraft.parse(JSON.parse(bytes.toString()));
  } catch {
    return undefined;
  }
};

/**
 * The stored draft of `owner`; undefined if there is none that can be read. A user without a draft takes over the draft
 * that was stored without a user.
 */
export const readKeptDraft = async (directory: string, owner: Owner): Promise<KeptDraft | undefined> => {
  const { connectionId, subject } = owner;
  const path = keptDraftPath(directory, owner);
  const own = await readKept(path);
  if (own || subject === undefined) return own;
  await rename(keptDraftPath(directory, { connectionId }), path).catch(() => {});
  const found = await readKept(path);
  return found && { ...found, subject };
};

/** Errors: `data/unwritable`. */
export const writeKeptDraft = (path: string, kept: KeptDraft): Promise<void> =>
  replaceFile(path, async (temporary) => {
    makeFolder(dirname(path));
    await writeFile(temporary, JSON.stringify(kept), { mode: FILE_MODE, flag: 'wx' });
  });

export const removeKeptDraft = (path: string): Promise<void> => rm(path, { force: true }).catch(() => {});
