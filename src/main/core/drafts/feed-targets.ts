/**
 * Sends the assignments and rules of a connection to a worker that matches folders, and fetches missing assignments.
 */

import { setImmediate } from 'node:timers/promises';
import { DeskError, type ErrorData, toErrorData } from '../../../contract/errors.ts';
import { MAX_PAGES } from '../../../contract/resources.ts';
import { steadyNow, wallNow } from '../../async/clock.ts';
import type { List } from '../../async/parse-in-slices.ts';
import type { Peer } from '../../async/port-calls.ts';
import type { ListedProtocol, StoredTarget } from '../../cache/answers.ts';
import type { Cache } from '../../cache/cache.ts';
import { concernsOneList, forEachOf } from '../../cache/offline-walk.ts';
import type { Rules } from '../../matching/rules.ts';
import type { ConnectionServices } from '../connection/connection-services.ts';
import type { WorkerCalls } from './draft-worker.ts';
import type { ListProgress } from './known-targets.ts';
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

/** Resolves once everything is read that can be. Errors of the update and of the stored lists become the reason of the draft. */
export const feedTargets = async (options: FeedOptions): Promise<void> => {
  const { cache, worker, connectionId, service, isUpdating, ending, onBug } = options;
  const lists = createLists({
    ...{ cache, connectionId, service, now: wallNow },
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

/** The lists to read, and how many need not be read; `isPartial`: there may be protocols that are not listed. */
type Missing = { readonly unread: Map<string, ListedProtocol>; read: number; isPartial: boolean };

/** Reads the missing lists, beginning with those that a folder waits for. */
const readMissing = async (
  lists: Lists,
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

// The service's lists that folders are matched with: which of them are stored and up to date, and how the others are read. A list is up
// to date if it was read whole within a day.

type Lists = ReturnType<typeof createLists>;

type ListsOptions = Pick<FeedOptions, 'cache' | 'connectionId' | 'service'> & {
  readonly now: () => number;
  readonly onProgress: (progress: ListProgress) => void;
};

const DAY_MS = 24 * 60 * 60 * 1000;
const AT_ONCE = 4;

/** The names under which the cache stores when the lists were last read, and how many items they lack. */
const LIST = 'protocols';
const PROJECTS = 'projects/';

/** A list that changes while it is read is read once more. */
const READINGS = 2;

const createLists = ({ cache, connectionId, service, now, onProgress }: ListsOptions) => {
  // In both directions, because the clock may have been set back.
  const isFresh = (atMs: number | undefined): boolean => atMs !== undefined && Math.abs(now() - atMs) <= DAY_MS;
  const isHere = (name: string): boolean => {
    const { fetchedAtMs, missing } = cache.answered(connectionId, name) ?? {};
    return isFresh(fetchedAtMs) && missing === 0;
  };
  const store = (name: string, value: List, unreadable: number, fetchedAtMs: number): Promise<void> =>
    cache.putAnswer(connectionId, name, { value, unreadable, source: 'service', fetchedAtMs });

  /**
   * Fetches pages until one has nothing new, whatever total the service reports. Resolves to the number of missing
   * protocols.
   */
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

  /** The assignments of a protocol; undefined if the service does not return all of them. */
  const readList = async (
    { InspectionProtocolId, ZipCode, InspectionDate }: ListedProtocol,
    signal: AbortSignal,
  ): Promise<readonly StoredTarget[] | undefined> => {
    try {
      const { value, unreadable } = await service.listAssignments(InspectionProtocolId, { signal });
      const fetchedAtMs = now();
      await store(`assignments/${InspectionProtocolId}`, value, unreadable, fetchedAtMs);
      if (unreadable > 0 || value.Items.length < value.TotalCount) return undefined;
      const ofProtocol = { InspectionProtocolId, ZipCode, InspectionDate, fetchedAtMs };
      return value.Items.map((item) => ({ value: JSON.stringify(item), ...ofProtocol }));
    } catch (error) {
      if (!concernsOneList(error)) throw error;
      return undefined;
    }
  };

  return {
    /** Whether the list of protocols, and that for projects, are up to date. */
    isWhole: (): boolean => isHere(LIST) && isHere(PROJECTS),
    /** Fetches these two unless they are already complete. Errors: the service's; the reason of `signal`. */
    readWhole: async (signal: AbortSignal): Promise<void> => {
      for (let reading = 1; reading <= READINGS && !isHere(LIST); reading += 1) {
        const beganAtMs = now();
        await store(LIST, [], await readPages(signal), beganAtMs);
      }
      if (isHere(PROJECTS)) return;
      const { value, unreadable } = await service.listProjectAssignments({}, { signal });
      await store(PROJECTS, value, unreadable, now());
    },
    /** The protocols whose assignments are missing or outdated, in parts; `listed`: how many protocols were looked at. */
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
    /** The stored assignments, in parts. */
    targets: () => partsOf((after) => cache.targets(connectionId, after)),
    /**
     * Reads the assignments of one protocol after another, several at a time, until `next` returns none. `onList`: called for each;
     * without targets if the service refuses the list, or cuts it off. Errors: the service's, those of `next`; the reason of `signal`.
     */
    readAssignments: (
      next: () => Promise<ListedProtocol | undefined>,
      onList: (protocol: ListedProtocol, targets: readonly StoredTarget[] | undefined) => void,
      signal: AbortSignal,
    ): Promise<void> =>
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

/** Estimates how long the rest of some work takes that starts now; undefined until enough is done. */
const estimate = (): ((done: number, total: number) => number | undefined) => {
  const beganMs = steadyNow();
  return (done, total) => {
    const tookMs = steadyNow() - beganMs;
    return done === 0 || tookMs < ENOUGH_MS ? undefined : (tookMs / done) * Math.max(0, total - done);
  };
};

const ENOUGH_MS = 2_000;

/** Pages through parts, with turns of the event loop in between. */
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
