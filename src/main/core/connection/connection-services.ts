/** The services of one connection: opened when the app connects, closed when it connects elsewhere or quits. */
import type { Dispatcher } from 'undici';
import {
  type Connection,
  type Owner,
  type Reachability,
  type SessionStatus,
  troubleOf,
} from '../../../contract/connection.ts';
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import type { Hours } from '../../../contract/hours.ts';
import type { OfflineStatus, OutboxEntry } from '../../../contract/offline.ts';
import { assignmentName } from '../../../contract/resources.ts';
import type { Batch, UploadFile } from '../../../contract/uploads.ts';
import type { WatchedFolder } from '../../../contract/watched-folders.ts';
import { sleep, wallNow } from '../../async/clock.ts';
import type { RetryPolicy } from '../../async/retry.ts';
import { connectionIdOf } from '../../auth/connection-id.ts';
import { createSession, type Session } from '../../auth/session.ts';
import { createNeedsMemory, type NeedsMemory } from '../../auth/token-endpoint.ts';
import { createMemoryVault, createSealedVault } from '../../auth/vault.ts';
import type { Cache } from '../../cache/cache.ts';
import { createOfflineWalk, type OfflineWalk } from '../../cache/offline-walk.ts';
import { createReader, createTryToStore, type Reader } from '../../cache/reader.ts';
import { createGate } from '../../net/gate.ts';
import type { Observation } from '../../net/host-health.ts';
import { createReachMonitor } from '../../net/host-health.ts';
import { createNetwork, probeHost } from '../../net/network.ts';
import { isOutage } from '../../net/translate.ts';
import { isLoopback } from '../../net/urls.ts';
import { createOutbox, type Outbox } from '../../outbox/outbox.ts';
import type { OutboxStore } from '../../outbox/outbox-store.ts';
import { createServiceClient, type ServiceClient } from '../../service/client.ts';
import type { ReachSeen, TimeLimits } from '../../service/transport.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import type { StorageSeen } from '../../uploads/engine/engine-calls.ts';
import { createScheduleKeeper } from '../../uploads/engine/keep-schedules.ts';
import type { RemoteUploads, UploadEngine } from '../../uploads/engine/start-engine.ts';
import type { JobFolder } from '../../watching/open-folder.ts';
import type { WatchedFolders } from '../../watching/watched-folders.ts';
import type { WatchedStore } from '../../watching/watched-store.ts';
import type { Host } from '../host.ts';
import { createWatchedConnection, type WatchSettings } from './watched-connection.ts';

export type ConnectionServices = {
  readonly connection: Connection;
  /** The key of this connection's tokens, batches and cached answers. */
  readonly connectionId: string;
  readonly session: Session;
  readonly service: ServiceClient;
  readonly reader: Reader;
  readonly offlineWalk: OfflineWalk;
  readonly outbox: Outbox;
  readonly uploads: RemoteUploads;
  readonly watchedFolders: WatchedFolders;
  /** The batches of the person who is signed in, with titles. */
  readonly batches: () => readonly Batch[];
  /** The batch with the name of its assignment, if that is in the cache. */
  readonly titled: (batch: Batch) => Batch;
  readonly reachability: () => Reachability;
  /** The origin of the storage that received the last file; undefined: none did. */
  readonly storageOrigin: () => string | undefined;
  /** Ends all pauses, and retries hosts that could not be reached. */
  readonly tryNow: () => void;
  /** Cancels running work, and closes the services. */
  readonly close: () => Promise<void>;
};

/** `service`: for every call to the service. `tokenMs`: for one exchange with the token endpoint. */
export type Deadlines = { readonly service?: TimeLimits; readonly tokenMs?: number };

/** The changes of a connection that the state shows. */
type StateOfConnection = {
  readonly sessionChanged: () => void;
  readonly offlineChanged: (offline: OfflineStatus) => void;
  readonly reachabilityChanged: (reachability: Reachability) => void;
  readonly outboxChanged: (outbox: readonly OutboxEntry[]) => void;
  readonly watchedFoldersChanged: (folders: readonly WatchedFolder[]) => void;
};

