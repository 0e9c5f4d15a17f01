/**
 * The stored draft: the folders of a draft and the user's choices, with which the draft continues after a restart of
 * the app.
 */
import { createHash } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pick } from 'es-toolkit/object/pick';
import { z } from 'zod';
import type { Owner } from '../../../contract/connection.ts';
import type { Draft } from '../../../contract/drafts.ts';
import { DeskError } from '../../../contract/errors.ts';
import { wallNow } from '../../async/clock.ts';
import { createSerial } from '../../async/lock.ts';
import { createThrottle } from '../../async/throttle.ts';
import { FILE_MODE, makeFolder, moveAside, readBounded, replaceFile } from '../../data/files.ts';
import type { DraftSource, FolderTree, TreeFolder } from './folder-tree.ts';
import {
  type Choices,
  ChosenPlaces,
  type Cut,
  type CutPart,
  Decision,
  Given,
  Names,
  type Row,
  RowClashes,
} from './rows.ts';

/**
 * A part of a source. `source`: the index of the source; `below`: the path of the part's folder; `loose`: only the
 * files directly in the folder; `names`: only the files with these names directly in the folder.
 */
const Place = z.object({
  source: z.int().min(0),
  below: z.string(),
  loose: z.literal(true).optional(),
  names: z.array(z.string()).readonly().optional(),
});
type Place = z.infer<typeof Place>;

const KeptDraft = z.object({
  version: z.literal(1),
  connectionId: z.string(),
  subject: z.string().optional(),
  savedAtMs: z.number(),
  sources: z
    .array(
      ChosenPlaces.extend({
        name: z.string(),
        isJob: z.boolean().optional(),
        AssignmentId: z.string().optional(),
        replaces: z.array(z.string()).readonly().optional(),
      }),
    )
    .readonly(),
  given: z.array(Given).readonly().default([]),
  AssignmentId: z.string().optional(),
  level: z.int().min(0).optional(),
  ...Names.shape,
  decisions: z.array(Place.and(Decision)).readonly(),
  clashes: z.array(Place.and(RowClashes)).readonly(),
  files: z.array(Place.required({ names: true }).extend({ isIncluded: z.boolean() })).readonly(),
  started: z.array(Place).readonly(),
  /** The rows at the time of storing, to be compared with those of the continued draft. Absent before the scan ended. */
  rows: z
    .array(Place.extend({ files: z.int(), bytes: z.number() }))
    .readonly()
    .optional(),
});
export type KeptDraft = z.infer<typeof KeptDraft>;

/**
 * Where a draft is stored, its owner, and the stored draft that it continues. `isReopened`: the user never left that
 * draft, so the continuation is not reported.
 */
export type DraftStorage = {
  readonly path: string;
  readonly owner: Owner;
  readonly kept?: KeptDraft | undefined;
  readonly isReopened?: boolean | undefined;
};

type StoredDraftOptions = {
  readonly sources: readonly DraftSource[];
  readonly tree: FolderTree;
  readonly choices: Choices;
  readonly cut: Cut;
  /** Returns the rows to be stored; none while folders are scanned. */
  readonly rows: () => readonly Row[];
  /** Called when choices cannot be stored, and not again before they have been stored. */
  readonly onUnwritable: (error: DeskError) => void;
  readonly onBug: (error: unknown) => void;
};

/** The delay before changes are stored. A crash may lose the changes made in this time. */
const KEEP_MS = 100;
/** The delay before the next attempt to store choices, after one has failed. */
const WRITE_RETRY_MS = 5_000;

/**
 * Stores the user's choices soon after each change, once everything that can be read has been scanned. During the scan,
 * a draft that continues a stored one does not overwrite it, so that no choices are lost if the app ends. Any other
 * draft is stored immediately, without choices.
 */
