import type { BrowserWindow } from 'electron';
import { debounce } from 'es-toolkit';
import type { WindowState } from './window-state.ts';

const SETTLED_MS = 500;

/** Passes the place of `window` to `remember` once it has settled, and when it is closed. */
export const keepWindowState = (window: BrowserWindow, remember: (state: WindowState) => void): void => {
  const tell = (): void => {
    soon.cancel();
    // Full screen is not remembered.
    remember({ ...window.getNormalBounds(), maximized: window.isMaximized() });
  };
  const soon = debounce(tell, SETTLED_MS);
  // One call per event, since the types have one overload per name.
  window.on('resize', soon);
  window.on('move', soon);
  window.on('maximize', soon);
  window.on('unmaximize', soon);
  window.on('close', tell);
};
