/** What the upload engine's thread and the main thread ask of each other. All of it is cloneable. */

import type { Batch } from '../../../contract/batches.ts';
import type { ErrorData } from '../../../contract/errors.ts';
import type { AssignmentFiles, UploadSignature } from '../../../contract/resources.ts';
import type { UploadFile } from '../../../contract/upload-files.ts';
import type { UploadLimit } from '../../../contract/upload-limit.ts';
import type { HostSeen } from '../../net/reachability.ts';
import type { SendTimeouts } from '../storage/put-request.ts';
import type { SignedUrlRules } from '../storage/signed-url.ts';
import type { OfUser } from '../transfer/remove-file.ts';
import type { Concurrency } from './pool.ts';
import type { Uploads } from './uploads.ts';

/** How the engine works, for its whole life. */
export type EngineSettings = {
  /** Absolute path of ledger.sqlite. */
  readonly ledgerPath: string;
  /** Address of the module of source/hash-worker.ts as this host has it. */
  readonly hashThread: string;
  /** Address of the module of source/read-worker.ts as this host has it. */
  readonly readThread: string;
  /** Files on their way at once. */
  readonly concurrency: Concurrency;
  /** Absent: no limit. Asked for as long as the engine runs; the call `limit` changes it. */
  readonly limit?: UploadLimit | undefined;
  /** How long a host that cannot be connected to is waited for. Absent: as it takes. */
  readonly networkPatienceMs?: number | undefined;
  /** Those that differ from `SEND_TIMEOUTS`. */
  readonly timeouts?: Partial<SendTimeouts> | undefined;
  /** Files are told of one by one. */
  readonly tellFiles: boolean;
};

/** What happened with a host that the engine sends to or waits for; `restarted`: it knows of none any more. */
export type StorageSeen = HostSeen | { readonly type: 'restarted' };

/** Who is signed in at a connection. */
export type EngineSession = { readonly signedIn: boolean; readonly subject?: string | undefined };

/** The part of `Uploads` that is called from other threads. */
export type UploadCall = Exclude<keyof Uploads, 'close'>;

/** `connection` is a number that main gives it: two of one service may be there while the app connects anew. */
type Of<T> = T & { readonly connection: number };

/** What the engine answers. */
export type EngineCalls = {
  /** Comes first, once. `damage`: the ledger is read-only, and why. Errors: `data/unwritable`. */
  readonly begin: (settings: EngineSettings) => { readonly damage?: ErrorData };
  /** From now on, for what is on its way, too. */
  readonly limit: (limit: UploadLimit | undefined) => void;
  /** Hosts that cannot be reached are probed now; with `pauses`, pauses that were asked for are over. */
  readonly hurry: (options: { readonly pauses: boolean }) => void;
  /** Answers the batches of the connection with this key. */
  readonly open: (
    connection: Of<SignedUrlRules & { readonly key: string; readonly session: EngineSession }>,
  ) => readonly Batch[];
  readonly session: (change: Of<{ readonly session: EngineSession }>) => void;
  /** With `cancellable` the call's signal is the last argument. */
  readonly uploads: (
    call: Of<{ readonly name: UploadCall; readonly args: readonly unknown[]; readonly cancellable: boolean }>,
    signal: AbortSignal,
  ) => unknown;
  /** Breaks off what runs at the connection, where nothing begins any more; what is asked of it is answered still. */
  readonly close: (connection: Of<unknown>) => Promise<void>;
  /**
   * Breaks off everything and closes the ledger. `hangs`: some file is waited for still, on a drive that answers no
   * more, so that neither the thread nor its process can end.
   */
  readonly end: (nothing: undefined) => Promise<{ readonly hangs: boolean }>;
};

/** What the engine asks of main, which alone talks to the service. Errors: the service's. */
export type MainCalls = {
  readonly signUpload: (
    call: Of<OfUser & { readonly request: { readonly AssignmentId: string; readonly FileName: string } }>,
    signal: AbortSignal,
  ) => Promise<UploadSignature>;
  readonly removeFile: (
    call: Of<OfUser & { readonly request: { readonly AssignmentId: string; readonly Key: string } }>,
    signal: AbortSignal,
  ) => Promise<AssignmentFiles | undefined>;
  readonly batch: (change: Of<{ readonly batch: Batch }>) => void;
  readonly file: (change: Of<{ readonly batch: string; readonly file: UploadFile }>) => void;
  readonly seen: (seen: HostSeen) => void;
  readonly bug: (error: Error) => void;
};
