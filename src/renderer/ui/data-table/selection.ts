/** Which rows of a table are selected, by their ids, as pure steps. */

export type Selection = {
  readonly ids: ReadonlySet<number>;
  /** The row that was chosen last: a range begins there. */
  readonly anchor: number | undefined;
  /** What was selected when `anchor` was chosen: a range that becomes shorter leaves only this. */
  readonly base: ReadonlySet<number>;
};

export const nothingSelected: Selection = { ids: new Set(), anchor: undefined, base: new Set() };

/** After row `index`, which has `id`, was chosen by itself: it is selected now, or no longer. */
export const toggled = ({ ids }: Selection, index: number, id: number): Selection => {
  const after = new Set(ids);
  if (!after.delete(id)) after.add(id);
  return { ids: after, anchor: index, base: after };
};

/** After a range from the anchor was chosen that holds `range`. */
export const extended = ({ anchor, base }: Selection, range: readonly number[]): Selection => ({
  ids: new Set([...base, ...range]),
  anchor,
  base,
});
