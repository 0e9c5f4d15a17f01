/** What a host puts into the page as `window.inspectionDesk`: Electron's preload or the preview's script. */

import type { Envelope } from '../errors.ts';
import type { CallBridge } from './calls.ts';

export type Bridge = {
  readonly calls: CallBridge;
  /** Subscribes to every event until the returned function is called. */
  readonly onEvent: (listener: (event: unknown) => void) => () => void;
  /**
   * Registers folders and files that were dropped, or files that were chosen, with main, which answers their opaque ids
   * (`Folder[]`).
   */
  readonly adoptDropped: (files: readonly File[]) => Promise<Envelope<unknown>>;
};
