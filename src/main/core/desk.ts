/**
 * The app without its windows: opens the data directory, connects, and answers the calls of the contract. Composes the
 * services, each from those above it: the state comes first, and everything else pushes its changes into it.
 */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { DeskEvent } from '../../contract/app.ts';
import type { Handlers } from '../../contract/calls.ts';
import { assignmentName } from '../../contract/resources.ts';
import { isActive } from '../../contract/uploads.ts';
import type { Folder } from '../../contract/watched-folders.ts';
import { createClosers } from '../async/closers.ts';
import { connectionIdOf } from '../auth/connection-id.ts';
import { openCache } from '../cache/cache.ts';
import { openCacheFolder } from '../data/cache-folder.ts';
import { secureHome } from '../data/data-directory.ts';
import { lockDataDirectory } from '../data/data-lock.ts';
import { userFile } from '../data/user-file.ts';
import type { Host } from '../hosts/host.ts';
import { watchForNetworkChange } from '../net/network-change.ts';
import { createTrust } from '../net/trust.ts';
import { watchForWake } from '../net/wake.ts';
import { openOutboxStore } from '../outbox/outbox-store.ts';
import { readOffice } from '../settings/policy/overlay.ts';
import { readPreferences } from '../settings/preferences.ts';
import { openSettings } from '../settings/settings.ts';
import { createUpdates, type Updates } from '../updates/updates.ts';
import { createFileSearch } from '../uploads/find/start-search.ts';
import { openWatchedStore } from '../watching/watched-store.ts';
import { checkAddresses } from './connection/check-addresses.ts';
import { type ConnectionServices, openConnectionServices } from './connection/connection-services.ts';
import {
  type ConnectionSwitch,
  createConnectionSwitch,
  createPresentConnection,
} from './connection/connection-switch.ts';
import { rememberNeeds, rememberStorage } from './connection/remembered.ts';
import { createWays } from './connection/ways.ts';
import type { DeskOptions } from './desk-options.ts';
import { createDoctor, type Doctor } from './doctor/doctor.ts';
import { certainAssignments } from './drafts/certain-assignments.ts';
import { createDrafts, type Drafts } from './drafts/drafts.ts';
import { createFolders, type Folders } from './drafts/folders.ts';
import { openRuleStore } from './drafts/rule-store.ts';
import type { UploadDoubt } from './drafts/upload-doubts.ts';
import { findUploadDoubts } from './drafts/upload-doubts.ts';
import { type UploadRules, uploadRules, type WantedRules } from './drafts/upload-rules.ts';
import { logRefusals } from './handlers/dispatch-call.ts';
import { createHandlers } from './handlers/handlers.ts';
import type { Log } from './log/log.ts';
import { openLog } from './log/log.ts';
import { createUploadLog, logReach } from './log/watch-log.ts';
import { openEngine } from './open-engine.ts';
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

/**
 * Opens the data directory of `host`.
 * Errors: `data/in-use`, `data/unsafe`, `data/unwritable`. Damaged files are moved aside and reported as notices.
 */
