import { useMemo, useRef, useState } from 'react';
import { extended, nothingSelected, type Selection, toggled, without } from './selection.ts';

/** Reads `limit` rows from `offset`. */
type ReadRows<Row> = (offset: number, limit: number) => Promise<{ readonly rows: readonly Row[] }>;

/** The selected rows of a table, and how to change the selection. */
export type TableSelection<Row> = {
  readonly has: (row: Row) => boolean;
  readonly toggle: (index: number, row: Row) => void;
  /** Selects the rows from the one chosen last, or from `from` if there is none, to `to`. */
  readonly extend: (from: number, to: number) => void;
  readonly all: () => void;
  readonly none: () => void;
  /** Deselects these rows alone, and leaves a choice that is still being read. */
  readonly deselect: (ids: ReadonlySet<number>) => void;
  readonly ids: ReadonlySet<number>;
  /** The name of a row's checkbox. */
  readonly rowLabel: (row: Row) => string;
  readonly allLabel: string;
};

type UseSelection<Row> = Pick<TableSelection<Row>, 'rowLabel' | 'allLabel'> & {
  /** Reads selected rows that are not in view. */
  readonly read: ReadRows<Row>;
  readonly idOf: (row: Row) => number;
  /** How many rows the table has. */
  readonly total: number;
  readonly onError: (error: unknown) => void;
};

/** The most rows that `read` answers in one call. */
const step = 1000;

/**
 * A selection of any of the rows that `read` gives. It stays the same object until it changes, because another one renders all
 * rows again.
 */
export const useSelection = <Row>(options: UseSelection<Row>): TableSelection<Row> => {
  const { allLabel } = options;
  const [selection, setSelection] = useState<Selection>(nothingSelected);
  const current = useRef(options);
  current.current = options;
  const latest = useRef(0);

  return useMemo(() => {
    const idOf = (row: Row): number => current.current.idOf(row);
    /** Reads the ids of rows, whether in view or not. An answer that comes after the next choice is dropped. */
    const choose = (first: number, last: number, then: (ids: readonly number[]) => void): void => {
      const { read, onError } = current.current;
      latest.current += 1;
      const choice = latest.current;
      const ids: number[] = [];
      const readOn = async (): Promise<void> => {
        for (let offset = first; offset <= last && choice === latest.current; offset += step) {
          const { rows } = await read(offset, Math.min(step, last - offset + 1));
          ids.push(...rows.map(idOf));
        }
        if (choice === latest.current) then(ids);
      };
      readOn().catch(onError);
    };
    const set = (change: (before: Selection) => Selection): void => {
      latest.current += 1;
      setSelection(change);
    };
    return {
      ids: selection.ids,
      has: (row) => selection.ids.has(idOf(row)),
      toggle: (index, row) => set((before) => toggled(before, index, idOf(row))),
      extend: (from, to) => {
        const begun = selection.anchor === undefined ? { ...selection, anchor: from, base: selection.ids } : selection;
        const { anchor = from } = begun;
        choose(Math.min(anchor, to), Math.max(anchor, to), (ids) => setSelection(extended(begun, ids)));
      },
      all: () => choose(0, current.current.total - 1, (ids) => setSelection({ ...nothingSelected, ids: new Set(ids) })),
      none: () => set(() => nothingSelected),
      deselect: (ids) => setSelection((before) => without(before, ids)),
      rowLabel: (row) => current.current.rowLabel(row),
      allLabel,
    };
  }, [selection, allLabel]);
};
