import type { BrowserWindow } from 'electron';
import { debounce } from 'es-toolkit';
import type { WindowState } from './window-state.ts';

const SETTLED_MS = 500;

/** Tells `remember` the place of `window` once it has settled, and when it is closed. */
export const keepWindowState = (window: BrowserWindow, remember: (state: WindowState) => void): void => {
  const tell = (): void => {
    soon.cancel();
    // Full screen is for the moment: the next start is as before it.
    remember({ ...window.getNormalBounds(), maximized: window.isMaximized() });
  };
  const soon = debounce(tell, SETTLED_MS);
  // One call an event: the types have one overload for each name.
  window.on('resize', soon);
  window.on('move', soon);
  window.on('maximize', soon);
  window.on('unmaximize', soon);
  window.on('close', tell);
};
