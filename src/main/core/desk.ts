/** The app without its windows: opens the data directory, connects, and handles the calls of the contract. */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { attempt } from 'es-toolkit/util/attempt';
import type { Dispatcher } from 'undici';
import type { PageAction, Snapshot, UpdateStatus } from '../../contract/app.ts';
import { NOTHING_ASKED } from '../../contract/connection.ts';
import { DeskError } from '../../contract/errors.ts';
import type { LeaveRoom } from '../../contract/hours.ts';
import type { ManagedPath } from '../../contract/preferences.ts';
import { isActive, type UploadFile } from '../../contract/uploads.ts';
import type { Folder } from '../../contract/watched-folders.ts';
import { closeAll } from '../async/lock.ts';
import type { RetryPolicy } from '../async/retry.ts';
import { type Cache, openCache } from '../cache/cache.ts';
import { cachePaths, lockDataDirectory, makeHome, removeUnfinished, secureHome } from '../data/data-directory.ts';
import { watchForNetworkChange, watchForWake } from '../net/machine-changes.ts';
import { openOutboxStore } from '../outbox/outbox.ts';
import { openSettings } from '../settings/settings.ts';
import { createUpdates, type Updates } from '../updates/updates.ts';
import type { UploadSpeed } from '../uploads/engine/engine-worker.ts';
import { startEngine, type UploadEngine } from '../uploads/engine/start-engine.ts';
import type { UploadRules } from '../uploads/engine/uploads.ts';
import { createFileSearch } from '../uploads/find/start-search.ts';
import type { SendTimeouts } from '../uploads/storage/put-file.ts';
import type { Concurrency } from '../uploads/transfer/pool.ts';
import { openWatchedStore } from '../uploads/watching/watched-store.ts';
import {
  type ConnectionServices,
  type ConnectionSwitch,
  createConnectionSwitch,
  type Deadlines,
  type PresentConnection,
  type WatchSettings,
} from './connection/connections.ts';
import { createDispatchers, type Dispatchers } from './connection/dispatchers.ts';
import { createDoctor } from './doctor/doctor.ts';
import { createDrafts, createFolders, type Drafts, type EmitDraft, matchFoldersIn } from './drafts/drafts.ts';
import { openRuleStore } from './drafts/rules.ts';
import { uploadRules, type WantedRules } from './drafts/upload-rules.ts';
import { createHandlers } from './handlers/handlers.ts';
import type { Host } from './host.ts';
import { createUploadLog, logReach, openLog } from './log/log.ts';
import { createLetterhead } from './receipts/letterhead.ts';
import { type AutomaticReceipts, createAutomaticReceipts, createReceipts } from './receipts/receipts.ts';
import { createVerifications } from './receipts/verifications.ts';
import { createState } from './state/state.ts';
import { createUploadWatch } from './state/upload-watch.ts';

export type Desk = Awaited<ReturnType<typeof createDesk>>;

const createClosing = () => {
  const closers: (() => unknown)[] = [];
  return {
    defer: (close: () => unknown): void => void closers.push(close),
    adopt: <Part>(part: Part, close: (part: Part) => unknown): Part => {
      closers.push(() => close(part));
      return part;
    },
    close: (): Promise<void> => closeAll(closers.splice(0).reverse()),
  };
};
type Closing = ReturnType<typeof createClosing>;

/**
 * Opens the data directory of `host`, connects, and restores the session. Damaged files do not stop the start: notices
 * report them. Errors: `data/…`, such as `data/in-use` and `data/unwritable`; `upload/engine-stopped`.
 */