type ConnectionServicesOptions = {
  readonly host: Host;
  readonly connection: Connection;
  readonly redirectUri: string | undefined;
  /** What is known of how the service with this key expects people to sign in. */
  readonly needsOf: (key: string) => NeedsMemory;
  readonly storageMemory: StorageMemory;
  readonly dispatcher: Dispatcher;
  /** For what uploads ask the service. */
  readonly uploadDispatcher: Dispatcher;
  readonly deadlines: Deadlines | undefined;
  readonly probes: RetryPolicy | undefined;
  readonly engine: UploadEngine;
  readonly cache: Cache;
  readonly outboxStore: OutboxStore;
  readonly watchedStore: WatchedStore;
  readonly watching: WatchSettings | undefined;
  /** When the organisation allows uploads; none: at any time. */
  readonly officeHours: Hours;
  /** The assignment of each folder, where it is certain. */
  readonly certainAssignments: (
    of: Pick<ConnectionServices, 'connectionId' | 'service'>,
    folders: readonly JobFolder[],
    signal: AbortSignal,
  ) => Promise<readonly (string | undefined)[]>;
  /** Receives the changes of the present connection. */
  readonly state: StateOfConnection;
  /** Whether the connection of `session` is the present one. */
  readonly isPresent: (session: Session) => boolean;
  /** Whether interrupted uploads are resumed at sign-in, and folders are watched while somebody is signed in. */
  readonly resumeUploads: boolean;
  /** Called first whenever the session changes, even if the connection is not the present one. */
  readonly onSession: (status: SessionStatus) => void;
  readonly onNotice: (notice: DeskError) => void;
  readonly onBatches: (batches: readonly Batch[]) => void;
  /** Receives errors that no caller waits for. */
  readonly onBug: (error: unknown) => void;
  readonly onFile: (batch: string, file: UploadFile) => void;
};

/**
 * Opens the services of a connection, signed out; `session.restore` restores the stored session. Errors:
 * `connection/insecure`, `upload/engine-stopped`.
 */
