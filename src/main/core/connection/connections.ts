/**
 * Connects to a service, including the embedded sample service, switches to another one, and stores the last
 * connection. The services of a connection are closed when the app connects elsewhere or quits.
 */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { memoize } from 'es-toolkit/function/memoize';
import {
  Addresses,
  type Connection,
  isLoopback,
  type Owner,
  type Reachability,
  type SessionStatus,
  troubleOf,
} from '../../../contract/connection.ts';
import {
  DeskError,
  type ErrorData,
  fromErrorData,
  isNameFailure,
  onDeskError,
  toErrorData,
} from '../../../contract/errors.ts';
import type { Hours } from '../../../contract/hours.ts';
import type { Batch, UploadFile } from '../../../contract/uploads.ts';
import { onAbort, orCancelled } from '../../async/cancel.ts';
import { sleep, steadyNow, wallNow } from '../../async/clock.ts';
import { closeAll, createSerial } from '../../async/lock.ts';
import type { RetryPolicy } from '../../async/retry.ts';
import { createThrottle } from '../../async/throttle.ts';
import { createSession, type Session } from '../../auth/session.ts';
import { createNeedsMemory, type NeedsMemory } from '../../auth/token-endpoint.ts';
import { createMemoryVault, createSealedVault } from '../../auth/vault.ts';
import { createReadAhead } from '../../cache/assignment-lists.ts';
import type { Cache } from '../../cache/cache.ts';
import { createOfflineWalk } from '../../cache/offline-walk.ts';
import { createReader, createTryToStore } from '../../cache/reader.ts';
import { createGate } from '../../net/gate.ts';
import { createHostHealth, lostOrigin, type Observation, probeHost } from '../../net/host-health.ts';
import { isOutage, LONGEST_HOLD_MS } from '../../net/translate.ts';
import { createOutbox, type OutboxStore } from '../../outbox/outbox.ts';
import {
  createServiceClient,
  LIST_RESPONSE,
  type ReachSeen,
  type ServiceClient,
  type TimeLimits,
  type TokenSource,
} from '../../service/client.ts';
import { assertNotManaged } from '../../settings/policy/overlay.ts';
import {
  connectionIdOf,
  type ResolvedConnection,
  resolveConnection,
  settingsLayer,
} from '../../settings/resolve-connection.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import { createScheduleKeeper } from '../../uploads/engine/keep-schedules.ts';
import type { RemoteUploads, UploadEngine } from '../../uploads/engine/start-engine.ts';
import type { UploadService } from '../../uploads/transfer/transfer-context.ts';
import { createFolderReader } from '../../uploads/watching/folder-watch.ts';
import type { FolderToMatch } from '../../uploads/watching/open-folder.ts';
import { createWatchedFolders, type WatchedTimes } from '../../uploads/watching/watched-folders.ts';
import type { WatchedStore } from '../../uploads/watching/watched-store.ts';
import type { Host, SampleService } from '../host.ts';
import type { Log } from '../log/log.ts';
import type { State } from '../state/state.ts';
import type { Dispatchers } from './dispatchers.ts';

/**
 * The services of the connection in use, if there is one. Only the switch replaces them, and only these services may
 * change the state.
 */
export type PresentConnection = { services: ConnectionServices | undefined };

const sampleOff = (): DeskError => new DeskError('connection/sample-off', 'sample data is turned off');

/**
 * How long the window waits for the stored session before it opens. The keychain may wait for a minute until the user
 * responds to its prompt.
 */
const RESTORE_MS = 2_000;

export type ConnectionSwitch = ReturnType<typeof createConnectionSwitch>;

