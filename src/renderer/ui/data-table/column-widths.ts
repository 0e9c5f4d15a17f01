/** The widths that a person gave to columns: hundredths of the table's width, by the column's heading. */
import { z } from 'zod';

export const ColumnWidths = z.record(z.string(), z.number().min(0).max(100));
export type ColumnWidths = Readonly<z.infer<typeof ColumnWidths>>;

/** No column gets narrower: a word or two and the arrow of the sort stay readable. */
const narrowestPx = 64;

/** A column beside the boundary that is moved, as it is on screen. */
export type Neighbour = {
  readonly header: string;
  readonly px: number;
  /** Whether it takes what the others leave. */
  readonly flexible: boolean;
};

/**
 * `widths` after the boundary between `left` and `right` of a table `tablePx` wide was moved by `byPx` to the right.
 * What one gains the other gives, so all other columns stay where they are. A flexible column stays flexible, unless
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
    ...(isFixed(left) && { [left.header]: percent(left.px + moved) }),
    ...(isFixed(right) && { [right.header]: percent(right.px - moved) }),
  };
};

/** `widths` with the columns of these headings as wide as they were made. */
export const withoutWidths = (widths: ColumnWidths, headers: readonly string[]): ColumnWidths =>
  Object.fromEntries(Object.entries(widths).filter(([header]) => !headers.includes(header)));
