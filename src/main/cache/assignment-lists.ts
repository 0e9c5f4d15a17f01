/**
 * Reads the service's lists of protocols, of the assignments of each protocol, and of project assignments. Drafts match
 * folders with these lists, and the work list shows them. Lists that are missing or out of date are read on request, or
 * in advance in the background.
 */
import { setImmediate } from 'node:timers/promises';
import { partition } from 'es-toolkit/array/partition';
import { DeskError } from '../../contract/errors.ts';
import type { ListProgress } from '../../contract/offline.ts';
import { MAX_PAGES } from '../../contract/resources.ts';
import { createNudge, type Sleep } from '../async/clock.ts';
import { createThrottle } from '../async/throttle.ts';
import type { BegunRequest, ListedProtocol, StoredTarget } from './cache.ts';
import {
  concernsOneList,
  createListErrors,
  estimate,
  inParallel,
  isRefused,
  type UnlessOfOne,
} from './offline-walk.ts';
import { fetchList, type Served, type ServiceReads } from './reader.ts';

export type AssignmentLists = ReturnType<typeof createAssignmentLists>;

type ListsOptions = Served<Pick<ServiceReads, 'listProtocols' | 'listAssignments' | 'listProjectAssignments'>> & {
  readonly onProgress: (progress: ListProgress) => void;
  /**
   * The age above which a protocol's list of assignments is out of date. Default: a day. Other lists are always out of
   * date after a day.
   */
  readonly freshMs?: number;
  readonly atOnce?: number;
};

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The name of a stored response without items. It only records when the list of protocols was read, and how many
 * protocols were missing.
 */
const LIST = 'protocols';
const PROJECTS = 'projects/';

/**
 * The maximum number of times that the list of protocols is read. If protocols are missing, it is read again, because
 * it may have changed during the first reading.
 */
const READINGS = 2;

