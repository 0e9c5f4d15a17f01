/** Which rows of a table are selected, by their ids: pure functions. */

/** What tells a row from all others, whatever the order of the table. */
export type RowId = number | string;

export type Selection = {
  readonly ids: ReadonlySet<RowId>;
  /** The row that was chosen last, where a range begins. */
  readonly anchor: number | undefined;
  /** The selection when `anchor` was chosen: what a range leaves when it becomes shorter. */
  readonly base: ReadonlySet<RowId>;
};

export const nothingSelected: Selection = { ids: new Set(), anchor: undefined, base: new Set() };

/** The selection after row `index` with `id` alone was selected or deselected. */
export const toggled = ({ ids }: Selection, index: number, id: RowId): Selection => {
  const after = new Set(ids);
  if (!after.delete(id)) after.add(id);
  return { ids: after, anchor: index, base: after };
};

/** The selection after the rows with these ids were deselected. */
export const without = ({ ids }: Selection, gone: ReadonlySet<RowId>): Selection => ({
  ...nothingSelected,
  ids: new Set([...ids].filter((id) => !gone.has(id))),
});

/** The selection after a range from the anchor, with the ids `range`, was chosen. */
export const extended = ({ anchor, base }: Selection, range: readonly RowId[]): Selection => ({
  ids: new Set([...base, ...range]),
  anchor,
  base,
});
