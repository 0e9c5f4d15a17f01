/** The calls of the contract, answered by the services of the present connection. */

import type { Handlers } from '../../../contract/calls.ts';
import { DeskError } from '../../../contract/errors.ts';
import type { Batch } from '../../../contract/uploads.ts';
import { orMissing } from '../../cache/or-missing.ts';
import { pointsWith } from '../../cache/points-search.ts';
import { readPreferences } from '../../settings/preferences.ts';
import type { RemoteUploads } from '../../uploads/engine/start-engine.ts';
import { createFileHandlers } from './file-handlers.ts';
import { createFileMenu } from './file-menu.ts';
import { createFindHandlers } from './find-handlers.ts';
import type { HandlerParts } from './handler-parts.ts';
import { knownLeft } from './known-left.ts';
import { createNetworkHandlers } from './network-handlers.ts';
import { createOfflineHandlers, eraseCache } from './offline-handlers.ts';
import { createRemovalHandlers } from './removal-handlers.ts';
import { createRuleHandlers } from './rule-handlers.ts';
import { createNamedTurns, createTurns } from './turns.ts';
import { createWatchedHandlers } from './watched-handlers.ts';

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
