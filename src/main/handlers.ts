/** The calls of the contract, answered by the services of the present connection. */
import type { Handlers } from '../contract/calls.ts';
import { DeskError } from '../contract/errors.ts';
import type { Batch, Folder, KnownFile } from '../contract/models.ts';
import type { AssignmentFiles } from '../contract/resources.ts';
import type { Cache } from './cache/cache.ts';
import type { Connected } from './connected.ts';
import type { Connections } from './connections.ts';
import { createFileHandlers } from './file-handlers.ts';
import type { Host } from './host.ts';
import { createOfflineHandlers, eraseCache, orMissing } from './offline-handlers.ts';
import { readPreferences } from './settings/preferences.ts';
import type { SettingsStore } from './settings/settings.ts';
import type { State } from './state.ts';
import type { Ledger } from './uploads/ledger/ledger.ts';
import { removeFile } from './uploads/remove-file.ts';

export type HandlerParts = {
  readonly state: State;
  readonly ledger: Ledger;
  readonly cache: Cache;
  readonly settings: SettingsStore;
  readonly host: Host;
  /** A batch with the place of its assignment. */
  readonly titled: (batch: Batch) => Batch;
  readonly connections: Connections;
  readonly pickFolder: () => Promise<Folder | undefined>;
  /** The path behind an opaque id. Throws `input/invalid` where there is none. */
  readonly folderPath: (folderId: string) => string;
};

export const createHandlers = (parts: HandlerParts): Handlers => {
  const { state, ledger, cache, connections, titled } = parts;
  const files = createFileHandlers(parts);
  const { connected } = connections;
  let preview = new AbortController();
  /** Ends the preview that is being made, if one is. */
  const nextPreview = (): AbortSignal => {
    preview.abort(new DeskError('app/cancelled', 'another preview is made'));
    preview = new AbortController();
    return preview.signal;
  };
  return {
    ...createOfflineHandlers(parts),
    app: {
      snapshot: () => state.snapshot(),
      dismissNotices: () => state.dismissNotices(),
      openLogs: () => files.openLogs(),
    },
    connection: {
      set: (connection) => connections.set(connection),
      useSample: () => connections.useSample(),
    },
    session: {
      signIn: () => connected().session.signIn(),
      cancelSignIn: () => connected().session.cancelSignIn(),
      signOut: async ({ eraseCache: erase } = { eraseCache: false }) => {
        const leaving = connected();
        await leaving.keepAll.cancel();
        await leaving.session.signOut();
        if (erase) await eraseCache(parts, leaving);
      },
    },
    protocols: {
      list: ({ offline, ...query }) => connected().reader.protocols(query, { offline }),
      assignments: ({ InspectionProtocolId, offline }) =>
        connected().reader.assignments(InspectionProtocolId, { offline }),
      inspectionPoints: ({ InspectionProtocolId, offline }) =>
        connected().reader.inspectionPoints(InspectionProtocolId, { offline }),
      table: (query) => {
        const { key } = connected();
        const { timeBase } = readPreferences(parts.settings);
        return { ...cache.table(key, query, timeBase), unreadable: cache.passes.get(key).unreadable };
      },
      get: ({ InspectionProtocolId }) => orMissing(cache.protocol(connected().key, InspectionProtocolId)),
    },
    assignments: {
      projects: ({ County, offline }) => connected().reader.projects(County, { offline }),
      get: ({ AssignmentId }) => orMissing(cache.assignment(connected().key, AssignmentId)),
      planAfter: async (input) => {
        const answer = await connected().outbox.planAfter(input);
        return { AssignmentId: input.AssignmentId, PlanAfter: input.PlanAfter ?? 0, ...answer, waiting: !answer };
      },
      knownFiles: ({ AssignmentId }) => [...listKnownFiles(ledger, connected(), AssignmentId)],
      removeFile: async (input) => {
        const { key, outbox } = connected();
        const removed = await outbox.removeFile(input);
        return { ...(removed?.left ?? knownLeft(ledger, key, input.AssignmentId)), waiting: !removed };
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
    uploads: {
      preview: ({ folderId, nameTemplate }) => {
        const { uploads } = connected();
        return uploads.preview(parts.folderPath(folderId), nameTemplate, nextPreview());
      },
      cancelPreview: () => void nextPreview(),
      start: ({ folderId, AssignmentId, nameTemplate }) =>
        connected()
          .uploads.start({ root: parts.folderPath(folderId), assignmentId: AssignmentId, nameTemplate })
          .then(titled),
      files: ({ batch, ...filter }) => {
        const { files, total } = connected().uploads.files(batch, filter);
        return { files: [...files], total };
      },
      pause: async ({ batch }) => titled(await connected().uploads.pause(batch)),
      resume: async ({ batch }) => titled(await connected().uploads.resume(batch)),
      cancel: async ({ batch }) => titled(await connected().uploads.cancel(batch)),
      retryFailed: async ({ batch }) => titled(await connected().uploads.retryFailed(batch)),
      retryFiles: async ({ batch, ids }) => titled(await connected().uploads.retryFiles(batch, ids)),
      errorGroups: ({ batch }) => [...connected().uploads.errorGroups(batch)],
      saveReport: ({ batch }) => files.saveReport(batch),
      reveal: ({ batch }) => files.reveal(batch),
    },
  };
};

/** What this app knows to be on an assignment. */
export const listKnownFiles = (ledger: Ledger, { key }: Connected, assignmentId: string): readonly KnownFile[] =>
  ledger.knownFiles.list({ connection: key, assignmentId });

/**
 * Removes a file from an assignment (interface operation 6). Where the service does not say what is left, the answer
 * is what this app knows.
 */
export const removeKnownFile = async (
  ledger: Ledger,
  { key, service }: Connected,
  assignmentId: string,
  fileKey: string,
): Promise<AssignmentFiles> => {
  const place = { connection: key, assignmentId };
  const answer = await removeFile({ ledger, service, now: Date.now }, place, fileKey);
  return answer ?? knownLeft(ledger, key, assignmentId);
};

/** What this app knows to be on an assignment, as the service would answer it. */
const knownLeft = (ledger: Ledger, connection: string, assignmentId: string): AssignmentFiles => ({
  AssignmentId: assignmentId,
  FacilityId: '',
  Files: ledger.knownFiles
    .list({ connection, assignmentId })
    .map(({ Key, FileName, UploadedBy }) => ({ Key, FileName, UploadedBy })),
});