/** Creates a switch without a connection. `restore`, `set`, `useSample` and `leaveSample` connect. */
export const createConnectionSwitch = (around: Surroundings) => {
  const { host, settings, state, present } = around;
  let redirectUri: string | undefined;
  let problem = new DeskError('connection/missing', 'no service is configured');
  let sample: Promise<SampleService> | undefined;
  let isClosed = false;
  const throwIfClosed = (): void => {
    if (isClosed) throw new DeskError('app/cancelled', 'the app is closing');
  };

  const closePresent = async (): Promise<void> => {
    const { services } = present;
    present.services = undefined;
    await services?.close();
  };

  /** Changes run one after another, so that the last change takes effect and no unused connection stays open. */
  const inTurn = createSerial();
  const change = (resolved: ResolvedConnection): Promise<void> =>
    inTurn(async () => {
      throwIfClosed();
      const next = await openConnectionServices(around, resolved);
      await closePresent().catch(around.onBug);
      present.services = next;
      ({ redirectUri } = resolved);
      state.emit({ type: 'connection', value: next.connection });
      const isTooLong = around.hasWindow ? AbortSignal.timeout(RESTORE_MS) : undefined;
      await orCancelled(next.session.restore(), isTooLong).catch(() => {});
    });

  const openSample = async (): Promise<SampleService> => {
    const starting = host.startSample(join(host.home, 'sample'), settings.get().sample?.port);
    const forget = (): void => {
      if (sample === starting) sample = undefined;
    };
    sample = starting;
    void starting.then(({ ended }) => ended.then(forget), forget);
    return starting;
  };

  /**
   * Connects to the embedded service, which is started if necessary, and stores the connection. The service gets its
   * former port if that is free: at another address, the connection would have other tokens and batches.
   */
  const useSample = async (): Promise<void> => {
    throwIfClosed();
    if (!settings.get().sampleData) throw sampleOff();
    const left = present.services?.connection ?? settings.get().connection;
    const former = left?.sample ? left.former : left && Addresses.parse(left);
    const { port, baseUrl, authUrl, clientId } = await (sample ?? openSample());
    const connection = { baseUrl, authUrl, clientId, sample: true, ...(former && { former }) };
    await change({ connection });
    // The stored redirect address stays: `leaveSample` needs it to connect to the former service again.
    settings.update({ connection, sample: { port } });
  };

  return {
    /** Returns the present services. If there are none, throws the reason, such as `connection/missing`. */
    connected: (): ConnectionServices => {
      if (!present.services) throw problem;
      return present.services;
    },
    /**
     * Opens the configured connection, and restores its session. Reports errors as notices, except
     * `connection/missing`.
     */
    restore: async (): Promise<void> => {
      try {
        const layers = [settings.managedConnection, ...host.connectionLayers, settingsLayer(settings.get())];
        const resolved = resolveConnection(layers);
        await (resolved.connection.sample ? useSample() : change(resolved));
      } catch (error) {
        if (!(error instanceof DeskError)) throw error;
        problem = error;
        if (error.code !== 'connection/missing') state.notice(error);
      }
    },
    /**
     * Connects to a service, and stores the connection. Errors: `settings/managed`, `data/unwritable`, and those of
     * `resolveConnection` and `openConnectionServices`.
     */
    set: async (connection: Addresses): Promise<void> => {
      assertNotManaged(settings.managedConnection, connection);
      const resolved = resolveConnection([settings.managedConnection, { ...connection, sample: false }]);
      await change(resolved);
      // The stored redirect address is removed, because it was registered with the previous service.
      settings.update({ connection: resolved.connection, redirectUri: undefined });
    },
    /** Stores the present connection for the next start. Errors: `data/unwritable`. */
    remember: (): void => {
      settings.update({ connection: present.services?.connection, redirectUri });
    },
    /**
     * Connects to the embedded service, which is started if necessary. Errors: `connection/sample-off`,
     * `data/unwritable`, and those of `host.startSample` and `openConnectionServices`.
     */
    useSample: async (): Promise<void> => {
      // While sample data is off, the window does not offer sample data. A user who requests it in another way sees the
      // reason.
      if (!settings.get().sampleData) state.notice(sampleOff());
      await useSample();
    },
    /**
     * Connects to the service that was in use before the sample data. Fields that the policy, the options or the
     * environment set take precedence. Errors: `data/unwritable`, and those of `resolveConnection`
     * (`connection/missing` if a required field has no value) and `openConnectionServices`.
     */
    leaveSample: async (): Promise<void> => {
      const { connection, redirectUri } = settings.get();
      const former = { ...connection?.former, redirectUri, sample: false };
      const resolved = resolveConnection([settings.managedConnection, ...host.connectionLayers, former]);
      await change(resolved);
      settings.update({ connection: resolved.connection });
    },
    /** Closes the services. Changes that have not begun, and later ones, reject with `app/cancelled`. */
    close: (): Promise<void> => {
      isClosed = true;
      return closeAll([
        () => inTurn(closePresent),
        async () => (await sample?.catch(onDeskError(() => undefined)))?.close(),
      ]);
    },
  };
};

// The services of one connection.