export const openConnectionServices = async (options: ConnectionServicesOptions): Promise<ConnectionServices> => {
  const { host, connection, dispatcher, cache, deadlines, probes, state, onBug } = options;
  const connectionId = connectionIdOf(connection);
  const now = wallNow;
  const session = createSession({
    connection,
    vault: host.keychain
      ? createSealedVault({ home: host.home, keychain: host.keychain, connectionId })
      : createMemoryVault(),
    redirect: host.redirect(options.redirectUri),
    openExternal: host.openExternal,
    dispatcher,
    needs: options.needsOf(connectionId),
    onChange: (status) => {
      uploads.setSession(session.user());
      options.onSession(status);
      if (!isPresent()) return;
      state.sessionChanged();
      if (options.resumeUploads) followSession(status.state === 'signed-in').catch(onBug);
      if (status.state === 'signed-in') onReached();
    },
    onNotice: options.onNotice,
    tokenTimeoutMs: deadlines?.tokenMs,
  });
  const isPresent = (): boolean => options.isPresent(session);
  /** Batches outside their hours are paused before others are resumed. */
  const followSession = async (isSignedIn: boolean): Promise<void> => {
    await watchedFolders.sessionChanged();
    await schedules.keep();
    if (isSignedIn) await uploads.resumeInterrupted();
  };
  let wasInTrouble = false;
  const onReachability = (reachability: Reachability): void => {
    const isInTrouble = troubleOf(reachability.service) !== undefined;
    if (wasInTrouble && !isInTrouble) {
      uploads.probeNow();
      onReached();
    }
    wasInTrouble = isInTrouble;
    if (isPresent()) state.reachabilityChanged(reachability);
  };
  const { baseUrl } = connection;
  const timeLimits = deadlines?.service;
  const access = createServiceAccess({
    baseUrl,
    dispatcher,
    uploadDispatcher: options.uploadDispatcher,
    session,
    timeLimits,
    probes,
    onChange: onReachability,
    now,
  });
  const { service } = access;

  const titled = (batch: Batch): Batch => {
    try {
      const known = cache.assignment(connectionId, batch.AssignmentId)?.assignment;
      return known ? { ...batch, title: assignmentName(known) } : batch;
    } catch (error) {
      onBug(error);
      return batch;
    }
  };
  const owner = (): Owner => ({ connectionId, subject: session.user().subject });
  const uploads = await options.engine.connect({
    connectionId,
    baseUrl,
    session: session.user(),
    service: access.once,
    onSeen: (seen) => {
      if (seen.type === 'answered') options.storageMemory.answered(seen.host, new URL(baseUrl));
      access.observeStorage(seen);
    },
    onBatches: (batches) => {
      options.onBatches(batches.map(titled));
      batches.forEach(schedules.see);
      batches.forEach(watchedFolders.see);
    },
    onFile: options.onFile,
  });

  const tryToStore = createTryToStore(options.onNotice);
  const offlineWalk = createOfflineWalk({
    cache,
    connectionId,
    service,
    onStatus: (offline) => {
      if (isPresent()) state.offlineChanged(offline);
    },
    onBug,
    now,
  });
  const outbox = createOutbox({
    store: options.outboxStore,
    owner,
    apply: {
      planAfter: async ({ AssignmentId, PlanAfter }, signal) => {
        const answer = await service.updatePlanAfter({ AssignmentId, PlanAfter }, { signal });
        await tryToStore(() => cache.putPlanAfter(connectionId, answer, now()));
        return answer;
      },
      removeFile: async ({ AssignmentId, Key }, signal) => ({
        left: await uploads.removeFile({ AssignmentId, Key }, signal),
      }),
    },
    onChange: (entries) => {
      if (isPresent()) state.outboxChanged(entries);
    },
    onBug,
    sleep,
    now,
  });
  const watchedFolders = createWatchedConnection({
    ...options.watching,
    store: options.watchedStore,
    connectionId,
    owner,
    isSignedIn: () => session.user().signedIn,
    uploads,
    cache,
    match: (folders, signal) => options.certainAssignments({ connectionId, service }, folders, signal),
    onChange: (folders) => {
      if (isPresent()) state.watchedFoldersChanged(folders);
    },
    onBug,
  });
  const schedules = createScheduleKeeper({
    uploads,
    isSignedIn: () => session.user().signedIn,
    hours: options.officeHours,
    keepsAll: options.resumeUploads,
    onBug,
    now: options.watching?.now ?? now,
    tickMs: options.watching?.times?.tickMs,
  });
  const onReached = (): void => {
    outbox.reached();
    offlineWalk.resume();
  };

  return {
    connection,
    connectionId,
    session,
    service,
    reader: createReader({ cache, connectionId, service, now, onReached, tryToStore }),
    offlineWalk,
    outbox,
    uploads,
    watchedFolders,
    batches: () => uploads.present().map(titled),
    titled,
    reachability: access.reachability,
    storageOrigin: options.storageMemory.origin,
    tryNow: () => {
      access.tryNow();
      uploads.tryNow();
      onReached();
    },
    close: async () => {
      access.close();
      await offlineWalk.pause();
      await outbox.close();
      schedules.close();
      await watchedFolders.close();
      await uploads.close();
      await session.close();
    },
  };
};

// Access to the service of a connection: its clients, its rate limits, and whether it can be reached.

type ServiceAccess = {
  readonly service: ServiceClient;
  /** Makes each call once, without waiting: for the upload engine, which has its own retries and waits. */
  readonly once: ServiceClient;
  readonly reachability: () => Reachability;
  /** Receives what the upload engine learns about the hosts that it sends to or waits for. */
  readonly observeStorage: (seen: StorageSeen) => void;
  /** Ends all pauses, and probes a host that cannot be reached. */
  readonly tryNow: () => void;
  readonly close: () => void;
};

type ServiceAccessOptions = {
  readonly baseUrl: string;
  readonly dispatcher: Dispatcher;
  /** For `once`. */
  readonly uploadDispatcher: Dispatcher;
  readonly session: Session;
  readonly timeLimits?: TimeLimits | undefined;
  readonly probes?: RetryPolicy | undefined;
  /** Called after each change. */
  readonly onChange: (reachability: Reachability) => void;
  readonly now: () => number;
};

