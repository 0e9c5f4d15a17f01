/** The rules of a connection as a draft uses them. Nothing depends on them so much that it has to fail without them. */
import { DeskError } from '../../../contract/errors.ts';
import { wallNow } from '../../async/clock.ts';
import { type Rules, ruleName } from '../../matching/rules.ts';
import type { PlannedRow } from './draft-calls.ts';
import type { RuleStore } from './rule-store.ts';

type DraftRules = {
  /** The rules of a connection; none if they cannot be read. */
  readonly of: (connectionId: string) => Rules;
  /** Remembers what a person decided for these rows. */
  readonly confirm: (connectionId: string, rows: readonly PlannedRow[]) => void;
};

/** The rules of a connection, by the keys of folder names. Errors: those of `rules.list`. */
export const rulesByName = (rules: Pick<RuleStore, 'list'>, connectionId: string): Rules =>
  Map.groupBy(rules.list(connectionId), ({ nameKey }) => nameKey);

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
    of: (connectionId) => orElse(() => rulesByName(rules, connectionId), new Map()),
    confirm: (connectionId, rows) => {
      const decided = rows
        .filter(({ isDecided }) => isDecided)
        .flatMap(({ upload: { assignmentId: AssignmentId }, ...row }) => {
          const { key: nameKey, name, parent } = ruleName(row) ?? {};
          return nameKey === undefined ? [] : [{ nameKey, name: name ?? '', parent: parent ?? '', AssignmentId }];
        });
      if (decided.length > 0) orElse(() => rules.confirm(connectionId, decided, wallNow()), undefined);
    },
  };
};
