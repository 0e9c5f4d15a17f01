/** The calls of the contract, answered by the services of the present connection. */
import type { Handlers } from '../contract/calls.ts';
import type { Folder, KnownFile } from '../contract/models.ts';
import type { AssignmentFiles } from '../contract/resources.ts';
import type { Connected } from './connected.ts';
import type { Connections } from './connections.ts';
import type { State } from './state.ts';
import type { Ledger } from './uploads/ledger/ledger.ts';
import { removeFile } from './uploads/remove-file.ts';

export type HandlerParts = {
  readonly state: State;
  readonly ledger: Ledger;
  readonly connections: Connections;
  readonly pickFolder: () => Promise<Folder | undefined>;
  /** The path behind an opaque id. Throws `input/invalid` where there is none. */
  readonly folderPath: (folderId: string) => string;
};

export const createHandlers = (parts: HandlerParts): Handlers => {
  const { state, ledger, connections } = parts;
  const { connected } = connections;
  return {
    app: {
      snapshot: () => state.snapshot(),
      dismissNotices: () => state.dismissNotices(),
    },
    connection: {
      set: (connection) => connections.set(connection),
      useSample: () => connections.useSample(),
    },
    session: {
      signIn: () => connected().session.signIn(),
      cancelSignIn: () => connected().session.cancelSignIn(),
      signOut: () => connected().session.signOut(),
    },
    protocols: {
      list: ({ offline, ...query }) => connected().reader.protocols(query, { offline }),
      assignments: ({ InspectionProtocolId, offline }) =>
        connected().reader.assignments(InspectionProtocolId, { offline }),
      inspectionPoints: ({ InspectionProtocolId, offline }) =>
        connected().reader.inspectionPoints(InspectionProtocolId, { offline }),
    },
    assignments: {
      projects: ({ County, offline }) => connected().reader.projects(County, { offline }),
      planAfter: (input) => connected().service.updatePlanAfter(input),
      knownFiles: ({ AssignmentId }) => [...listKnownFiles(ledger, connected(), AssignmentId)],
      removeFile: ({ AssignmentId, Key }) => removeKnownFile(ledger, connected(), AssignmentId, Key),
    },
    orderableEvents: {
      list: ({ offline }) => connected().reader.orderableEvents({ offline }),
    },
    folders: {
      pick: () => parts.pickFolder(),
    },
    uploads: {
      start: ({ folderId, AssignmentId }) =>
        connected().uploads.start({ root: parts.folderPath(folderId), assignmentId: AssignmentId }),
      files: ({ batch, ...filter }) => {
        const { files, total } = connected().uploads.files(batch, filter);
        return { files: [...files], total };
      },
      pause: ({ batch }) => connected().uploads.pause(batch),
      resume: ({ batch }) => connected().uploads.resume(batch),
      cancel: ({ batch }) => connected().uploads.cancel(batch),
      retryFailed: ({ batch }) => connected().uploads.retryFailed(batch),
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
  const known = () =>
    ledger.knownFiles.list(place).map(({ Key, FileName, UploadedBy }) => ({ Key, FileName, UploadedBy }));
  return answer ?? { AssignmentId: assignmentId, FacilityId: '', Files: known() };
};
