/**
 * Reads the service's lists that folders are matched with and that the work list shows: the protocols, the assignments
 * of each protocol, and the project assignments. Finds the lists that are missing or out of date, and reads them on
 * request, or ahead in the background.
 */
import { setImmediate } from 'node:timers/promises';
import { throttle } from 'es-toolkit/function';
import { DeskError } from '../../contract/errors.ts';
import type { ListProgress } from '../../contract/offline.ts';
import { type Listing, MAX_PAGES } from '../../contract/resources.ts';
import { createNudge, type Sleep, steadyNow } from '../async/clock.ts';
import type { List } from '../async/parse-in-slices.ts';
import { reporting } from '../async/throttle.ts';
import type { BegunRequest } from './cache.ts';
import { concernsOneList, forEachOf } from './offline-walk.ts';
import type { Served, ServiceReads } from './reader.ts';
import type { ListedProtocol, StoredTarget } from './responses.ts';

export type AssignmentLists = ReturnType<typeof createAssignmentLists>;

type ListsOptions = Served<Pick<ServiceReads, 'listProtocols' | 'listAssignments' | 'listProjectAssignments'>> & {
  readonly onProgress: (progress: ListProgress) => void;
  /**
   * The age up to which a protocol's list of assignments is up to date. Default: a day. For the other lists it is a
   * day.
   */
  readonly freshMs?: number;
  /** How many lists of assignments are read at the same time. Default: 4. */
  readonly atOnce?: number;
};

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Names of stored responses. The response `LIST` has no items: it records when the list of protocols was read, and how
 * many protocols were missing.
 */
const LIST = 'protocols';
const PROJECTS = 'projects/';

/**
 * The maximum number of times that the list of protocols is read. It is read again if protocols are missing, because it
 * may have changed while it was read.
 */
const READINGS = 2;

