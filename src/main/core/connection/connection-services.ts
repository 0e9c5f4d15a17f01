/** The services of one connection: opened when the app connects, closed when it connects elsewhere or quits. */
import type { Dispatcher } from 'undici';
import type { Connection, Owner, SessionStatus } from '../../../contract/connection.ts';
import { type Reachability, troubleOf } from '../../../contract/connection.ts';
import type { DeskError } from '../../../contract/errors.ts';
import type { Hours } from '../../../contract/hours.ts';
import type { OfflineStatus, OutboxEntry } from '../../../contract/offline.ts';
import { assignmentName } from '../../../contract/resources.ts';
import type { Batch, UploadFile } from '../../../contract/uploads.ts';
import type { WatchedFolder } from '../../../contract/watched-folders.ts';
import { wallNow } from '../../async/clock.ts';
import type { RetryPolicy } from '../../async/retry.ts';
import { sleep } from '../../async/sleep.ts';
import { connectionIdOf } from '../../auth/connection-id.ts';
import { createSession, type Session } from '../../auth/session.ts';
import type { NeedsMemory } from '../../auth/token-endpoint.ts';
import { createMemoryVault, createSealedVault } from '../../auth/vault.ts';
import type { Cache } from '../../cache/cache.ts';
import { createOfflineWalk, type OfflineWalk } from '../../cache/offline-walk.ts';
import { createReader, createTryToStore, type Reader } from '../../cache/reader.ts';
import { createOutbox, type Outbox } from '../../outbox/outbox.ts';
import type { OutboxStore } from '../../outbox/outbox-store.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { TimeLimits } from '../../service/time-limits.ts';
import type { Settings } from '../../settings/schema.ts';
import { createScheduleKeeper } from '../../uploads/engine/keep-schedules.ts';
import type { RemoteUploads, UploadEngine } from '../../uploads/engine/start-engine.ts';
import type { WatchedFolders } from '../../watching/watched-folders.ts';
import type { JobFolder } from '../../watching/watched-parts.ts';
import type { WatchedStore } from '../../watching/watched-store.ts';
import type { Host } from '../host.ts';
import type { StorageMemory } from './remembered.ts';
import { createServiceAccess } from './service-access.ts';
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
  readonly settings: Settings;
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
  const { host, connection, settings, dispatcher, cache, deadlines, probes, state, onBug } = options;
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
    sendClientIdOnRefresh: connection.sendClientIdOnRefresh ?? settings.advanced.sendClientIdOnRefresh,
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