/** Time limits. `service`: those of each call to the service; `tokenMs`: the timeout of a request for a token. */
export type Deadlines = { readonly service?: TimeLimits; readonly tokenMs?: number };

/** Settings of watched folders for tests: the times, the clock for the upload hours, and how files are opened. */
export type WatchSettings = {
  readonly times?: Partial<WatchedTimes>;
  readonly now?: () => number;
  readonly openFile?: Parameters<typeof createFolderReader>[0];
};

type Surroundings = {
  readonly host: Host;
  readonly settings: SettingsStore;
  readonly state: Pick<State, 'emit' | 'notice'>;
  readonly log: Pick<Log, 'write'>;
  readonly dispatchers: Dispatchers;
  readonly engine: UploadEngine;
  readonly cache: Cache;
  readonly outboxStore: OutboxStore;
  readonly watchedStore: WatchedStore;
  readonly deadlines?: Deadlines | undefined;
  readonly probes?: RetryPolicy | undefined;
  readonly watching?: WatchSettings | undefined;
  /** The hours in which the organisation allows uploads. If empty, uploads are allowed at any time. */
  readonly officeHours: Hours;
  readonly resumeUploads: boolean;
  readonly hasWindow: boolean;
  readonly present: PresentConnection;
  /** Resolves to the assignment of each folder; undefined for a folder whose assignment is not certain. */
  readonly certainAssignments: (
    of: { readonly connectionId: string; readonly service: ServiceClient },
    folders: readonly FolderToMatch[],
    signal: AbortSignal,
  ) => Promise<readonly (string | undefined)[]>;
  readonly onFile: (batch: string, file: UploadFile) => void;
  readonly onBug: (error: unknown) => void;
};

export type ConnectionServices = Awaited<ReturnType<typeof openConnectionServices>>;

/**
 * Opens the services of a connection, without a session; `session.restore` restores the stored session. Errors:
 * `connection/insecure`, `input/invalid`, and those of the upload engine, such as `upload/engine-stopped`.
 */
const openConnectionServices = async (around: Surroundings, { connection, redirectUri }: ResolvedConnection) => {
  const { state, log, cache, onBug } = around;
  const connectionId = connectionIdOf(connection);
  const { baseUrl } = connection;
  const storage = rememberStorage(around, connectionId);
  const onSession = (status: SessionStatus): void => {
    const reason = status.state === 'signed-out' ? status.reason : undefined;
    uploads.setSession({ ...session.user(), ...(reason?.code === 'auth/expired' && { reason }) });
    log.write('session', {
      session: status.state,
      code: reason?.code,
    });
    if (!isPresent()) return;
    const isSignedIn = status.state === 'signed-in';
    state.emit({ type: 'session', value: status });
    if (around.resumeUploads) followSession(isSignedIn).catch(onBug);
    if (around.hasWindow) local.readAhead.follow(isSignedIn);
    if (isSignedIn) local.reached();
  };
  /** The user of a shared account leaves the computer without signing out. */
  const onExpired = (): void => {
    if (isPresent() && around.settings.get().signOut.erases === 'offline-data')
      local.eraseOfflineData().catch(onDeskError(state.notice)).catch(onBug);
  };
  const session = openSession(around, connection, redirectUri, { onChange: onSession, onExpired });
  const isPresent = (): boolean => around.present.services?.session === session;
  const emitIfPresent: State['emit'] = (change) => {
    if (isPresent()) state.emit(change);
  };
  /** Follows the session. Batches outside their upload hours are paused before interrupted batches are resumed. */
  const followSession = async (isSignedIn: boolean): Promise<void> => {
    await local.watchedFolders.sessionChanged();
    await local.schedules.keep();
    // Without uploads the engine may not have been started, and the call would start it.
    if (isSignedIn && uploads.present().length > 0) await uploads.resumeInterrupted();
  };
  let wasInTrouble = false;
  const access = createServiceAccess(around, baseUrl, session, (reachability) => {
    const isInTrouble = troubleOf(reachability.service) !== undefined;
    if (wasInTrouble && !isInTrouble) {
      uploads.probeNow();
      local.reached();
    }
    wasInTrouble = isInTrouble;
    emitIfPresent({ type: 'reachability', value: reachability });
  });

  const nameOf = (AssignmentId: string): string | undefined => {
    try {
      return cache.nameOf(connectionId, AssignmentId);
    } catch (error) {
      onBug(error);
      return undefined;
    }
  };
  /** Adds the names of the assignments that are in the cache. */
  const titled = <T extends Pick<Batch, 'AssignmentId' | 'title'>>(all: readonly T[]): readonly T[] => {
    const titleOf = memoize(nameOf);
    return all.map((one) => {
      const title = titleOf(one.AssignmentId);
      return title === undefined ? one : { ...one, title };
    });
  };
  const refusals = createRefusals(around, () => uploads);
  const uploads = await around.engine.connect({
    connectionId,
    baseUrl,
    session: session.user(),
    beingRemoved: () => around.outboxStore.beingRemoved(connectionId),
    service: access.once,
    probe: access.probe,
    onExit: access.forgetStorages,
    onSeen: (seen) => {
      if (seen.type === 'responded') storage.responded(seen, new URL(baseUrl));
      access.observeStorage(seen);
    },
    onBatches: (batches) => {
      state.emit({ type: 'batches', batches: titled(batches) });
      batches.forEach(local.schedules.see);
      batches.forEach(local.watchedFolders.see);
      batches.forEach(refusals.see);
    },
    onFile: around.onFile,
  });
  const local = createLocal(around, { ...access, connectionId, session, uploads, emit: emitIfPresent });

  return {
    ...local,
    connection,
    connectionId,
    session,
    service: access.service,
    uploads,
    titled,
    batches: (): readonly Batch[] => titled(uploads.present()),
    /** Pauses and resumes batches as their schedules require, without waiting for the next regular check. */
    keepSchedules: local.schedules.keep,
    reachability: access.reachability,
    /**
     * Returns the origin of the storage that last received a file or responded to a probe; undefined if none is known.
     */
    storageOrigin: (): string | undefined => storage.known()?.origin,
    sendsInOnePiece: (): boolean => storage.known()?.takesBlocks === false,
    tryNow: (): void => {
      access.tryNow();
      refusals.tryNow();
      uploads.tryNow();
      local.reached();
    },
    close: (): Promise<void> =>
      closeAll([access.close, refusals.close, local.close, uploads.close, storage.close, session.close]),
  };
};

