/**
 * The app without its windows: opens the data directory, connects, and answers the calls of the contract. Composes the
 * services, each from those above it: the state comes first, and everything else pushes its changes into it.
 */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Dispatcher } from 'undici';
import type { DeskEvent, UpdateStatus } from '../../contract/app.ts';
import type { Handlers } from '../../contract/calls.ts';
import type { DeskError } from '../../contract/errors.ts';
import type { Hours, LeaveRoom } from '../../contract/hours.ts';
import type { ManagedPath } from '../../contract/preferences.ts';
import { assignmentName } from '../../contract/resources.ts';
import { isActive, type UploadFile } from '../../contract/uploads.ts';
import type { Folder } from '../../contract/watched-folders.ts';
import type { RetryPolicy } from '../async/retry.ts';
import { connectionIdOf } from '../auth/connection-id.ts';
import { openCache } from '../cache/cache.ts';
import { lockDataDirectory, openCacheFolder, secureHome } from '../data/data-directory.ts';
import { userFile } from '../data/user-file.ts';
import { watchForNetworkChange, watchForWake } from '../net/machine-changes.ts';
import { createTrust } from '../net/trust.ts';
import { openOutboxStore } from '../outbox/outbox-store.ts';
import { readOffice } from '../settings/policy/overlay.ts';
import { readPreferences } from '../settings/preferences.ts';
import type { ResolvedConnection } from '../settings/resolve-connection.ts';
import { openSettings, type SettingsStore } from '../settings/settings.ts';
import { createUpdates, type Updates } from '../updates/updates.ts';
import type { UploadSpeed } from '../uploads/engine/engine-calls.ts';
import type { Concurrency } from '../uploads/engine/pool.ts';
import { startEngine, type UploadEngine } from '../uploads/engine/start-engine.ts';
import type { UploadRules } from '../uploads/engine/uploads-api.ts';
import { createFileSearch } from '../uploads/find/start-search.ts';
import type { SendTimeouts } from '../uploads/storage/put-request.ts';
import { openWatchedStore } from '../watching/watched-store.ts';
import { checkAddresses } from './connection/check-addresses.ts';
import {
  type ConnectionServices,
  type Deadlines,
  openConnectionServices,
  rememberNeeds,
  rememberStorage,
} from './connection/connection-services.ts';
import {
  type ConnectionSwitch,
  createConnectionSwitch,
  createPresentConnection,
} from './connection/connection-switch.ts';
import type { WatchSettings } from './connection/watched-connection.ts';
import { createWays, type Ways } from './connection/ways.ts';
import { createDoctor, type Doctor } from './doctor/doctor.ts';
import { certainAssignments, createDrafts, type Drafts } from './drafts/drafts.ts';
import { createFolders, type Folders } from './drafts/folders.ts';
import { openRuleStore } from './drafts/rule-store.ts';
import { findUploadDoubts, type UploadDoubt, uploadRules, type WantedRules } from './drafts/upload-rules.ts';
import { logRefusals } from './handlers/dispatch-call.ts';
import { createHandlers } from './handlers/handlers.ts';
import type { Host } from './host.ts';
import { createUploadLog, type Log, logReach, openLog } from './log/log.ts';
import { type AutomaticReceipts, createAutomaticReceipts, createReceipts, type Receipts } from './receipts/receipts.ts';
import { createState } from './state/state.ts';
import { createUploadWatch } from './state/upload-watch.ts';

export type Desk = {
  /** One handler a call of the contract, for IPC (desktop) or HTTP (preview). */
  readonly handlers: Handlers;
  /** Delivers every event until the returned function is called. */
  readonly onEvent: (listener: (event: DeskEvent) => void) => () => void;
  /** Assigns the renderer's opaque id to a source that was chosen. */
  readonly adopt: Folders['adopt'];
  /** The same for folders and files that were dropped, or passed to the app. */
  readonly adoptPaths: Folders['adoptPaths'];
  /** Opens the licences in the window. */
  readonly showLicences: () => void;
  /** Begins a new upload of these in the window. */
  readonly give: (folders: readonly Folder[]) => void;
  /** Saves receipts where the command line says. */
  readonly receipts: Receipts;
  /** Where a file may be written that the user names; see `userFile`. */
  readonly userFile: (path: string) => Promise<string>;
  /** Those that uploads end with. */
  readonly automaticReceipts: AutomaticReceipts;
  /** The upload that is being prepared, for the command line. */
  readonly drafts: Drafts;
  readonly doctor: Doctor;
  /** The rules of an upload that begins now. */
  readonly uploadRules: (wanted: WantedRules) => UploadRules;
  /** What the offline data say against uploading a folder of this name to an assignment. */
  readonly doubtsOf: (upload: { readonly folder: string; readonly AssignmentId: string }) => readonly UploadDoubt[];
  /** The services behind the calls, for the command line. Throws `connection/missing` where none is set up. */
  readonly connected: () => ConnectionServices;
  /** Saves the present connection for the next start. Errors: `data/unwritable`. */
  readonly rememberConnection: () => void;
  /** To be called as the last thing that the app does: installs a newer version that is ready. */
  readonly onEnd: Updates['onEnd'];
  /** To be called when a person decided against ending the app. */
  readonly onStay: Updates['onStay'];
  readonly log: Log;
  /** Stops transfers, and closes the databases and the sample service. */
  readonly close: () => Promise<void>;
  /** After `close`: whether a drive no longer responds, so that the process has to be killed. */
  readonly hangs: () => boolean;
};

