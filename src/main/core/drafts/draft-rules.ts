/** The rules of a connection as a draft uses them. Nothing depends on them so much that it has to fail without them. */
import { DeskError } from '../../../contract/errors.ts';
import { wallNow } from '../../async/clock.ts';
import { nameKey } from '../../matching/name-key.ts';
import type { PlannedRow } from './draft-calls.ts';
import type { RuleStore } from './rule-store.ts';

type DraftRules = {
  /** Assignments by the keys of folder names; empty if the rules cannot be read. */
  readonly confirmed: (connectionId: string) => ReadonlyMap<string, string>;
  /** Remembers what a person decided for these rows. */
  readonly confirm: (connectionId: string, rows: readonly PlannedRow[]) => void;
};

/** The assignments of the connection's rules, by the keys of folder names. Errors: those of `rules.list`. */
export const assignmentsByName = (rules: Pick<RuleStore, 'list'>, connectionId: string): ReadonlyMap<string, string> =>
  new Map(rules.list(connectionId).map(({ nameKey: key, AssignmentId }) => [key, AssignmentId]));

export const createDraftRules = (
  rules: RuleStore,
  onNotice: (error: DeskError) => void,
  onBug: (error: unknown) => void,
): DraftRules => {
  const orElse = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      if (error instanceof DeskError) onNotice(error);
      else onBug(error);
      return otherwise;
    }
  };
  return {
    confirmed: (connectionId) => orElse(() => assignmentsByName(rules, connectionId), new Map()),
    confirm: (connectionId, rows) => {
      const decided = rows
        .filter(({ isDecided }) => isDecided)
        .map(({ path, upload }) => ({
          nameKey: nameKey(path),
          name: path.slice(path.lastIndexOf('/') + 1),
          AssignmentId: upload.assignmentId,
        }));
      if (decided.length > 0) orElse(() => rules.confirm(connectionId, decided, wallNow()), undefined);
    },
  };
};
