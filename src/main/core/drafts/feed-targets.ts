/** Hands the assignments and the rules of a connection to a thread that matches folders, and goes on reading what is missing. */

import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { DeskError, type ErrorData, toErrorData } from '../../../contract/errors.ts';
import { MAX_PAGES } from '../../../contract/resources.ts';
import { steadyNow, wallNow } from '../../async/clock.ts';
import type { List } from '../../async/parse-in-slices.ts';
import type { Cache } from '../../cache/cache.ts';
import { concernsOneList, forEachOf } from '../../cache/offline-walk.ts';
import type { ServiceReads } from '../../cache/reader.ts';
import type { ListedProtocol, StoredTarget } from '../../cache/targets.ts';
import type { FolderName } from '../../matching/match-index.ts';
import type { Rules } from '../../matching/rules.ts';
import type { ConnectionServices } from '../connection/connection-services.ts';
import { type DraftThread, type ListProgress, startDraftThread } from './draft-thread.ts';
import { type RuleStore, rulesByName } from './rule-store.ts';

type FeedOptions = Pick<ConnectionServices, 'connectionId' | 'service'> & {
  readonly cache: Cache;
  readonly thread: Pick<DraftThread, 'call' | 'tell'>;
  readonly rules: () => Rules;
  /** Whether lists that are missing or old are read from the service. */
  readonly isUpdating: boolean;
  /** Whether reading ends once nothing that is unread can change any folder. Default: everything is read. */
  readonly isEnough?: boolean;
  /** Ends everything. */
  readonly ending: AbortSignal;
  readonly onBug: (error: unknown) => void;
};

/** Lists that are read before the thread is asked again which of them folders wait for. */
const ASKED_EVERY = 20;

