import { useMemo, useRef, useState } from 'react';
import type { ErrorData } from '../../../contract/errors.ts';
import { useUi } from '../ui-context.ts';

/** Reads at most `limit` rows from `offset` on, loaded or not. */
export type ReadRows<Row> = (offset: number, limit: number) => Promise<{ readonly rows: readonly Row[] }>;

export type Rows<Row> = {
  /** The number of rows that can be scrolled through. */
  readonly count: number;
  /** The row at `index`, from 0; undefined while it is not loaded. */
  readonly rowAt: (index: number) => Row | undefined;
  readonly read: ReadRows<Row>;
  /** To be called with the first and last row in view whenever they change. It loads the rows around them. */
  readonly onRange?: (first: number, last: number) => void;
  /** Identifies the query that returned the rows. When it changes, the table scrolls to its first row. */
  readonly question?: unknown;
};

/** Rows that are possibly not loaded yet. A new object makes the table render again. */
export type RowSource<Row> = Omit<Rows<Row>, 'count'> & {
  /** The number of rows; undefined until the first ones are loaded. */
  readonly count: number | undefined;
  readonly error?: ErrorData | undefined;
  readonly reload?: () => void;
};

/** Converts a list that is completely loaded to the rows of a table. */
export const listed = <Row>(rows: readonly Row[], question?: unknown): Rows<Row> => ({
  count: rows.length,
  rowAt: (index) => rows[index],
  read: async (offset, limit) => ({ rows: rows.slice(offset, offset + limit) }),
  question,
});

/** An id of a row, which does not depend on the order of the table. */
export type RowId = number | string;

type Selection = {
  readonly ids: ReadonlySet<RowId>;
  /** The row that was chosen last, and its index among the rows of the query `question`. A range begins at this row. */
  readonly anchor: { readonly id: RowId; readonly index: number; readonly question: unknown } | undefined;
  /**
   * The selection when `anchor` was chosen. A range from `anchor` is added to `base`, not to `ids`, so that the range
   * can become shorter.
   */
  readonly base: ReadonlySet<RowId>;
  /** The last range: the index of its first row, the ids of its rows, and the index of `anchor` at that time. */
  readonly range?: { readonly first: number; readonly ids: readonly RowId[]; readonly begin: number };
};

const nothingSelected: Selection = { ids: new Set(), anchor: undefined, base: new Set() };

/** Returns the selection with the row `anchor` added or, if it was already selected, removed. */
const toggled = ({ ids }: Selection, anchor: NonNullable<Selection['anchor']>): Selection => {
  const after = new Set(ids);
  if (!after.delete(anchor.id)) after.add(anchor.id);
  return { ids: after, anchor, base: after };
};

const without = ({ ids }: Selection, gone: ReadonlySet<RowId>): Selection => ({
  ...nothingSelected,
  ids: new Set([...ids].filter((id) => !gone.has(id))),
});

export type TableSelection<Row, Id extends RowId = RowId> = {
  readonly has: (row: Row) => boolean;
  readonly toggle: (row: Row, index: number) => void;
  readonly only: (row: Row, index: number) => void;
  /** Selects the rows from the row that was chosen last, or from `from` if there is none, to `to`. */
  readonly extend: (from: number, to: number) => void;
  readonly all: () => void;
  readonly none: () => void;
  /**
   * Deselects these rows. If the rows of an earlier choice (a range or all rows) are still being read, that choice
   * takes effect afterwards, and can select these rows again.
   */
  readonly deselect: (ids: ReadonlySet<RowId>) => void;
  readonly ids: ReadonlySet<Id>;
  readonly rowLabel: (row: Row) => string;
  readonly allLabel: string;
  /** Whether the row is the one that the page is about, which is marked. */
  readonly isShown?: (row: Row) => boolean;
};

type UseSelection<Row, Id extends RowId> = Pick<TableSelection<Row>, 'rowLabel' | 'allLabel'> & {
  readonly rows: Pick<RowSource<Row>, 'count' | 'rowAt' | 'read' | 'question'>;
  readonly idOf: (row: Row) => Id;
  /** Whether a range replaces the earlier selection, as in a file manager, rather than being added to it. */
  readonly replaces?: boolean;
  /** Called if rows cannot be read. Default: `report` of `useUi`. */
  readonly onError?: (error: unknown) => void;
};

/** The maximum number of rows that one call of `read` can request. */
export const readStep = 1000;