/** Access to the service at `baseUrl`. Errors: `connection/insecure`. */
export const createServiceAccess = (options: ServiceAccessOptions): ServiceAccess => {
  const { baseUrl, dispatcher, uploadDispatcher, session, timeLimits, probes, onChange, now } = options;
  const { host: serviceHost, origin: serviceOrigin } = new URL(baseUrl);
  const gate = createGate();
  const network = createNetwork({
    // A connection to its address does not prove that the service works.
    probe: async (origin, signal) => {
      await probeHost(dispatcher, origin, signal);
      if (origin !== serviceOrigin || !session.user().signedIn) return;
      await once.listOrderableEvents({ signal }).catch((error: unknown) => {
        if (isOutage(error)) throw error;
      });
    },
    sleep,
    probes,
  });
  const monitor = createReachMonitor({ baseUrl, network, onChange, now });

  const observeService = (seen: ReachSeen): void => {
    if (seen.type === 'answered') monitor.observe({ side: 'service', host: serviceHost, type: 'answered' });
    else if (seen.type === 'lost') monitor.serviceLost(seen.error);
    else monitor.observe(heldUntil(seen.reason, now()));
  };
  const transport = { baseUrl, dispatcher, tokens: session, gate, timeLimits };
  const service = createServiceClient({ ...transport, onReach: observeService });
  const once = createServiceClient({
    ...transport,
    dispatcher: uploadDispatcher,
    // One lost connection is not an outage.
    onReach: (seen) => seen.type !== 'lost' && observeService(seen),
    retry: { attempts: 1, maxRetryAfterMs: 0 },
  });

  return {
    service,
    once,
    reachability: monitor.view,
    observeStorage: (seen) => {
      if (seen.type === 'restarted') return monitor.forgetStorage();
      // The engine knows hosts only, and alone knows when one stops interrupting transfers: it answers every probe.
      const isOfTransfers =
        seen.type !== 'unreachable' || seen.reason.code === 'network/interrupted' || seen.host !== serviceHost;
      if (isOfTransfers) monitor.observe({ ...seen, side: 'storage' });
      if (seen.host !== serviceHost || seen.type === 'held' || seen.type === 'released') return;
      // A host that it no longer waits for may still be unreachable.
      if (seen.type === 'answered' || !isOfTransfers) monitor.observe({ ...seen, side: 'service' });
    },
    tryNow: () => {
      gate.open();
      network.probeNow();
      monitor.release();
    },
    close: monitor.close,
  };
};

/** `reason`: the error of a pause, as `Gate` reports it. */
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

/**
 * Stores in the settings what the service of the connection `key` needs at sign-in. If they cannot be written, `onNotice`
 * gets the error, and the needs are found out again after a restart.
 */
export const rememberNeeds = (
  settings: SettingsStore,
  key: string,
  onNotice: (notice: DeskError) => void,
): NeedsMemory =>
  createNeedsMemory(settings.get().signInNeeds[key], (needs) => {
    try {
      settings.update({ signInNeeds: { ...settings.get().signInNeeds, [key]: needs } });
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      onNotice(error);
    }
  });

/** Which storage received the last file: the doctor checks it, and no operation of the service names it. */
export type StorageMemory = {
  readonly origin: () => string | undefined;
  /** `host` took a file, or answered a probe; the service is at `baseUrl`. */
  readonly answered: (host: string, baseUrl: URL) => void;
};

/** Keeps it in the settings, under the connection's `key`. If they cannot be written, `onNotice` gets the error. */
export const rememberStorage = (
  settings: SettingsStore,
  key: string,
  onNotice: (notice: DeskError) => void,
): StorageMemory => {
  const origin = (): string | undefined => settings.get().storages[key];
  return {
    origin,
    answered: (host, baseUrl) => {
      // The service is waited for as well. Only where it stores the files itself is it the one storage that is known.
      if (host === baseUrl.host && origin() !== undefined) return;
      const isLocal = isLoopback(new URL(`http://${host}`));
      const answered = `${isLocal ? baseUrl.protocol : 'https:'}//${host}`;
      if (answered === origin()) return;
      try {
        settings.update({ storages: { ...settings.get().storages, [key]: answered } });
      } catch (error) {
        if (!(error instanceof DeskError)) throw error;
        onNotice(error);
      }
    },
  };
};