export const createStoredDraft = ({ path, owner, kept, isReopened }: DraftStorage, options: StoredDraftOptions) => {
  const { tree, choices, cut, rows } = options;
  const inTurn = createSerial();
  let isScanned = false;
  let retry: NodeJS.Timeout | undefined;
  /** What is stored about folders that the scan did not find, although they may still exist. */
  let unread: {
    readonly [Name in 'decisions' | 'clashes' | 'files' | 'started' | 'rows']: NonNullable<KeptDraft[Name]>;
  } = {
    decisions: [],
    clashes: [],
    files: [],
    started: [],
    rows: [],
  };
  let changed: number | undefined;

  const contents = (): KeptDraft => {
    const { scope, given, names, decisions, clashes } = choices.all();
    const placed = <Value>(all: ReadonlyMap<number, Value>): readonly (Place & Value)[] =>
      [...all].flatMap(([rowId, value]) => {
        const part = cut.partOf(rowId);
        return part ? [{ ...placeOf(part), ...value }] : [];
      });
    return {
      version: 1,
      ...owner,
      savedAtMs: wallNow(),
      sources: tree.sources.map(storedSource),
      given,
      ...(scope.target !== undefined && { AssignmentId: scope.target }),
      ...(scope.level !== undefined && { level: scope.level }),
      ...names,
      decisions: [...placed(decisions), ...unread.decisions],
      clashes: [...placed(clashes), ...unread.clashes],
      files: [
        ...choices
          .chosenFiles()
          .map(([{ source, below }, name, isIncluded]) => ({ source, below, names: [name], isIncluded })),
        ...unread.files,
      ],
      started: [...cut.started().map(placeOf), ...unread.started],
      rows: rows()
        .map((row) => ({ ...placeOfRow(row), files: row.totals.files, bytes: row.totals.bytes }))
        .concat(unread.rows),
    };
  };
  const write = (stored: KeptDraft): void =>
    void inTurn(async () => {
      const text = JSON.stringify(stored);
      await replaceFile(path, async (temporary) => {
        makeFolder(dirname(path));
        await writeFile(temporary, text, { mode: FILE_MODE, flag: 'wx' });
      });
      retry = undefined;
    }).catch((error) => {
      if (!(error instanceof DeskError)) return options.onBug(error);
      if (retry === undefined) options.onUnwritable(error);
      clearTimeout(retry);
      retry = setTimeout(request, WRITE_RETRY_MS).unref();
    });
  const { request, end } = createThrottle(() => isScanned && write(contents()), KEEP_MS, options.onBug);
  if (!kept) write({ ...contents(), sources: options.sources.map(storedSource), rows: undefined });

  /**
   * Adopts the stored choices whose folders the scan has found. The other choices stay stored if the scan was cut off
   * (not `isWhole`) or could not read the folder around, because their folders may still exist.
   */
  const adopt = (stored: KeptDraft, isWhole: boolean): void => {
    const indexes = new Map(tree.sources.map((source, index) => [keyOfSource(source), index]));
    const indexOf = (source: number): number | undefined => {
      const chosen = stored.sources[source];
      return chosen && indexes.get(keyOfSource(chosen));
    };
    const folderAt = (source: number, below: string): TreeFolder | undefined => {
      const index = indexOf(source);
      return index === undefined ? undefined : tree.folderAt(index, below);
    };
    /** Whether a folder that the scan has not found may exist: below one that could not be read. */
    const mayExist = (source: number, below: string): boolean => {
      const slashes = below.matchAll(/\//g).map(({ index }) => index);
      const around = [0, ...slashes].flatMap((end) => tree.folderAt(source, below.slice(0, end)) ?? []);
      return !isWhole || (around.at(-1)?.own.unreadable ?? 0) > 0;
    };
    const unreadIn = <P extends Place>(places: readonly P[]): readonly P[] =>
      places.flatMap((place) => {
        const source = indexOf(place.source);
        const isFound = source === undefined || tree.folderAt(source, place.below) !== undefined;
        return isFound || !mayExist(source, place.below) ? [] : [{ ...place, source }];
      });
    const partOf = ({ source, below, loose, names }: Place): readonly CutPart[] => {
      const folder = folderAt(source, below);
      const kind = loose ? 'loose' : names ? 'named' : 'all';
      return folder ? [{ folder, kind, fileNames: names }] : [];
    };
    const byRow = <Value extends Place>(all: readonly Value[]): ReadonlyMap<number, Value> =>
      new Map(all.flatMap((one) => partOf(one).map((part) => [cut.idOf(part), one] as const)));
    cut.addStarted(stored.started.flatMap(partOf));
    choices.adopt({
      given: stored.given,
      decisions: byRow(stored.decisions),
      clashes: byRow(stored.clashes),
      files: stored.files.flatMap(({ source, below, names, isIncluded }) => {
        const folder = folderAt(source, below);
        return folder ? names.map((name) => [folder, name, isIncluded] as const) : [];
      }),
    });
    unread = {
      decisions: unreadIn(stored.decisions),
      clashes: unreadIn(stored.clashes),
      files: unreadIn(stored.files),
      started: unreadIn(stored.started),
      rows: unreadIn(stored.rows ?? []),
    };
  };

  return {
    /** Returns the draft in the form in which it is stored. */
    contents,
    /**
     * To be called whenever all folders have been scanned. The first call adopts the stored choices. `isWhole`: whether
     * no scan was cut off.
     */
    scanned: (isWhole: boolean): void => {
      if (kept && !isScanned) adopt(kept, isWhole);
      isScanned = true;
      request();
    },
    changed: request,
    /**
     * Returns the time at which the continued draft was stored, and how many rows have changed since then. The changes
     * are counted at the first call, so what the user adds or starts later does not count; none are counted if the draft
     * was stored before its scan ended. Returns undefined if the draft does not continue a stored one, or if the user
     * never left that one (`isReopened`).
     */
    resumed: (): Draft['resumed'] => {
      if (kept === undefined || isReopened) return undefined;
      changed ??= countChanged(rows(), kept);
      return { atMs: kept.savedAtMs, changed };
    },
    end: async (): Promise<void> => {
      end();
      await inTurn(async () => {});
    },
  };
};

const placeOf = ({ folder, kind, fileNames }: CutPart): Place => ({
  source: folder.source,
  below: folder.below,
  ...(kind === 'loose' && { loose: true }),
  ...(kind !== 'all' && fileNames && { names: fileNames }),
});

/** The row of a folder's loose files is identified without their names, which may change. */
const placeOfRow = (row: Row): Place => placeOf(row.kind === 'loose' ? { ...row, fileNames: undefined } : row);

const storedSource = (source: DraftSource): KeptDraft['sources'][number] =>
  pick(source, ['root', 'name', 'only', 'isJob', 'AssignmentId', 'replaces']);

const keyOfSource = ({ root, only }: KeptDraft['sources'][number]): string => JSON.stringify([root, only]);

/** How many rows are new or gone, or have a different number of files or bytes than in the stored draft. */
const countChanged = (rows: readonly Row[], { rows: before, sources }: KeptDraft): number => {
  if (before === undefined) return 0;
  const keyOf = ({ source, below, loose, names }: Place): string => JSON.stringify([source, below, loose, names]);
  const unseen = new Map(before.map((row) => [keyOf(row), row]));
  let changed = 0;
  for (const row of rows) {
    // The user added this source after the draft was stored.
    if (row.folder.source >= sources.length) continue;
    const key = keyOf(placeOfRow(row));
    const was = unseen.get(key);
    if (was?.files !== row.totals.files || was.bytes !== row.totals.bytes) changed += 1;
    unseen.delete(key);
  }
  return changed + unseen.size;
};

/**
 * Returns the path of a user's stored draft below `directory`. Each user of a connection has at most one stored draft.
 */
export const keptDraftPath = (directory: string, { connectionId, subject }: Owner): string => {
  const user = subject === undefined ? '' : `-${createHash('sha256').update(subject).digest('hex').slice(0, 16)}`;
  return join(directory, `${connectionId}${user}.json`);
};

/** The maximum size of a stored draft. A draft of a million folders takes about 100 MB. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Reads the draft at `path`; undefined if there is none. A file that cannot be read is moved aside, because the user's
 * next draft would replace it. Errors: `data/moved-aside`, `data/unwritable`.
 */
const readKept = async (path: string): Promise<KeptDraft | undefined> => {
  try {
    const bytes = await readBounded(path, MOST_BYTES);
    return bytes && KeptDraft.parse(JSON.parse(bytes.toString()));
  } catch {
    throw moveAside(path, wallNow());
  }
};

/**
 * Reads the stored draft of `owner`; undefined if there is none. A user without a draft takes over the draft that was
 * stored for the connection while its user was unknown. Errors: `data/moved-aside`, `data/unwritable`.
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

export const removeKeptDraft = (path: string): Promise<void> => rm(path, { force: true }).catch(() => {});
