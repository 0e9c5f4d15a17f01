/** The calls of the contract, answered by the services of the present connection. */

import { join } from 'node:path';
import type { Handlers } from '../../../contract/calls.ts';
import type { Connection, ConnectionCheck } from '../../../contract/connection.ts';
import { DeskError } from '../../../contract/errors.ts';
import {
  type FileAction,
  type FileMenuTarget,
  FileQuery,
  type FoundFile,
  type SentBefore,
} from '../../../contract/files.ts';
import type { RemovableFile } from '../../../contract/offline.ts';
import { type AssignmentFiles, assignmentName } from '../../../contract/resources.ts';
import { LONGEST_SEARCH } from '../../../contract/search.ts';
import { sheetFormat } from '../../../contract/text.ts';
import type { Batch } from '../../../contract/uploads.ts';
import type { Folder } from '../../../contract/watched-folders.ts';
import { createFormats } from '../../../words/formats.ts';
import type { Cache } from '../../cache/cache.ts';
import { orMissing, pointsWith } from '../../cache/reader.ts';
import { writeCsv } from '../../data/csv.ts';
import { userFile } from '../../data/user-file.ts';
import { plainWords } from '../../matching/names.ts';
import { readAuthorities } from '../../net/trust.ts';
import { changePreferences, readPreferences, rememberView } from '../../settings/preferences.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import type { Updates } from '../../updates/updates.ts';
import type { RemoteUploads } from '../../uploads/engine/start-engine.ts';
import type { FileSearch } from '../../uploads/find/start-search.ts';
import type { FilePlace } from '../../uploads/source/open-file.ts';
import type { Source } from '../../uploads/source/scan.ts';
import type { ConnectionServices } from '../connection/connection-services.ts';
import type { ConnectionSwitch } from '../connection/connection-switch.ts';
import type { Ways } from '../connection/ways.ts';
import type { Doctor } from '../doctor/doctor.ts';
import type { Drafts } from '../drafts/drafts.ts';
import { isDocument } from '../drafts/folder-tree.ts';
import { sourceName } from '../drafts/folders.ts';
import type { RuleStore } from '../drafts/rule-store.ts';
import type { Host } from '../host.ts';
import type { ReceiptOrder, Receipts } from '../receipts/receipts.ts';
import type { State } from '../state/state.ts';

