/** The services of one connection: made when the app connects, closed when it connects elsewhere or ends. */
import { DeskError } from '../contract/errors.ts';
import type { Batch, Connection, SessionStatus, UploadFile } from '../contract/models.ts';
import type { OfflineStatus, OutboxEntry } from '../contract/offline.ts';
import { connectionKey } from './auth/connection-key.ts';
import { createSealedVault } from './auth/sealed-vault.ts';
import { createSession, type Session } from './auth/session.ts';
import { createMemoryVault } from './auth/vault.ts';
import type { Cache } from './cache/cache.ts';
import { createKeepAll, type KeepAll } from './cache/keep-all.ts';
import { createReader, type Reader } from './cache/reader.ts';
import type { Host } from './host.ts';
import type { Dispatchers } from './net/dispatchers.ts';
import { createGate } from './net/gate.ts';
import { sleep } from './net/sleep.ts';
import { createOutbox, type Outbox } from './outbox/outbox.ts';
import type { OutboxStore } from './outbox/outbox-store.ts';
import { createServiceClient, type ServiceClient } from './service/client.ts';
import type { Settings } from './settings/schema.ts';
import { createKeyedLock } from './uploads/keyed-lock.ts';
import type { Ledger } from './uploads/ledger/ledger.ts';
import type { RateLimit } from './uploads/rate-limit.ts';
import { removeFile } from './uploads/remove-file.ts';
import { createSlots } from './uploads/slots.ts';
import { createUploads, type Owner, type Uploads } from './uploads/uploads.ts';

export type Connected = {
  readonly connection: Connection;
  /** What tokens, batches and cached answers of this connection are kept under. */
  readonly key: string;
  readonly session: Session;
  readonly service: ServiceClient;
  readonly reader: Reader;
  readonly keepAll: KeepAll;
  readonly outbox: Outbox;
  readonly uploads: Uploads;
  /** Breaks off what runs. */
  readonly close: () => Promise<void>;
};

export type ConnectedOptions = {
  readonly host: Host;
  readonly connection: Connection;
  readonly redirectUri: string | undefined;
  readonly settings: Settings;
  readonly dispatchers: Dispatchers;
  readonly ledger: Ledger;
  readonly cache: Cache;
  readonly outboxStore: OutboxStore;
  readonly limit: RateLimit;
  /** Files on their way at once. */
  readonly concurrency: number;
  readonly onSession: (status: SessionStatus) => void;
  readonly onNotice: (notice: DeskError) => void;
  readonly onBatch: (batch: Batch) => void;
  readonly onOffline: (status: OfflineStatus) => void;
  readonly onOutbox: (entries: readonly OutboxEntry[]) => void;
  /** Gets what goes wrong where nobody waits for it. */
  readonly onBug: (error: unknown) => void;
  readonly onFile: (batch: string, file: UploadFile) => void;
};

export const connect = (options: ConnectedOptions): Connected => {
  const { host, connection, settings, dispatchers, ledger, cache } = options;
  const key = connectionKey(connection);
  const now = Date.now;
  const session = createSession({
    connection,
    vault: host.keychain
      ? createSealedVault({ home: host.home, keychain: host.keychain, connectionKey: key })
      : createMemoryVault(),
    redirect: host.redirect(options.redirectUri),
    openExternal: host.openExternal,
    dispatcher: dispatchers.api,
    sendClientIdOnRefresh: settings.advanced.sendClientIdOnRefresh,
    onChange: options.onSession,
    onNotice: options.onNotice,
  });
  const gate = createGate();
  const transport = { baseUrl: connection.baseUrl, dispatcher: dispatchers.api, tokens: session, gate };
  const service = createServiceClient(transport);

  const owner = (): Owner => {
    const status = session.status();
    return { connection: key, subject: status.state === 'signed-in' ? status.subject : undefined };
  };
  const assertSignedIn = (): void => {
    if (session.status().state !== 'signed-in') throw new DeskError('auth/required', 'nobody is signed in');
  };
  const uploads = createUploads({
    context: {
      ledger,
      // A transfer decides about trying again by itself, so each call is made once.
      service: createServiceClient({ ...transport, retry: { attempts: 1 } }),
      storage: dispatchers.storage,
      gate,
      limit: options.limit,
      lock: createKeyedLock(),
      sleep,
      now,
    },
    slots: createSlots(options.concurrency),
    owner,
    assertSignedIn,
    onBatch: options.onBatch,
    onFile: options.onFile,
    onBug: options.onBug,
  });

  const { onBug } = options;
  const keepAll = createKeepAll({ cache, connection: key, service, onStatus: options.onOffline, onBug, now });
  const outbox = createOutbox({
    store: options.outboxStore,
    owner,
    apply: {
      planAfter: async ({ AssignmentId, PlanAfter }, signal) => {
        const answer = await service.updatePlanAfter({ AssignmentId, PlanAfter }, { signal });
        cache.putPlanAfter(key, answer, now());
        return answer;
      },
      removeFile: async ({ AssignmentId, Key }, signal) => {
        const place = { connection: key, assignmentId: AssignmentId };
        return { left: await removeFile({ ledger, service, now }, place, Key, signal) };
      },
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
    key,
    session,
    service,
    reader: createReader({ cache, connection: key, service, now, onReached }),
    keepAll,
    outbox,
    uploads,
    close: async () => {
      await keepAll.cancel();
      await outbox.close();
      await uploads.close();
      await session.close();
    },
  };
};
