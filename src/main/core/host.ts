/** The functions and facts that a host (the desktop, the command line or the preview) provides to the desk. */

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

export type SampleService = {
  readonly port: number;
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  /** Resolves when the service has ended, for any reason. */
  readonly ended: Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * The paper of a PDF. `letter`: whether the paper is 8.5 × 11 inches instead of A4. `footer` returns the text below
 * each page, given placeholders for the page number and the number of pages.
 */
type Paper = { readonly letter: boolean; readonly footer: (page: string, pages: string) => string };

export type Host = {
  /**
   * The path of the data directory, which exists. It contains the settings, tokens, ledger, cache, logs and other data.
   */
  readonly home: string;
  readonly version: string;
  /** The locale in which the system writes dates and numbers. Absent: the page detects it. */
  readonly locale?: string;
  /** The language of the app that fits the system best. Absent: the page detects it. */
  readonly systemLanguage?: Language;
  /** Stores keys and passwords. Absent: tokens and proxy passwords stay in memory (`--token-store memory`). */
  readonly keychain?: Keychain;
  readonly openSettings: (home: string) => SettingsFile;
  /** The settings of the organisation on this machine. They take precedence over everything else. */
  readonly policy: Policy;
  /** The connections that the options and the environment name. They take precedence over the settings. */
  readonly connectionLayers: readonly ConnectionLayer[];
  /** The environment variables, which may name proxies and certificate authorities. Absent: none are used. */
  readonly environment?: Environment;
  /**
   * Resolves to the system's proxies in the format of a PAC script, such as `PROXY a:8080; DIRECT`. Absent: none are
   * used.
   */
  readonly resolveProxy?: (url: string) => Promise<string>;
  /** Returns the receiver for the configured redirect address or, without one, for the host's default address. */
  readonly redirect: (redirectUri: string | undefined) => RedirectReceiver;
  /** Opens the address in the user's browser, or shows it to the user. Must not log the address, which is a secret. */
  readonly openExternal: (url: string) => Promise<void>;
  /** Puts text on the clipboard. Absent: the host has no clipboard. */
  readonly copyText?: (text: string) => Promise<void>;
  /** Lets the user pick a folder; undefined if the user cancels. Absent: `folders.pick` resolves to undefined. */
  readonly pickFolder?: () => Promise<string | undefined>;
  /** Lets the user pick a file with one of these extensions (without a dot); undefined if the user cancels. */
  readonly pickFile?: (extensions: readonly [string, ...string[]]) => Promise<string | undefined>;
  /**
   * Opens a save dialog that proposes `name` and offers the file types `extensions` (without a dot); resolves to
   * undefined if the user cancels. Absent: the host has no such dialog.
   */
  readonly pickSavePath?: (name: string, extensions: readonly string[]) => Promise<string | undefined>;
  /**
   * Sends a saved file to the user's browser, on a host that chooses the paths of saved files itself. Resolves to the
   * file's name in the browser. Absent: files stay at their paths.
   */
  readonly handOver?: (path: string) => Promise<string>;
  /**
   * Prints the HTML file at the path `page` as PDF, without running scripts or loading anything else. Absent: the host
   * cannot print. Errors: `data/unwritable`.
   */
  readonly printPdf?: (page: string, paper: Paper) => Promise<Uint8Array>;
  /** Returns the address of a frame that shows a PDF under review. Absent: the host cannot show PDFs. */
  readonly documentAddress?: (file: { readonly rowId: number; readonly path: string }) => string;
  /** Opens a file in the system's program for it. Absent: the host cannot open files. */
  readonly openFile?: (path: string) => Promise<void>;
  /** Shows a file or folder in the system's file manager. Absent: the host has no file manager. */
  readonly showInFolder?: (path: string) => void;
  /**
   * Opens a menu at a point of the page. Resolves to undefined if the user closes it without a choice. Absent: the host
   * is not a desktop, so the settings of the desktop have no effect.
   */
  readonly chooseFileAction?: (actions: readonly FileAction[], at: MenuPoint) => Promise<FileAction | undefined>;
  /** Notifies the user that uploads have ended or paused. `onOpen` is called if the user wants to see them. */
  readonly notify?: (batches: readonly [Batch, ...Batch[]], onOpen: () => void) => void;
  /** Keeps the machine from sleeping until the returned function is called. Absent: the machine may sleep. */
  readonly keepAwake?: () => () => void;
  /** Calls `onWake` after each wake of the machine. Absent: the app only detects jumps of the clock. */
  readonly watchWake?: (onWake: () => void) => () => void;
  /** Reads the state of the battery and of the network connection. Absent: uploads consider neither. */
  readonly readMachine?: () => Promise<MachineState>;
  readonly uploadWorker: URL;
  /** The module uploads/source/read-worker.ts, which reads and hashes files and opens archives. */
  readonly readWorker: URL;
  readonly searchWorker: URL;
  readonly draftWorker: URL;
  /** The updater of the installed app. Absent: the host cannot update the app. */
  readonly updater?: HostUpdater;
  /** Starts the sample service with its state in `stateDir`, on `port` if that is free. */
  readonly startSample: (stateDir: string, port: number | undefined) => Promise<SampleService>;
};