/** One handler a call. Those that need a connection throw what `ConnectionSwitch.connected` throws without one. */
export const createHandlers = (parts: HandlerParts): Handlers => {
  const { state, cache, connections } = parts;
  const files = createFileHandlers(parts);
  const { connected } = connections;
  const changeBatch = async (change: (uploads: RemoteUploads) => Promise<Batch>): Promise<Batch> => {
    const { uploads, titled } = connected();
    return titled(await change(uploads));
  };
  const listTurns = createNamedTurns();
  const nextVerify = createTurns();
  const nextDoctor = createTurns();
  return {
    ...createOfflineHandlers(parts),
    drafts: parts.drafts.calls,
    network: createNetworkHandlers(parts),
    files: { ...createFindHandlers(parts), ...createRemovalHandlers(connections), menu: createFileMenu(parts) },
    rules: createRuleHandlers(parts),
    app: {
      snapshot: () => state.snapshot(),
      dismissNotices: () => state.dismissNotices(),
      tryNow: () => {
        parts.ways.passwords.askAgain();
        connected().tryNow();
      },
      openLogs: () => files.openLogs(),
    },
    connection: {
      set: (connection) => connections.set(connection),
      check: (addresses) => parts.checkAddresses(addresses),
      useSample: () => connections.useSample(),
    },
    session: {
      signIn: () => connected().session.signIn(),
      cancelSignIn: () => connected().session.cancelSignIn(),
      openAgain: () => connected().session.openAgain(),
      copyAddress: async () => {
        const address = connected().session.signInAddress();
        if (!parts.host.copyText) throw new DeskError('app/unsupported', 'there is no clipboard here');
        await parts.host.copyText(address);
      },
      signOut: async ({ eraseCache: wanted } = { eraseCache: false }) => {
        const erase = wanted || parts.settings.get().signOut.erases === 'offline-data';
        const leaving = connected();
        await leaving.offlineWalk.pause();
        await leaving.session.signOut();
        if (erase) await eraseCache(parts, leaving);
      },
    },
    protocols: {
      list: ({ offline, turn, ...query }) =>
        listTurns(turn, (signal) => connected().reader.protocols(query, { offline, signal })),
      assignments: ({ InspectionProtocolId, offline }) =>
        connected().reader.assignments(InspectionProtocolId, { offline }),
      inspectionPoints: async ({ InspectionProtocolId, text = '', offline }) => {
        const read = await connected().reader.inspectionPoints(InspectionProtocolId, { offline });
        return { ...read, value: pointsWith(read.value, text) };
      },
      table: (query) => {
        const { connectionId } = connected();
        const { timeBase } = readPreferences(parts.settings);
        return {
          ...cache.table(connectionId, query, timeBase),
          unreadable: cache.pass(connectionId).unreadable,
        };
      },
      get: ({ InspectionProtocolId }) => orMissing(cache.protocol(connected().connectionId, InspectionProtocolId)),
    },
    assignments: {
      projects: ({ County, offline }) => connected().reader.projects(County, { offline }),
      counties: () => cache.counties(connected().connectionId),
      get: ({ AssignmentId }) => orMissing(cache.assignment(connected().connectionId, AssignmentId)),
      planAfter: async (input) => {
        const answer = await connected().outbox.planAfter(input);
        return { AssignmentId: input.AssignmentId, PlanAfter: input.PlanAfter ?? 0, ...answer, waiting: !answer };
      },
      knownFiles: ({ AssignmentId }) => connected().uploads.knownFiles(AssignmentId),
      removeFile: async (input) => {
        const { uploads, outbox } = connected();
        const removed = await outbox.removeFile(input);
        return { ...(removed?.left ?? (await knownLeft(uploads, input.AssignmentId))), waiting: !removed };
      },
    },
    orderableEvents: {
      list: ({ offline }) => connected().reader.orderableEvents({ offline }),
    },
    export: {
      csv: (table) => files.exportCsv(table),
    },
    folders: {
      pick: () => parts.pickFolder(),
    },
    watchedFolders: createWatchedHandlers(parts),
    doctor: {
      run: () => parts.doctor.run(nextDoctor()),
      cancel: () => void nextDoctor(),
      saveBundle: () => files.saveDoctorBundle(),
    },
    receipts: {
      save: (order) => files.saveReceipts(order),
      open: ({ savedId }) => files.openReceipts(savedId),
      show: ({ savedId }) => files.showReceipts(savedId),
    },
    updates: {
      check: () => parts.updates.checkNow(),
      install: () => parts.updates.restart(),
    },
    uploads: {
      files: ({ batchId, ...filter }) => connected().uploads.files(batchId, filter),
      pause: ({ batchId }) => changeBatch((uploads) => uploads.pause(batchId)),
      resume: ({ batchId }) => changeBatch((uploads) => uploads.resume(batchId)),
      cancel: ({ batchId }) => changeBatch((uploads) => uploads.cancel(batchId)),
      retryFailed: ({ batchId }) => changeBatch((uploads) => uploads.retryFailed(batchId)),
      pauseAll: ({ uploadId }) => connected().uploads.pauseAll(uploadId),
      resumeAll: ({ uploadId }) => connected().uploads.resumeAll(uploadId),
      cancelAll: ({ uploadId }) => connected().uploads.cancelAll(uploadId),
      retryAllFailed: ({ uploadId }) => connected().uploads.retryAllFailed(uploadId),
      addLater: ({ batchId }) => changeBatch((uploads) => uploads.addLater(batchId)),
      addAllLater: ({ uploadId }) => connected().uploads.addAllLater(uploadId),
      retryFiles: ({ batchId, ids }) => changeBatch((uploads) => uploads.retryFiles(batchId, ids)),
      errorGroups: ({ batchId }) => connected().uploads.errorGroups(batchId),
      verify: ({ batchId, after }) => connected().uploads.verify(batchId, after, nextVerify()),
      cancelVerify: () => void nextVerify(),
      reveal: ({ batchId }) => files.reveal(batchId),
    },
  };
};

// The calls about proxies and certificate authorities.