export const createDesk = async (host: Host, options: DeskOptions = {}) => {
  const closing = createClosing();
  try {
    const base = openBase(host, () => updates.status(), closing);
    const { log, settings, state, present, onBug } = base;
    const stores = openStores(base, closing);
    const { cache, rules } = stores;
    const dispatchers = closing.adopt(createDispatchers(base), (opened) => opened.destroy());
    const engine = closing.adopt(await openEngine(base, dispatchers, options), (opened) => opened.close());
    const fileSearch = openFileSearch(base, stores, engine, closing);
    const updates = openUpdates(base, dispatchers.dispatcher, closing);
    const networkChanged = followNetwork(base, dispatchers, engine, closing);
    followSettings(base, networkChanged, () => {
      void cache.makeRoom();
      updates.follow();
      engine.followSettings();
    });
    const connected = (): ConnectionServices => connections.connected();
    const letterhead = createLetterhead({ home: host.home, settings, onNotice: state.notice });
    const verifications = createVerifications();
    const folders = createFolders(host);
    const receipts = createReceipts({ host, settings, cache, letterhead, verifications, connected, ...folders });
    const automaticReceipts = createAutomaticReceipts({
      receipts,
      onNotice: state.notice,
      onBug,
      uploads: () => present.services?.uploads,
    });
    const connections = openConnections(base, { stores, dispatchers, engine, automaticReceipts }, options, closing);
    for (const error of [options.notice, engine.damage, ...stores.damage]) if (error) state.notice(error);
    await connections.restore();
    const resumesUploads = options.resumeUploads !== false;
    if (resumesUploads) automaticReceipts.see(present.services?.uploads.present() ?? []);
    const { node } = process.versions;
    log.write('opened', { version: host.version, node, platform: `${process.platform} ${process.arch}` });

    const rulesOf = (wanted: WantedRules): UploadRules => uploadRules(wanted, settings, new Date());
    const openDrafts = (emit: EmitDraft): Drafts =>
      createDrafts({
        ...base,
        ...stores,
        fileSearch,
        connected,
        folders,
        uploadRules: rulesOf,
        onNotice: state.notice,
        emit,
      });
    const drafts = closing.adopt(openDrafts(state.emit), (opened) => opened.discard());
    // A draft belongs to one user of one service. It is closed when the connection changes, or when another user signs
    // in.
    const resumeDraft = async ({ state: session }: Pick<Snapshot['session'], 'state'>): Promise<void> => {
      if (session === 'signed-in') await drafts.userChanged(options.hasWindow === true);
    };
    state.onEvent((event) => {
      if (event.type === 'connection') drafts.discard().catch(onBug);
      if (event.type === 'session') resumeDraft(event.value).catch(onBug);
    });
    resumeDraft(state.snapshot().session).catch(onBug);
    const notices = () => state.snapshot().notices;
    const doctor = createDoctor({ host, settings, dispatchers, connected, notices, log });
    const records = { letterhead, verifications, receipts };
    const work = { dispatchers, connections, folders, drafts, fileSearch, doctor, updates };
    const handlers = createHandlers({ ...base, ...stores, ...records, ...work });
    return {
      handlers,
      snapshot: state.snapshot,
      activity: () => activityOf(present),
      onEvent: state.onEvent,
      /** Whether the desk resumes interrupted uploads, and watches folders. */
      resumesUploads,
      /** Assigns an opaque id to a source. Calls of the contract refer to the source by this id. */
      adopt: folders.adopt,
      adoptPaths: folders.adoptPaths,
      act: (action: PageAction): void => state.emit({ type: 'act', action }),
      /**
       * Resolves to the content of a PDF in the draft; undefined if the file is not a PDF, is too large, or is in the
       * cloud. Errors: `input/invalid`, `upload/…`, `draft/missing`, `draft/stopped`.
       */
      documentAt: async (file: { readonly rowId: number; readonly path: string }) => drafts.inWorker().document(file),
      /**
       * Adopts those of the paths that exist. If a drive does not respond, reports that to the user and adopts none.
       */
      adoptGiven: (paths: readonly string[]): Promise<readonly Folder[]> =>
        folders.adoptPaths(paths, 'left out').catch((error) => {
          if (!(error instanceof DeskError)) throw error;
          state.notice(error);
          return [];
        }),
      give: (given: readonly Folder[]): void => state.emit({ type: 'folders-given', folders: given }),
      /** Returns the services of the connection. Throws `connection/…` or `input/invalid` without a connection. */
      connected,
      drafts,
      /** Creates another controller of drafts, besides that of the window. The caller has to discard its draft. */
      openDrafts,
      /**
       * Calls `see` with each file that is settled, or queued again because it did not arrive, until the returned
       * function is called.
       */
      watchFiles: (see: SeeFile): (() => void) => {
        base.seeFile.add(see);
        engine.change({ reportFiles: true });
        return () => {
          base.seeFile.delete(see);
          engine.change({ reportFiles: reportsFiles(base) });
        };
      },
      slowDown: engine.slowDown,
      doctor,
      receipts,
      automaticReceipts,
      fileToWrite: folders.fileToWrite,
      uploadRules: rulesOf,
      /**
       * Resolves to the warnings, according to the offline data, about uploading each of the folders to an assignment.
       * Resolves to none if the assignment is not in the offline data, or if the folders cannot be matched, for example
       * because `ending` is aborted.
       */
      warningsOf: async (names: readonly string[], AssignmentId: string, ending: AbortSignal) => {
        const services = connected();
        const matchFolders = matchFoldersIn({ host, cache, rules, onBug });
        const how = { isUpdating: false, target: AssignmentId, ending };
        try {
          if (cache.assignment(services.connectionId, AssignmentId) === undefined) return [];
          const folders = names.map((path) => ({ path }));
          return await matchFolders(services, folders, (worker) => worker.warnings(AssignmentId), how);
        } catch (error) {
          if (!ending.aborted) onBug(error);
          return [];
        }
      },
      /** Returns the AssignmentId `typed` in the spelling of the service or of earlier uploads (`spelledAs`). */
      assignmentIdOf: (typed: string): string => spelledAs(cache, connected(), typed),
      rememberConnection: connections.remember,
      log,
      onStay: updates.onStay,
      close: closing.close,
      /** To be called last, after `close`: installs a newer version that is ready. */
      onEnd: updates.onEnd,
      /** Whether a drive does not respond, so that the process has to be killed. To be called after `close`. */
      hangs: (): boolean => engine.hangs() || drafts.hangs(),
    };
  } catch (error) {
    await closing.close();
    throw error;
  }
};