/** Errors of the update and of the stored lists reach the thread as its reason. Resolves once everything is read that can be. */
export const feedTargets = async (options: FeedOptions): Promise<void> => {
  const { cache, thread, connectionId, service, isUpdating, ending, onBug } = options;
  const lists = createLists({
    ...{ cache, connectionId, service, now: wallNow },
    onProgress: (progress) => thread.tell('progress', progress),
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
    thread.tell('begin', { rules: options.rules(), isReading });
    await notingErrors(async () => {
      for await (const part of lists.targets()) {
        if (ending.aborted) return;
        thread.tell('targets', part);
      }
      for await (const { unread, listed } of lists.unread()) {
        if (ending.aborted) return;
        thread.tell('unread', unread);
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
    thread.tell('updated', { isPartial: missing.isPartial, isReading: true });
    await notingErrors(() => readMissing(lists, missing, options));
  }
  if (!ending.aborted) thread.tell('updated', { isPartial: missing.isPartial, isReading: false, reason });
};

/** What is to be read, and how many lists need not be; `isPartial`: there may be protocols that are not listed. */
type Missing = { readonly unread: Map<string, ListedProtocol>; read: number; isPartial: boolean };

/** Reads the lists that are missing, those first that a folder waits for. */
const readMissing = async (
  lists: Lists,
  { unread, read }: Missing,
  { thread, isEnough = false, ending }: FeedOptions,
): Promise<void> => {
  const leftMs = estimate();
  const total = unread.size;
  let done = 0;
  let wanted: readonly string[] = [];
  let taken = 0;
  let isSettled = false;
  const tell = (): void =>
    thread.tell('progress', {
      stage: 'assignments',
      read: read + done,
      total: read + total,
      leftMs: leftMs(done, total),
    });
  const next = async (): Promise<ListedProtocol | undefined> => {
    if (taken % ASKED_EVERY === 0) ({ protocols: wanted, isSettled } = await thread.call('wanted', ASKED_EVERY));
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
      if (targets) thread.tell('read', { InspectionProtocolId, targets });
      tell();
    },
    ending,
  );
};

// The service's lists that folders are matched with: which of them are here as they are now, and reading the others. A list counts as
// read if it was read whole within a day.

export type Lists = {
  /** Whether the list of protocols, and that for projects, are here as they are now. */
  readonly isWhole: () => boolean;
  /** Reads these two, as far as they are not. Errors: the service's; the reason of `signal`. */
  readonly readWhole: (signal: AbortSignal) => Promise<void>;
  /** The protocols whose assignments are not here as they are now, in parts; and how many are listed. */
  readonly unread: () => AsyncGenerator<{ readonly unread: readonly ListedProtocol[]; readonly listed: number }, void>;
  /** The assignments that are here, in parts. */
  readonly targets: () => AsyncGenerator<readonly StoredTarget[], void>;
  /**
   * Reads the assignments of one protocol after another, several at a time, until there is no `next`. `onList`: called for each; without
   * targets where the service refuses the list, or cuts it off. Errors: the service's, those of `next`; the reason of `signal`.
   */
  readonly readAssignments: (
    next: () => Promise<ListedProtocol | undefined>,
    onList: (protocol: ListedProtocol, targets: readonly StoredTarget[] | undefined) => void,
    signal: AbortSignal,
  ) => Promise<void>;
};

type ListsOptions = {
  readonly cache: Cache;
  readonly connectionId: string;
  readonly service: ServiceReads;
  readonly now: () => number;
  readonly onProgress: (progress: ListProgress) => void;
};

const DAY_MS = 24 * 60 * 60 * 1000;
const AT_ONCE = 4;

/** The name under which the cache remembers when the list of protocols was last read, and how many of them it lacks. */
const LIST = 'protocols';
const PROJECTS = 'projects/';

/** A list that changes while it is read is read once more. */
const READINGS = 2;

const createLists = ({ cache, connectionId, service, now, onProgress }: ListsOptions): Lists => {
  // A clock that was set back tells nothing of what was read before.
  const isFresh = (atMs: number | undefined): boolean => atMs !== undefined && Math.abs(now() - atMs) <= DAY_MS;
  const isHere = (name: string): boolean => {
    const { fetchedAtMs, missing } = cache.answered(connectionId, name) ?? {};
    return isFresh(fetchedAtMs) && missing === 0;
  };
  const keep = (name: string, value: List, unreadable: number, fetchedAtMs: number): Promise<void> =>
    cache.putAnswer(connectionId, name, { value, unreadable, source: 'service', fetchedAtMs });

  /** Reads every page, and returns how many protocols are missing. A page without a new one ends it, whatever the service counts. */
  const readPages = async (signal: AbortSignal): Promise<number> => {
    const leftMs = estimate();
    const seen = new Set<string>();
    let unreadable = 0;
    let total = 0;
    let Page: number | undefined;
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const page = await service.listProtocols({ Page }, { signal });
      const { Items, CurrentPage, TotalCount } = page.value;
      const before = seen.size;
      for (const { InspectionProtocolId } of Items) seen.add(InspectionProtocolId);
      unreadable += page.unreadable;
      total = TotalCount;
      await cache.putProtocols(connectionId, page.value, {}, now());
      onProgress({ stage: 'protocols', read: seen.size, total, leftMs: leftMs(seen.size, total) });
      const isLast =
        (seen.size === before && page.unreadable === 0) ||
        seen.size + unreadable >= total ||
        // Some services return their last page for every page after it.
        (Page !== undefined && CurrentPage !== Page);
      if (isLast) break;
      Page = CurrentPage + 1;
    }
    return Math.max(unreadable, total - seen.size);
  };

  /** The assignments of a protocol; undefined if the service does not give all of them. */
  const readList = async (
    { InspectionProtocolId, ZipCode, InspectionDate }: ListedProtocol,
    signal: AbortSignal,
  ): Promise<readonly StoredTarget[] | undefined> => {
    try {
      const { value, unreadable } = await service.listAssignments(InspectionProtocolId, { signal });
      const fetchedAtMs = now();
      await keep(`assignments/${InspectionProtocolId}`, value, unreadable, fetchedAtMs);
      if (unreadable > 0 || value.Items.length < value.TotalCount) return undefined;
      const ofProtocol = { InspectionProtocolId, ZipCode, InspectionDate, fetchedAtMs };
      return value.Items.map((item) => ({ value: JSON.stringify(item), ...ofProtocol }));
    } catch (error) {
      if (!concernsOneList(error)) throw error;
      return undefined;
    }
  };

  return {
    isWhole: () => isHere(LIST) && isHere(PROJECTS),
    readWhole: async (signal) => {
      for (let reading = 1; reading <= READINGS && !isHere(LIST); reading += 1) {
        const beganAtMs = now();
        await keep(LIST, [], await readPages(signal), beganAtMs);
      }
      if (isHere(PROJECTS)) return;
      const { value, unreadable } = await service.listProjectAssignments({}, { signal });
      await keep(PROJECTS, value, unreadable, now());
    },
    unread: async function* () {
      const listed = cache.answered(connectionId, LIST);
      // A protocol that a whole list lacks is gone.
      const goneBeforeMs = isHere(LIST) ? (listed?.fetchedAtMs ?? 0) : 0;
      for await (const part of partsOf((after) => cache.protocolLists(connectionId, after))) {
        const there = part.filter(({ seenAtMs }) => seenAtMs >= goneBeforeMs);
        const unread = there.filter(({ readAtMs, isCut }) => isCut || !isFresh(readAtMs));
        yield { unread, listed: there.length };
      }
    },
    targets: () => partsOf((after) => cache.targets(connectionId, after)),
    readAssignments: (next, onList, signal) =>
      forEachOf(
        Array.from({ length: AT_ONCE }),
        AT_ONCE,
        async (_, stopped) => {
          for (let protocol = await next(); protocol !== undefined && !stopped.aborted; protocol = await next())
            onList(protocol, await readList(protocol, stopped));
        },
        signal,
      ),
  };
};

/** How long work takes that has come so far since now; undefined until enough is done to tell. */
export const estimate = (): ((done: number, total: number) => number | undefined) => {
  const beganMs = steadyNow();
  return (done, total) => {
    const tookMs = steadyNow() - beganMs;
    return done === 0 || tookMs < ENOUGH_TO_TELL_MS ? undefined : (tookMs / done) * Math.max(0, total - done);
  };
};

const ENOUGH_TO_TELL_MS = 2_000;

/** Part by part, with turns for other work of this process in between. */
async function* partsOf<T>(
  partAfter: (after: number) => { readonly items: readonly T[]; readonly next?: number },
): AsyncGenerator<readonly T[], void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { items, next }: { readonly items: readonly T[]; readonly next?: number } = partAfter(after);
    yield items;
    after = next;
    await setImmediate();
  }
}

// Matches folders without a draft, for watched folders: in a thread of its own, which lives as long as the question.

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