const createNetworkHandlers = ({ host, settings, state, ways, connections }: HandlerParts): Handlers['network'] => {
  const setCaFile = (caFile: string | undefined): void => {
    const { network } = readPreferences(settings);
    settings.update({ network: { proxy: network.proxy, ...(caFile !== undefined && { caFile }) } });
    state.preferencesChanged();
  };

  /** Tries again what was not tried without the password. */
  const goOn = async (): Promise<void> => {
    const { uploads, tryNow } = connections.connected();
    tryNow();
    const waiting = uploads.present().filter(({ state: at, reason }) => at === 'paused' && isForPassword(reason?.code));
    await Promise.all(waiting.map(({ batchId }) => uploads.resume(batchId)));
  };

  return {
    enterProxyPassword: async ({ proxy, user, password }) => {
      state.proxyPasswordWanted(undefined);
      await ways.passwords.enter(proxy, { user, password }).catch((error: unknown) => {
        // It works until the app is closed.
        if (!(error instanceof DeskError)) throw error;
        state.notice(error);
      });
      if (state.snapshot().connection) await goOn();
    },
    dismissProxyPassword: () => {
      ways.passwords.dismiss();
      state.proxyPasswordWanted(undefined);
    },
    pickCaFile: async () => {
      if (!host.pickCaFile) throw new DeskError('app/unsupported', 'there is no file picker here');
      const path = await host.pickCaFile();
      if (path === undefined) return;
      await readAuthorities(path);
      setCaFile(path);
    },
    forgetCaFile: () => setCaFile(undefined),
  };
};

const isForPassword = (code: string | undefined): boolean => code?.startsWith('network/proxy-password') ?? false;

// The calls of the contract that are answered locally, from the cache, the outbox and the settings.

type LocalGroups = 'search' | 'overview' | 'offline' | 'cache' | 'outbox' | 'preferences' | 'view';

/** The handlers of the groups that do not need the service. */
const createOfflineHandlers = (parts: HandlerParts): Pick<Handlers, LocalGroups> => {
  const { cache, settings, state } = parts;
  const { connected } = parts.connections;
  return {
    search: {
      find: ({ text, limit }) => cache.find(connected().connectionId, text, limit),
      protocols: ({ text, ...window }) => cache.findProtocols(connected().connectionId, text, window),
      assignments: ({ text, ...window }) => cache.findAssignments(connected().connectionId, text, window),
    },
    overview: {
      read: () => cache.overview(connected().connectionId, readPreferences(settings).timeBase),
    },
    offline: {
      start: () => connected().offlineWalk.start(),
      pause: () => connected().offlineWalk.pause(),
    },
    cache: {
      size: () => ({ sizeBytes: cache.sizeBytes() }),
      clear: () => eraseCache(parts, connected()),
    },
    outbox: {
      revoke: ({ id }) => connected().outbox.revoke(id),
      retry: ({ id }) => connected().outbox.retry(id),
      send: () => connected().outbox.send(),
    },
    preferences: {
      set: (patch) => {
        const preferences = changePreferences(settings, patch);
        state.preferencesChanged();
        return preferences;
      },
    },
    view: {
      remember: ({ key, value }) => rememberView(settings, key, value),
    },
  };
};

/** Clears the offline data of a connection, and first stops a run that would fill it again. */
export const eraseCache = async (
  { cache, state }: Pick<HandlerParts, 'cache' | 'state'>,
  { connectionId, offlineWalk }: ConnectionServices,
): Promise<void> => {
  await offlineWalk.pause();
  cache.clear(connectionId);
  state.offlineChanged(offlineWalk.status());
};

// The calls that remove several files from an assignment.

/** How many files of a folder are named. */
const MOST_NAMES = 5;
/** People choose from a list. */
const MOST_FOLDERS = 1000;

type RemovalHandlers = Pick<Handlers['files'], 'removable' | 'remove' | 'removal'>;

const createRemovalHandlers = ({ connected }: Pick<ConnectionSwitch, 'connected'>): RemovalHandlers => ({
  removable: async ({ batchId }) => {
    const folders = new Map<string, { files: number; bytes: number; names: string[] }>();
    for (const { path, FileName, sizeBytes } of await removableFiles(connected().uploads, batchId)) {
      for (const folder of foldersAbove(path)) {
        const found = folders.get(folder) ?? { files: 0, bytes: 0, names: [] };
        folders.set(folder, found);
        found.files += 1;
        found.bytes += sizeBytes;
        if (found.names.length < MOST_NAMES) found.names.push(FileName);
      }
    }
    const sorted = [...folders].toSorted(([a], [b]) => (a < b ? -1 : 1)).slice(0, MOST_FOLDERS);
    return sorted.map(([folder, found]) => ({ folder, ...found }));
  },
  remove: async (wanted) => {
    const { uploads, outbox } = connected();
    if ('Keys' in wanted) {
      const known = new Map((await uploads.knownFiles(wanted.AssignmentId)).map((file) => [file.Key, file]));
      const files = wanted.Keys.map((Key): RemovableFile => known.get(Key) ?? { Key, FileName: Key });
      return outbox.removeFiles(wanted.AssignmentId, files);
    }
    const { AssignmentId } = await uploads.get(wanted.batchId);
    return outbox.removeFiles(AssignmentId, await removableFiles(uploads, wanted.batchId, wanted.folder));
  },
  removal: ({ id, ...window }) => connected().outbox.removal(id, window),
});

