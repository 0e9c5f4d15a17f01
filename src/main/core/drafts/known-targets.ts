/** The assignments that rows are matched with, and the protocols whose assignments are not known, in the thread of the draft. */
import type { Draft, MatchCandidate } from '../../../contract/drafts.ts';
import { AssignmentSummary } from '../../../contract/resources.ts';
import type { StoredTarget } from '../../cache/targets.ts';
import { storedJson } from '../../data/sqlite.ts';
import type { MatchTarget } from '../../matching/explain.ts';
import { canTell } from '../../matching/job-level.ts';
import type { Steps } from '../../matching/match-index.ts';
import {
  type FolderName,
  indexTargets,
  type MatchIn,
  type MatchIndex,
  type MatchOptions,
  NOTHING_KNOWN,
  type UnreadProtocol,
} from '../../matching/match-index.ts';
import type { ListProgress } from './draft-thread.ts';
import { pathOf } from './folder-tree.ts';
import { filesOfRow, type Row } from './rows.ts';

export type KnownTargets = {
  readonly setProgress: (progress: ListProgress) => void;
  readonly progress: () => Omit<Draft['assignments'], 'isReading'>;
  /** Adds assignments for the next index; those that cannot be read are left out. */
  readonly add: (part: readonly StoredTarget[]) => void;
  /** Forgets which protocols are unread: they are added anew. */
  readonly begin: () => void;
  /** There may be protocols that are not listed; so it is until this is called. */
  readonly setPartial: (isPartial: boolean) => void;
  readonly addUnread: (part: readonly UnreadProtocol[]) => void;
  /** The assignments of a protocol have been read. */
  readonly read: (InspectionProtocolId: string, targets: readonly StoredTarget[]) => void;
  /** Whether the next index differs from the present one. */
  readonly isChanged: () => boolean;
  readonly isUnread: (InspectionProtocolId: string) => boolean;
  /** The unread protocols whose address says nothing: every folder waits for them. */
  readonly unplaced: () => readonly string[];
  /** Indexes what was added, and matches `rows` with it. All rows are matched as before until it is done. */
  readonly finish: (options: MatchOptions, rows?: () => readonly Row[]) => Steps<void>;
  readonly summaryOf: (AssignmentId: string) => AssignmentSummary | undefined;
  /** The id as the service writes it, whatever its case. */
  readonly idOf: (AssignmentId: string) => string | undefined;
  readonly matchOf: (row: Row) => MatchIn;
  readonly certaintyOf: (row: Row, AssignmentId: string) => MatchCandidate;
  /** With the answers that it gave before. */
  readonly index: () => MatchIndex;
  readonly options: () => MatchOptions;
};

const Summary = storedJson(AssignmentSummary);

/** File names by which a folder is matched where its own says too little. */
const TRIED_FILES = 20;

const MATCHED_AT_ONCE = 50;

/** No targets are known. `rootOf`: the absolute path of the chosen folder that a row lies in. */
export const createKnownTargets = (rootOf: (row: Row) => string | undefined = () => undefined): KnownTargets => {
  const known = new Map<string, MatchTarget>();
  let unread = new Map<string, UnreadProtocol>();
  let unplaced: string[] = [];
  let isPartial = true;
  let isChanged = true;
  let progress: ListProgress = { stage: 'protocols', read: 0, total: 0 };
  let options: MatchOptions = {};
  let index = NOTHING_KNOWN;
  let rows = new Map<number, MatchIn>();
  let oldest: number | undefined;

  const add = (part: readonly StoredTarget[]): void => {
    isChanged = true;
    for (const { value, fetchedAtMs, ...ofProtocol } of part) {
      const parsed = Summary.safeParse(value);
      if (!parsed.success) continue;
      known.set(parsed.data.AssignmentId.toLowerCase(), { ...parsed.data, ...ofProtocol });
      oldest = Math.min(oldest ?? fetchedAtMs, fetchedAtMs);
    }
  };
  const nameOf = (row: Row): FolderName => ({ path: pathOf(row.folder), rootPath: rootOf(row) });

  return {
    setProgress: (next) => {
      progress = next;
    },
    progress: () => ({ ...progress, known: known.size, ...(oldest !== undefined && { oldestAtMs: oldest }) }),
    add,
    begin: () => {
      isPartial = true;
      isChanged = true;
      unread = new Map();
      unplaced = [];
    },
    setPartial: (next) => {
      isChanged ||= next !== isPartial;
      isPartial = next;
    },
    addUnread: (part) => {
      for (const protocol of part) {
        unread.set(protocol.InspectionProtocolId, protocol);
        if (!/\p{L}/u.test(protocol.Address)) unplaced.push(protocol.InspectionProtocolId);
      }
    },
    read: (id, targets) => {
      add(targets);
      unread.delete(id);
    },
    isChanged: () => isChanged,
    isUnread: (id) => unread.has(id),
    unplaced: () => unplaced,
    *finish(next, rowsNow = () => []) {
      isChanged = false;
      const indexed = remembering(
        yield* indexTargets([...known.values()], { protocols: [...unread.values()], isPartial }),
      );
      const matched = new Map<number, MatchIn>();
      for (const [at, row] of rowsNow().entries()) {
        matched.set(row.rowId, matchRow(row, nameOf(row), indexed, next));
        if (at % MATCHED_AT_ONCE === 0) yield;
      }
      options = next;
      rows = matched;
      index = indexed;
    },
    summaryOf: (id) => known.get(id.toLowerCase()),
    idOf: (id) => known.get(id.toLowerCase())?.AssignmentId,
    matchOf: (row) => {
      const before = rows.get(row.rowId);
      if (before) return before;
      const match = matchRow(row, nameOf(row), index, options);
      rows.set(row.rowId, match);
      return match;
    },
    certaintyOf: (row, AssignmentId) =>
      index.certaintyOf(nameOf(row), AssignmentId, options) ?? { AssignmentId, certainty: 0, reasons: [] },
    index: () => index,
    options: () => options,
  };
};

const matchRow = (row: Row, folder: FolderName, index: MatchIndex, options: MatchOptions): MatchIn => {
  const byFolder = index.match(folder, options);
  if (byFolder.isClear) return byFolder;
  const fileNames = filesOfRow(row)
    .take(TRIED_FILES)
    .map((file) => file.path.slice(file.path.lastIndexOf('/') + 1))
    .filter(canTell)
    .toArray();
  return fileNames.length === 0 ? byFolder : index.match({ ...folder, fileNames }, options);
};

/** Folders are matched to find the level of the jobs, and again as rows. */
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