const openSession = (
  around: Surroundings,
  connection: Connection,
  redirectUri: string | undefined,
  followers: Pick<Parameters<typeof createSession>[0], 'onChange' | 'onExpired'>,
): Session => {
  const { host, state, dispatchers, deadlines } = around;
  const { home, keychain, openExternal } = host;
  const connectionId = connectionIdOf(connection);
  return createSession({
    connection,
    vault: keychain ? createSealedVault({ home, keychain, connectionId }) : createMemoryVault(),
    redirect: host.redirect(redirectUri),
    openExternal,
    dispatcher: dispatchers.dispatcher,
    needs: rememberNeeds(around, connectionId),
    ...followers,
    onNotice: state.notice,
    tokenTimeoutMs: deadlines?.tokenMs,
  });
};

/**
 * Creates a watcher that resumes uploads which paused because a proxy rejected the system account. The watcher probes
 * until the proxy accepts the account, for example with a new Kerberos ticket. Resumes nothing without `resumeUploads`.
 */
const createRefusals = (
  { dispatchers, probes, resumeUploads, onBug }: Surroundings,
  uploads: () => Pick<RemoteUploads, 'get' | 'resume'>,
) => {
  const health = createHostHealth({ probe: dispatchers.probe, probes });
  const closing = new AbortController();
  const waiting = new Set<string>();
  const resumeLater = async ({ batchId, reason }: Batch): Promise<void> => {
    if (!reason) return;
    await health.waitFor(String(reason.details.origin), fromErrorData(reason), closing.signal);
    if (isRefused(await uploads().get(batchId))) await uploads().resume(batchId, 'app');
  };
  return {
    see: (batch: Batch): void => {
      const { batchId } = batch;
      if (!resumeUploads || !isRefused(batch) || waiting.has(batchId)) return;
      waiting.add(batchId);
      resumeLater(batch)
        // A `DeskError` usually means that the app is closing, or that the user has changed the batch in the meantime.
        .catch((error: unknown) => error instanceof DeskError || onBug(error))
        .finally(() => waiting.delete(batchId));
    },
    tryNow: health.tryNow,
    close: (): void => {
      closing.abort();
      health.close();
    },
  };
};

const isRefused = ({ state, reason }: Batch): boolean => state === 'paused' && reason?.code === 'network/proxy-account';

