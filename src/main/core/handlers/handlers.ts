import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { keyBy } from 'es-toolkit/array/keyBy';
import { identity } from 'es-toolkit/function/identity';
import { mapValues } from 'es-toolkit/object/mapValues';
import { attempt } from 'es-toolkit/util/attempt';
import { z } from 'zod';
import { callsByName, functionOf, type Handlers, mapCalls } from '../../../contract/calls.ts';
import type { MatchingRule } from '../../../contract/drafts.ts';
import { DeskError, type Envelope, type ErrorCode, onDeskError, toErrorData } from '../../../contract/errors.ts';
import {
  type FileAction,
  type FileMenuTarget,
  FileQuery,
  type FoundFile,
  type SentBefore,
} from '../../../contract/files.ts';
import type { RemovableFile } from '../../../contract/offline.ts';
import { sheetFormat } from '../../../contract/text.ts';
import { type Batch, canReschedule, canSendFirst, type UploadStep, uploadSteps } from '../../../contract/uploads.ts';
import { createFormats } from '../../../words/formats.ts';
import { wallNow } from '../../async/clock.ts';
import type { Cache } from '../../cache/cache.ts';
import { orMissing } from '../../cache/reader.ts';
import { itemsOf, type List, withItems } from '../../cache/responses.ts';
import type { WorkContext } from '../../cache/work-list.ts';
import { isOutage } from '../../net/translate.ts';
import { readAuthorities } from '../../net/trust.ts';
import { changePreferences, readPreferences, rememberView } from '../../settings/preferences.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import type { Updates } from '../../updates/updates.ts';
import type { RemoteUploads } from '../../uploads/engine/start-engine.ts';
import type { FileSearch } from '../../uploads/find/start-search.ts';
import type { FilePlace } from '../../uploads/source/open-file.ts';
import { folderName } from '../../uploads/source/paths.ts';
import type { Source } from '../../uploads/source/scan.ts';
import { checkAddresses } from '../connection/check-addresses.ts';
import type { ConnectionSwitch } from '../connection/connections.ts';
import type { Dispatchers } from '../connection/dispatchers.ts';
import type { Doctor } from '../doctor/doctor.ts';
import type { Drafts, Folders } from '../drafts/drafts.ts';
import { isDocument } from '../drafts/folder-tree.ts';
import type { RuleStore } from '../drafts/rules.ts';
import { uploadRules } from '../drafts/upload-rules.ts';
import type { Host } from '../host.ts';
import type { Log, WriteLog } from '../log/log.ts';
import type { createLetterhead } from '../receipts/letterhead.ts';
import type { Receipts } from '../receipts/receipts.ts';
import { type createVerifications, sourcesToSend } from '../receipts/verifications.ts';
import type { State } from '../state/state.ts';
import { compareFolder } from './compare-folder.ts';
import { createExports, type Save } from './exports.ts';

type Parts = {
  readonly host: Host;
  readonly settings: SettingsStore;
  readonly state: State;
  readonly cache: Cache;
  readonly rules: RuleStore;
  readonly dispatchers: Dispatchers;
  readonly connections: ConnectionSwitch;
  readonly folders: Folders;
  readonly drafts: Drafts;
  readonly fileSearch: FileSearch;
  readonly receipts: Receipts;
  readonly letterhead: ReturnType<typeof createLetterhead>;
  readonly verifications: ReturnType<typeof createVerifications>;
  readonly doctor: Doctor;
  readonly updates: Updates;
  readonly log: Log;
};

/**
 * Creates a handler for each call of the contract. A call that needs a connection also throws the errors of
 * `ConnectionSwitch.connected`. A call that needs a function which the host lacks throws `app/unsupported`, unless the
 * contract says what happens without the function. The handlers log their errors (`logRefusals`).
 */
export const createHandlers = (parts: Parts): Handlers =>
  logRefusals(
    {
      ...createAppHandlers(parts),
      ...createDataHandlers(parts),
      ...createUploadHandlers(parts),
      files: { ...createFindHandlers(parts), ...createRemovalHandlers(parts), menu: createFileMenu(parts) },
      drafts: parts.drafts.calls,
      network: createNetworkHandlers(parts),
      rules: createRuleHandlers(parts),
      watchedFolders: createWatchedHandlers(parts),
    },
    parts.log.write,
  );

const required = <Part>(part: Part | undefined): Part => {
  if (part === undefined) throw new DeskError('app/unsupported', 'this host has no such dialog or window');
  return part;
};