/** Returns the part of the snapshot about uploads and watched folders, without names. Much faster than the snapshot. */
const activityOf = ({ services }: PresentConnection) => ({
  batches: services?.uploads.present() ?? [],
  reachability: services?.reachability() ?? NOTHING_ASKED,
  // If the list of watched folders cannot be read, the snapshot reports the error.
  watchedFolders: attempt(() => services?.watchedFolders.list())[1] ?? [],
});

/**
 * Returns the AssignmentId `typed` as it is spelled in the cache, or else in the uploads of this computer, or else
 * `typed` itself. The case of a UUID has no meaning (RFC 9562, section 4), but batches and known files are found by the
 * exact text.
 */
const spelledAs = (
  cache: Pick<Cache, 'assignment'>,
  { connectionId, uploads }: Pick<ConnectionServices, 'connectionId' | 'uploads'>,
  typed: string,
): string => {
  const isCached = (id: string): boolean => cache.assignment(connectionId, id) !== undefined;
  const isSame = (id: string): boolean => id.toLowerCase() === typed.toLowerCase();
  return (
    [typed, typed.toLowerCase(), typed.toUpperCase()].find(isCached) ??
    uploads.present().find(({ AssignmentId }) => isSame(AssignmentId))?.AssignmentId ??
    typed
  );
};

const openBase = (host: Host, update: () => UpdateStatus, closing: Closing) => {
  const { home } = host;
  const privacy = secureHome(home);
  closing.defer(lockDataDirectory(home));
  removeUnfinished(home);
  const log = closing.adopt(openLog(home), (opened) => opened.close());
  if (privacy.closed > 0) log.write('data-directory.closed', { entries: privacy.closed });
  if (!privacy.hasModes) log.write('data-directory.without-modes', {});
  const settings = closing.adopt(openSettings({ home, open: host.openSettings, policy: host.policy }), (opened) =>
    opened.close(),
  );
  log.setLevel(settings.get().log.level);
  const present: PresentConnection = { services: undefined };
  const seeFile = new Set<SeeFile>();
  const state = createState({
    host,
    settings,
    update,
    present: () => present.services,
    onNotice: (error) => log.write('notice', { error }),
  });
  if (settings.notice) state.notice(settings.notice);
  logReach(state.onEvent, log.write);
  /**
   * Errors of background work are only logged. The user sees an error of the ledger in the next call that needs the
   * ledger.
   */
  const onBug = (error: unknown): void => log.write('background', { error });
  return { host, log, settings, present, seeFile, state, onBug };
};

type Base = ReturnType<typeof openBase>;

/**
 * Opens the databases, except the ledger and the search index, which workers open. If the file of the outbox or of the
 * watched folders is damaged, it stays unchanged; other damaged files are moved aside and replaced. `damage` in the
 * result: the errors of the outbox and of the watched folders, and the error that says that changes in the outbox
 * cannot be read.
 */
const openStores = ({ host: { home }, settings, present, state, onBug }: Base, closing: Closing) => {
  const cacheFolder = cachePaths(home);
  makeHome(cacheFolder.folder);
  const cache = closing.adopt(
    openCache(cacheFolder.offlineData, {
      limitBytes: () => settings.get().cache.limitMegabytes * 1_000_000,
      onRoom: () => present.services?.offlineWalk.recount(),
      onFailure: onBug,
      onNotice: state.notice,
    }),
    (opened) => opened.close(),
  );
  void cache.makeRoom();
  const outboxStore = closing.adopt(openOutboxStore(join(home, 'outbox.sqlite')), (opened) => opened.close());
  const watchedStore = closing.adopt(openWatchedStore(join(home, 'watched.sqlite')), (opened) => opened.close());
  const rules = closing.adopt(openRuleStore(join(home, 'rules.sqlite'), state.notice), (opened) => opened.close());
  const damage = [outboxStore.damage, outboxStore.leftOut, watchedStore.damage];
  return { cache, searchIndex: cacheFolder.searchIndex, outboxStore, watchedStore, rules, damage };
};

