/** The services of one connection: made when the app connects, closed when it connects elsewhere or ends. */
import type { Dispatcher } from 'undici';
import type { Batch } from '../../../contract/batches.ts';
import type { Connection, SessionStatus } from '../../../contract/connection.ts';
import type { DeskError } from '../../../contract/errors.ts';
import type { OfflineStatus } from '../../../contract/offline.ts';
import type { OutboxEntry } from '../../../contract/outbox.ts';
import type { Owner } from '../../../contract/owner.ts';
import { type Reachability, troubleOf } from '../../../contract/reachability.ts';
import type { UploadFile } from '../../../contract/upload-files.ts';
import { sleep } from '../../async/sleep.ts';
import { connectionIdOf } from '../../auth/connection-id.ts';
import { createSealedVault } from '../../auth/sealed-vault.ts';
import { createSession, type Session } from '../../auth/session.ts';
import type { NeedsMemory } from '../../auth/sign-in-needs.ts';
import { createMemoryVault } from '../../auth/vault.ts';
import type { Cache } from '../../cache/cache.ts';
import { createKeepAll, type KeepAll } from '../../cache/keep-all.ts';
import { createReader, type Reader } from '../../cache/reader.ts';
import { createTryToStore } from '../../cache/try-to-store.ts';
import type { Host } from '../../hosts/host.ts';
import { createOutbox, type Outbox } from '../../outbox/outbox.ts';
import type { OutboxStore } from '../../outbox/outbox-store.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { TimeLimits } from '../../service/time-limits.ts';
import type { Settings } from '../../settings/schema.ts';
import type { RemoteUploads, UploadEngine } from '../../uploads/engine/start-engine.ts';
import { createServiceAccess } from './service-access.ts';

export type ConnectionServices = {
  readonly connection: Connection;
  /** What tokens, batches and cached answers of this connection are kept under. */
  readonly connectionId: string;
  readonly session: Session;
  readonly service: ServiceClient;
  readonly reader: Reader;
  readonly keepAll: KeepAll;
  readonly outbox: Outbox;
  readonly uploads: RemoteUploads;
  readonly reachability: () => Reachability;
  /** Whatever waits for a pause to end, or for a host to come back, tries now. */
  readonly tryNow: () => void;
  /** Breaks off what runs. */
  readonly close: () => Promise<void>;
};

/** `service`: of every call, whatever it reads. `tokenMs`: of one exchange with the token endpoint. */
export type Deadlines = { readonly service?: TimeLimits; readonly tokenMs?: number };

type ConnectionServicesOptions = {
  readonly host: Host;
  readonly connection: Connection;
  readonly redirectUri: string | undefined;
  readonly settings: Settings;
  /** What the service of the connection with this key turned out to need. */
  readonly needsOf: (key: string) => NeedsMemory;
  readonly dispatcher: Dispatcher;
  readonly deadlines: Deadlines | undefined;
  readonly engine: UploadEngine;
  readonly cache: Cache;
  readonly outboxStore: OutboxStore;
  readonly onSession: (status: SessionStatus) => void;
  readonly onNotice: (notice: DeskError) => void;
  readonly onBatch: (batch: Batch) => void;
  readonly onOffline: (status: OfflineStatus) => void;
  readonly onReachability: (reachability: Reachability) => void;
  readonly onOutbox: (entries: readonly OutboxEntry[]) => void;
  /** Gets what goes wrong where nobody waits for it. */
  readonly onBug: (error: unknown) => void;
  readonly onFile: (batch: string, file: UploadFile) => void;
};

/**
 * Makes the services of a connection, signed out: the stored session is taken up by `session.restore`. Errors:
 * `connection/insecure`, `upload/engine-stopped`.
 */
export const openConnectionServices = async (options: ConnectionServicesOptions): Promise<ConnectionServices> => {
  const { host, connection, settings, dispatcher, cache, deadlines } = options;
  const connectionId = connectionIdOf(connection);
  const now = Date.now;
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
    },
    onNotice: options.onNotice,
    tokenTimeoutMs: deadlines?.tokenMs,
  });
  let wasInTrouble = false;
  const onReachability = (reachability: Reachability): void => {
    const isInTrouble = troubleOf(reachability.service) !== undefined;
    if (wasInTrouble && !isInTrouble) {
      uploads.probeNow();
      onReached();
    }
    wasInTrouble = isInTrouble;
    options.onReachability(reachability);
  };
  const { baseUrl } = connection;
  const timeLimits = deadlines?.service;
  const access = createServiceAccess({ baseUrl, dispatcher, session, timeLimits, onChange: onReachability, now });
  const { service } = access;

  const owner = (): Owner => ({ connectionId, subject: session.user().subject });
  const uploads = await options.engine.connect({
    connectionId,
    baseUrl,
    session: session.user(),
    service: access.once,
    onSeen: access.engineSaw,
    onBatch: options.onBatch,
    onFile: options.onFile,
  });

  const { onBug } = options;
  const tryToStore = createTryToStore(options.onNotice);
  const keepAll = createKeepAll({ cache, connection: connectionId, service, onStatus: options.onOffline, onBug, now });
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
    onChange: options.onOutbox,
    onBug,
    sleep,
    now,
  });
  const onReached = (): void => {
    outbox.reached();
    keepAll.resume();
  };

  return {
    connection,
    connectionId,
    session,
    service,
    reader: createReader({ cache, connection: connectionId, service, now, onReached, tryToStore }),
    keepAll,
    outbox,
    uploads,
    reachability: access.reachability,
    tryNow: () => {
      access.tryNow();
      uploads.tryNow();
      onReached();
    },
    close: async () => {
      access.close();
      await keepAll.cancel();
      await outbox.close();
      await uploads.close();
      await session.close();
    },
  };
};
