/** The assignments that rows are matched with, in the thread of the draft. */
import type { Draft } from '../../../contract/drafts.ts';
import type { MatchCandidate } from '../../../contract/matching.ts';
import { AssignmentSummary } from '../../../contract/resources.ts';
import type { StoredTarget } from '../../cache/targets.ts';
import { storedJson } from '../../data/stored.ts';
import { canTell } from '../../matching/job-level.ts';
import {
  indexTargets,
  type MatchIn,
  type MatchIndex,
  type MatchOptions,
  type MatchTarget,
  NOTHING_KNOWN,
} from '../../matching/match-index.ts';
import type { Steps } from '../../matching/steps.ts';
import { pathOf } from './folder-tree.ts';
import { filesOfRow, type Row } from './rows.ts';

export type KnownTargets = {
  readonly setProgress: (progress: { readonly read: number; readonly total: number }) => void;
  readonly progress: () => Draft['assignments'];
  /** Adds assignments for the next index; those that cannot be read are left out. */
  readonly add: (part: readonly StoredTarget[]) => void;
  /** Indexes what was added. Rows are matched as before until it is done. */
  readonly finish: (options: MatchOptions) => Steps<void>;
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

/** No targets are known. */
export const createKnownTargets = (): KnownTargets => {
  const known = new Map<string, MatchTarget>();
  let progress = { read: 0, total: 0 };
  let options: MatchOptions = {};
  let index = NOTHING_KNOWN;
  let rows = new Map<number, MatchIn>();
  let oldest: number | undefined;

  return {
    setProgress: (next) => {
      progress = next;
    },
    progress: () => ({ ...progress, known: known.size, ...(oldest !== undefined && { oldestAtMs: oldest }) }),
    add: (part) => {
      for (const { value, fetchedAtMs, ...ofProtocol } of part) {
        const parsed = Summary.safeParse(value);
        if (!parsed.success) continue;
        known.set(parsed.data.AssignmentId.toLowerCase(), { ...parsed.data, ...ofProtocol });
        oldest = Math.min(oldest ?? fetchedAtMs, fetchedAtMs);
      }
    },
    *finish(next) {
      const indexed = yield* indexTargets(known.values());
      options = next;
      rows = new Map();
      index = remembering(indexed);
    },
    summaryOf: (id) => known.get(id.toLowerCase()),
    idOf: (id) => known.get(id.toLowerCase())?.AssignmentId,
    matchOf: (row) => {
      const before = rows.get(row.rowId);
      if (before) return before;
      const match = matchRow(row, index, options);
      rows.set(row.rowId, match);
      return match;
    },
    certaintyOf: (row, AssignmentId) =>
      index.certaintyOf({ path: pathOf(row.folder) }, AssignmentId, options) ?? {
        AssignmentId,
        certainty: 0,
        reasons: [],
      },
    index: () => index,
    options: () => options,
  };
};

const matchRow = (row: Row, index: MatchIndex, options: MatchOptions): MatchIn => {
  const path = pathOf(row.folder);
  const byFolder = index.match({ path }, options);
  if (byFolder.decision === 'send') return byFolder;
  const fileNames = filesOfRow(row)
    .take(TRIED_FILES)
    .map((file) => file.path.slice(file.path.lastIndexOf('/') + 1))
    .filter(canTell)
    .toArray();
  return fileNames.length === 0 ? byFolder : index.match({ path, fileNames }, options);
};

/** Folders are matched to find the level of the jobs, and again as rows. */
const remembering = (index: MatchIndex): MatchIndex => {
  const matches = new Map<string, MatchIn>();
  return {
    ...index,
    match: (folder, options) => {
      if (folder.fileNames) return index.match(folder, options);
      const before = matches.get(folder.path);
      if (before) return before;
      const match = index.match(folder, options);
      matches.set(folder.path, match);
      return match;
    },
  };
};