type AppGroups = 'app' | 'connection' | 'session' | 'preferences' | 'view' | 'updates' | 'doctor' | 'export';

const createAppHandlers = (parts: Parts): Pick<Handlers, AppGroups> => {
  const { host, settings, state, connections, dispatchers, doctor, updates, folders } = parts;
  const { connected } = connections;
  const save: Save = async (name, extensions, write) => {
    const path = await required(host.pickSavePath)(`${name}.${extensions[0]}`, extensions);
    if (path === undefined) return undefined;
    await write(await folders.fileToWrite(path));
    return { path: (await host.handOver?.(path)) ?? path };
  };
  return {
    app: {
      snapshot: () => state.snapshot(),
      dismissNotices: () => state.dismissNotices(),
      tryNow: () => {
        dispatchers.passwords.askAgain();
        connected().tryNow();
      },
      openLogs: () => required(host.showInFolder)(join(host.home, 'logs', 'inspection-desk.log')),
    },
    connection: {
      set: (connection) => connections.set(connection),
      check: (addresses) => checkAddresses(addresses, dispatchers.dispatcher),
      useSample: () => connections.useSample(),
      leaveSample: () => connections.leaveSample(),
    },
    session: {
      signIn: () => connected().session.signIn(),
      cancelSignIn: () => connected().session.cancelSignIn(),
      openAgain: () => connected().session.openAgain(),
      copyAddress: () => {
        const address = connected().session.signInAddress();
        return required(host.copyText)(address);
      },
      signOut: async ({ eraseCache: wanted } = { eraseCache: false }) => {
        const erase = wanted || settings.get().signOut.erases === 'offline-data';
        const leaving = connected();
        await leaving.offlineWalk.pause();
        // The offline data is cleared even if the tokens cannot be removed, and before the keychain responds, which can
        // take a minute.
        await Promise.all([leaving.session.signOut(), erase && leaving.eraseOfflineData()]);
      },
    },
    preferences: {
      set: (patch) => {
        changePreferences(settings, patch);
        state.preferencesChanged();
      },
    },
    view: {
      remember: ({ key, value }) => rememberView(settings, key, value),
    },
    updates: {
      check: () => updates.checkNow(),
      install: () => updates.restart(),
    },
    doctor: {
      run: (_, signal = NEVER) => doctor.run(signal),
      saveBundle: (content) => save('inspection-desk-doctor', ['zip'], (path) => doctor.saveBundle(path, content)),
    },
    export: createExports(save, () => {
      const { number } = createFormats({ ...readPreferences(settings), systemLocale: host.locale });
      return sheetFormat(number);
    }),
  };
};

type DataGroups = 'protocols' | 'assignments' | 'orderableEvents' | 'search' | 'offline' | 'cache' | 'outbox';

const createDataHandlers = (parts: Parts): Pick<Handlers, DataGroups> => {
  const { cache, settings } = parts;
  const { connected } = parts.connections;
  const context = (): WorkContext => ({
    batches: connected().uploads.present(),
    changes: connected().outbox.list(),
    timeBase: readPreferences(settings).timeBase,
    nowMs: wallNow(),
  });
  return {
    protocols: {
      list: ({ offline, ...query }, signal) => connected().reader.protocols(query, { offline, signal }),
      assignments: ({ InspectionProtocolId, offline }) =>
        connected().reader.assignments(InspectionProtocolId, { offline }),
      inspectionPoints: ({ InspectionProtocolId, offline }) =>
        connected().reader.inspectionPoints(InspectionProtocolId, { offline }),
      table: (query) => cache.protocolTable(connected().connectionId, query, readPreferences(settings).timeBase),
      get: ({ InspectionProtocolId }) => orMissing(cache.protocol(connected().connectionId, InspectionProtocolId)),
    },
    assignments: {
      table: (query) => cache.assignmentTable(connected().connectionId, query, context()),
      workList: (query) => cache.workList(connected().connectionId, query, context()),
      values: () => cache.assignmentValues(connected().connectionId, context()),
      projects: ({ County, offline }) => connected().reader.projects(County, { offline }),
      counties: () => cache.counties(connected().connectionId),
      get: ({ AssignmentId }) => orMissing(cache.assignment(connected().connectionId, AssignmentId)),
      timeUnit: () => {
        const { timeBase } = readPreferences(settings);
        return timeBase === 'auto' ? cache.timeUnit(connected().connectionId) : timeBase;
      },
      planAfter: async (input) => {
        const response = await connected().outbox.planAfter(input);
        const { AssignmentId, PlanAfter = 0 } = input;
        return { AssignmentId, PlanAfter, ...response, waiting: !response };
      },
      knownFiles: async ({ AssignmentId }) => {
        const { uploads, outbox } = connected();
        const files = await uploads.knownFiles(AssignmentId);
        const leaving = outbox.leaving(AssignmentId);
        return files.map((file) => (leaving.has(file.Key) ? { ...file, isLeaving: true } : file));
      },
    },
    orderableEvents: {
      list: ({ offline }) => connected().reader.orderableEvents({ offline }),
    },
    search: {
      find: ({ text, limit }) => cache.find(connected().connectionId, text, limit),
      protocols: ({ text, ...window }) => cache.findProtocols(connected().connectionId, text, window),
      assignments: ({ text, ...window }) => cache.findAssignments(connected().connectionId, text, window),
    },
    offline: {
      start: () => connected().offlineWalk.start(),
      pause: () => connected().offlineWalk.pause(),
    },
    cache: {
      size: () => ({ sizeBytes: cache.sizeBytes() }),
      clear: () => connected().eraseOfflineData(),
    },
    outbox: {
      revoke: ({ id }) => connected().outbox.revoke(id),
      retry: ({ id }) => connected().outbox.retry(id),
      send: () => connected().outbox.send(),
    },
  };
};