/** Registers how a part is closed at the end, and returns the part. */
type Closing = <T>(part: T, close: (part: T) => unknown) => T;

/**
 * Opens the data directory of `host`.
 * Errors: `data/in-use`, `data/unsafe`, `data/unwritable`. Damaged files are moved aside and reported as notices.
 */
export const createDesk = async (host: Host, options: DeskOptions = {}): Promise<Desk> => {
  const { add: closing, close } = createClosers();
  try {
    const base = openBase(host, () => updates.status(), closing);
    const { log, settings, state, present, onBug } = base;
    const stores = openStores(base, closing);
    const { cache, rules } = stores;
    const ways = openWays(base, closing);
    const { dispatcher, routing, trustFiles } = ways;
    const engine = await openUploads(base, ways, options, closing);
    const fileSearch = openFileSearch(base, stores, closing);
    const updates = openUpdates(base, dispatcher, closing);
    followSettings(
      base,
      () => {
        void cache.makeRoom();
        updates.follow();
        engine.followSettings();
      },
      engine.networkChanged,
    );
    const receipts = createReceipts({ host, settings, cache, connected: () => connections.connected() });
    const automaticReceipts = createAutomaticReceipts({
      receipts,
      uploads: () => present.get()?.uploads,
      onNotice: state.notice,
      onBug,
    });
    const connections = openConnections({ base, stores, ways, engine, automaticReceipts, options }, closing);
    for (const damage of [engine.damage, ...stores.damage]) if (damage) state.notice(damage);
    await connections.restore();
    if (options.resumeUploads !== false) automaticReceipts.see(present.get()?.uploads.present() ?? []);
    const { node } = process.versions;
    log.write('opened', { version: host.version, node, platform: `${process.platform} ${process.arch}` });

    const { adopt, adoptPaths, sourceOf } = createFolders();
    const rulesOf = (wanted: WantedRules): UploadRules => uploadRules(wanted, settings, new Date());
    const { connected, remember: rememberConnection } = connections;
    const drafts = closing(
      createDrafts({
        worker: host.draftWorker,
        lists: join(host.home, 'reviewed'),
        cache,
        rules,
        sourceOf,
        uploadRules: rulesOf,
        connected,
        onChange: state.draftChanged,
        onNotice: state.notice,
        onBug,
      }),
      (opened) => opened.discard(),
    );
    // Its folders are for the assignments of one service.
    state.onEvent(({ type }) => {
      if (type === 'connection') drafts.discard().catch(onBug);
    });
    const doctor = createDoctor({
      host,
      settings,
      notices: () => state.snapshot().notices,
      connected,
      dispatcher,
      uncheckedTls: ways.uncheckedTls,
      ways: () => ({ routing, trust: createTrust(trustFiles()) }),
      log,
    });
    const handlers = createHandlers({
      ...{ state, cache, settings, host, connections, drafts, fileSearch, rules, receipts, updates, ways, doctor },
      checkAddresses: (addresses) => checkAddresses(addresses, dispatcher),
      adopt,
      pickFolder: async () => {
        const path = await host.pickFolder();
        return path === undefined ? undefined : adopt({ root: path });
      },
      sourceOf,
    });
    return {
      handlers: logRefusals(handlers, log.write),
      receipts,
      userFile: (path) => userFile(path, host.home),
      doctor,
      automaticReceipts,
      onEvent: state.onEvent,
      adopt,
      adoptPaths,
      showLicences: state.showLicences,
      give: state.foldersGiven,
      uploadRules: rulesOf,
      doubtsOf: (upload) => findUploadDoubts(cache, connected().connectionId, upload),
      connected,
      rememberConnection,
      onEnd: updates.onEnd,
      onStay: updates.onStay,
      log,
      close,
      drafts,
      hangs: () => engine.hangs() || drafts.hangs(),
    };
  } catch (error) {
    await close();
    throw error;
  }
};