export const createDesk = async (host: Host, options: DeskOptions = {}): Promise<Desk> => {
  const { add: closing, close } = createClosers();
  try {
    const { home } = host;
    const privacy = secureHome(home);
    closing(lockDataDirectory(home), (unlock) => unlock());
    const log = closing(openLog(home), (opened) => opened.close());
    if (privacy.closed > 0) log.write('data-directory.closed', { entries: privacy.closed });
    if (!privacy.hasModes) log.write('data-directory.without-modes', {});
    const settings = openSettings({ home, open: host.openSettings, policy: host.policy });
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
      update: () => updates.status(),
      onNotice: (error) => log.write('notice', { error }),
    });
    const { notice } = state;
    if (settings.notice) notice(settings.notice);
    log.setLevel(settings.get().log.level);
    logReach(state.onEvent, log.write);
    /** Logs errors that no caller waits for. An error of the ledger recurs in the next call that needs it. */
    const onBug = (error: unknown): void => log.write('background', { error });

    const cachePaths = openCacheFolder(home);
    const cache = closing(
      openCache(cachePaths.offlineData, {
        limitBytes: () => settings.get().cache.limitMegabytes * 1_000_000,
        onRoom: () => present.get()?.offlineWalk.recount(),
        onFailure: onBug,
        onNotice: notice,
      }),
      (opened) => opened.close(),
    );
    void cache.makeRoom();
    const outboxStore = closing(openOutboxStore(join(home, 'outbox.sqlite')), (opened) => opened.close());
    const watchedStore = closing(openWatchedStore(join(home, 'watched.sqlite')), (opened) => opened.close());
    const rules = closing(openRuleStore(join(home, 'rules.sqlite'), notice), (opened) => opened.close());
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
    const { dispatcher, uploadDispatcher, routing, trustFiles } = ways;
    const onWake = (): void => {
      ways.renew();
      present.get()?.watchedFolders.wake();
    };
    closing(watchForWake(onWake), (stop) => stop());
    const onNetworkChange = (): void => {
      ways.renew();
      engine.waysChanged(trustFiles());
    };
    const { resumeUploads = true, onFile, probes, deadlines, watching } = options;
    const engine = closing(await openEngine({ host, settings, ways, options, onBug, onDown: notice }), (opened) =>
      opened.close(),
    );
    closing(watchForNetworkChange(onNetworkChange), (stop) => stop());
    // A sleeping machine may wake up in another network.
    const stopWatchingWake = host.watchWake?.(() => {
      onWake();
      onNetworkChange();
    });
    closing(stopWatchingWake ?? (() => {}), (stop) => stop());
    const fileSearch = closing(
      createFileSearch({
        worker: host.searchWorker,
        paths: { ledgerPath: join(home, 'ledger.sqlite'), indexPath: cachePaths.searchIndex },
        names: ({ connectionId, AssignmentIds }) =>
          AssignmentIds.map((id) => {
            const known = cache.assignment(connectionId, id);
            return known ? assignmentName(known.assignment) : '';
          }),
        onBug,
      }),
      (opened) => opened.close(),
    );
    const updates = closing(
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
    let network = settings.get().network;
    state.onEvent(({ type }) => {
      if (type !== 'preferences') return;
      const before = network;
      network = settings.get().network;
      log.setLevel(settings.get().log.level);
      void cache.makeRoom();
      updates.follow();
      if (!isDeepStrictEqual(before, network)) onNetworkChange();
      engine.followSettings();
    });
    const uploadLog = createUploadLog(
      log.write,
      async (batch) => (await present.get()?.uploads.errorGroups(batch)) ?? [],
    );
    const uploadWatch = closing(createUploadWatch(host, state.showUpload), (watch) => watch.close());
    state.onEvent((event) => event.type === 'reachability' && uploadWatch.reach(event.reachability));

    const receipts = createReceipts({ host, settings, cache, connected: () => connections.connected() });
    const automaticReceipts = createAutomaticReceipts({
      receipts,
      uploads: () => present.get()?.uploads,
      onNotice: notice,
      onBug,
    });
    const connections: ConnectionSwitch = closing(
      createConnectionSwitch({
        host,
        settings,
        present,
        open: ({ connection, redirectUri }) =>
          openConnectionServices({
            host,
            connection,
            redirectUri,
            settings: settings.get(),
            needsOf: (key) => rememberNeeds(settings, key, notice),
            storageMemory: rememberStorage(settings, connectionIdOf(connection), notice),
            dispatcher,
            uploadDispatcher,
            deadlines,
            probes,
            engine,
            cache,
            outboxStore,
            watchedStore,
            watching,
            officeHours: engine.officeHours,
            certainAssignments: (of, folders, signal) =>
              certainAssignments({ worker: host.draftWorker, cache, rules, onBug }, of, folders, signal),
            state,
            isPresent: (session) => present.get()?.session === session,
            resumeUploads,
            onSession: (status) =>
              log.write('session', {
                session: status.state,
                code: status.state === 'signed-out' ? status.reason?.code : undefined,
              }),
            onNotice: notice,
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
          }),
        onChange: state.connectionChanged,
        onNotice: notice,
      }),
      (opened) => opened.close(),
    );
    for (const damage of [engine.damage, outboxStore.damage, outboxStore.leftOut, watchedStore.damage])
      if (damage) notice(damage);
    await connections.restore();
    if (resumeUploads) automaticReceipts.see(present.get()?.uploads.present() ?? []);
    const { node } = process.versions;
    log.write('opened', { version: host.version, node, platform: `${process.platform} ${process.arch}` });

    const { adopt, adoptPaths, sourceOf } = createFolders();
    const rulesOf = (wanted: WantedRules): UploadRules => uploadRules(wanted, settings, new Date());
    const drafts = closing(
      createDrafts({
        worker: host.draftWorker,
        lists: join(home, 'reviewed'),
        cache,
        rules,
        sourceOf,
        uploadRules: rulesOf,
        connected: connections.connected,
        onChange: state.draftChanged,
        onNotice: notice,
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
      connected: connections.connected,
      dispatcher,
      uncheckedTls: ways.uncheckedTls,
      ways: () => ({ routing, trust: createTrust(trustFiles()) }),
      log,
    });
    const handlers = logRefusals(
      createHandlers({
        state,
        cache,
        settings,
        host,
        connections,
        drafts,
        fileSearch,
        rules,
        receipts,
        updates,
        ways,
        doctor,
        checkAddresses: (addresses) => checkAddresses(addresses, dispatcher),
        adopt,
        pickFolder: async () => {
          const path = await host.pickFolder();
          return path === undefined ? undefined : adopt({ root: path });
        },
        sourceOf,
      }),
      log.write,
    );
    const { connected, remember: rememberConnection } = connections;
    return {
      handlers,
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