const createUploadHandlers = (parts: Parts): Pick<Handlers, 'uploads' | 'receipts' | 'folders'> => {
  const { host, folders, receipts, letterhead, verifications, settings, state } = parts;
  const { connected } = parts.connections;
  const taking =
    (step: UploadStep): Handlers['uploads'][UploadStep] =>
    async (of) => {
      const { uploads } = connected();
      if ('uploadId' in of) await uploads.changeUpload(of.uploadId, step);
      else await uploads[step](of.batchId);
    };
  return {
    uploads: {
      files: ({ batchId, ...filter }) => connected().uploads.files(batchId, filter),
      ...mapValues(keyBy(uploadSteps, identity), taking),
      reschedule: async ({ of, schedule: wanted }) => {
        const { uploads, keepSchedules } = connected();
        const { schedule = { hours: [], overruled: false } } = uploadRules(
          { schedule: wanted },
          settings,
          new Date(wallNow()),
        );
        const isMeant = ({ batchId, uploadId }: Batch): boolean =>
          'uploadId' in of ? uploadId === of.uploadId : batchId === of.batchId;
        const waiting = uploads.present().filter((batch) => isMeant(batch) && canReschedule(batch));
        await Promise.all(waiting.map(({ batchId }) => uploads.setSchedule(batchId, schedule)));
        await keepSchedules();
      },
      retryFiles: async ({ batchId, ids }) => {
        await connected().uploads.retryFiles(batchId, ids);
      },
      errorGroups: ({ batchId }) => connected().uploads.errorGroups(batchId),
      verify: async ({ batchId, after }, signal = NEVER) => {
        const part = await connected().uploads.verify(batchId, after, signal);
        verifications.add(batchId, after, part, wallNow());
        return part;
      },
      reveal: async ({ batchId }) => {
        const { uploads } = connected();
        // `locate` fails if the folder is gone, which the system's file manager would not report.
        required(host.showInFolder)(await uploads.locate(await uploads.placeOf(batchId, undefined)));
      },
    },
    receipts: {
      save: ({ beside, ...order }) => (beside ? receipts.saveBeside(order) : receipts.saveAsked(order)),
      report: (order) => receipts.saveAsked(order),
      pickLogo: async () => {
        const path = await required(host.pickFile)(['png', 'jpg', 'jpeg']);
        if (path === undefined) return;
        await letterhead.adopt(path);
        state.preferencesChanged();
      },
      forgetLogo: async () => {
        await letterhead.forget();
        state.preferencesChanged();
      },
      logo: () => letterhead.logo(),
      open: async ({ savedId }) => required(host.openFile)(await folders.savedPath(savedId)),
      show: async ({ savedId }) => required(host.showInFolder)(await folders.savedPath(savedId)),
    },
    folders: {
      pick: async () => {
        const path = await host.pickFolder?.();
        return path === undefined ? undefined : folders.adopt({ root: path });
      },
      changed: async ({ batchIds }) => {
        const batches = await Promise.all(batchIds.map(connected().uploads.get));
        return batches.flatMap(({ batchId, root, AssignmentId }) =>
          sourcesToSend(root, verifications.of(batchId)?.toSend ?? []).map((source) =>
            folders.adopt({ ...source, AssignmentId }),
          ),
        );
      },
    },
  };
};