type LocalOptions = Pick<State, 'emit'> & {
  readonly connectionId: string;
  readonly session: Session;
  readonly service: ServiceClient;
  /** For background calls, whose results no user waits for. */
  readonly background: ServiceClient;
  readonly isUnreachable: () => boolean;
  readonly uploads: RemoteUploads;
};

const createLocal = (
  around: Surroundings,
  { connectionId, session, service, background, isUnreachable, uploads, emit }: LocalOptions,
) => {
  const { cache, state, watching, onBug } = around;
  const isSignedIn = (): boolean => session.user().signedIn;
  const owner = (): Owner => ({ connectionId, subject: session.user().subject });
  const tryToStore = createTryToStore(state.notice);
  const removalWatchers = new Set<() => void>();
  const offlineWalk = createOfflineWalk({
    cache,
    connectionId,
    service: background,
    onBug,
    now: wallNow,
    onStatus: (offline) => emit({ type: 'offline', value: offline }),
  });
  const readAhead = createReadAhead({
    cache,
    connectionId,
    service: background,
    sleep,
    onBug,
    now: wallNow,
    isBusy: () => offlineWalk.status().state === 'running',
    onProgress: (reading) => emit({ type: 'reading', value: reading }),
  });
  const outbox = createOutbox({
    store: around.outboxStore,
    owner,
    isSignedIn,
    isUnreachable,
    apply: {
      planAfter: async ({ AssignmentId, PlanAfter }, signal) => {
        const begun = cache.beginRequest(connectionId);
        const response = await service.updatePlanAfter({ AssignmentId, PlanAfter }, { signal });
        await tryToStore(() => cache.putPlanAfter(begun, response, wallNow()));
        return response;
      },
      removeFile: uploads.removeFile,
    },
    onChange: (entries) => emit({ type: 'outbox', value: entries }),
    onRemovals: () => {
      uploads.removalsChanged();
      for (const watcher of removalWatchers) watcher();
    },
    onBug,
    sleep,
    now: wallNow,
  });
  const watchedFolders = createWatchedFolders({
    store: around.watchedStore,
    owner,
    isSignedIn,
    uploads,
    reader: createFolderReader(watching?.openFile),
    title: (assignmentId) => cache.nameOf(connectionId, assignmentId),
    officeHours: around.officeHours,
    onBug,
    now: watching?.now ?? wallNow,
    times: watching?.times,
    match: (folders, signal) =>
      readAhead.during(() => around.certainAssignments({ connectionId, service: background }, folders, signal)),
    onChange: (folders) => emit({ type: 'watchedFolders', value: folders }),
  });
  const schedules = createScheduleKeeper({
    uploads,
    isSignedIn,
    onBug,
    hours: around.officeHours,
    keepsAll: around.resumeUploads,
    readMachine: around.host.readMachine,
    wanted: () => around.settings.get().uploads,
    now: watching?.now ?? wallNow,
    tickMs: watching?.times?.tickMs,
  });
  const reached = (): void => {
    outbox.reached();
    offlineWalk.resume();
    readAhead.reached();
  };
  return {
    offlineWalk,
    readAhead,
    outbox,
    watchedFolders,
    schedules,
    /** Calls `watcher` whenever the files that users want to remove may have changed, until `signal` is aborted. */
    watchRemovals: (watcher: () => void, signal: AbortSignal): void => {
      removalWatchers.add(watcher);
      onAbort(signal, () => void removalWatchers.delete(watcher));
    },
    /**
     * Clears the offline data. Before that, stops the walk, which would read the data again. Errors: `data/unwritable`.
     */
    eraseOfflineData: async (): Promise<void> => {
      await offlineWalk.pause();
      cache.clear();
      emit({ type: 'offline', value: offlineWalk.status() });
    },
    reader: createReader({ cache, connectionId, service, now: wallNow, onReached: reached, tryToStore }),
    /** To be called when the service can be reached again. */
    reached,
    close: (): Promise<void> =>
      closeAll([offlineWalk.pause, readAhead.close, outbox.close, schedules.close, watchedFolders.close]),
  };
};

/**
 * Creates the access to a service. `onChange` is called when the reachability changes. Errors: `connection/insecure`.
 */