export const createAssignmentLists = (options: ListsOptions) => {
  const { cache, connectionId, service, now, onProgress, freshMs = DAY_MS, atOnce = 4 } = options;
  // A time far in the future is out of date, too: the clock has been set back since.
  const isFresh = (atMs: number | undefined, forMs = DAY_MS): boolean =>
    atMs !== undefined && Math.abs(now() - atMs) <= forMs;
  const isHere = (name: string): boolean => {
    const { fetchedAtMs, missing } = cache.readAs(connectionId, name) ?? {};
    return isFresh(fetchedAtMs) && missing === 0;
  };
  const store = (
    begun: BegunRequest,
    name: string,
    { value, unreadable }: Listing<List>,
    atMs: number,
  ): Promise<void> => cache.putResponse(begun, name, { value, unreadable, source: 'service', fetchedAtMs: atMs });

  /**
   * Fetches and stores pages of protocols until the reported total is reached, a page has nothing new or is not the
   * requested one, or `MAX_PAGES` were read. `missing`: how many protocols are missing or unreadable; `sinceMs`: no page
   * was stored with an earlier time.
   */
  const readPages = async (
    begun: BegunRequest,
    signal: AbortSignal,
  ): Promise<{ readonly missing: number; readonly sinceMs: number }> => {
    const leftMs = estimate();
    let sinceMs = now();
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
      const atMs = now();
      // The clock may be set back while the list is read.
      sinceMs = Math.min(sinceMs, atMs);
      await cache.putProtocols(begun, page.value, {}, atMs);
      onProgress({ stage: 'protocols', read: seen.size, total, leftMs: leftMs(seen.size, total) });
      const isLast =
        (seen.size === before && page.unreadable === 0) ||
        seen.size + unreadable >= total ||
        // Some services return their last page again for every higher page number.
        (Page !== undefined && CurrentPage !== Page);
      if (isLast) break;
      Page = CurrentPage + 1;
    }
    return { missing: Math.max(unreadable, total - seen.size), sinceMs };
  };

  /**
   * Fetches and stores a protocol's assignments; undefined if some are missing, or after an error that concerns only
   * them.
   */
  const readList = async (
    { InspectionProtocolId, ZipCode, InspectionDate }: ListedProtocol,
    signal: AbortSignal,
  ): Promise<readonly StoredTarget[] | undefined> => {
    const begun = cache.beginRequest(connectionId);
    try {
      const listing = await service.listAssignments(InspectionProtocolId, { signal });
      const fetchedAtMs = now();
      await store(begun, `assignments/${InspectionProtocolId}`, listing, fetchedAtMs);
      const { value, unreadable } = listing;
      if (unreadable > 0 || value.Items.length < value.TotalCount) return undefined;
      const ofProtocol = { InspectionProtocolId, ZipCode, InspectionDate, fetchedAtMs };
      return value.Items.map((item) => ({ value: JSON.stringify(item), ...ofProtocol }));
    } catch (error) {
      if (!concernsOneList(error)) throw error;
      return undefined;
    }
  };

  return {
    /** Whether the list of protocols and the list of project assignments are complete and up to date. */
    isWhole: (): boolean => isHere(LIST) && isHere(PROJECTS),
    /**
     * Fetches the list of protocols and the list of project assignments, each unless it is complete and up to date.
     * Errors: those of the service and the cache; the `cancellation` of `signal`.
     */
    readWhole: async (signal: AbortSignal): Promise<void> => {
      for (let reading = 1; reading <= READINGS && !isHere(LIST); reading += 1) {
        // One request for all pages: if the offline data is cleared in between, the list must not be stored as
        // complete.
        const begun = cache.beginRequest(connectionId);
        const { missing, sinceMs } = await readPages(begun, signal);
        await store(begun, LIST, { value: [], unreadable: missing }, sinceMs);
      }
      if (isHere(PROJECTS)) return;
      const begun = cache.beginRequest(connectionId);
      await store(begun, PROJECTS, await service.listProjectAssignments({}, { signal }), now());
    },
    /**
     * Yields the protocols in parts. `unread`: those whose assignments are missing, incomplete or outdated; `listed`:
     * how many protocols of the part the service still lists.
     */
    unread: async function* () {
      const listed = cache.readAs(connectionId, LIST);
      // A protocol that was not seen while the whole list was read no longer exists.
      const goneBeforeMs = isHere(LIST) ? (listed?.fetchedAtMs ?? 0) : 0;
      for await (const part of partsOf((after) => cache.protocolLists(connectionId, after))) {
        const there = part.filter(({ seenAtMs }) => seenAtMs >= goneBeforeMs);
        const unread = there.filter(({ readAtMs, isCut }) => isCut || !isFresh(readAtMs, freshMs));
        yield { unread, listed: there.length };
      }
    },
    /** Yields the stored assignments in parts. */
    targets: () => partsOf((after) => cache.targets(connectionId, after)),
    /**
     * Reads the assignments of the protocols that `next` returns, until it returns none. `onList` is called for each
     * protocol, without targets if its list could not be read completely. Errors: those of the service, the cache and
     * `next`; the `cancellation` of `signal`.
     */
    readAssignments: (
      next: () => Promise<ListedProtocol | undefined>,
      onList: (protocol: ListedProtocol, targets: readonly StoredTarget[] | undefined) => void,
      signal: AbortSignal,
    ): Promise<void> =>
      forEachOf(
        Array.from({ length: atOnce }),
        atOnce,
        async (_, stopped) => {
          for (let protocol = await next(); protocol !== undefined && !stopped.aborted; protocol = await next())
            onList(protocol, await readList(protocol, stopped));
        },
        signal,
      ),
  };
};

/**
 * Creates a function that estimates the remaining time in ms, from the time since its creation. It returns undefined in
 * the first two seconds, and while nothing is done.
 */
export const estimate = (): ((done: number, total: number) => number | undefined) => {
  const beganMs = steadyNow();
  return (done, total) => {
    const tookMs = steadyNow() - beganMs;
    return done === 0 || tookMs < ENOUGH_MS ? undefined : (tookMs / done) * Math.max(0, total - done);
  };
};

const ENOUGH_MS = 2_000;

/** Yields part after part until the last, and returns to the event loop in between. */
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

/** The delay before reading ahead begins, so that the requests of the window come first. */
const QUIET_MS = 20_000;