/** What everything else builds on. The state reads most of what it shows when it is asked for it. */
const openBase = (host: Host, update: () => UpdateStatus, closing: Closing) => {
  const { home } = host;
  const privacy = secureHome(home);
  closing(lockDataDirectory(home), (unlock) => unlock());
  const log = closing(openLog(home), (opened) => opened.close());
  if (privacy.closed > 0) log.write('data-directory.closed', { entries: privacy.closed });
  if (!privacy.hasModes) log.write('data-directory.without-modes', {});
  const settings = openSettings({ home, open: host.openSettings, policy: host.policy });
  log.setLevel(settings.get().log.level);
  const present = createPresentConnection();
  const state = createState({
    version: host.version,
    locale: host.locale,
    systemLanguage: host.systemLanguage,
    hasDesktop: host.hasDesktop === true,
    present: present.get,
    preferences: () => readPreferences(settings),
    managed: settings.managed,
    office: () => readOffice(settings.get(), host.policy),
    views: () => settings.get().views,
    update,
    onNotice: (error) => log.write('notice', { error }),
  });
  if (settings.notice) state.notice(settings.notice);
  logReach(state.onEvent, log.write);
  /** Logs errors that no caller waits for. An error of the ledger recurs in the next call that needs it. */
  const onBug = (error: unknown): void => log.write('background', { error });
  return { host, log, settings, present, state, onBug };
};

type Base = ReturnType<typeof openBase>;

/** The databases but the ledger, which the engine opens. `damage`: what was moved aside, or cannot be read. */
const openStores = ({ host: { home }, settings, present, state, onBug }: Base, closing: Closing) => {
  const cacheFolder = openCacheFolder(home);
  const cache = closing(
    openCache(cacheFolder.offlineData, {
      limitBytes: () => settings.get().cache.limitMegabytes * 1_000_000,
      onRoom: () => present.get()?.offlineWalk.recount(),
      onFailure: onBug,
      onNotice: state.notice,
    }),
    (opened) => opened.close(),
  );
  void cache.makeRoom();
  const outboxStore = closing(openOutboxStore(join(home, 'outbox.sqlite')), (opened) => opened.close());
  const watchedStore = closing(openWatchedStore(join(home, 'watched.sqlite')), (opened) => opened.close());
  const rules = closing(openRuleStore(join(home, 'rules.sqlite'), state.notice), (opened) => opened.close());
  const damage = [outboxStore.damage, outboxStore.leftOut, watchedStore.damage];
  return { cache, cacheFolder, outboxStore, watchedStore, rules, damage };
};

type Stores = ReturnType<typeof openStores>;

/** The ways to all hosts, asked for again when the machine wakes up. */
const openWays = ({ host, settings, present, state, log }: Base, closing: Closing): Ways => {
  const ways = closing(
    createWays({
      host,
      settings: () => settings.get().network,
      isManaged: settings.managed.includes('network.proxy'),
      onRoute: (origin, by, source) => log.write('route', { origin, by, source }),
      samplePort: () => settings.get().sample?.port,
      onWanted: state.proxyPasswordWanted,
    }),
    (opened) => opened.destroy(),
  );
  const onWake = (): void => {
    ways.renew();
    present.get()?.watchedFolders.wake();
  };
  closing(watchForWake(onWake), (stop) => stop());
  closing(host.watchWake?.(onWake), (stop) => stop?.());
  return ways;
};

/** The engine, which goes other ways when the network changes. */
const openUploads = async (
  { host, settings, state, onBug }: Base,
  ways: Ways,
  options: DeskOptions,
  closing: Closing,
) => {
  const engine = closing(await openEngine({ host, settings, ways, options, onBug, onDown: state.notice }), (opened) =>
    opened.close(),
  );
  const networkChanged = (): void => {
    ways.renew();
    engine.waysChanged(ways.trustFiles());
  };
  closing(watchForNetworkChange(networkChanged), (stop) => stop());
  // A machine that slept may wake up in another network.
  closing(host.watchWake?.(networkChanged), (stop) => stop?.());
  return { ...engine, networkChanged };
};

