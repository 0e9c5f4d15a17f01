/** What main answers about a draft, because it needs the offline data or the engine. */
import type { Handlers } from '../../../contract/calls.ts';
import type { Draft } from '../../../contract/drafts.ts';
import type { LastAnswer } from '../../async/last-answer.ts';
import type { Cache } from '../../cache/cache.ts';
import type { UploadPreview } from '../../uploads/engine/plan-names.ts';
import type { ConnectionServices } from '../connection/connection-services.ts';
import type { DraftSource } from './draft-calls.ts';
import type { DraftThread } from './draft-thread.ts';

/** The present draft, as main holds it. */
export type OpenDraft = {
  readonly services: ConnectionServices;
  readonly thread: DraftThread;
  readonly sources: readonly DraftSource[];
  /** Ended with the draft. */
  readonly ending: AbortController;
  /** The renames of a question, which is asked for each page of them: the folders are read once. */
  readonly renames: LastAnswer<UploadPreview>;
  draft: Draft;
};

/** More assignments than a person looks through. */
const MOST_FOUND = 50;

/** A person does not look through more. */
const MOST_CLASHES = 1_000;

/** `open`: the present draft; throws without one. */
export const createDraftQuestions = (
  cache: Cache,
  open: () => OpenDraft,
): Pick<Handlers['drafts'], 'candidates' | 'clashes' | 'names'> => ({
  candidates: async ({ rowId, text = '' }) => {
    const { thread, services } = open();
    if (text.trim() === '') return thread.call('candidates', { rowId });
    const { Items, total } = cache.findAssignments(services.connectionId, text, { offset: 0, limit: MOST_FOUND });
    const { candidates } = await thread.call('candidates', {
      rowId,
      found: Items.map(({ AssignmentId }) => AssignmentId),
    });
    return { candidates, total };
  },
  clashes: async (row) => {
    const { thread, services, ending } = open();
    const group = await thread.call('clashSources', row);
    if (group === undefined) return { clashes: [], total: 0 };
    const { index = 0, ...sources } = group;
    const window = { source: index, offset: 0, limit: MOST_CLASHES };
    const { clashes, totals } = await services.uploads.clashes(sources, window, ending.signal);
    return { clashes, total: totals[index] ?? 0 };
  },
  names: async ({ rowId, offset, limit }) => {
    const { thread, services, ending, renames } = open();
    const group = await thread.call('clashSources', { rowId });
    if (group === undefined) return { renames: [], total: 0, listed: 0 };
    const { index, ...whole } = group;
    // A draft of one row asks the same about both.
    const asked = whole.sources.length === 1 ? whole : group;
    const found = await renames(JSON.stringify(asked), () => services.uploads.preview(asked, ending.signal));
    const page = found.renames.slice(offset, offset + limit);
    return { renames: page, total: found.renamed, listed: found.renames.length };
  },
});
