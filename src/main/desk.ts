/** The app without its windows: composes the services of the main process. The only place that wires them. */
import type { Handlers } from '../contract/calls.ts';
import type { DeskEvent } from '../contract/events.ts';
import type { Folder } from '../contract/models.ts';
import type { Host } from './host.ts';

export type Desk = {
  /** One handler a call of the contract, for IPC (desktop) or HTTP (preview). */
  readonly handlers: Handlers;
  /** Delivers every event until the returned function is called. */
  readonly onEvent: (listener: (event: DeskEvent) => void) => () => void;
  /** Gives a folder chosen in a dialog or dropped an opaque id for the renderer. */
  readonly adoptFolder: (path: string) => Folder;
  /** Stops transfers where they stand, closes databases and the sample service. */
  readonly close: () => Promise<void>;
};

export declare const createDesk: (host: Host) => Promise<Desk>;