type Uploads = Awaited<ReturnType<typeof openUploads>>;

const openFileSearch = ({ host, onBug }: Base, { cache, cacheFolder }: Stores, closing: Closing) =>
  closing(
    createFileSearch({
      worker: host.searchWorker,
      paths: { ledgerPath: join(host.home, 'ledger.sqlite'), indexPath: cacheFolder.searchIndex },
      names: ({ connectionId, AssignmentIds }) =>
        AssignmentIds.map((id) => {
          const known = cache.assignment(connectionId, id);
          return known ? assignmentName(known.assignment) : '';
        }),
      onBug,
    }),
    (opened) => opened.close(),
  );

const openUpdates = (
  { host, settings, present, state, log }: Base,
  dispatcher: Dispatcher,
  closing: Closing,
): Updates =>
  closing(
    createUpdates({
      updater: host.updater,
      settings: () => settings.get().updates,
      dispatcher,
      isUploading: () => present.get()?.batches().some(isActive) ?? false,
      onChange: (status) => {
        const version = status.state === 'ready' ? status.found.version : undefined;
        const code = status.state === 'failed' ? status.error.code : undefined;
        if (status.state !== 'downloading') log.write('update', { state: status.state, version, code });
        state.updateChanged(status);
      },
    }),
    (opened) => opened.close(),
  );

/** Calls `follow` after every change of the settings, and `networkChanged` before it where those of the network are others. */
const followSettings = ({ settings, state, log }: Base, follow: () => void, networkChanged: () => void): void => {
  let { network } = settings.get();
  state.onEvent(({ type }) => {
    if (type !== 'preferences') return;
    const before = network;
    ({ network } = settings.get());
    log.setLevel(settings.get().log.level);
    if (!isDeepStrictEqual(before, network)) networkChanged();
    follow();
  });
};

type ConnectionParts = {
  readonly base: Base;
  readonly stores: Stores;
  readonly ways: Ways;
  readonly engine: Uploads;
  readonly automaticReceipts: AutomaticReceipts;
  readonly options: DeskOptions;
};

/** The services of one connection at a time, whose changes go to the state, the log and the desktop. */
const openConnections = (
  { base, stores, ways, engine, automaticReceipts, options }: ConnectionParts,
  closing: Closing,
): ConnectionSwitch => {
  const { host, settings, present, state, log, onBug } = base;
  const { cache, rules, outboxStore, watchedStore } = stores;
  const { resumeUploads = true, onFile, probes, deadlines, watching } = options;
  const uploadLog = createUploadLog(
    log.write,
    async (batch) => (await present.get()?.uploads.errorGroups(batch)) ?? [],
  );
  const uploadWatch = closing(createUploadWatch(host, state.showUpload), (watch) => watch.close());
  state.onEvent((event) => event.type === 'reachability' && uploadWatch.reach(event.reachability));
  const open = ({ connection, redirectUri }: ResolvedConnection): Promise<ConnectionServices> =>
    openConnectionServices({
      ...{
        host,
        connection,
        redirectUri,
        deadlines,
        probes,
        engine,
        cache,
        outboxStore,
        watchedStore,
        watching,
        state,
      },
      needsOf: (key) => rememberNeeds(settings, key, state.notice),
      storageMemory: rememberStorage(settings, connectionIdOf(connection), state.notice),
      dispatcher: ways.dispatcher,
      uploadDispatcher: ways.uploadDispatcher,
      officeHours: engine.officeHours,
      certainAssignments: (of, folders, signal) =>
        certainAssignments({ worker: host.draftWorker, cache, rules, onBug }, of, folders, signal),
      isPresent: (session) => present.get()?.session === session,
      resumeUploads,
      onSession: (status) =>
        log.write('session', {
          session: status.state,
          code: status.state === 'signed-out' ? status.reason?.code : undefined,
        }),
      onNotice: state.notice,
      onBatches: (batches) => {
        batches.forEach(uploadWatch.see);
        batches.forEach(uploadLog.see);
        automaticReceipts.see(batches);
        state.batchesChanged(batches);
      },
      onBug,
      onFile: (batch, file) => {
        uploadLog.file(batch, file);
        onFile?.(batch, file);
      },
    });
  return closing(
    createConnectionSwitch({
      host,
      settings,
      present,
      open,
      onChange: state.connectionChanged,
      onNotice: state.notice,
    }),
    (opened) => opened.close(),
  );
};

// What a host can set for a desk besides itself.

