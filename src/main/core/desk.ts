/**
 * The app without its windows: opens the data directory, connects, and answers the calls of the contract. With
 * connected.ts, connections.ts and handlers/ the only place that wires the services together.
 */
import { join } from 'node:path';
import { assignmentName } from '../../contract/assignment-name.ts';
import type { Batch } from '../../contract/batches.ts';
import type { Handlers } from '../../contract/calls/calls.ts';
import { DeskError } from '../../contract/errors.ts';
import type { DeskEvent } from '../../contract/events.ts';
import { NOTHING_ASKED } from '../../contract/reachability.ts';
import type { UploadFile } from '../../contract/upload-files.ts';
import type { Folder } from '../../contract/upload-preview.ts';
import { createClosers } from '../async/closers.ts';
import { openCache } from '../cache/cache.ts';
import { secureHome } from '../data/data-directory.ts';
import { lockDataDirectory } from '../data/data-lock.ts';
import type { Host } from '../hosts/host.ts';
import { createApiAgent } from '../net/agents.ts';
import { createRenewableAgent } from '../net/renewable.ts';
import { watchForWake } from '../net/wake.ts';
import { openOutboxStore } from '../outbox/outbox-store.ts';
import { readPreferences } from '../settings/preferences.ts';
import { openSettings } from '../settings/settings.ts';
import type { Concurrency } from '../uploads/engine/pool.ts';
import { startEngine } from '../uploads/engine/start-engine.ts';
import type { Source } from '../uploads/source/scan.ts';
import type { SendTimeouts } from '../uploads/storage/put-request.ts';
import { checkAddresses } from './connection/check-addresses.ts';
import { type ConnectionServices, type Deadlines, openConnectionServices } from './connection/connection-services.ts';
import { createConnectionSwitch } from './connection/connection-switch.ts';
import { rememberNeeds } from './connection/remember-needs.ts';
import { createFolders } from './handlers/folders.ts';
import { createHandlers } from './handlers/handlers.ts';
import { createLog, type Log } from './log.ts';
import { createState, NOTHING_OFFLINE } from './state/state.ts';
import { createUploadWatch } from './state/upload-watch.ts';

export type Desk = {
  /** One handler a call of the contract, for IPC (desktop) or HTTP (preview). */
  readonly handlers: Handlers;
  /** Delivers every event until the returned function is called. */
  readonly onEvent: (listener: (event: DeskEvent) => void) => () => void;
  /** Gives what was chosen in a dialog or dropped an opaque id for the renderer. */
  readonly adopt: (source: Source) => Folder;
  /** The services behind the calls, for the command line. Throws `connection/missing` where none is set up. */
  readonly connected: () => ConnectionServices;
  /** Keeps the present connection for the next start. Errors: `data/unwritable`. */
  readonly rememberConnection: () => void;
  readonly log: Log;
  /** Stops transfers where they stand, closes databases and the sample service. */
  readonly close: () => Promise<void>;
  /** After `close`: something waits for a drive that answers no more, so the process has to be ended by force. */
  readonly hangs: () => boolean;
};

export type DeskOptions = {
  /** Goes on with interrupted uploads as soon as somebody is signed in. Default: true. */
  readonly resumeUploads?: boolean;
  /** Files on their way at once. Default: the setting. */
  readonly concurrency?: Concurrency | undefined;
  /** Wins over the setting. */
  readonly bytesPerSecond?: number | undefined;
  /** How long uploads wait for a host that cannot be connected to before their batch pauses. Default: as it takes. */
  readonly networkPatienceMs?: number;
  /** How long a transfer may stand still. Default: `SEND_TIMEOUTS`. */
  readonly timeouts?: Partial<SendTimeouts>;
  /** How long calls to the service and to the token endpoint may take. Default: their own figures. */
  readonly deadlines?: Deadlines;
  /** Told of each file that reached its end. */
  readonly onFile?: ((batch: string, file: UploadFile) => void) | undefined;
};

/**
 * Opens the data directory of `host`.
 * Errors: `data/in-use`, `data/unsafe`, `data/unwritable`. What is damaged in it becomes a notice, and nothing is lost.
 */
