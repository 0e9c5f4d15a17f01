/** What a person decided about the rows of a draft. Every change can be taken back. */

export type Decision =
  | { readonly choice: 'assignment'; readonly AssignmentId: string }
  | { readonly choice: 'left-out' };

type Decisions = {
  readonly of: (rowId: number) => Decision | undefined;
  /** Decides the same for all of these rows, or (undefined) leaves them to the matching again. Answers what takes it back. */
  readonly set: (rowIds: readonly number[], decision: Decision | undefined) => () => void;
};

/** Nothing is decided. */
export const createDecisions = (): Decisions => {
  const decided = new Map<number, Decision>();
  const put = (rowId: number, decision: Decision | undefined): void => {
    if (decision === undefined) decided.delete(rowId);
    else decided.set(rowId, decision);
  };
  return {
    of: (rowId) => decided.get(rowId),
    set: (rowIds, decision) => {
      const before = rowIds.map((rowId) => [rowId, decided.get(rowId)] as const);
      for (const rowId of rowIds) put(rowId, decision);
      return () => {
        // In reverse, because a row may be named twice.
        for (const [rowId, was] of before.toReversed()) put(rowId, was);
      };
    },
  };
};