type Removable = Awaited<ReturnType<RemoteUploads['removable']>>['files'][number];

/** The uploaded files of a batch that are still known to be on its assignment: all, or those in a folder of it and below. */
export const removableFiles = async (
  uploads: Pick<RemoteUploads, 'removable'>,
  batch: string,
  folder = '',
): Promise<readonly Removable[]> => {
  const files: Removable[] = [];
  for (let afterId: number | undefined = 0; afterId !== undefined; ) {
    const page: Awaited<ReturnType<RemoteUploads['removable']>> = await uploads.removable(batch, afterId);
    files.push(...page.files.filter(({ path }) => foldersAbove(path).includes(folder)));
    afterId = page.lastId;
  }
  return files;
};

/** All folders above a path, from the chosen one (`''`) down. */
const foldersAbove = (path: string): readonly string[] => {
  const names = path.split('/').slice(0, -1);
  return ['', ...names.map((_, index) => names.slice(0, index + 1).join('/'))];
};

/** The files known to be on an assignment, in the shape of the service's answer. */
export const knownLeft = async (uploads: RemoteUploads, assignmentId: string): Promise<AssignmentFiles> => ({
  AssignmentId: assignmentId,
  FacilityId: '',
  Files: (await uploads.knownFiles(assignmentId)).map(({ Key, FileName, UploadedBy }) => ({
    Key,
    FileName,
    UploadedBy,
  })),
});

// The calls of the contract that show and change the matching rules.

const createRuleHandlers = ({ rules, cache, connections }: HandlerParts): Handlers['rules'] => {
  const connectionId = (): string => connections.connected().connectionId;
  return {
    list: ({ text = '', offset, limit }) => {
      const words = plainWords(text);
      const known = rules.list(connectionId()).map(({ nameKey: _, parent: __, ...rule }) => {
        const assignment = cache.assignment(connectionId(), rule.AssignmentId)?.assignment;
        return { ...rule, ...(assignment && { assignment }) };
      });
      const found = known.filter(({ name, assignment }) => {
        const folded = plainWords(`${name} ${assignment ? assignmentName(assignment) : ''}`).join(' ');
        return words.every((word) => folded.includes(word));
      });
      return { rules: found.slice(offset, offset + limit), total: found.length };
    },
    set: (change) => {
      // A rule for an assignment that nobody knows would match nothing, and nothing would say so.
      if (!cache.assignment(connectionId(), change.AssignmentId))
        throw new DeskError('input/invalid', 'there is no such assignment', { details: { field: 'AssignmentId' } });
      if (rules.set(connectionId(), change)) return connections.connected().watchedFolders.matchAgain();
      throw new DeskError('input/invalid', 'there is no such rule', { details: { field: 'ruleId' } });
    },
    remove: ({ ruleIds }) => rules.remove(connectionId(), ruleIds),
    clear: () => rules.clear(connectionId()),
  };
};

// The calls about watched folders.

/** Errors of all: those of `ConnectionSwitch.connected` without a connection. */
const createWatchedHandlers = ({
  connections,
  sourceOf,
  adopt,
}: Pick<HandlerParts, 'connections' | 'sourceOf' | 'adopt'>): Handlers['watchedFolders'] => {
  const watched = () => connections.connected().watchedFolders;
  return {
    add: ({ folderId, rules, existing }) => {
      const { root, only } = sourceOf(folderId);
      if (only) throw new DeskError('upload/not-a-folder', 'files cannot be watched');
      return watched().add({ root, existing, ...rules });
    },
    change: ({ watchedId, rules }) => watched().change(watchedId, rules),
    remove: ({ watchedId }) => watched().remove(watchedId),
    uploadNow: ({ watchedId }) => watched().uploadNow(watchedId),
    toMatch: ({ watchedId }) => watched().toMatch(watchedId).map(adopt),
  };
};