export const createDesk = async (host: Host, options: DeskOptions = {}): Promise<Desk> => {
  const { add: closing, close } = createClosers();
  try {
    const { home } = host;
    const privacy = secureHome(home);
    closing(lockDataDirectory(home), (unlock) => unlock());
    const log = closing(openLog(home), (opened) => opened.close());
    if (privacy.closed > 0) log.info('data-directory.closed', { entries: privacy.closed });
    if (!privacy.hasModes) log.info('data-directory.without-modes');
    const settings = openSettings({ home, open: host.openSettings });
    /** What is noticed before there is a state to show it. */
    const early: DeskError[] = [];
    let onCacheNotice = (error: DeskError): void => void early.push(error);
    const cachePath = join(home, 'cache.sqlite');
    const cache = closing(openCache(cachePath, { onNotice: (error) => onCacheNotice(error) }), (opened) =>
      opened.close(),
    );
    const outboxStore = closing(openOutboxStore(join(home, 'outbox.sqlite')), (opened) => opened.close());
    const { dispatcher, renew } = closing(createRenewableAgent(createApiAgent), (agent) => agent.destroy());
    closing(watchForWake(renew), (stop) => stop());
    const { resumeUploads = true, concurrency = settings.get().uploads.concurrency, onFile } = options;
    const { bytesPerSecond, networkPatienceMs, timeouts } = options;
    const fixedLimit = bytesPerSecond === undefined ? undefined : { bytesPerSecond, schedule: [] };

    const notice = (error: DeskError): void => {
      log.warn('notice', { error });
      state.notice(error);
    };
    /** For work that nobody waits for. What the ledger refuses is said by the next call that needs it. */
    const bug = (error: unknown): void => log.error('background', { error });
    const engine = closing(
      await startEngine({
        worker: host.uploadWorker,
        settings: {
          ledgerPath: join(home, 'ledger.sqlite'),
          hashThread: host.hashThread.href,
          readThread: host.readThread.href,
          concurrency,
          limit: fixedLimit ?? settings.get().uploads.limit,
          networkPatienceMs,
          timeouts,
          reportFiles: onFile !== undefined,
        },
        onBug: bug,
        onDown: notice,
      }),
      (started) => started.close(),
    );
    const uploadWatch = closing(
      createUploadWatch(host, (batch) => state.uploadAsked(batch)),
      (watch) => watch.close(),
    );
    const onBatch = (batch: Batch): void => {
      const named = titled(batch);
      uploadWatch.see(named);
      state.batchChanged(named);
    };
    /** The batch with the name of its assignment, as far as that was read. */
    const titled = (batch: Batch): Batch => {
      const present = connections.present();
      try {
        const known = present && cache.assignment(present.connectionId, batch.AssignmentId)?.assignment;
        return known ? { ...batch, title: assignmentName(known) } : batch;
      } catch (error) {
        bug(error);
        return batch;
      }
    };

    const connections = createConnectionSwitch({
      host,
      settings,
      open: async ({ connection, redirectUri }) => {
        const connected = await openConnectionServices({
          host,
          connection,
          redirectUri,
          settings: settings.get(),
          needsOf: (key) => rememberNeeds(settings, key, notice),
          dispatcher,
          deadlines: options.deadlines,
          engine,
          cache,
          outboxStore,
          onSession: ({ state: session }) => {
            log.info('session', { session });
            if (connections.present() !== connected) return;
            state.sessionChanged();
            if (session === 'signed-in') {
              connected.outbox.reached();
              connected.keepAll.resume();
            }
            if (session === 'signed-in' && resumeUploads) connected.uploads.resumeInterrupted().catch(bug);
          },
          onNotice: notice,
          onBatch,
          onOffline: (offline) => {
            if (connections.present() === connected) state.offlineChanged(offline);
          },
          onReachability: (reachability) => {
            if (connections.present() === connected) state.reachabilityChanged(reachability);
          },
          onOutbox: (outbox) => {
            if (connections.present() === connected) state.outboxChanged(outbox);
          },
          onBug: bug,
          onFile: onFile ?? (() => {}),
        });
        return connected;
      },
      onChange: () => state.connectionChanged(),
      onNotice: notice,
    });
    const state = createState({
      version: host.version,
      locale: host.locale,
      systemLanguage: host.systemLanguage,
      connection: () => connections.present()?.connection,
      session: () => connections.present()?.session.status() ?? { state: 'signed-out' },
      batches: () => {
        const present = connections.present();
        return present?.uploads.present().map(titled) ?? [];
      },
      reachability: () => connections.present()?.reachability() ?? NOTHING_ASKED,
      offline: () => connections.present()?.keepAll.status() ?? NOTHING_OFFLINE,
      outbox: () => connections.present()?.outbox.list() ?? [],
      preferences: () => readPreferences(settings),
      views: () => settings.get().views,
      onLeftOut: notice,
    });

    if (!fixedLimit) {
      state.onEvent(({ type }) => {
        if (type === 'preferences') engine.setLimit(settings.get().uploads.limit);
      });
    }
    closing(connections, (opened) => opened.close());
    onCacheNotice = notice;
    const found = [settings.notice, ...early, engine.damage, outboxStore.damage, outboxStore.leftOut];
    for (const damage of found) if (damage) notice(damage);
    await connections.restore();
    log.info('opened', { version: host.version });

    const { adopt, sourceOf } = createFolders();
    const handlers = createHandlers({
      state,
      cache,
      settings,
      host,
      titled,
      connections,
      checkAddresses: (addresses) => checkAddresses(addresses, dispatcher),
      pickFolder: async () => {
        const path = await host.pickFolder();
        return path === undefined ? undefined : adopt({ root: path });
      },
      sourceOf,
    });
    const { connected, remember: rememberConnection } = connections;
    return { handlers, onEvent: state.onEvent, adopt, connected, rememberConnection, log, close, hangs: engine.hangs };
  } catch (error) {
    await close();
    throw error;
  }
};

const openLog = (home: string): Log => {
  try {
    return createLog(home);
  } catch (cause) {
    const details = { path: join(home, 'logs') };
    throw new DeskError('data/unwritable', 'the log cannot be written', { details, cause });
  }
};
