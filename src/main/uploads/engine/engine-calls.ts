/** The calls between the upload engine's worker and main. Everything in them is cloneable. */
import { isSameUser, type Owner } from '../../../contract/connection.ts';
import { DeskError, type ErrorData } from '../../../contract/errors.ts';
import type { Hours, LeaveRoom, UploadLimit } from '../../../contract/hours.ts';
import type { AssignmentFiles, UploadSignature } from '../../../contract/resources.ts';
import type { Batch, UploadFile } from '../../../contract/uploads.ts';
import type { Peer, SentError } from '../../async/port-calls.ts';
import type { RetryPolicy } from '../../async/retry.ts';
import type { Observation } from '../../net/host-health.ts';
import type { ProxyLogin, Route } from '../../net/proxy.ts';
import type { LoginTrial, LoginTrials } from '../../net/proxy-passwords.ts';
import type { Routing } from '../../net/route.ts';
import type { TrustFiles } from '../../net/trust.ts';
import type { SendTimeouts } from '../storage/put-request.ts';
import type { SignedUrlRules } from '../storage/signed-url.ts';
import type { RemovalRequest, SignRequest, UploadService } from '../transfer/transfer-context.ts';
import type { Concurrency } from './pool.ts';
import type { Uploads } from './uploads-api.ts';

/** How fast uploads may be. */
export type UploadSpeed = {
  /** Undefined: no limit. */
  readonly limit: UploadLimit | undefined;
  /** When uploads give way to other traffic. */
  readonly leaveRoom: LeaveRoom;
};

/** The engine's settings for its whole life. */
export type EngineSettings = {
  /** Absolute path of ledger.sqlite. */
  readonly ledgerPath: string;
  /** Address of the module source/hash-worker.ts in this host. */
  readonly hashThread: string;
  /** Address of the module source/read-worker.ts in this host. */
  readonly readThread: string;
  /** How many files are sent concurrently. */
  readonly concurrency: Concurrency;
  /** Absent: as fast as possible. The call `setSpeed` changes it while the engine runs. */
  readonly speed?: UploadSpeed | undefined;
  /** The hours in which the organisation allows uploads; users cannot override them. Absent: at any time. */
  readonly hours?: Hours | undefined;
  /** How long to wait for a host that cannot be connected to. Absent: without limit. */
  readonly networkPatienceMs?: number | undefined;
  /** The delays between probes of an unreachable host. Absent: the defaults of `net/host-health.ts`. */
  readonly probes?: RetryPolicy | undefined;
  /** Timeouts that differ from `SEND_TIMEOUTS`. */
  readonly timeouts?: Partial<SendTimeouts> | undefined;
  /** As in `TransferContext`. Absent: 5 seconds. */
  readonly listLagMs?: number | undefined;
  /** Whether each settled file is reported. The call `reportFiles` changes it while the engine runs. */
  readonly reportFiles: boolean;
  /**
   * Certificate authorities to trust besides the usual ones. The call `waysChanged` changes them while the engine runs.
   */
  readonly trust?: TrustFiles | undefined;
};

/**
 * An observation of a host that the engine sends to or waits for. `restarted`: the engine has lost its earlier
 * observations.
 */
export type StorageSeen = Observation | { readonly side: 'storage'; readonly type: 'restarted' };

/** Who is signed in at a connection. */
export type EngineSession = { readonly signedIn: boolean } & Pick<Owner, 'subject'>;

/** The part of `Uploads` that is called from other threads. */
export type UploadCall = Exclude<keyof Uploads, 'close'>;

/**
 * `handle`: the number main gave the connection. While the app reconnects, two connections to one service may be open.
 */
type OfConnection<T> = T & { readonly handle: number };