/** The pause between two passes. Each reads the lists that are missing or have become old. */
const PAUSE_MS = 60 * 60 * 1000;

/** The age from which a list of assignments is read again in the background. A draft reads it again after a day. */
const OLD_MS = 7 * DAY_MS;

const REPORT_EVERY_MS = 500;

type ReadAheadOptions = Pick<ListsOptions, 'cache' | 'connectionId' | 'service' | 'now'> & {
  readonly sleep: Sleep;
  /** Whether something else, such as the offline walk, is reading the lists. */
  readonly isBusy: () => boolean;
  /** Called with the progress, or with undefined when nothing is being read; at most twice a second. */
  readonly onProgress: (progress: ListProgress | undefined) => void;
  /** Called with unexpected errors, since reading ahead has no caller that could receive them. */
  readonly onBug: (error: unknown) => void;
};

/**
 * Creates the reading ahead. While a user is signed in, it reads the lists that are missing or have become old, one at
 * a time. Drafts that are opened later then find these lists, and the work list is complete.
 */
export const createReadAhead = (options: ReadAheadOptions) => {
  const { cache, isBusy, onProgress, onBug } = options;
  const waits = createNudge(options.sleep);
  let progress: ListProgress | undefined;
  let running: { readonly stop: () => void; readonly ended: Promise<void> } | undefined;
  let isWanted = false;
  let holds = 0;
  let hasFailed = false;
  const report = throttle(
    reporting(() => onProgress(progress), onBug),
    REPORT_EVERY_MS,
  );
  const tell = (next: ListProgress | undefined): void => {
    progress = next;
    report();
  };
  const lists = createAssignmentLists({ ...options, onProgress: tell, freshMs: OLD_MS, atOnce: 1 });

  const readOnce = async (signal: AbortSignal): Promise<void> => {
    await lists.readWhole(signal);
    const unread: ListedProtocol[] = [];
    let total = 0;
    for await (const part of lists.unread()) {
      unread.push(...part.unread);
      total += part.listed;
    }
    const leftMs = estimate();
    let done = 0;
    await lists.readAssignments(
      async () => (isBusy() || !cache.hasRoom() ? undefined : unread[done]),
      () => {
        done += 1;
        const read = total - unread.length + done;
        tell({ stage: 'assignments', read, total, leftMs: leftMs(done, unread.length) });
      },
      signal,
    );
  };
  const read = async (signal: AbortSignal): Promise<void> => {
    try {
      if (!isBusy()) await readOnce(signal);
      hasFailed = false;
    } catch (error) {
      hasFailed = true;
      if (!(error instanceof DeskError)) onBug(error);
    } finally {
      tell(undefined);
    }
  };
  const run = async (signal: AbortSignal): Promise<void> => {
    await options.sleep(QUIET_MS, signal);
    while (!signal.aborted) {
      await read(signal);
      await waits.sleep(PAUSE_MS, signal);
    }
  };
  const stop = async (): Promise<void> => {
    running?.stop();
    await running?.ended;
  };
  const follow = (): void => {
    if (!isWanted || holds > 0) running?.stop();
    if (!isWanted || holds > 0 || running) return;
    const stopping = new AbortController();
    const ended = run(stopping.signal)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) onBug(error);
      })
      .then(() => {
        running = undefined;
        follow();
      });
    running = { stop: () => stopping.abort(), ended };
  };

  return {
    progress: () => progress,
    /** To be called when a user signs in or out: starts or stops reading ahead. */
    follow: (isSignedIn: boolean): void => {
      isWanted = isSignedIn;
      follow();
    },
    /** Stops reading ahead until `work`, which reads lists itself, has ended. Settles like `work`. */
    during: async <T>(work: () => Promise<T>): Promise<T> => {
      holds += 1;
      try {
        await stop();
        return await work();
      } finally {
        holds -= 1;
        follow();
      }
    },
    /** To be called when the service can be reached again: retries now if the last pass failed. */
    reached: (): void => {
      if (hasFailed) waits.now();
    },
    close: async (): Promise<void> => {
      isWanted = false;
      await stop();
      report.cancel();
    },
  };
};