const createNetworkHandlers = ({ host, settings, state, dispatchers, connections }: Parts): Handlers['network'] => {
  const { passwords } = dispatchers;
  const setCaFile = (caFile: string | undefined): void => {
    const { network } = readPreferences(settings);
    settings.update({ network: { proxy: network.proxy, ...(caFile !== undefined && { caFile }) } });
    state.preferencesChanged();
  };
  const hidePassword = (): void => state.emit({ type: 'wantedPassword', value: undefined });

  /** Probes hosts, and resumes uploads that were paused because the proxy password was missing or wrong. */
  const retry = async (): Promise<void> => {
    const { uploads, tryNow } = connections.connected();
    tryNow();
    const isForPassword = (code: string | undefined): boolean => code?.startsWith('network/proxy-password') ?? false;
    const waiting = uploads.present().filter(({ state: at, reason }) => at === 'paused' && isForPassword(reason?.code));
    await Promise.all(waiting.map(({ batchId }) => uploads.resume(batchId, 'app')));
  };

  return {
    enterProxyPassword: async ({ proxy, ...login }) => {
      hidePassword();
      // A password that cannot be stored works until the app is closed.
      await passwords.enter(proxy, login).catch(onDeskError(state.notice));
      if (state.snapshot().connection) await retry();
    },
    dismissProxyPassword: () => {
      passwords.dismiss();
      hidePassword();
    },
    pickCaFile: async () => {
      const path = await required(host.pickFile)(['pem', 'crt', 'cer']);
      if (path === undefined) return;
      await readAuthorities(path);
      setCaFile(path);
    },
    forgetCaFile: () => setCaFile(undefined),
  };
};

const MOST_LISTED_RULES = 1_000;
/** The number of rules whose assignments are read at once, in only a few milliseconds. */
const TURN_RULES = 100;

const createRuleHandlers = ({ rules, cache, connections: { connected } }: Parts): Handlers['rules'] => ({
  list: async () => {
    const { connectionId } = connected();
    const found: MatchingRule[] = [];
    for (const rule of rules.list(connectionId, MOST_LISTED_RULES)) {
      if (found.length % TURN_RULES === 0) await setImmediate();
      const assignment = cache.assignment(connectionId, rule.AssignmentId)?.assignment;
      found.push({ ...rule, ...(assignment && { assignment }) });
    }
    return found;
  },
  set: (change) => {
    const { connectionId, watchedFolders } = connected();
    // A rule for an unknown assignment would match nothing, and the user would not notice.
    if (!cache.assignment(connectionId, change.AssignmentId))
      throw new DeskError('input/invalid', 'there is no such assignment', { details: { field: 'AssignmentId' } });
    if (rules.set(connectionId, change)) return watchedFolders.matchAgain();
    throw new DeskError('input/invalid', 'there is no such rule', { details: { field: 'ruleId' } });
  },
  remove: ({ ruleId }) => rules.remove(connected().connectionId, ruleId),
  clear: () => rules.clear(connected().connectionId),
});

const createWatchedHandlers = ({ connections, folders }: Parts): Handlers['watchedFolders'] => {
  const watched = () => connections.connected().watchedFolders;
  return {
    add: ({ folderId, rules, existing }) => {
      const { root, only } = folders.sourceOf(folderId);
      if (only) throw new DeskError('upload/not-a-folder', 'files cannot be watched');
      return watched().add({ root, existing, ...rules });
    },
    change: ({ watchedId, rules }) => watched().change(watchedId, rules),
    remove: ({ watchedId }) => watched().remove(watchedId),
    uploadNow: ({ watchedId }) => watched().uploadNow(watchedId),
    toMatch: ({ watchedId }) =>
      watched()
        .toMatch(watchedId)
        .map((source) => folders.adopt({ ...source, isJob: source.only === undefined })),
  };
};

const MOST_NAMES = 5;
const MOST_FOLDERS = 1000;