/**
 * Returns a selection of rows, loaded or not. It stays the same object until the selection changes, because a new one
 * renders all rows again.
 */
export const useSelection = <Row, Id extends RowId = number>(
  options: UseSelection<Row, Id>,
): TableSelection<Row, Id> => {
  const { allLabel } = options;
  const { report } = useUi();
  const [selection, setSelection] = useState<Selection>(nothingSelected);
  const current = useRef(options);
  current.current = options;
  const latest = useRef(0);

  return useMemo(() => {
    const idOf = (row: Row): Id => current.current.idOf(row);
    /**
     * Reads the ids of the rows from `first` to `last`, loaded or not, except those of `known`, and calls `then` with
     * all of them. If the user chooses something else meanwhile, `then` is not called.
     */
    const choose = (
      first: number,
      last: number,
      then: (ids: readonly RowId[]) => void,
      known: Pick<NonNullable<Selection['range']>, 'first' | 'ids'> = { first, ids: [] },
    ): void => {
      const { rows: of, onError = report } = current.current;
      latest.current += 1;
      const choice = latest.current;
      const readOn = async (from: number, to: number): Promise<readonly RowId[]> => {
        const ids: RowId[] = [];
        for (let offset = from; offset <= to && choice === latest.current; offset += readStep) {
          const { rows } = await of.read(offset, Math.min(readStep, to - offset + 1));
          ids.push(...rows.map(idOf));
        }
        return ids;
      };
      const readAll = async (): Promise<void> => {
        const end = known.first + known.ids.length;
        const before = await readOn(first, Math.min(last, known.first - 1));
        const between = known.ids.slice(Math.max(0, first - known.first), Math.max(0, last + 1 - known.first));
        const ids = [...before, ...between, ...(await readOn(Math.max(first, end), last))];
        if (choice === latest.current) then(ids);
      };
      readAll().catch(onError);
    };
    const anchorAt = (row: Row, index: number) => ({ id: idOf(row), index, question: current.current.rows.question });
    /**
     * Returns the current index of the anchor; undefined if the rows have changed, and it is not among those loaded.
     */
    const indexOfAnchor = (): number | undefined => {
      const { anchor } = selection;
      if (anchor === undefined) return undefined;
      const { count = 0, rowAt, question } = current.current.rows;
      for (let index = 0; index < count; index += 1) {
        const row = rowAt(index);
        if (row !== undefined && idOf(row) === anchor.id) return index;
      }
      return question === anchor.question && rowAt(anchor.index) === undefined ? anchor.index : undefined;
    };
    const set = (change: (before: Selection) => Selection): void => {
      latest.current += 1;
      setSelection(change);
    };
    return {
      // The set contains only ids that `idOf` has returned.
      ids: selection.ids as ReadonlySet<Id>,
      has: (row) => selection.ids.has(idOf(row)),
      only: (row, index) => set(() => toggled(nothingSelected, anchorAt(row, index))),
      toggle: (row, index) => set((before) => toggled(before, anchorAt(row, index))),
      extend: (from, to) => {
        const { rows, replaces } = current.current;
        const found = indexOfAnchor();
        const begin = found ?? from;
        const row = rows.rowAt(begin);
        const anchor = row === undefined ? selection.anchor : anchorAt(row, begin);
        const added = found === undefined ? selection.ids : selection.base;
        const base = replaces ? nothingSelected.base : added;
        const first = Math.min(begin, to);
        const { range } = selection;
        // A range that grows by a row reads that row only, unless rows have moved.
        const isSame =
          anchor?.question === selection.anchor?.question &&
          range?.begin === begin &&
          range.ids.every((id, at) => {
            const known = rows.rowAt(range.first + at);
            return known === undefined || idOf(known) === id;
          });
        choose(
          first,
          Math.max(begin, to),
          (ids) => setSelection({ ids: new Set([...base, ...ids]), anchor, base, range: { first, ids, begin } }),
          isSame ? range : undefined,
        );
      },
      all: () => {
        const { count = 0 } = current.current.rows;
        choose(0, count - 1, (ids) => setSelection({ ...nothingSelected, ids: new Set(ids) }));
      },
      none: () => set(() => nothingSelected),
      deselect: (ids) => setSelection((before) => without(before, ids)),
      rowLabel: (row) => current.current.rowLabel(row),
      allLabel,
    };
  }, [selection, allLabel, report]);
};
