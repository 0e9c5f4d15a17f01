/**
 * Scrolling through more rows than a browser can make an element high: Chromium ends at 33,554,432 pixels. The rows keep
 * their height, the element gets a height that every browser can make, and each pixel it is scrolled by counts for more.
 */

/** The greatest height of an element with rows. Firefox ends at 17.8 million pixels. */
export const HIGHEST_PX = 15_000_000;

/** A row that is rendered, and where it begins below the top of the table. */
type Placed = { readonly index: number; readonly start: number };

/** Rows rendered above and below those in view. */
const OVERSCAN = 8;

/** The rows around those in view, and the row `also`, of `count`. `topPx`: what is above the first row. */
export const rowsInView = (
  { count, rowPx, topPx }: { readonly count: number; readonly rowPx: number; readonly topPx: number },
  [first, last]: readonly [number, number],
  also: number,
): readonly Placed[] => {
  const from = Math.max(0, first - OVERSCAN);
  const to = Math.min(count - 1, last + OVERSCAN);
  const indexes = Array.from({ length: Math.max(0, to - from + 1) }, (_, position) => from + position);
  if (also < from) indexes.unshift(also);
  if (also > to && also < count) indexes.push(also);
  return indexes.map((index) => ({ index, start: topPx + index * rowPx }));
};

/** How `rowsPx`, the height of all rows, is scrolled in a view of `viewPx`. */
type LongScroll = {
  /** The height of the element instead. */
  readonly heightPx: number;
  /** How far the rows are scrolled when the element is scrolled by `px`, and the other way round. */
  readonly toRows: (px: number) => number;
  readonly toElement: (px: number) => number;
};

/** Where the rows fit into an element, both are the same. */
export const longScroll = (rowsPx: number, viewPx: number): LongScroll => {
  const heightPx = Math.min(rowsPx, HIGHEST_PX);
  const ratio = heightPx === rowsPx ? 1 : (rowsPx - viewPx) / (heightPx - viewPx);
  return { heightPx, toRows: (px) => px * ratio, toElement: (px) => px / ratio };
};

/** How far rows have to be scrolled for one from `startPx` to `endPx` to be in a view that begins at `fromPx`. */
export const offsetFor = (startPx: number, endPx: number, fromPx: number, viewPx: number): number => {
  if (startPx < fromPx) return startPx;
  return endPx > fromPx + viewPx ? endPx - viewPx : fromPx;
};