const createRemovalHandlers = ({
  connections: { connected },
}: Parts): Pick<Handlers['files'], 'removable' | 'remove' | 'removal'> => ({
  removable: async ({ batchIds }) => {
    const { uploads } = connected();
    const folders = new Map<string, { files: number; bytes: number; names: string[] }>();
    const add = ({ path, folder: chosen, FileName, sizeBytes }: RemovableFiles[number]): void => {
      for (const folder of foldersAbove(path)) {
        const sum = folders.get(folder) ?? { files: 0, bytes: 0, names: [] };
        folders.set(folder, sum);
        sum.files += 1;
        sum.bytes += sizeBytes;
        if (sum.names.length < MOST_NAMES) sum.names.push(`${chosen}/${FileName}`);
      }
    };
    for (const id of batchIds) for await (const files of removablePages(uploads, id)) files.forEach(add);
    const sorted = [...folders].toSorted(([a], [b]) => (a < b ? -1 : 1)).slice(0, MOST_FOLDERS);
    return sorted.map(([folder, sum]) => ({ folder, ...sum }));
  },
  remove: async (wanted) => {
    const { uploads, outbox } = connected();
    const parts = 'Keys' in wanted ? [wanted] : wanted.batchIds.map((batchId) => ({ batchId, folder: wanted.folder }));
    const removals = await Promise.all(parts.map((part) => filesToRemove(uploads, part)));
    const wholes = removals.filter(({ files }) => files.length > 0);
    if (wholes.length === 0) throw new DeskError('input/invalid', 'there is nothing to remove');
    for (const { AssignmentId, files } of wholes) outbox.removeFiles(AssignmentId, files);
  },
  removal: ({ id, ...window }) => connected().outbox.removal(id, window),
});

/**
 * The files to be removed: files of an assignment by their Keys, or the files of a batch in and below `folder`. Without
 * `folder`, or if it is empty: all files of the batch.
 */
export type RemovalWanted =
  | { readonly AssignmentId: string; readonly Keys: readonly string[] }
  | { readonly batchId: string; readonly folder?: string | undefined };

export const filesToRemove = async (
  uploads: Pick<RemoteUploads, 'get' | 'knownFiles' | 'removable'>,
  wanted: RemovalWanted,
): Promise<{ readonly AssignmentId: string; readonly files: readonly RemovableFile[] }> => {
  if ('batchId' in wanted) {
    const { AssignmentId } = await uploads.get(wanted.batchId);
    const { batchId, folder = '' } = wanted;
    const found: RemovableFiles[number][] = [];
    for await (const files of removablePages(uploads, batchId))
      found.push(...files.filter(({ path }) => foldersAbove(path).includes(folder)));
    return { AssignmentId, files: found };
  }
  const { AssignmentId, Keys } = wanted;
  const known = new Map((await uploads.knownFiles(AssignmentId)).map((file) => [file.Key, file]));
  return { AssignmentId, files: Keys.map((Key) => known.get(Key) ?? { Key, FileName: Key }) };
};

type RemovablePage = Awaited<ReturnType<RemoteUploads['removable']>>;
type RemovableFiles = RemovablePage['files'];

/**
 * Yields the uploaded files of a batch that are known to be on its assignment. Other work can run after each page,
 * because a batch may have hundreds of thousands of files.
 */
async function* removablePages(
  uploads: Pick<RemoteUploads, 'removable'>,
  batch: string,
): AsyncGenerator<RemovableFiles, void> {
  for (let afterId: number | undefined = 0; afterId !== undefined; ) {
    const page: RemovablePage = await uploads.removable(batch, afterId);
    yield page.files;
    afterId = page.lastId;
  }
}

/**
 * Returns the paths of the folders that contain a file, beginning with the chosen folder (empty). An archive counts as
 * a folder.
 */
