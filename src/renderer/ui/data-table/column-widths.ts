/** The widths that a person has chosen for columns: percent of the table's width, by the column's id. */
import { z } from 'zod';

export const ColumnWidths = z.record(z.string(), z.number().min(0).max(100));
export type ColumnWidths = Readonly<z.infer<typeof ColumnWidths>>;

/** The narrowest column: a word or two and the sort arrow stay readable. */
const narrowestPx = 64;

/** A column next to the boundary that is moved, as it is on screen. */
export type Neighbour = {
  readonly id: string;
  readonly px: number;
  /** Whether it takes the room that the others leave. */
  readonly flexible: boolean;
};

/**
 * `widths` after the boundary between `left` and `right` of a table `tablePx` wide was moved by `byPx` to the right. One
 * column gains what the other loses, so that all others stay where they are. A flexible column stays flexible, unless
 * both are.
 */
export const withBoundaryMoved = (
  widths: ColumnWidths,
  left: Neighbour,
  right: Neighbour,
  tablePx: number,
  byPx: number,
): ColumnWidths => {
  const most = Math.max(0, right.px - narrowestPx);
  const least = Math.min(0, narrowestPx - left.px);
  const moved = Math.min(most, Math.max(least, byPx));
  const percent = (px: number): number => Math.round((10_000 * px) / tablePx) / 100;
  const isFixed = ({ flexible }: Neighbour): boolean => !flexible || (left.flexible && right.flexible);
  return {
    ...widths,
    ...(isFixed(left) && { [left.id]: percent(left.px + moved) }),
    ...(isFixed(right) && { [right.id]: percent(right.px - moved) }),
  };
};

/** `widths` with the columns of these ids at their usual width. */
export const withoutWidths = (widths: ColumnWidths, ids: readonly string[]): ColumnWidths =>
  Object.fromEntries(Object.entries(widths).filter(([id]) => !ids.includes(id)));