/** The calls that the engine handles. */
export type EngineCalls = {
  /** The first call, made once. `damage`: why the ledger is read-only. Errors: `data/unwritable`. */
  readonly begin: (settings: EngineSettings) => { readonly damage?: ErrorData };
  /** Takes effect immediately, for transfers in progress as well. */
  readonly setSpeed: (speed: UploadSpeed) => void;
  readonly reportFiles: (isWanted: boolean) => void;
  /** The routes or the network have changed: opens new connections, and probes hosts that cannot be reached. */
  readonly waysChanged: (trust: TrustFiles) => void;
  /** Probes hosts that cannot be reached; with `pauses`, also ends requested pauses. */
  readonly hurry: (options: { readonly pauses: boolean }) => void;
  /** Returns the batches of the connection. */
  readonly open: (
    connection: OfConnection<SignedUrlRules & Pick<Owner, 'connectionId'> & { readonly session: EngineSession }>,
  ) => readonly Batch[];
  readonly session: (change: OfConnection<{ readonly session: EngineSession }>) => void;
  /** With `cancellable`, the call's signal is the last argument. */
  readonly uploads: (
    call: OfConnection<{ readonly name: UploadCall; readonly args: readonly unknown[]; readonly cancellable: boolean }>,
    signal: AbortSignal,
  ) => unknown;
  /** Aborts the connection's transfers and starts no more; calls still get results. */
  readonly close: (connection: OfConnection<unknown>) => Promise<void>;
  /**
   * Aborts everything and closes the ledger. `hangs`: a read from a drive that does not respond is still pending, so
   * neither the worker nor its process can exit.
   */
  readonly end: (nothing: undefined) => Promise<{ readonly hangs: boolean }>;
};

type ServiceCall<Request, Answer> = (
  call: OfConnection<Pick<Owner, 'subject'> & { readonly request: Request }>,
  signal: AbortSignal,
) => Promise<Answer>;

/** The calls to the service. Errors: the service's, `upload/other-session`. */
type ServiceCalls = {
  readonly signUpload: ServiceCall<SignRequest, UploadSignature>;
  readonly removeFile: ServiceCall<RemovalRequest & { readonly isUrgent: boolean }, AssignmentFiles | undefined>;
};

/** The calls that main handles. */
export type MainCalls = ServiceCalls & {
  /** Batches that have changed, each once. */
  readonly batches: (change: OfConnection<{ readonly batches: readonly Batch[] }>) => void;
  readonly file: (change: OfConnection<{ readonly batch: string; readonly file: UploadFile }>) => void;
  readonly seen: (seen: Observation) => void;
  /** As in `EngineConnection`, for any of the connections. */
  readonly probe: (origin: string, signal: AbortSignal) => Promise<boolean>;
  /** As in `Routing`: `routeOf`, `unreachable`, `nextLogin`. */
  readonly routeOf: (origin: string) => Promise<Route>;
  readonly proxyUnreachable: (proxy: string) => void;
  readonly nextLogin: (asked: {
    readonly proxy: string;
    readonly rejected: ProxyLogin | undefined;
  }) => ReturnType<Routing['nextLogin']>;
  /** As in `LoginTrials`: `begin`, `settle`. */
  readonly beginTrial: LoginTrials['begin'];
  readonly settleTrial: (settled: {
    readonly trial: LoginTrial;
    readonly outcome: Parameters<LoginTrials['settle']>[1];
  }) => void;
  readonly bug: (error: SentError) => void;
};

// The two calls that the engine makes to the service through main. Only main talks to the service, and only main knows
// immediately whose session it is.

/** The service as the engine's worker calls it. */
export const createRemoteService = (main: Pick<Peer<ServiceCalls>, 'call'>, handle: number): UploadService => ({
  signUpload: (request, { signal, subject }) => main.call('signUpload', { handle, subject, request }, signal),
  removeFile: (request, { signal, subject, isUrgent = false } = {}) =>
    main.call('removeFile', { handle, subject, request: { ...request, isUrgent } }, signal),
});

/**
 * Main's handlers of the engine's service calls. `find` returns the connection with a handle. The user is compared
 * here, where a new session is known first: the engine may have made the call before it learned of the session.
 */
export const answerServiceCalls = (
  find: (handle: number) => { readonly service: UploadService; readonly session: EngineSession },
): ServiceCalls => {
  const serviceFor = (handle: number, user: Pick<Owner, 'subject'>): UploadService => {
    const { service, session } = find(handle);
    if (isSameUser(user, session)) return service;
    throw new DeskError('upload/other-session', 'somebody else has signed in');
  };
  return {
    signUpload: async ({ handle, subject, request }, signal) =>
      serviceFor(handle, { subject }).signUpload(request, { signal }),
    removeFile: async ({ handle, subject, request: { isUrgent, ...request } }, signal) =>
      serviceFor(handle, { subject }).removeFile(request, { signal, isUrgent }),
  };
};