const foldersAbove = (path: string): readonly string[] => [
  '',
  ...Array.from(path.matchAll(/(?<!\/)\//g), ({ index }) => path.slice(0, index)),
];

/** The maximum number of dropped files that are looked up one by one. More are compared like a folder. */
const MOST_DROPPED = 20;
/**
 * The maximum number of results of a search for a file name. Only exact matches are used, but the search also finds
 * names that merely begin with the text.
 */
const MOST_NAMED = 1000;

const createFindHandlers = ({
  connections: { connected },
  fileSearch,
  folders,
}: Parts): Pick<Handlers['files'], 'find' | 'sentBefore'> => {
  const find = async ({ complete, ...query }: Parameters<Handlers['files']['find']>[0], signal?: AbortSignal) => {
    const { connectionId, titled } = connected();
    const found = await fileSearch.find(connectionId, query, complete, signal);
    return { ...found, files: titled(found.files) };
  };
  const all = async (query: Partial<FileQuery>, signal: AbortSignal): Promise<readonly FoundFile[]> =>
    (await find({ ...FileQuery.parse(query), complete: true }, signal)).files;

  const sentFile = async (root: string, name: string, signal: AbortSignal): Promise<SentBefore> => {
    const { sizeBytes, sha256 } = await connected().uploads.contentOf(join(root, name), signal);
    const same = await all({ sha256, limit: MOST_DROPPED }, signal);
    const named = await all({ text: name, limit: MOST_NAMED }, signal);
    const alike = named.filter(
      (file) => file.sha256 !== sha256 && (file.FileName === name || file.path.split('/').at(-1) === name),
    );
    return { name, sizeBytes, sha256, same, alike: alike.slice(0, MOST_DROPPED) };
  };

  const sentFolder = async (source: Source, signal: AbortSignal): Promise<SentBefore> => {
    const { connectionId, uploads, titled } = connected();
    const comparison = {
      sent: (sizes: readonly number[]) => fileSearch.sent(connectionId, sizes),
      contentOf: (path: string) => uploads.contentOf(path, signal),
      titled,
    };
    return {
      name: folderName(source.root),
      folder: await compareFolder(source, comparison, signal),
      same: [],
      alike: [],
    };
  };

  return {
    find: (query) => find(query),
    sentBefore: async ({ folderIds }, signal = NEVER) => {
      const results: SentBefore[] = [];
      for (const source of folderIds.map(folders.sourceOf)) {
        const { root, only } = source;
        if (only === undefined || only.length > MOST_DROPPED) results.push(await sentFolder(source, signal));
        else for (const name of only) results.push(await sentFile(root, name, signal));
      }
      return results;
    },
  };
};

/**
 * Creates the handler of `files.menu`. It determines the absolute path of a file only when the user chooses to open or
 * show the file.
 */
const createFileMenu = ({ host, connections: { connected }, drafts }: Parts): Handlers['files']['menu'] => {
  const { chooseFileAction, openFile, showInFolder } = host;
  const placeOf = async (of: FileMenuTarget): Promise<FilePlace> => {
    if ('batchId' in of) return connected().uploads.placeOf(of.batchId, of.fileId);
    return 'rowId' in of ? drafts.inWorker().placeOf(of) : { root: watchedPath(of.watchedId) };
  };
  const watchedPath = (id: number): string => {
    const folder = connected()
      .watchedFolders.list()
      .find(({ watchedId }) => watchedId === id);
    if (folder) return folder.path;
    throw new DeskError('watch/unknown', 'there is no such watched folder', { details: { watchedId: id } });
  };
  /**
   * Returns a function that sends the file, or all files of its batch, before all other files. Returns undefined if the
   * target is not part of a batch, or if no file of the batch waits.
   */
  const firstOf = async (of: FileMenuTarget): Promise<(() => Promise<unknown>) | undefined> => {
    if (!('batchId' in of) || !canSendFirst(await connected().uploads.get(of.batchId))) return undefined;
    return () => connected().uploads.sendFirst(of.batchId, of.fileId === undefined ? undefined : [of.fileId]);
  };
  return async ({ of, at }) => {
    if (!chooseFileAction || !openFile || !showInFolder)
      throw new DeskError('app/unsupported', 'this host has no menus for files');
    const place = await placeOf(of);
    const canOpen = place.path !== undefined && isDocument(place.path);
    const sendFirst = await firstOf(of);
    const actions: readonly FileAction[] = [
      ...(canOpen ? (['open'] as const) : []),
      'showInFolder',
      ...(sendFirst ? (['sendFirst'] as const) : []),
    ];
    const action = await chooseFileAction(actions, at);
    if (action === undefined) return;
    if (action === 'sendFirst') {
      await sendFirst?.();
      return;
    }
    const path = await connected().uploads.locate(place);
    if (action === 'open' && canOpen) await openFile(path);
    else showInFolder(path);
  };
};

const NEVER = new AbortController().signal;

const CallId = z.uuid();

/**
 * Creates a dispatcher of calls by name (`group.method`). It never rejects. Input that does not parse is refused with
 * `input/invalid` and the field's path. The output is parsed as well, so that the main process returns only fields of
 * the contract. `onBug` receives every error that is not a `DeskError`.
 */
export const createDispatcher = (handlers: Handlers, onBug: (error: unknown) => void) => {
  const running = new Map<string, AbortController>();
  return {
    /**
     * Calls a handler. `given`: a UUID that can be passed to `cancel`. With any other value, the call cannot be
     * cancelled.
     */
    dispatch: async (name: string, input: unknown, given?: unknown): Promise<Envelope<unknown>> => {
      const id = CallId.safeParse(given).data;
      const cancel = new AbortController();
      if (id !== undefined) running.set(id, cancel);
      const envelope = await toEnvelope(async () => {
        const call = callsByName.get(name);
        if (!call) throw new DeskError('input/invalid', 'there is no such call', { details: { call: name } });
        const output = await functionOf(handlers, name)?.(parseInput(call.input, input), cancel.signal);
        return parseOutput(call.output, output);
      }, onBug);
      if (id !== undefined) running.delete(id);
      return envelope;
    },
    /** Cancels the call with the id `given`, if it is running and its handler can be cancelled. */
    cancel: (given: unknown): void =>
      running.get(CallId.safeParse(given).data ?? '')?.abort(new DeskError('app/cancelled', 'the call was cancelled')),
  };
};

/** The number of items of an output that are parsed in one step, in only a few milliseconds. */
const SLICE_ITEMS = 1_000;

/**
 * Parses `output`. If it contains a long list, `schema` parses the list in slices, each in its own copy of `output`, so
 * that this process can do other work in between.
 */
const parseOutput = async <T>(schema: z.ZodType<T>, output: unknown): Promise<T> => {
  if (!hasList(output) || itemsOf(output.value).length <= SLICE_ITEMS) return schema.parse(output);
  const items = itemsOf(output.value);
  const parsed: unknown[] = [];
  let result: T;
  let at = 0;
  do {
    result = schema.parse({ ...output, value: withItems(output.value, items.slice(at, at + SLICE_ITEMS)) });
    if (hasList(result)) parsed.push(...itemsOf(result.value));
    at += SLICE_ITEMS;
    await setImmediate();
  } while (at < items.length);
  return hasList(result) ? { ...result, value: withItems(result.value, parsed) } : result;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const hasList = (output: unknown): output is { readonly value: List } =>
  isObject(output) && (Array.isArray(output.value) || (isObject(output.value) && Array.isArray(output.value.Items)));

/** Resolves to the result or the error of `work`. `onBug` receives errors that are not a `DeskError`. */
export const toEnvelope = async <T>(
  work: () => Promise<T> | T,
  onBug: (error: unknown) => void,
): Promise<Envelope<T>> => {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (!(error instanceof DeskError)) onBug(error);
    return { ok: false, error: toErrorData(error) };
  }
};

export const parseInput = <T>(schema: z.ZodType<T>, input: unknown): T => {
  // The parser itself may throw, because zod freezes read-only lists and an array of bytes cannot be frozen.
  const [, parsed] = attempt(() => schema.safeParse(input));
  if (parsed?.success) return parsed.data;
  const [issue] = parsed?.error.issues ?? [];
  const field = issue?.path.map(String).join('.') ?? '';
  throw new DeskError('input/invalid', 'the input of the call is wrong', {
    details: { field, problem: issue?.message ?? 'invalid' },
  });
};

const USUAL: ReadonlySet<ErrorCode> = new Set([
  'app/cancelled',
  'cache/missing',
  'connection/missing',
  'auth/required',
]);

/**
 * Returns handlers that log their errors, except bugs, outages and errors of normal operation. During an outage many
 * calls reject, but `logReach` logs the outage only once.
 */
const logRefusals = (handlers: Handlers, write: WriteLog): Handlers => {
  const log = (call: string, error: unknown): never => {
    // Bugs are logged by the host, which receives them through `onBug`.
    if (error instanceof DeskError && !USUAL.has(error.code) && !isOutage(error)) write('call.failed', { call, error });
    throw error;
  };
  return mapCalls((name) => {
    const handle = functionOf(handlers, name);
    return (...args: unknown[]): unknown => {
      try {
        const result = handle?.(...args);
        return result instanceof Promise ? result.catch((error: unknown) => log(name, error)) : result;
      } catch (error) {
        return log(name, error);
      }
    };
  }) as Handlers;
};
