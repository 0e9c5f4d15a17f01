/** What a host (the desktop, the command line or the preview) provides to the desk. */

import type { FileAction, MenuPoint } from '../../contract/files.ts';
import type { Language } from '../../contract/preferences.ts';
import type { Batch } from '../../contract/uploads.ts';
import type { Keychain } from '../auth/keychain.ts';
import type { RedirectReceiver } from '../auth/redirect.ts';
import type { MachineState } from '../net/machine-changes.ts';
import type { Environment } from '../net/proxy.ts';
import type { Policy } from '../settings/policy/policy.ts';
import type { ConnectionLayer } from '../settings/resolve-connection.ts';
import type { SettingsFile } from '../settings/settings.ts';
import type { HostUpdater } from '../updates/updates.ts';

/** The embedded service, running in its own process. */
export type SampleService = {
  readonly port: number;
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly close: () => Promise<void>;
};

/** `letter`: 8.5 × 11 inches; else A4. */
type Paper = { readonly letter: boolean; readonly footer: (page: string, pages: string) => string };

export type Host = {
  /** The existing data directory, with settings, tokens, ledger, cache and logs. */
  readonly home: string;
  readonly version: string;
  /** The locale in which the system writes dates and numbers. Absent: the page detects it. */
  readonly locale?: string;
  /** The language of the app that fits the system best. Absent: the page detects it. */
  readonly systemLanguage?: Language;
  /**
   * Whether the host has menus for files, and applies the settings of the desktop, such as staying in the background
   * and starting at sign-in. Absent: no.
   */
  readonly hasDesktop?: boolean;
  /** Stores tokens and proxy passwords. Absent: they stay in memory (`--token-store memory`). */
  readonly keychain?: Keychain;
  /** Opens the settings file under `home`. */
  readonly openSettings: (home: string) => SettingsFile;
  /** The settings of the organisation on this machine. They take precedence over everything else. */
  readonly policy: Policy;
  /** The connection from the options and the environment, which take precedence over the settings. */
  readonly connectionLayers: readonly ConnectionLayer[];
  /** The variables that name proxies and certificate authorities. Absent: none. */
  readonly environment?: Environment;
  /**
   * The system's proxies for an address, in the format of a PAC script: `PROXY a:8080; DIRECT`. Absent: the system's
   * proxies are not used.
   */
  readonly resolveProxy?: (url: string) => Promise<string>;
  /** The receiver for the configured redirect address, or for the host's default. */
  readonly redirect: (redirectUri: string | undefined) => RedirectReceiver;
  /** Opens the address in the user's browser, or shows it. Does not log it. */
  readonly openExternal: (url: string) => Promise<void>;
  /** Puts text on the clipboard. Absent: not possible here. */
  readonly copyText?: (text: string) => Promise<void>;
  /**
   * Lets the user pick a folder; undefined if the user cancels. Absent: the calls of the window resolve to undefined.
   */
  readonly pickFolder?: () => Promise<string | undefined>;
  /**
   * Lets the user pick a file with one of these extensions (without a dot); undefined if the user cancels. Absent: not
   * possible here.
   */
  readonly pickFile?: (extensions: readonly [string, ...string[]]) => Promise<string | undefined>;
  /**
   * Opens a save dialog that proposes `name` and offers the file types `extensions` (without a dot); undefined if the
   * user cancels. Absent: not possible here.
   */
  readonly pickSavePath?: (name: string, extensions: readonly string[]) => Promise<string | undefined>;
  /**
   * Hands a saved file over to a user on another machine; resolves to its name there. Absent: files stay at their
   * paths.
   */
  readonly handOver?: (path: string) => Promise<string>;
  /**
   * Prints the page at the absolute path `page` as PDF, without running scripts or loading anything else. `footer`: the
   * text below each page, with placeholders for the page number and the number of pages. Absent: not supported.
   */
  readonly printPdf?: (page: string, paper: Paper) => Promise<Uint8Array>;
  /** The address of a frame in which the page can show a PDF of a folder under review. Absent: not possible here. */
  readonly documentAddress?: (file: { readonly rowId: number; readonly path: string }) => string;
  /** Opens a file in the program that the system has for it. Absent: not possible here. */
  readonly openFile?: (path: string) => Promise<void>;
  /** Shows a file or folder in the system's file manager. Absent: not possible here. */
  readonly showInFolder?: (path: string) => void;
  /**
   * Opens a menu with these actions at a point of the page; undefined if the user closes it without a choice. Absent:
   * not possible here.
   */
  readonly chooseFileAction?: (actions: readonly FileAction[], at: MenuPoint) => Promise<FileAction | undefined>;
  /**
   * Notifies the user that uploads have ended or paused. `onOpen`: called when the user wants to see them in the
   * window. Absent: never.
   */
  readonly notify?: (batches: readonly [Batch, ...Batch[]], onOpen: () => void) => void;
  /** Keeps the machine from sleeping until the returned function is called. Absent: not possible here. */
  readonly keepAwake?: () => () => void;
  /**
   * Calls `onWake` when the machine wakes up, until the returned function is called. Absent: the app relies on
   * jumps of the clock.
   */
  readonly watchWake?: (onWake: () => void) => () => void;
  /**
   * Reads the state of the battery and of the network connection, which uploads may spare. Absent: they spare neither.
   */
  readonly readMachine?: () => Promise<MachineState>;
  /** The module uploads/engine/engine-worker.ts, the worker of the upload engine. */
  readonly uploadWorker: URL;
  /** The module uploads/source/read-worker.ts: small files are read, large ones hashed and archives opened in it. */
  readonly readWorker: URL;
  /** The module uploads/find/find-worker.ts, in which files are searched for. */
  readonly searchWorker: URL;
  /** The module core/drafts/draft-worker.ts, the worker of an upload that is being prepared. */
  readonly draftWorker: URL;
  /** The updater of the installed app. Absent: this host has no updates. */
  readonly updater?: HostUpdater;
  /** Starts the sample service with its state in `stateDir`, on `port` if that is free. */
  readonly startSample: (stateDir: string, port: number | undefined) => Promise<SampleService>;
};