export const createAssignmentLists = (options: ListsOptions) => {
  const { cache, connectionId, service, now, onProgress, freshMs = DAY_MS, atOnce = 4 } = options;
  // A time far in the future is out of date, too: the clock was set back after the time was stored.
  const isFresh = (atMs: number | undefined, forMs = DAY_MS): boolean =>
    atMs !== undefined && Math.abs(now() - atMs) <= forMs;
  const isHere = (name: string): boolean => {
    const { fetchedAtMs, missing } = cache.readAs(connectionId, name) ?? {};
    return isFresh(fetchedAtMs) && missing === 0;
  };

  /**
   * Fetches and stores the pages of protocols. Ends when the reported total is reached, after `MAX_PAGES`, or after a
   * page that is not the requested one or has nothing new. Returns `missing`, how many protocols are missing or
   * unreadable; `sinceMs`, a time not later than that of any stored page; and `isAll`, whether protocols that no page
   * contained are gone. `isAll` is false if protocols are missing, if the list changed meanwhile, or if it is empty,
   * which may be a fault of the service.
   */
  const readPages = async (
    begun: BegunRequest,
    signal: AbortSignal,
  ): Promise<{ readonly missing: number; readonly sinceMs: number; readonly isAll: boolean }> => {
    const leftMs = estimate();
    let sinceMs = now();
    const seen = new Set<string>();
    let unreadable = 0;
    let total = 0;
    let isSteady = true;
    let Page: number | undefined;
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const page = await service.listProtocols({ Page }, { signal });
      const { Items, CurrentPage, TotalCount } = page.value;
      const before = seen.size;
      for (const { InspectionProtocolId } of Items) seen.add(InspectionProtocolId);
      unreadable += page.unreadable;
      isSteady &&= pages === 0 || TotalCount === total;
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
    const missing = Math.max(unreadable, total - seen.size);
    return { missing, sinceMs, isAll: missing === 0 && isSteady && seen.size > 0 };
  };

  /**
   * The protocols for which at least one read failed. They are read last, because several failures in a row end the
   * pass.
   */
  const failed = new Set<string>();
  /**
   * Fetches and stores the assignments of a protocol. Resolves to undefined if some are missing, or after an error that
   * affects only this protocol.
   */
  const readList = async (
    { InspectionProtocolId, ZipCode, InspectionDate }: ListedProtocol,
    unlessOfOne: UnlessOfOne,
    signal: AbortSignal,
  ): Promise<readonly StoredTarget[] | undefined> => {
    const read = () =>
      service.listAssignments(InspectionProtocolId, { signal }).catch((error: unknown) => {
        if (concernsOneList(error)) failed.add(InspectionProtocolId);
        throw error;
      });
    const list = await unlessOfOne(() => fetchList(options, `assignments/${InspectionProtocolId}`, read));
    if (list) failed.delete(InspectionProtocolId);
    if (!list || list.unreadable > 0 || list.value.Items.length < list.value.TotalCount) return undefined;
    const ofProtocol = { InspectionProtocolId, ZipCode, InspectionDate, fetchedAtMs: list.fetchedAtMs };
    return list.value.Items.map((item) => ({ value: JSON.stringify(item), ...ofProtocol }));
  };

  const fetchProjects = (query: { readonly County?: string }, signal: AbortSignal) =>
    fetchList(options, `${PROJECTS}${query.County ?? ''}`, () => service.listProjectAssignments(query, { signal }));

  const readProtocols = async (signal: AbortSignal): Promise<void> => {
    for (let readings = 0; readings < READINGS && !isHere(LIST); readings += 1) {
      // All pages belong to one request. If the offline data is cleared between two pages, the list is then not
      // stored as complete.
      const begun = cache.beginRequest(connectionId);
      const { missing, sinceMs, isAll } = await readPages(begun, signal);
      const reading = { value: [], unreadable: missing, source: 'service', fetchedAtMs: sinceMs } as const;
      await cache.putResponse(begun, LIST, reading);
      if (isAll) await cache.forgetLists(begun, sinceMs);
    }
  };
  /** The lists that the service does not have for this user. They do not count as missing. */
  const refused = new Set<string>();
  const orRefused = async (name: string, read: () => Promise<unknown>): Promise<void> => {
    refused.delete(name);
    await read().catch((error: unknown) => {
      if (!isRefused(error)) throw error;
      refused.add(name);
    });
  };

  return {
    isWhole: (): boolean => [LIST, PROJECTS].every((name) => refused.has(name) || isHere(name)),
    /**
     * Fetches the list of protocols and the list of project assignments, unless they are complete and up to date. If
     * the service refuses one of the two lists, that list counts as read; if it refuses both, rejects. Resolves to the
     * error if only the list of project assignments cannot be read. Also fetches outdated lists of single counties, and
     * forgets the assignments of protocols that are gone. Errors: those of the service and the cache; the
     * `cancellation` of `signal`.
     */
    readWhole: async (signal: AbortSignal): Promise<DeskError | undefined> => {
      const unlessOfOne = createListErrors();
      if (!isHere(LIST)) await orRefused(LIST, () => readProtocols(signal));
      const readProjects = () => fetchProjects({}, signal);
      let missing: DeskError | undefined;
      // Rejects if the service refuses this list, too.
      if (!isHere(PROJECTS) && refused.has(LIST)) await readProjects();
      else if (!isHere(PROJECTS))
        await orRefused(PROJECTS, readProjects).catch((error: unknown) => {
          if (!concernsOneList(error)) throw error;
          missing = error;
        });
      for (const County of cache.counties(connectionId)) {
        if (!isFresh(cache.readAs(connectionId, `${PROJECTS}${County}`)?.fetchedAtMs))
          await unlessOfOne(() => fetchProjects({ County }, signal));
      }
      return missing;
    },
    /**
     * Yields the protocols in parts. Each part has the protocols whose list of assignments is missing, incomplete or
     * outdated (`unread`), and the number of protocols that the service still lists, as far as is known (`listed`).
     */
    unread: async function* () {
      const listed = cache.readAs(connectionId, LIST);
      // A protocol that was last seen before the complete list was read is not in that list: the service has removed
      // it.
      const goneBeforeMs = isHere(LIST) ? (listed?.fetchedAtMs ?? 0) : 0;
      const last: ListedProtocol[] = [];
      for await (const part of slicesOf((after) => cache.protocolLists(connectionId, after))) {
        const there = part.filter(({ seenAtMs }) => seenAtMs >= goneBeforeMs);
        const old = there.filter(({ readAtMs, isCut }) => isCut || !isFresh(readAtMs, freshMs));
        const [later, unread] = partition(old, ({ InspectionProtocolId }) => failed.has(InspectionProtocolId));
        last.push(...later);
        yield { unread, listed: there.length };
      }
      if (last.length > 0) yield { unread: last, listed: 0 };
    },
    targets: () => slicesOf((after) => cache.targets(connectionId, after)),
    /**
     * Reads the assignments of the protocols that `next` returns, until `next` resolves to undefined. Calls `onList`
     * after each protocol, without targets if its list could not be read completely. Errors: those of the service, the
     * cache and `next`; the `cancellation` of `signal`.
     */
    readAssignments: (
      next: () => Promise<ListedProtocol | undefined>,
      onList: (protocol: ListedProtocol, targets: readonly StoredTarget[] | undefined) => void,
      signal: AbortSignal,
    ): Promise<void> => {
      const unlessOfOne = createListErrors();
      return inParallel(
        atOnce,
        async (stopped) => {
          for (let protocol = await next(); protocol !== undefined && !stopped.aborted; protocol = await next())
            onList(protocol, await readList(protocol, unlessOfOne, stopped));
        },
        signal,
      );
    },
  };
};

