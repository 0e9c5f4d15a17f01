/** The calls of the contract that prepare an upload. */
import type { Handlers } from '../../../contract/calls/calls.ts';
import type { DraftSource } from '../drafts/draft-calls.ts';
import { sourceName } from '../drafts/folders.ts';
import type { HandlerParts } from './handler-parts.ts';

export const createDraftHandlers = ({
  drafts,
  sourceOf,
  connections,
  uploadRules,
}: Pick<HandlerParts, 'drafts' | 'sourceOf' | 'connections' | 'uploadRules'>): Handlers['drafts'] => {
  const sourcesOf = (folderIds: readonly string[]): readonly DraftSource[] =>
    folderIds.map((folderId) => {
      const source = sourceOf(folderId);
      return { ...source, name: sourceName(source) };
    });
  return {
    open: ({ folderIds, AssignmentId }) => drafts.open({ sources: sourcesOf(folderIds), AssignmentId }),
    add: ({ folderIds }) => drafts.add(sourcesOf(folderIds)),
    get: () => drafts.current(),
    rows: (query) => drafts.ask('rows', query),
    candidates: (query) => drafts.candidates(query),
    assign: (choice) => drafts.ask('assign', choice),
    leaveOut: (rows) => drafts.ask('leaveOut', rows),
    takeIn: (rows) => drafts.ask('takeIn', rows),
    alike: (row) => drafts.ask('alike', row),
    undo: () => drafts.ask('undo', undefined),
    setLevel: (level) => drafts.ask('setLevel', level),
    setTarget: (target) => drafts.setTarget(target),
    setNames: (names) => drafts.ask('setNames', names),
    names: (query) => drafts.names(query),
    clashes: (row) => drafts.clashes(row),
    setClash: (choice) => drafts.ask('setClash', choice),
    skipUpdate: () => drafts.skipUpdate(),
    start: async (wanted = {}) => {
      const started = await drafts.start(uploadRules(wanted));
      // What a person decided may also decide about the files of watched folders.
      connections.connected().watchedFolders.matchAgain();
      return started;
    },
    discard: () => drafts.discard(),
  };
};