export const createServiceAccess = (
  {
    dispatchers,
    deadlines,
    probes,
  }: Pick<Surroundings, 'deadlines' | 'probes'> & {
    readonly dispatchers: Pick<Dispatchers, 'dispatcher' | 'uploadDispatcher'>;
  },
  baseUrl: string,
  session: TokenSource & { readonly user: () => Pick<ReturnType<Session['user']>, 'signedIn'> },
  onChange: (reachability: Reachability) => void,
) => {
  const { dispatcher, uploadDispatcher } = dispatchers;
  const { host: serviceHost, origin: serviceOrigin } = new URL(baseUrl);
  const gate = createGate();
  /** When the service became unreachable, by the steady clock; undefined while it is reachable. */
  let awaySinceMs: number | undefined;
  /** When the service last became reachable again, by the steady clock. */
  let backMs = Number.NEGATIVE_INFINITY;
  /** Whether the service itself was unreachable, rather than this computer's network. */
  let isServiceAway = false;
  const health = createHostHealth({
    // While a user is signed in, the probe is a call: the service may not work even if a connection to it can be
    // opened.
    probe: async (origin, signal) => {
      if (origin !== serviceOrigin || !session.user().signedIn) return probeHost(dispatcher, origin, signal);
      await probing.listOrderableEvents({ signal }).catch((error: unknown) => {
        // A call that a pause held back was not sent, so it does not show that the service works.
        if (isOutage(error) || (error instanceof DeskError && error.details.held === true)) throw error;
      });
    },
    probes,
    onChange: (reachability) => {
      const { service } = reachability;
      if (service.state === 'unreachable') {
        awaySinceMs ??= steadyNow();
        isServiceAway = !isOfNetwork(service.reason);
      } else if (awaySinceMs !== undefined) {
        backMs = steadyNow();
        if (isServiceAway) gate.returned(serviceHost, backMs - awaySinceMs);
        awaySinceMs = undefined;
      }
      onChange(reachability);
    },
  });

  const observeService = (seen: ReachSeen): void => {
    if (seen.type === 'responded') health.report({ side: 'service', host: serviceHost, type: 'responded' });
    else if (seen.type === 'held') health.report(heldUntil(seen.reason, wallNow()));
    else health.lost(lostOrigin(seen.error) ?? serviceOrigin, seen.error);
  };
  const transport = { baseUrl, dispatcher, tokens: session, gate, timeLimits: deadlines?.service };
  const service = createServiceClient({ ...transport, isUrgent: true, onReach: observeService });
  const background = createServiceClient({
    ...transport,
    onReach: observeService,
    timeLimits: deadlines?.service ?? { exchangeMs: LIST_RESPONSE.exchangeMs, callMs: LONGEST_HOLD_MS },
    retry: { maxRetryAfterMs: LONGEST_HOLD_MS },
  });
  const single = {
    ...transport,
    dispatcher: uploadDispatcher,
    // A single lost connection is not an outage.
    onReach: (seen: ReachSeen) => seen.type !== 'lost' && observeService(seen),
    retry: { attempts: 1, maxRetryAfterMs: 0 },
  };
  const once = createServiceClient(single);
  const urgentOnce = createServiceClient({ ...single, isUrgent: true });
  // If this client reported a response, that would abort the probe before the response is complete.
  const probing = createServiceClient({
    ...single,
    isUrgent: true,
    onReach: (seen) => seen.type === 'held' && observeService(seen),
  });

  return {
    service,
    background,
    /** Makes calls without retries, because the upload engine, which uses this client, retries and waits itself. */
    once: {
      signUpload: (request, _subject, signal) => once.signUpload(request, { signal }),
      removeFile: ({ isUrgent, ...request }, _subject, signal) =>
        (isUrgent ? urgentOnce : once).removeFile(request, { signal }),
    } satisfies UploadService,
    reachability: health.state,
    /**
     * Whether the service is known to be unreachable. If so, also probes it now. To be called when a user wants
     * something from the service that can wait.
     */
    isUnreachable: (): boolean => {
      const { service } = health.state();
      const isUnreachable = service.state === 'unreachable' && service.host === serviceHost;
      if (isUnreachable) health.probeNow();
      return isUnreachable;
    },
    /**
     * Probes the service. Resolves to true if the service responds or has just become reachable again, and to false if
     * `origin` is not that of the service. Rejects if the service does not respond, and immediately if the service is
     * known to be unreachable.
     */
    probe: async (origin: string, signal: AbortSignal): Promise<boolean> => {
      if (origin !== serviceOrigin) return false;
      const { service } = health.state();
      // While the main process waits for the service, this probe must not succeed: the engine would report the success
      // as a response of the service.
      if (service.state === 'unreachable') throw fromErrorData(service.reason);
      if (steadyNow() - backMs < JUST_NOW_MS) return true;
      const failure = await health.failure(origin, signal);
      if (failure) throw failure;
      return true;
    },
    /** To be called with each observation of the upload engine about a host that it sends to or waits for. */
    observeStorage: (seen: Observation): void => {
      // The engine does not know which host is the service. An outage of the service's host is therefore reported here
      // as an outage of the service. An interruption of transfers remains an outage of the storage, because only the
      // engine knows when transfers are no longer interrupted.
      const isOfTransfers =
        seen.type !== 'unreachable' || seen.reason.code === 'network/interrupted' || seen.host !== serviceHost;
      if (isOfTransfers) health.report(seen);
      // After `released`, uploads no longer wait for the host, but the host may still be unreachable.
      if (seen.host !== serviceHost || seen.type === 'held' || seen.type === 'released') return;
      if (seen.type === 'responded' || !isOfTransfers) health.report({ ...seen, side: 'service' });
    },
    forgetStorages: health.forgetStorages,
    tryNow: (): void => {
      gate.open();
      health.tryNow();
    },
    close: health.close,
  };
};

