/** Matches folders without a draft, for watched folders: in a thread of its own, which lives as long as the question. */
import { randomUUID } from 'node:crypto';
import { DeskError } from '../../../contract/errors.ts';
import type { Cache } from '../../cache/cache.ts';
import type { FolderName } from '../../matching/match-index.ts';
import type { ConnectionServices } from '../connection/connection-services.ts';
import { startDraftThread } from './draft-thread.ts';
import { feedTargets } from './feed-targets.ts';
import type { RuleStore } from './rule-store.ts';
import { rulesByName } from './rule-store.ts';

type MatcherOptions = {
  /** The module draft-worker.ts in this host. */
  readonly worker: URL;
  readonly cache: Cache;
  readonly rules: Pick<RuleStore, 'list'>;
  readonly onBug: (error: unknown) => void;
};

/**
 * The assignment of each folder, where it is certain; with the service's assignments brought up to date as far as folders wait for
 * them, and the service can be reached. Errors: `draft/stopped`, `data/…`, the reason of `signal`.
 */
export const certainAssignments = async (
  { worker, cache, rules, onBug }: MatcherOptions,
  { connectionId, service }: Pick<ConnectionServices, 'connectionId' | 'service'>,
  folders: readonly FolderName[],
  signal: AbortSignal,
): Promise<readonly (string | undefined)[]> => {
  const thread = startDraftThread({
    worker,
    onDraft: () => {},
    countClashes: async () => [],
    onBug,
    onLost: () => {},
  });
  try {
    const start = { draftId: randomUUID(), history: { assignments: [] }, sources: [], folders };
    await thread.call('open', start);
    await feedTargets({
      ...{ cache, connectionId, service, thread, onBug },
      rules: () => rulesByName(rules, connectionId),
      isUpdating: true,
      isEnough: true,
      ending: signal,
    });
    if (signal.aborted) throw new DeskError('app/cancelled', 'the matching was cancelled');
    return await thread.call('certain', undefined);
  } finally {
    await thread.end();
  }
};
