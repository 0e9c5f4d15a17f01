/** Decides where the window opens and how its title bar looks. The functions are pure: the caller queries Electron. */

import type { BrowserWindowConstructorOptions, Rectangle, TitleBarOverlay } from 'electron';
import { z } from 'zod';

/**
 * The stored state of the window. The bounds are those of the window when it is not maximised, in screen coordinates.
 */
export const WindowState = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().positive(),
  height: z.int().positive(),
  maximized: z.boolean(),
});
export type WindowState = Readonly<z.infer<typeof WindowState>>;

const usual = { width: 1200, height: 800 };

/**
 * How much of the window's top edge has to be on a display, in screen coordinates, so that the user can drag the
 * window.
 */
const caught = { width: 120, height: 32 };

const overlap = (from: number, length: number, otherFrom: number, otherLength: number): number =>
  Math.min(from + length, otherFrom + otherLength) - Math.max(from, otherFrom);

/**
 * Returns where to open the window. `kept`: its last state; `displays`: the work areas of the displays, the primary one
 * first. If there is no last state, or if the window would be out of reach because a display is gone, the bounds have
 * no `x` and `y`, so that the system places the window.
 */
export const openingFor = (kept: unknown, displays: readonly Rectangle[]) => {
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

// On macOS and Windows, the title bar is the window's own top row with the system's buttons in it.

/** The system whose buttons are in the window's top row, where the renderer leaves room for them. */
type Frame = 'mac' | 'windows';

/** The height of the window's top row (renderer/shell/shell.tsx). */
const rowPx = 44;

export type SystemLook = {
  readonly dark: boolean;
  /** The system's colours if it forces them on apps. */
  readonly forced?: { readonly window: string; readonly text: string } | undefined;
};

export const frameOf = (platform: NodeJS.Platform): Frame | undefined =>
  (({ darwin: 'mac', win32: 'windows' }) as const)[platform as 'darwin' | 'win32'];

/** The background of the window before its page is shown, and of its top row: Fluent's `colorNeutralBackground1`. */
export const backgroundOf = ({ dark, forced }: SystemLook): string => forced?.window ?? (dark ? '#292929' : '#ffffff');

/** The colours and height of the system's buttons on Windows. They have to be set again when the appearance changes. */
export const overlayOf = (look: SystemLook): TitleBarOverlay => ({
  color: backgroundOf(look),
  symbolColor: look.forced?.text ?? (look.dark ? '#ffffff' : '#242424'),
  height: rowPx,
});

export const titleBarOf = (platform: NodeJS.Platform, look: SystemLook): BrowserWindowConstructorOptions => {
  switch (frameOf(platform)) {
    case 'mac':
      // The buttons are 14 px high and centred in the row.
      return { titleBarStyle: 'hiddenInset', trafficLightPosition: { x: 16, y: (rowPx - 14) / 2 } };
    case 'windows':
      return { titleBarStyle: 'hidden', titleBarOverlay: overlayOf(look) };
    default:
      return {};
  }
};
