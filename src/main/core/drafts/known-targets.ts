/** The assignments that rows are matched with, in the thread of the draft. */
import type { Draft } from '../../../contract/drafts.ts';
import type { Match, MatchCandidate } from '../../../contract/matching.ts';
import { AssignmentSummary } from '../../../contract/resources.ts';
import type { StoredTarget } from '../../cache/targets.ts';
import { storedJson } from '../../data/stored.ts';
import type { Row } from './rows.ts';

export type KnownTargets = {
  /** Adds assignments; those that cannot be read are left out. */
  readonly add: (part: readonly StoredTarget[]) => void;
  readonly setProgress: (progress: { readonly read: number; readonly total: number }) => void;
  readonly setAge: (oldestAtMs: number | undefined) => void;
  readonly progress: () => Draft['assignments'];
  readonly summaryOf: (AssignmentId: string) => AssignmentSummary | undefined;
  readonly matchOf: (row: Row) => Match;
  readonly certaintyOf: (row: Row, AssignmentId: string) => MatchCandidate;
};

const Summary = storedJson(AssignmentSummary);

const NO_MATCH: Match = { decision: 'none', candidates: [] };

/** No targets are known. */
export const createKnownTargets = (): KnownTargets => {
  const known = new Map<string, AssignmentSummary>();
  let progress = { read: 0, total: 0 };
  let oldest: number | undefined;
  return {
    add: (part) => {
      for (const { value } of part) {
        const parsed = Summary.safeParse(value);
        if (parsed.success) known.set(parsed.data.AssignmentId, parsed.data);
      }
    },
    setProgress: (next) => {
      progress = next;
    },
    setAge: (oldestAtMs) => {
      oldest = oldestAtMs;
    },
    progress: () => ({ ...progress, known: known.size, ...(oldest !== undefined && { oldestAtMs: oldest }) }),
    summaryOf: (id) => known.get(id),
    matchOf: () => NO_MATCH,
    certaintyOf: (_row, AssignmentId) => ({ AssignmentId, certainty: 0, reasons: [] }),
  };
};