/** Yields slices of rows. `sliceAfter` returns the slice after a row, or an empty slice if there are no more rows. */
async function* slicesOf<T extends { readonly row: number }>(
  sliceAfter: (row: number) => readonly T[],
): AsyncGenerator<readonly T[], void> {
  for (let slice = sliceAfter(0); slice.length > 0; slice = sliceAfter(slice.at(-1)?.row ?? 0)) {
    yield slice;
    await setImmediate();
  }
}

/** The delay before reading ahead begins, so that requests of the window are sent first. */
const QUIET_MS = 20_000;

/** The pause between two passes. A pass reads the lists that are missing or have become old. */
const PAUSE_MS = 60 * 60 * 1000;

/** The age at which a list of assignments is read again in advance. Drafts read a list again after only a day. */
const OLD_MS = 7 * DAY_MS;

const REPORT_EVERY_MS = 500;

type ReadAheadOptions = Pick<ListsOptions, 'cache' | 'connectionId' | 'service' | 'now'> & {
  readonly sleep: Sleep;
  readonly isBusy: () => boolean;
  /** Called at most twice a second with the progress, and with undefined when reading has ended. */
  readonly onProgress: (progress: ListProgress | undefined) => void;
  readonly onBug: (error: unknown) => void;
};

/**
 * Reads missing and old lists in advance while a user is signed in, one list at a time. Drafts and the work list then
 * usually find the lists in the cache.
 */
export const createReadAhead = (options: ReadAheadOptions) => {
  const { cache, isBusy, onProgress, onBug } = options;
  const waits = createNudge(options.sleep);
  let progress: ListProgress | undefined;
  let running: { readonly stop: () => void; readonly ended: Promise<void> } | undefined;
  let isWanted = false;
  let holds = 0;
  let hasFailed = false;
  const report = createThrottle(() => onProgress(progress), REPORT_EVERY_MS, onBug);
  const tell = (next: ListProgress | undefined): void => {
    progress = next;
    report.request();
  };
  const lists = createAssignmentLists({ ...options, onProgress: tell, freshMs: OLD_MS, atOnce: 1 });

  const readOnce = async (signal: AbortSignal): Promise<void> => {
    const begun = cache.beginRequest(options.connectionId);
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
      // Once the offline data is cleared, the lists of `unread` belong to protocols that are no longer stored.
      async () => (begun.isOutdated() || isBusy() || !cache.hasRoom() ? undefined : unread[done]),
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
    /** Starts or stops reading ahead. To be called when a user signs in or out. */
    follow: (isSignedIn: boolean): void => {
      isWanted = isSignedIn;
      follow();
    },
    /** Runs `work`, which reads lists itself, while reading ahead is stopped. Settles like `work`. */
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
    /** Begins a pass now if the last pass failed. To be called when the service can be reached again. */
    reached: (): void => {
      if (hasFailed) waits.now();
    },
    close: async (): Promise<void> => {
      isWanted = false;
      await stop();
      report.end();
    },
  };
};
