/**
 * Sends the assignments and rules of a connection to a worker that matches folders, and fetches missing assignments.
 */

import { DeskError, type ErrorData, toErrorData } from '../../../contract/errors.ts';
import { wallNow } from '../../async/clock.ts';
import type { Peer } from '../../async/port-calls.ts';
import type { ListedProtocol } from '../../cache/answers.ts';
import { type AssignmentLists, createAssignmentLists, estimate } from '../../cache/assignment-lists.ts';
import type { Cache } from '../../cache/cache.ts';
import type { Rules } from '../../matching/targets.ts';
import type { ConnectionServices } from '../connection/connection-services.ts';
import type { WorkerCalls } from './draft-worker.ts';
import type { KnownPart } from './rule-store.ts';

type FeedOptions = Pick<ConnectionServices, 'connectionId' | 'service'> & {
  readonly cache: Cache;
  readonly worker: Pick<Peer<WorkerCalls>, 'call' | 'tell'>;
  readonly rules: () => Rules;
  /** What was left out of earlier uploads. */
  readonly parts: () => readonly KnownPart[];
  /** Whether lists that are missing or old are read from the service. */
  readonly isUpdating: boolean;
  /** Whether reading ends once no unread list can change any folder. Default: everything is read. */
  readonly isEnough?: boolean;
  readonly ending: AbortSignal;
  readonly onBug: (error: unknown) => void;
};

/** How many lists are fetched before the worker is queried again for the lists that folders wait for. */
const ASKED_EVERY = 20;

/**
 * Resolves once everything readable was read. An error of the stored lists or the update is passed on as the reason.
 */
export const feedTargets = async (options: FeedOptions): Promise<void> => {
  const { cache, worker, connectionId, service, isUpdating, ending, onBug } = options;
  const lists = createAssignmentLists({
    cache,
    connectionId,
    service,
    now: wallNow,
    onProgress: (progress) => worker.tell('progress', progress),
  });
  let reason: ErrorData | undefined;
  const notingErrors = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof DeskError)) onBug(error);
      else if (!ending.aborted) reason = toErrorData(error);
    }
  };
  const handOver = async (isReading: boolean): Promise<Missing> => {
    const missing: Missing = { unread: new Map(), read: 0, isPartial: true };
    worker.tell('begin', { rules: options.rules(), parts: options.parts(), isReading });
    await notingErrors(async () => {
      for await (const part of lists.targets()) {
        if (ending.aborted) return;
        worker.tell('targets', part);
      }
      for await (const { unread, listed } of lists.unread()) {
        if (ending.aborted) return;
        worker.tell('unread', unread);
        for (const protocol of unread) missing.unread.set(protocol.InspectionProtocolId, protocol);
        missing.read += listed - unread.length;
      }
      missing.isPartial = !lists.isWhole();
    });
    return missing;
  };

  const isWhole = lists.isWhole();
  let missing = await handOver(isUpdating);
  if (isUpdating && !isWhole) {
    await notingErrors(() => lists.readWhole(ending));
    missing = await handOver(true);
  }
  if (isUpdating && reason === undefined && missing.unread.size > 0) {
    worker.tell('updated', { isPartial: missing.isPartial, isReading: true });
    await notingErrors(() => readMissing(lists, missing, options));
  }
  if (!ending.aborted) worker.tell('updated', { isPartial: missing.isPartial, isReading: false, reason });
};

/**
 * `unread`: the protocols whose lists have to be read. `read`: how many lists need not be read. `isPartial`: there may
 * be protocols that are not listed.
 */
type Missing = { readonly unread: Map<string, ListedProtocol>; read: number; isPartial: boolean };

/** Reads the missing lists, beginning with those that a folder waits for. */
const readMissing = async (
  lists: AssignmentLists,
  { unread, read }: Missing,
  { worker, isEnough = false, ending }: FeedOptions,
): Promise<void> => {
  const leftMs = estimate();
  const total = unread.size;
  let done = 0;
  let wanted: readonly string[] = [];
  let taken = 0;
  let isSettled = false;
  const tell = (): void =>
    worker.tell('progress', {
      stage: 'assignments',
      read: read + done,
      total: read + total,
      leftMs: leftMs(done, total),
    });
  const next = async (): Promise<ListedProtocol | undefined> => {
    if (taken % ASKED_EVERY === 0) ({ protocols: wanted, isSettled } = await worker.call('wanted', ASKED_EVERY));
    taken += 1;
    if (isEnough && isSettled) return undefined;
    const id = wanted.find((one) => unread.has(one)) ?? unread.keys().next().value;
    const protocol = id === undefined ? undefined : unread.get(id);
    if (id !== undefined) unread.delete(id);
    return protocol;
  };
  tell();
  await lists.readAssignments(
    next,
    ({ InspectionProtocolId }, targets) => {
      done += 1;
      if (targets) worker.tell('read', { InspectionProtocolId, targets });
      tell();
    },
    ending,
  );
};
