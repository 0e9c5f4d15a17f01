/** The calls of the contract, answered by the services of the present connection. */
import type { Handlers } from '../../../contract/calls.ts';
import { DeskError } from '../../../contract/errors.ts';
import type { RemovableFile } from '../../../contract/offline.ts';
import { type AssignmentFiles, assignmentName } from '../../../contract/resources.ts';
import type { Batch } from '../../../contract/uploads.ts';
import { orMissing, pointsWith } from '../../cache/reader.ts';
import { plainWords } from '../../matching/names.ts';
import { readAuthorities } from '../../net/trust.ts';
import { changePreferences, readPreferences, rememberView } from '../../settings/preferences.ts';
import type { RemoteUploads } from '../../uploads/engine/start-engine.ts';
import type { ConnectionServices } from '../connection/connection-services.ts';
import type { ConnectionSwitch } from '../connection/connection-switch.ts';
import {
  createFileHandlers,
  createFileMenu,
  createFindHandlers,
  createNamedTurns,
  createTurns,
} from './find-handlers.ts';
import type { HandlerParts } from './handler-parts.ts';

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
          unreadable: cache.passes.state(connectionId).unreadable,
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
