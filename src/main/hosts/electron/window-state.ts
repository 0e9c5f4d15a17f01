/** Where the window was when it was left, and where it opens. Pure: Electron is asked elsewhere. */
import { z } from 'zod';

/** In screen coordinates, of the window when it is not maximised. */
export const WindowState = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().positive(),
  height: z.int().positive(),
  maximized: z.boolean(),
});
export type WindowState = Readonly<z.infer<typeof WindowState>>;

type Rectangle = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

/** Options of a `BrowserWindow`; without x and y the system finds the place. */
type Opening = {
  readonly bounds: { readonly width: number; readonly height: number; readonly x?: number; readonly y?: number };
  readonly maximized: boolean;
};

const usual = { width: 1200, height: 800 };

/** How much of the top edge has to be on a display so that it can be dragged. */
const caught = { width: 120, height: 32 };

const overlap = (from: number, length: number, otherFrom: number, otherLength: number): number =>
  Math.min(from + length, otherFrom + otherLength) - Math.max(from, otherFrom);

/**
 * Where to open the window that was left as `kept`, on `displays`: their work areas, the primary one first. On a
 * display that is gone it would be out of reach: then, and without anything kept, it opens where the system puts it.
 */
export const openingFor = (kept: unknown, displays: readonly Rectangle[]): Opening => {
  const [primary] = displays;
  const state = WindowState.safeParse(kept).data;
  const isCaught = (display: Rectangle): boolean =>
    state !== undefined &&
    overlap(state.x, state.width, display.x, display.width) >= caught.width &&
    overlap(state.y, caught.height, display.y, display.height) >= caught.height;
  const display = displays.find(isCaught) ?? primary;
  const wanted = state ?? usual;
  const width = Math.min(wanted.width, display?.width ?? wanted.width);
  const height = Math.min(wanted.height, display?.height ?? wanted.height);
  const isReachable = state !== undefined && display !== undefined && isCaught(display);
  return {
    bounds: isReachable ? { x: state.x, y: state.y, width, height } : { width, height },
    maximized: state?.maximized ?? false,
  };
};