type Stores = ReturnType<typeof openStores>;

/**
 * Renews the routes when the network changes or the machine wakes up, possibly on another network. Also notifies
 * watched folders after a wake. Returns a function that renews the routes after a change of the network settings.
 */
const followNetwork = (
  { host, present }: Base,
  dispatchers: Dispatchers,
  engine: UploadEngine,
  closing: Closing,
): (() => void) => {
  const networkChanged = (): void => {
    dispatchers.renew();
    engine.change({ trust: dispatchers.trustFiles() });
  };
  const wake = (): void => {
    dispatchers.renew();
    present.services?.watchedFolders.wake();
  };
  closing.defer(watchForWake(wake));
  closing.defer(watchForNetworkChange(networkChanged));
  const stop = host.watchWake?.(() => {
    wake();
    networkChanged();
  });
  if (stop) closing.defer(stop);
  return networkChanged;
};

/**
 * Applies changed settings. If the network settings have changed, calls `networkChanged`; then always calls `follow`.
 */
const followSettings = ({ settings, state, log }: Base, networkChanged: () => void, follow: () => void): void => {
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

const openFileSearch = (
  { host, onBug }: Base,
  { cache, searchIndex }: Stores,
  { ready }: UploadEngine,
  closing: Closing,
) =>
  closing.adopt(
    createFileSearch({
      worker: host.searchWorker,
      paths: { ledgerPath: join(host.home, 'ledger.sqlite'), indexPath: searchIndex },
      ready,
      nameOf: cache.nameOf,
      onBug,
    }),
    (opened) => opened.close(),
  );

const openUpdates = (
  { host, settings, present, state, log }: Base,
  dispatcher: Dispatcher,
  closing: Closing,
): Updates =>
  closing.adopt(
    createUpdates({
      updater: host.updater,
      settings: () => settings.get().updates,
      dispatcher,
      isUploading: () => present.services?.batches().some(isActive) ?? false,
      onChange: (update) => {
        const version = update.state === 'ready' ? update.found.version : undefined;
        const code = update.state === 'failed' ? update.error.code : undefined;
        if (update.state !== 'downloading') log.write('update', { state: update.state, version, code });
        state.emit({ type: 'update', value: update });
      },
    }),
    (opened) => opened.close(),
  );

type ConnectionParts = {
  readonly stores: Stores;
  readonly dispatchers: Dispatchers;
  readonly engine: DeskEngine;
  readonly automaticReceipts: AutomaticReceipts;
};

const openConnections = (
  base: Base,
  { stores, dispatchers, engine, automaticReceipts }: ConnectionParts,
  { resumeUploads = true, hasWindow = false, ...options }: DeskOptions,
  closing: Closing,
): ConnectionSwitch => {
  const { host, present, state, log, onBug } = base;
  const uploadLog = createUploadLog(
    log.write,
    async (batch) => (await present.services?.uploads.errorGroups(batch)) ?? [],
  );
  const uploadWatch = closing.adopt(
    createUploadWatch(host, (uploadId) => state.emit({ type: 'show-upload', uploadId })),
    (watch) => watch.forget(),
  );
  state.onEvent((event) => {
    // The batches of the previous connection stopped, but remain in progress.
    if (event.type === 'connection') uploadWatch.forget();
    if (event.type === 'reachability') uploadWatch.reach(event.value);
    if (event.type !== 'batches') return;
    event.batches.forEach(uploadWatch.see);
    event.batches.forEach(uploadLog.see);
    automaticReceipts.see(event.batches);
  });
  const matchFolders = matchFoldersIn({ host, ...stores, onBug });
  const connections = createConnectionSwitch({
    ...base,
    ...stores,
    ...options,
    dispatchers,
    engine,
    officeHours: engine.officeHours,
    resumeUploads,
    hasWindow,
    certainAssignments: (of, folders, ending) =>
      matchFolders(of, folders, (worker) => worker.certain(), { isUpdating: true, isEnough: true, ending }),
    onFile: (batch, file) => {
      uploadLog.file(batch, file);
      for (const see of base.seeFile) see(batch, file);
    },
  });
  return closing.adopt(connections, (opened) => opened.close());
};

export type DeskOptions = {
  /**
   * Whether interrupted uploads are resumed, folders are watched, and missing automatic receipts are saved. Default:
   * true.
   */
  readonly resumeUploads?: boolean;
  /** Whether a user works in a window. The stored draft is then continued, and lists are read ahead. Default: false. */
  readonly hasWindow?: boolean;
  readonly notice?: DeskError | undefined;
  /** How many files are uploaded concurrently. Default: the setting. A managed setting takes precedence. */
  readonly concurrency?: Concurrency | undefined;
  /** The maximum speed of uploads. Default: the setting. A managed setting takes precedence. */
  readonly bytesPerSecond?: number | undefined;
  /** When uploads give way to other traffic. Default: the setting. A managed setting takes precedence. */
  readonly leaveRoom?: LeaveRoom | undefined;
  /** How long uploads wait for a host that cannot be reached before their batch pauses. Default: no limit. */
  readonly networkPatienceMs?: number | undefined;
  /** The delays between probes of an unreachable host. Default: those of `net/host-health.ts`. */
  readonly probes?: RetryPolicy;
  /** How long a transfer may stall. Default: `SEND_TIMEOUTS`. */
  readonly timeouts?: Partial<SendTimeouts>;
  /** How long the service's lists may lag behind uploads. Default: 5 seconds. */
  readonly listLagMs?: number;
  /** The timeouts of calls to the service and to the token endpoint. Default: those of the clients. */
  readonly deadlines?: Deadlines;
  /** The times and the clock of watched folders. Default: `TIMES` of watched-folders.ts, and the system's clock. */
  readonly watching?: WatchSettings;
  readonly onFile?: SeeFile | undefined;
};

type SeeFile = (batch: string, file: UploadFile) => void;

type DeskEngine = Awaited<ReturnType<typeof openEngine>>;

type WantedSpeed = Pick<DeskOptions, 'bytesPerSecond' | 'leaveRoom'>;

const reportsFiles = ({ seeFile, settings }: Base): boolean => seeFile.size > 0 || settings.get().log.level === 'debug';

/** Opens the upload engine. Managed settings override the options, which override other settings. */
const openEngine = async (base: Base, dispatchers: Dispatchers, options: DeskOptions) => {
  const { host, settings, state, onBug } = base;
  if (options.onFile) base.seeFile.add(options.onFile);
  const isManaged = (path: ManagedPath): boolean => settings.managed.includes(path);
  const { uploads } = settings.get();
  const { networkPatienceMs, probes, timeouts, listLagMs } = options;
  const officeHours = isManaged('uploads.hours') ? (uploads.hours ?? []) : [];
  const concurrency = isManaged('uploads.concurrency') ? undefined : options.concurrency;
  const wanted = new Set<WantedSpeed>([options]);
  const speed = (): UploadSpeed => {
    const { limit, leaveRoom } = settings.get().uploads;
    const limits = isManaged('uploads.limit') ? [] : [...wanted].flatMap((one) => one.bytesPerSecond ?? []);
    const [room] = isManaged('uploads.leaveRoom') ? [] : [...wanted].reverse().flatMap((one) => one.leaveRoom ?? []);
    return {
      limit: limits.length > 0 ? { bytesPerSecond: Math.min(...limits), schedule: [] } : limit,
      leaveRoom: room ?? leaveRoom,
    };
  };
  const engine = await startEngine({
    worker: host.uploadWorker,
    settings: {
      ledgerPath: join(host.home, 'ledger.sqlite'),
      readWorker: host.readWorker.href,
      concurrency: concurrency ?? uploads.concurrency,
      hours: officeHours,
      speed: speed(),
      networkPatienceMs,
      probes,
      timeouts,
      listLagMs,
      reportFiles: reportsFiles(base),
      trust: dispatchers.trustFiles(),
    },
    routing: dispatchers.routing,
    onBug,
    onDown: state.notice,
  });
  return {
    ...engine,
    officeHours,
    followSettings: (): void => engine.change({ speed: speed(), reportFiles: reportsFiles(base) }),
    /**
     * Limits the speed further, until the returned function is called. The lowest limit and the newest `leaveRoom`
     * apply.
     */
    slowDown: (more: WantedSpeed): (() => void) => {
      wanted.add(more);
      engine.change({ speed: speed() });
      return () => {
        wanted.delete(more);
        engine.change({ speed: speed() });
      };
    },
  };
};
