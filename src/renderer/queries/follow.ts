/** Refetches queries after a change of the state, and when the service is back. */
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { debounce, isEqual, memoize, throttle } from 'es-toolkit';
import type { Snapshot } from '../../contract/app.ts';
import { troubleOf } from '../../contract/connection.ts';
import { fromErrorData, toErrorData } from '../../contract/errors.ts';
import type { Batch } from '../../contract/uploads.ts';
import type { AppState, AppStore } from '../state/store.ts';
import { type CallName, isAway, isHeldUp } from './query.tsx';

/** An upload changes many times a second, faster than its progress can be read. */
const uploadPauseMs = 500;

/** The queries shown in the rows of a draft. */
const draftAnswers = [
  'drafts.rows',
  'drafts.candidates',
  'drafts.alike',
  'drafts.files',
  'drafts.clashes',
  'drafts.names',
] as const;

/** A search reads the latest changes of the ledger. */
const filesPauseMs = 2_000;

/** The queries of the work list, which any assignment, upload or plan-after date can change. */
const workAnswers = ['assignments.table', 'assignments.workList', 'assignments.values'] as const;

/** The queries that a successful call makes stale; `'all'` for every query. */
const staleAfterCall: Readonly<Partial<Record<CallName, readonly CallName[] | 'all'>>> = {
  'assignments.planAfter': ['assignments.get', 'assignments.table', 'assignments.workList'],
  'assignments.removeFile': ['assignments.knownFiles'],
  // Each list may name a county for the first time.
  'assignments.projects': ['assignments.counties', ...workAnswers],
  'protocols.assignments': workAnswers,
  'cache.clear': 'all',
  'rules.set': ['rules.list'],
  'rules.remove': ['rules.list'],
  'rules.clear': ['rules.list'],
  'drafts.start': ['rules.list'],
  ...Object.fromEntries(
    (
      ['assign', 'leaveOut', 'takeIn', 'takeFiles', 'undo', 'setLevel', 'setTarget', 'setNames', 'setClash'] as const
    ).map((method) => [`drafts.${method}`, draftAnswers]),
  ),
};

/** Invalidates the queries whose result the call `name` has changed. */
export const refreshAfterCall = async (client: QueryClient, name: string): Promise<void> => {
  const stale = Object.entries(staleAfterCall).find(([call]) => call === name)?.[1] ?? [];
  if (stale === 'all') await client.invalidateQueries();
  else await Promise.all(stale.map((call) => client.invalidateQueries({ queryKey: [call] })));
};

const isInTrouble = ({ projection: { snapshot } }: AppState): boolean =>
  snapshot !== undefined && troubleOf(snapshot.reachability.service) !== undefined;

const isSignedIn = ({ session }: Snapshot): boolean => session.state === 'signed-in';

const changedBatches = (batches: readonly Batch[], before: readonly Batch[]): readonly Batch[] => {
  const known = new Set(before);
  return batches.filter((batch) => !known.has(batch));
};

/**
 * Invalidates queries that main's state has made stale: those in view are refetched immediately, the others when their
 * page comes into view. Ends when the returned function is called.
 */
export const followState = (client: QueryClient, store: AppStore): (() => void) => {
  const refresh = (...keys: readonly QueryKey[]): void => {
    for (const queryKey of keys) void client.invalidateQueries({ queryKey });
  };
  const refreshFiles = throttle(() => refresh(['files.find']), filesPauseMs);
  const refreshWork = throttle(() => refresh(...workAnswers.map((name) => [name])), filesPauseMs);
  const refreshBatch = memoize((batchId: string) =>
    throttle(() => refresh(['uploads.files', { batchId }], ['uploads.errorGroups', { batchId }]), uploadPauseMs),
  );
  // Their list is read as a whole, so only when no more files arrive.
  const refreshKnownFiles = memoize((AssignmentId: string) =>
    debounce(() => refresh(['assignments.knownFiles', { AssignmentId }]), uploadPauseMs),
  );
  const refreshBatches = (batches: readonly Batch[], before: readonly Batch[]): void => {
    for (const { batchId, AssignmentId, uploaded } of changedBatches(batches, before)) {
      refreshBatch(batchId)();
      refreshFiles();
      const known = before.find((batch) => batch.batchId === batchId);
      if (uploaded !== (known?.uploaded ?? 0)) refreshKnownFiles(AssignmentId)();
    }
  };
  return store.subscribe((state, before) => {
    const now = state.projection.snapshot;
    const then = before.projection.snapshot;
    if (now === undefined || then === undefined || now === then) return;
    if (!isEqual(now.connection, then.connection) || isSignedIn(now) !== isSignedIn(then)) {
      // Another service or another user: nothing that was read before is shown again.
      client.removeQueries({ type: 'inactive' });
      void client.resetQueries();
      return;
    }
    refreshBatches(now.batches, then.batches);
    const isRead = now.offline.available !== then.offline.available || now.reading !== then.reading;
    if (now.batches !== then.batches || now.outbox !== then.outbox || isRead) refreshWork();
    if (now.draft?.revision !== then.draft?.revision) refresh(...draftAnswers.map((name) => [name]));
    if (now.outbox !== then.outbox) refresh(['assignments.get'], ['assignments.knownFiles']);
    const isTrimmed = now.offline.sizeBytes < then.offline.sizeBytes;
    if (isTrimmed || now.offline.completedAtMs !== then.offline.completedAtMs) {
      refresh(['cache.size']);
      refreshWork();
    }
    if (isInTrouble(before) && !isInTrouble(state)) void client.refetchQueries({ type: 'active', predicate: isHeldUp });
  });
};

const pauseMs = 30_000;

/** Repeats `query` without a change on screen until the response, which is dropped if the query ran meanwhile. */
const refetchQuietly = async (client: QueryClient, query: Query): Promise<void> => {
  const { state, queryKey, queryHash } = query;
  const isCurrent = (): boolean => query.state === state;
  try {
    const apart = { queryKey: [...queryKey, 'quietly'], queryHash: `${queryHash} quietly`, gcTime: 0 };
    const data = await client.fetchQuery({ ...query.options, ...apart });
    if (isCurrent()) client.setQueryData(queryKey, data);
  } catch (error) {
    if (isCurrent()) query.setState({ status: 'error', error: fromErrorData(toErrorData(error)) });
  }
};

/**
 * Refetches stale and missing data in view while the service is unreachable: periodically, and when the computer
 * reports a network. Ends when the returned function is called.
 */
export const followService = (client: QueryClient): (() => void) => {
  const again = (): void => {
    for (const query of client.getQueryCache().findAll({ type: 'active', fetchStatus: 'idle', predicate: isAway }))
      void refetchQuietly(client, query);
  };
  const timer = setInterval(again, pauseMs);
  addEventListener('online', again);
  return () => {
    clearInterval(timer);
    removeEventListener('online', again);
  };
};
