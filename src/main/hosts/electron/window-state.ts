/** The position of the window, and its title bar. Pure: the caller queries Electron. */

import type { BrowserWindowConstructorOptions, Rectangle, TitleBarOverlay } from 'electron';
import { z } from 'zod';

// The window's last position, and where it opens.

/** The bounds of the window when it is not maximised, in screen coordinates. */
export const WindowState = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().positive(),
  height: z.int().positive(),
  maximized: z.boolean(),
});
export type WindowState = Readonly<z.infer<typeof WindowState>>;

const usual = { width: 1200, height: 800 };

/** How much of the top edge has to be on a display so that it can be dragged. */
const caught = { width: 120, height: 32 };

const overlap = (from: number, length: number, otherFrom: number, otherLength: number): number =>
  Math.min(from + length, otherFrom + otherLength) - Math.max(from, otherFrom);

/**
 * Where to open the window, given its last state `kept` and the work areas of the `displays`, the primary one first.
 * Without a last state, or if its display is gone and the window would be out of reach, the bounds have no `x` and `y`,
 * and the system places the window.
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

// A title bar that fits the system: on macOS and Windows the window's own top row with the system's buttons in it, on
// Linux the one that the desktop draws. Pure: Electron and the platform are given.

/** The frame that the renderer makes room for; absent: the system draws a title bar. */
type Frame = 'mac' | 'windows';

/** The height of the window's top row (renderer/shell/shell.tsx). */
const rowPx = 44;

/** The system colours in use. */
export type SystemLook = {
  readonly dark: boolean;
  /** Forced colours: the system's replace the app's. */
  readonly forced?: { readonly window: string; readonly text: string } | undefined;
};

/** The frame on `platform`. */
export const frameOf = (platform: NodeJS.Platform): Frame | undefined =>
  (({ darwin: 'mac', win32: 'windows' }) as const)[platform as 'darwin' | 'win32'];

/** The background of the window before its page is shown, and of its top row: Fluent's `colorNeutralBackground1`. */
export const backgroundOf = ({ dark, forced }: SystemLook): string => forced?.window ?? (dark ? '#292929' : '#ffffff');

/** The system's buttons on Windows, whose colours have to be set whenever the appearance changes. */
export const overlayOf = (look: SystemLook): TitleBarOverlay => ({
  color: backgroundOf(look),
  symbolColor: look.forced?.text ?? (look.dark ? '#ffffff' : '#242424'),
  height: rowPx,
});

/** The part of a window's options that makes its title bar. */
export const titleBarOf = (platform: NodeJS.Platform, look: SystemLook): BrowserWindowConstructorOptions => {
  switch (frameOf(platform)) {
    case 'mac':
      // Centred in the row: the buttons are 14 high.
      return { titleBarStyle: 'hiddenInset', trafficLightPosition: { x: 16, y: (rowPx - 14) / 2 } };
    case 'windows':
      return { titleBarStyle: 'hidden', titleBarOverlay: overlayOf(look) };
    default:
      return {};
  }
};
