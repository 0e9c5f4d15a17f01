/**
 * A title bar that fits the system: on macOS and Windows the window's own top row with the system's buttons in it, on
 * Linux the one that the desktop draws. Pure: Electron and the platform are given.
 */
import type { BrowserWindowConstructorOptions, TitleBarOverlay } from 'electron';

/** The frame that the renderer makes room for; absent: the system draws a title bar. */
type Frame = 'mac' | 'windows';

/** The height of the window's top row (renderer/shell/top-bar.tsx). */
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