/** For this long after the service is reachable again, a probe of the engine succeeds without a request. */
const JUST_NOW_MS = 1_000;

/**
 * Whether an outage is due to this computer's network. Other computers then did not lose the service, so they do not
 * all reconnect at the same time as this one.
 */
const isOfNetwork = (reason: ErrorData): boolean =>
  reason.code.startsWith('network/') || isNameFailure(reason) || NO_ROUTE.has(String(reason.details.cause));

const NO_ROUTE: ReadonlySet<string> = new Set([
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ENETDOWN',
  'EHOSTDOWN',
  'EADDRNOTAVAIL',
]);

const heldUntil = (reason: DeskError, atMs: number): Observation => {
  const { host, until } = reason.details;
  return {
    side: 'service',
    host: String(host),
    type: 'held',
    atMs,
    untilMs: Number(until),
    reason: toErrorData(reason),
  };
};

// If facts about a connection cannot be stored in the settings, they are detected again after a restart.

type MemoryParts = Pick<Surroundings, 'settings' | 'state' | 'onBug'>;

const store = ({ settings, state }: MemoryParts, change: Parameters<SettingsStore['update']>[0]): void => {
  try {
    settings.update(change);
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
    state.notice(error);
  }
};

const rememberNeeds = (parts: MemoryParts, key: string): NeedsMemory =>
  createNeedsMemory(parts.settings.get().signInNeeds[key], (needs) =>
    store(parts, { signInNeeds: { ...parts.settings.get().signInNeeds, [key]: needs } }),
  );

/** Remembers the storage that last received a file or responded, because no operation of the API returns it. */
const rememberStorage = (parts: MemoryParts, key: string) => {
  const stored = () => parts.settings.get().storages;
  let known = stored()[key];
  // The service may name another host for each file, and each change writes the whole file of settings.
  const storing = createThrottle(
    () => {
      if (known && !isDeepStrictEqual(known, stored()[key])) store(parts, { storages: { ...stored(), [key]: known } });
    },
    STORE_EVERY_MS,
    parts.onBug,
  );
  return {
    known: () => known,
    close: storing.end,
    /** To be called when `host` has received a file or responded to a probe. `baseUrl`: the address of the service. */
    responded: ({ host, takesBlocks }: Responded, baseUrl: URL): void => {
      const before = known;
      // Uploads also probe the service. The response to such a probe does not replace a storage that is already known.
      if (host === baseUrl.host && before !== undefined && takesBlocks === undefined) return;
      const isLocal = isLoopback(new URL(`http://${host}`));
      const origin = `${isLocal ? baseUrl.protocol : 'https:'}//${host}`;
      const now =
        origin === before?.origin
          ? { ...before, ...(takesBlocks !== undefined && { takesBlocks }) }
          : { origin, takesBlocks };
      known = now;
      if (!isDeepStrictEqual(now, before)) storing.request();
    },
  };
};

const STORE_EVERY_MS = 5_000;

type Responded = Extract<Observation, { readonly type: 'responded' }>;