// What the handlers depend on.

export type HandlerParts = {
  readonly state: State;
  readonly cache: Cache;
  readonly settings: SettingsStore;
  readonly host: Host;
  readonly connections: ConnectionSwitch;
  readonly drafts: Drafts;
  readonly fileSearch: FileSearch;
  readonly rules: RuleStore;
  readonly receipts: Receipts;
  readonly ways: Ways;
  readonly doctor: Doctor;
  readonly updates: Updates;
  readonly checkAddresses: (addresses: Pick<Connection, 'baseUrl' | 'authUrl'>) => Promise<ConnectionCheck>;
  /** Assigns an opaque id to a source. */
  readonly adopt: (source: Source) => Folder;
  readonly pickFolder: () => Promise<Folder | undefined>;
  /** The source with an opaque id. Throws `input/invalid` for an unknown id. */
  readonly sourceOf: (folderId: string) => Source;
};

// The handlers of what is found: searches, files and what can be done with one.

// The calls that find files of all uploads.

/** The most files that are read at once, and listed for each of them. */
const MOST_DROPPED = 20;
/** A name may begin many others. */
const MOST_NAMED = 1000;

type FindHandlers = Pick<Handlers['files'], 'find' | 'sentBefore' | 'cancelSentBefore'>;

/** Finding files, by what people remember of them or by the file itself. */
export const createFindHandlers = ({ cache, connections, fileSearch, sourceOf }: HandlerParts): FindHandlers => {
  const nextDropped = createTurns();

  const find = async ({ complete, ...query }: Parameters<Handlers['files']['find']>[0], signal?: AbortSignal) => {
    const { connectionId } = connections.connected();
    const found = await fileSearch.find(connectionId, query, { complete, ...(signal && { signal }) });
    const titles = new Map<string, string | undefined>();
    const titleOf = (AssignmentId: string): string | undefined => {
      if (!titles.has(AssignmentId)) {
        const known = cache.assignment(connectionId, AssignmentId);
        titles.set(AssignmentId, known && assignmentName(known.assignment));
      }
      return titles.get(AssignmentId);
    };
    const titled = (file: FoundFile): FoundFile => {
      const title = titleOf(file.AssignmentId);
      return title === undefined ? file : { ...file, title };
    };
    return { ...found, files: found.files.map(titled) };
  };
  const all = async (query: Partial<FileQuery>, signal: AbortSignal): Promise<readonly FoundFile[]> =>
    (await find({ ...FileQuery.parse(query), complete: true }, signal)).files;

  const sentFile = async (root: string, name: string, signal: AbortSignal): Promise<SentBefore> => {
    const { sizeBytes, sha256 } = await connections.connected().uploads.contentOf(join(root, name), signal);
    const same = await all({ sha256, limit: MOST_DROPPED }, signal);
    const named = await all({ text: name.slice(0, LONGEST_SEARCH), limit: MOST_NAMED }, signal);
    const alike = named.filter(
      (file) => file.sha256 !== sha256 && (file.FileName === name || file.path.split('/').at(-1) === name),
    );
    return { name, sizeBytes, sha256, same, alike: alike.slice(0, MOST_DROPPED) };
  };

  return {
    find: (query) => find(query),
    sentBefore: async ({ folderIds }) => {
      const signal = nextDropped();
      const answers: SentBefore[] = [];
      for (const source of folderIds.map(sourceOf)) {
        if (source.only === undefined) {
          const name = sourceName(source);
          answers.push({ name, same: [], alike: await all({ text: name, limit: MOST_DROPPED }, signal) });
        }
        for (const name of source.only ?? []) {
          if (answers.length < MOST_DROPPED) answers.push(await sentFile(source.root, name, signal));
        }
      }
      return answers;
    },
    cancelSentBefore: () => void nextDropped(),
  };
};

// The calls of the contract that save a file, or show one in its folder.

const unsupported = (): DeskError => new DeskError('app/unsupported', 'this host has no such dialog');

