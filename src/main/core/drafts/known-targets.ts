/** The assignments that rows are matched with, and the protocols whose assignments have not been read. */
import type { Draft, MatchCandidate } from '../../../contract/drafts.ts';
import type { ListProgress } from '../../../contract/offline.ts';
import { AssignmentSummary } from '../../../contract/resources.ts';
import type { StoredTarget } from '../../cache/responses.ts';
import { storedJson } from '../../data/sqlite.ts';
import { canTell } from '../../matching/job-level.ts';
import {
  createMatchIndex,
  type FolderName,
  indexTargets,
  type MatchIn,
  type MatchIndex,
  type MatchOptions,
  type Steps,
  type UnreadProtocol,
} from '../../matching/match-index.ts';
import type { MatchTarget } from '../../matching/targets.ts';
import { filesOf, pathOf } from './folder-tree.ts';
import type { Row } from './rows.ts';

export type KnownTargets = ReturnType<typeof createKnownTargets>;

const Summary = storedJson(AssignmentSummary);

/** The number of file names used to match a folder whose own name is not specific enough. */
const TRIED_FILES = 20;

const MATCHED_AT_ONCE = 50;

/** Creates an empty set of targets. `rootOf` returns the absolute path of the chosen folder that contains a row. */
export const createKnownTargets = (rootOf: (row: Row) => string | undefined = () => undefined) => {
  const byId = new Map<string, MatchTarget>();
  const waiting: (readonly StoredTarget[])[] = [];
  let unread = new Map<string, UnreadProtocol>();
  let unplaced: string[] = [];
  let isPartial = true;
  let isChanged = true;
  let progress: ListProgress = { stage: 'protocols', read: 0, total: 0 };
  let options: MatchOptions = {};
  let index = createMatchIndex([]);
  let rows = new Map<string | number, MatchIn>();
  let oldest: number | undefined;

  const parse = (part: readonly StoredTarget[]): void => {
    for (const { value, fetchedAtMs, ...ofProtocol } of part) {
      const parsed = Summary.safeParse(value);
      if (!parsed.success) continue;
      byId.set(parsed.data.AssignmentId.toLowerCase(), { ...parsed.data, ...ofProtocol });
      oldest = Math.min(oldest ?? fetchedAtMs, fetchedAtMs);
    }
  };
  const add = (part: readonly StoredTarget[]): void => {
    isChanged = true;
    waiting.push(part);
  };
  function* parseAll(): Steps<void> {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      parse(part);
      yield;
    }
  }
  const nameOf = (row: Row): FolderName => ({ path: pathOf(row.folder), rootPath: rootOf(row) });

  const matchOf = (row: Row): MatchIn => {
    const key = matchKey(row);
    const known = rows.get(key) ?? matchRow(row, nameOf(row), index, options);
    rows.set(key, known);
    return known;
  };

  return {
    setProgress: (next: ListProgress): void => {
      progress = next;
    },
    progress: (): Omit<Draft['assignments'], 'isReading'> => ({
      ...progress,
      known: byId.size,
      ...(oldest !== undefined && { oldestAtMs: oldest }),
    }),
    add,
    /** Adds an assignment that can be shown before the next index is built. */
    addNow: (target: StoredTarget): void => {
      isChanged = true;
      parse([target]);
    },
    begin: (): void => {
      isPartial = true;
      isChanged = true;
      unread = new Map();
      unplaced = [];
    },
    /** Sets whether protocols may be missing from the lists. Initially, they may be. */
    setPartial: (next: boolean): void => {
      isChanged ||= next !== isPartial;
      isPartial = next;
    },
    addUnread: (part: readonly UnreadProtocol[]): void => {
      for (const protocol of part) {
        unread.set(protocol.InspectionProtocolId, protocol);
        if (!/\p{L}/u.test(protocol.Address)) unplaced.push(protocol.InspectionProtocolId);
      }
    },
    read: (id: string, targets: readonly StoredTarget[]): void => {
      add(targets);
      unread.delete(id);
    },
    isChanged: () => isChanged,
    /**
     * Returns the unread protocols that `matches` wait for, and those whose address has no letters, which may belong to
     * any folder.
     */
    unreadFor: (matches: readonly MatchIn[]): readonly string[] =>
      [...new Set([...unplaced, ...matches.flatMap((match) => match.unread)])].filter((id) => unread.has(id)),
    /**
     * Indexes new targets, and matches `rowsNow` with them. Until that is done, all rows keep their earlier matches.
     */
    *finish(next: MatchOptions, rowsNow: () => readonly Row[] = () => []): Steps<void> {
      isChanged = false;
      yield* parseAll();
      const indexed = remembering(
        yield* indexTargets([...byId.values()], { protocols: [...unread.values()], isPartial }),
      );
      const matched = new Map<string | number, MatchIn>();
      for (const [at, row] of rowsNow().entries()) {
        matched.set(matchKey(row), matchRow(row, nameOf(row), indexed, next));
        if (at % MATCHED_AT_ONCE === 0) yield;
      }
      options = next;
      rows = matched;
      index = indexed;
    },
    summaryOf: (id: string): AssignmentSummary | undefined => byId.get(id.toLowerCase()),
    /** Returns the id in the service's spelling, whatever the case of `id`; undefined for an unknown assignment. */
    idOf: (id: string) => byId.get(id.toLowerCase())?.AssignmentId,
    matchOf,
    *matchAll(all: readonly Row[]): Steps<void> {
      for (const [at, row] of all.entries()) {
        matchOf(row);
        if (at % MATCHED_AT_ONCE === 0) yield;
      }
    },
    certaintyOf: (row: Row, AssignmentId: string): MatchCandidate =>
      index.certaintyOf(nameOf(row), AssignmentId, options) ?? { AssignmentId, certainty: 0, reasons: [] },
    index: (): MatchIndex => index,
    options: () => options,
  };
};

/** Returns the key of a match. It includes the names of loose files, because another row may take some of them. */
const matchKey = ({ rowId, fileNames }: Row): string | number =>
  fileNames ? [rowId, ...fileNames.slice(0, TRIED_FILES)].join('/') : rowId;

const matchRow = (row: Row, folder: FolderName, index: MatchIndex, options: MatchOptions): MatchIn => {
  const byFolder = index.match(folder, options);
  if (byFolder.isClear) return byFolder;
  const fileNames = filesOf(row)
    .take(TRIED_FILES)
    .map(({ file }) => file.name)
    .filter(canTell)
    .toArray();
  return fileNames.length === 0 ? byFolder : index.match({ ...folder, fileNames }, options);
};

/** Caches matches, because folders are matched to detect the level, and again as rows. */
const remembering = (index: MatchIndex): MatchIndex => {
  const matches = new Map<string, MatchIn>();
  return {
    ...index,
    match: (folder, options) => {
      if (folder.fileNames) return index.match(folder, options);
      const key = `${folder.rootPath ?? ''}\n${folder.path}`;
      const before = matches.get(key);
      if (before) return before;
      const match = index.match(folder, options);
      matches.set(key, match);
      return match;
    },
  };
};