export type DeskOptions = {
  /** Whether interrupted uploads are resumed at sign-in, and folders are watched. Default: true. */
  readonly resumeUploads?: boolean;
  /** How many files are uploaded at the same time. Default: the setting, which counts in any case if it is managed. */
  readonly concurrency?: Concurrency | undefined;
  /** Overrides the setting, unless that is managed. */
  readonly bytesPerSecond?: number | undefined;
  /** Overrides the setting, unless that is managed. */
  readonly leaveRoom?: LeaveRoom | undefined;
  /** How long uploads wait for a host that cannot be reached before their batch pauses. Default: no limit. */
  readonly networkPatienceMs?: number | undefined;
  /** The waits before a host that cannot be reached is probed. Default: those of `net/network.ts`. */
  readonly probes?: RetryPolicy;
  /** How long a transfer may stall. Default: `SEND_TIMEOUTS`. */
  readonly timeouts?: Partial<SendTimeouts>;
  /** How far the service's lists may lag behind uploads. Default: 5 seconds. */
  readonly listLagMs?: number;
  /** How long calls to the service and to the token endpoint may take. Default: their own figures. */
  readonly deadlines?: Deadlines;
  /** How watched folders are looked after. Default: `TIMES` of watched-folders.ts and the system's clock. */
  readonly watching?: WatchSettings;
  /** Called for each file in a final state. */
  readonly onFile?: ((batch: string, file: UploadFile) => void) | undefined;
};

// Opens the upload engine as the settings, the organisation and the options of the command line want it.

type EngineOptions = {
  readonly host: Host;
  readonly settings: SettingsStore;
  readonly ways: Ways;
  readonly options: DeskOptions;
  readonly onBug: (error: unknown) => void;
  /** Called when the engine stays down. */
  readonly onDown: (error: DeskError) => void;
};

type DeskEngine = UploadEngine & {
  /** The settings may have changed: uploads are as fast as they say. */
  readonly followSettings: () => void;
  /** When the organisation allows uploads; none: at any time. */
  readonly officeHours: Hours;
};

/** What an organisation has set wins over the options, and these over a person's settings. Errors: those of `startEngine`. */
export const openEngine = async (opening: EngineOptions): Promise<DeskEngine> => {
  const { host, settings, ways, options, onBug, onDown } = opening;
  const isManaged = (path: ManagedPath): boolean => settings.managed.includes(path);
  const { uploads, log } = settings.get();
  const { networkPatienceMs, probes, timeouts, listLagMs } = options;
  const officeHours = isManaged('uploads.hours') ? (uploads.hours ?? []) : [];
  const concurrency = isManaged('uploads.concurrency') ? undefined : options.concurrency;
  const leaveRoom = isManaged('uploads.leaveRoom') ? undefined : options.leaveRoom;
  const bytesPerSecond = isManaged('uploads.limit') ? undefined : options.bytesPerSecond;
  const fixedLimit = bytesPerSecond === undefined ? undefined : { bytesPerSecond, schedule: [] };
  const speed = (): UploadSpeed => {
    const { limit, leaveRoom: chosen } = settings.get().uploads;
    return { limit: fixedLimit ?? limit, leaveRoom: leaveRoom ?? chosen };
  };
  const engine = await startEngine({
    worker: host.uploadWorker,
    settings: {
      ledgerPath: join(host.home, 'ledger.sqlite'),
      hashThread: host.hashThread.href,
      readThread: host.readThread.href,
      concurrency: concurrency ?? uploads.concurrency,
      hours: officeHours,
      speed: speed(),
      networkPatienceMs,
      probes,
      timeouts,
      listLagMs,
      reportFiles: options.onFile !== undefined || log.level === 'debug',
      trust: ways.trustFiles(),
    },
    routing: ways.routing,
    onBug,
    onDown,
  });
  return { ...engine, officeHours, followSettings: () => engine.setSpeed(speed()) };
};

/** Resources to close at the end, in the reverse order of their opening. */
type Closers = {
  /** Registers `close` for `thing`, and answers `thing`. */
  readonly add: <T>(thing: T, close: (thing: T) => unknown) => T;
  /** Closes everything, then throws the first error, so that one failure does not stop the rest. */
  readonly close: () => Promise<void>;
};

export const createClosers = (): Closers => {
  const closers: (() => unknown)[] = [];
  return {
    add: (thing, close) => {
      closers.unshift(() => close(thing));
      return thing;
    },
    close: async () => {
      const failures: unknown[] = [];
      for (const close of closers.splice(0)) {
        try {
          await close();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
};