/** Errors: `app/unsupported` if the host has no such dialog; `data/unwritable` if a file cannot be saved; those of `userFile`. */
export const createFileHandlers = ({
  host,
  settings,
  connections,
  receipts,
  doctor,
}: Pick<HandlerParts, 'host' | 'settings' | 'connections' | 'receipts' | 'doctor'>) => {
  const save = async (
    name: string,
    extensions: readonly [string, ...string[]],
    write: (path: string) => Promise<void>,
  ) => {
    if (!host.pickSavePath) throw unsupported();
    const path = await host.pickSavePath(`${name}.${extensions[0]}`, extensions);
    if (path === undefined) return undefined;
    // Where a host hands files over, their paths are its own.
    await write(host.handOver ? path : await userFile(path, host.home));
    return { path: (await host.handOver?.(path)) ?? path };
  };
  const show = (path: string): void => {
    if (!host.showInFolder) throw unsupported();
    host.showInFolder(path);
  };

  return {
    openLogs: () => show(join(host.home, 'logs', 'inspection-desk.log')),
    exportCsv: ({ name, ...table }: Parameters<typeof writeCsv>[1] & { readonly name: string }) => {
      const { number } = createFormats({ ...readPreferences(settings), systemLocale: host.locale });
      return save(safeName(name), ['csv'], (path) => writeCsv(path, table, sheetFormat(number)));
    },
    saveDoctorBundle: () => save('inspection-desk-doctor', ['zip'], doctor.saveBundle),
    saveReceipts: ({ beside, ...order }: ReceiptOrder & { readonly beside: boolean }) =>
      beside ? receipts.saveBeside(order) : receipts.saveAsked(order),
    showReceipts: (savedId: string) => show(receipts.pathOf(savedId)),
    openReceipts: async (savedId: string) => {
      if (!host.openFile) throw unsupported();
      await host.openFile(receipts.pathOf(savedId));
    },
    reveal: async (batch: string) => show((await connections.connected().uploads.get(batch)).root),
  };
};

/** A name that is valid on every file system. */
const safeName = (name: string): string => name.replaceAll(/[\p{Cc}<>:"/\\|?*]/gu, ' ').trim() || 'export';

// The menu of a file or folder on this computer.

/** The window names what it means by its id; paths stay here. A file or folder is looked for once an action was chosen. */
export const createFileMenu = ({
  host: { chooseFileAction, openFile, showInFolder },
  connections: { connected },
  drafts,
}: Pick<HandlerParts, 'host' | 'connections' | 'drafts'>): Handlers['files']['menu'] => {
  const placeOf = async (of: FileMenuTarget): Promise<FilePlace> => {
    if ('batchId' in of) return connected().uploads.placeOf(of.batchId, of.fileId);
    const root = 'rowId' in of ? await drafts.ask('folderOf', of) : watchedPath(of.watchedId);
    if (root === undefined) throw new DeskError('input/invalid', 'there is no such folder');
    return { root };
  };
  const watchedPath = (id: number): string => {
    const folder = connected()
      .watchedFolders.list()
      .find(({ watchedId }) => watchedId === id);
    if (folder) return folder.path;
    throw new DeskError('watch/unknown', 'there is no such watched folder', { details: { watchedId: id } });
  };
  return async ({ of, at }) => {
    if (!chooseFileAction || !openFile || !showInFolder)
      throw new DeskError('app/unsupported', 'this host has no menus for files');
    const place = await placeOf(of);
    const canOpen = place.path !== undefined && isDocument(place.path);
    const actions: readonly FileAction[] = canOpen ? ['open', 'showInFolder'] : ['showInFolder'];
    const action = await chooseFileAction(actions, at);
    if (action === undefined) return;
    const path = await connected().uploads.locate(place);
    if (action === 'open' && canOpen) await openFile(path);
    else showInFolder(path);
  };
};

/** One at a time: each turn aborts the one before it. */
export const createTurns = (): (() => AbortSignal) => {
  let turn = new AbortController();
  return () => {
    turn.abort(new DeskError('app/cancelled', 'another one has begun'));
    turn = new AbortController();
    return turn.signal;
  };
};

/** Turns of several names, each one at a time. A name is forgotten once `work` has ended. */
export const createNamedTurns = () => {
  const current = new Map<string, AbortController>();
  return async <T>(name: string | undefined, work: (signal?: AbortSignal) => Promise<T>): Promise<T> => {
    if (name === undefined) return work();
    current.get(name)?.abort(new DeskError('app/cancelled', 'another one has begun'));
    const turn = new AbortController();
    current.set(name, turn);
    try {
      return await work(turn.signal);
    } finally {
      if (current.get(name) === turn) current.delete(name);
    }
  };
};
