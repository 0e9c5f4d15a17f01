/**
 * Makes everything available offline: all protocols, each with its details (assignments and inspection points), and the
 * lists of project assignments and orderable events. The progress is stored (cache.ts), so that an interrupted walk can
 * be continued.
 */
import { hash } from 'node:crypto';
import { DeskError, toErrorData } from '../../contract/errors.ts';
import type { OfflineStatus } from '../../contract/offline.ts';
import { MAX_PAGES, type ProtocolSummary } from '../../contract/resources.ts';
import { throwIfCancelled } from '../async/cancel.ts';
import { steadyNow } from '../async/clock.ts';
import { createThrottle, reporting } from '../async/throttle.ts';
import type { Cache } from './cache.ts';
import { fetchList, type Served } from './reader.ts';

type OfflineWalkOptions = Served & {
  /** Called when the walk starts or ends, after `recount`, and up to four times a second during the walk. */
  readonly onStatus: (status: OfflineStatus) => void;
  readonly onBug: (error: unknown) => void;
  readonly steady?: () => number;
  /** The maximum number of pages. A list with more pages counts as endless. Default: `MAX_PAGES`. */
  readonly mostPages?: number;
};

const AT_ONCE = 4;
const BATCH = 200;
const REPORT_EVERY_MS = 250;

const ENOUGH_MS = 2_000;

/**
 * Creates a function that estimates the remaining time in ms, from the time since its creation. The function returns
 * undefined in the first two seconds, and until some work is done.
 */
export const estimate = (steady = steadyNow): ((done: number, total: number) => number | undefined) => {
  const beganMs = steady();
  return (done, total) => {
    const tookMs = steady() - beganMs;
    return done === 0 || tookMs < ENOUGH_MS ? undefined : (tookMs / done) * Math.max(0, total - done);
  };
};

/** The maximum number of protocols. A longer list counts as endless: no contractor has this many. */
const MOST_PROTOCOLS = 500_000;

/**
 * The maximum number of times that the list of protocols is read. It is read again if it changes during the reading, or
 * has fewer protocols than the service counts.
 */
const LISTINGS = 3;

/**
 * Creates a walk that has not started. Its state is `paused` if the stored pass is incomplete, for example after a
 * restart.
 */
export const createOfflineWalk = (options: OfflineWalkOptions) => {
  const { cache, connectionId, service, onStatus, onBug, now, steady = steadyNow, mostPages = MAX_PAGES } = options;
  let walking: { readonly stop: () => void; readonly ended: Promise<void> } | undefined;
  let reason: DeskError | undefined;
  let progress = { listed: 0, available: 0, skipped: 0, total: 0 };
  /** Estimates the time for the protocols that are left. Set while they are read. */
  let leftMs: () => number | undefined = () => undefined;

  const count = (): void => {
    const { running, seen, done, skipped, total } = cache.passProgress(connectionId);
    progress = running
      ? { listed: seen, available: done - skipped, skipped, total: Math.max(total, seen) }
      : { listed: 0, available: 0, skipped, total: 0 };
  };

  const status = (): OfflineStatus => {
    const { running, completedAtMs, trimmed } = cache.pass(connectionId);
    const left = leftMs();
    const why = reason ?? (running && !walking && (trimmed || !cache.hasRoom()) ? full() : undefined);
    return {
      state: walking ? 'running' : running ? 'paused' : 'idle',
      ...progress,
      sizeBytes: cache.sizeBytes(),
      ...(left !== undefined && { leftMs: left }),
      ...(why && { reason: toErrorData(why) }),
      ...(completedAtMs !== undefined && { completedAtMs }),
    };
  };

  const report = (): void => onStatus(status());
  const soon = createThrottle(() => walking && report(), REPORT_EVERY_MS, onBug);

  const onPage = (): void => {
    count();
    soon.request();
  };
  const walkList: ListOptions = { cache, connectionId, service, now, mostPages, onPage };

  const readProtocol = async (id: string, unlessOfOne: UnlessOfOne, signal: AbortSignal): Promise<void> => {
    const isStored = (): boolean => cache.protocol(connectionId, id)?.availableOffline === true;
    assertRoom(cache, isStored);
    const isRead = await unlessOfOne(() => readDetails(options, id, signal));
    if (!isRead) cache.skipProtocol(connectionId, id);
    const { available, skipped } = progress;
    progress = { ...progress, ...(isRead || isStored() ? { available: available + 1 } : { skipped: skipped + 1 }) };
    soon.request();
  };

  const walk = async (signal: AbortSignal): Promise<void> => {
    const isWhole = await listAll(walkList, signal);
    const failure = await readOtherLists(options, signal);
    const unlessOfOne = createListErrors();
    count();
    const done = (): number => progress.available + progress.skipped;
    const [before, left] = [done(), estimate(steady)];
    leftMs = () => left(done() - before, progress.total - before);
    for (
      let ids = cache.protocolsToRead(connectionId, BATCH);
      ids.length > 0;
      ids = cache.protocolsToRead(connectionId, BATCH)
    ) {
      const waiting = ids.values();
      const readWaiting = async (stopped: AbortSignal): Promise<void> => {
        for (const id of waiting) if (!stopped.aborted) await readProtocol(id, unlessOfOne, stopped);
      };
      await inParallel(AT_ONCE, readWaiting, signal);
    }
    if (failure) throw failure;
    cache.completePass(connectionId, isWhole, now());
  };

  const start = (): void => {
    if (walking) return;
    const stopping = new AbortController();
    cache.beginPass(connectionId);
    reason = undefined;
    count();
    const ended = walk(stopping.signal)
      .catch((error: unknown) => {
        if (!(error instanceof DeskError)) onBug(error);
        else if (error.code !== 'app/cancelled') reason = error;
      })
      .then(() => {
        walking = undefined;
        leftMs = () => undefined;
        count();
        report();
      })
      .catch(onBug);
    walking = { stop: () => stopping.abort(), ended };
    report();
  };

  count();
  return {
    status,
    /**
     * Starts the walk. It continues the stored pass if that is incomplete, and otherwise begins a new one. Does nothing
     * if the walk is already in progress. Errors: those of the cache.
     */
    start,
    /** Continues a walk that an error has stopped, unless the error is in `LASTING`. */
    resume: reporting(() => {
      if (reason && !LASTING.includes(reason.code)) start();
    }, onBug),
    /** Counts again, and reports the status. To be called when data was removed from the cache. */
    recount: (): void => {
      count();
      report();
    },
    /** Pauses the walk. Resolves once no request or write of the walk is in progress. */
    pause: async (): Promise<void> => {
      reason = undefined;
      walking?.stop();
      await walking?.ended;
    },
  };
};

/**
 * Fetches and stores the lists of project assignments and of events, unless the service has none for this user. After
 * an error that may affect only one of the lists, protocols are still read. Resolves to the last such error.
 */
const readOtherLists = async (options: OfflineWalkOptions, signal: AbortSignal): Promise<DeskError | undefined> => {
  const { service } = options;
  let failure: DeskError | undefined;
  for (const read of [
    () => fetchList(options, 'projects/', () => service.listProjectAssignments({}, { signal })),
    () => fetchList(options, 'events', () => service.listOrderableEvents({ signal })),
  ]) {
    try {
      await read();
    } catch (error) {
      if (!concernsOneList(error)) throw error;
      if (!isRefused(error)) failure = error;
    }
  }
  return failure;
};

/** Fetches and stores the details of a protocol. */
const readDetails = async (options: OfflineWalkOptions, id: string, signal: AbortSignal): Promise<true> => {
  await fetchList(options, `assignments/${id}`, () => options.service.listAssignments(id, { signal }));
  await fetchList(options, `points/${id}`, () => options.service.listInspectionPoints(id, { signal }));
  return true;
};

/**
 * Throws `cache/full` if the cache has no room, unless the response only replaces stored data (`isStored`). Any other
 * response would evict data that the walk has stored and would have to read again.
 */
const assertRoom = (cache: Cache, isStored: () => boolean): void => {
  if (!cache.hasRoom() && !isStored()) throw full();
};

type ListOptions = Served & {
  readonly mostPages: number;
  readonly onPage: () => void;
};

/**
 * Reads the pages of protocols that this pass has not read yet. Resolves to false if the number of protocols changes
 * during the reading, because a protocol may have moved to a page that was already read. Stops at such a change, unless
 * `isLast`. A repeated page ends the list, whatever number the service reports. Errors: those of the service and the
 * cache, `service/endless`, `cache/full`.
 */
const listOnce = async (
  { cache, connectionId, service, now, mostPages, onPage }: ListOptions,
  isLast: boolean,
  signal: AbortSignal,
): Promise<boolean> => {
  let isSteady = true;
  /** The pages read in this call: the fingerprint of each page, or a number for a page without items. */
  const pages = new Set<string>();
  for (let pass = cache.pass(connectionId); !pass.listed; pass = cache.pass(connectionId)) {
    const asked = pass.nextPage;
    const begun = cache.beginRequest(connectionId);
    const { value, unreadable } = await service.listProtocols({ Page: asked }, { signal });
    const { Items, CurrentPage, TotalCount } = value;
    assertRoom(cache, () =>
      Items.every((item) => cache.protocol(connectionId, item.InspectionProtocolId) !== undefined),
    );
    isSteady &&= asked === undefined || TotalCount === pass.total;
    if (!isSteady && !isLast) return false;
    const repeats = Items.length > 0 && pages.has(fingerprint(Items));
    pages.add(Items.length > 0 ? fingerprint(Items) : String(pages.size));
    if (pages.size > mostPages || cache.passProgress(connectionId).seen >= MOST_PROTOCOLS) throw endless(mostPages);
    await cache.putProtocols(begun, value, {}, now());
    cache.together(() => {
      const { seen, unreadable: before } = cache.passProgress(connectionId);
      const isLastPage =
        Items.length + unreadable === 0 ||
        repeats ||
        seen + before + unreadable >= TotalCount ||
        // Some services return their last page again for every higher page number.
        (asked !== undefined && CurrentPage !== asked) ||
        CurrentPage > TotalCount;
      cache.pageRead(connectionId, { next: isLastPage ? undefined : CurrentPage + 1, unreadable, total: TotalCount });
    });
    onPage();
  }
  return isSteady;
};

/**
 * Reads the list of protocols, up to `LISTINGS` times, until a reading is complete. Resolves to whether the last
 * reading was complete.
 */
const listAll = async (options: ListOptions, signal: AbortSignal): Promise<boolean> => {
  const { cache, connectionId } = options;
  for (let listing = 1; ; listing += 1) {
    const isSteady = await listOnce(options, listing === LISTINGS, signal);
    const { seen, unreadable, total } = cache.passProgress(connectionId);
    const isWhole = isSteady && seen + unreadable >= total;
    if (isWhole || listing === LISTINGS) return isWhole;
    cache.relist(connectionId);
  }
};

/**
 * The errors after which the walk does not resume automatically. An endless list does not end the next time either, and
 * a full cache stays full. A user can still continue the walk.
 */
const LASTING: readonly string[] = ['service/endless', 'cache/full'];

const fingerprint = (items: readonly ProtocolSummary[]): string =>
  hash('sha1', JSON.stringify(items.map((item) => item.InspectionProtocolId)));

const full = (): DeskError => new DeskError('cache/full', 'the offline data has reached its limit');

const endless = (pages: number): DeskError =>
  new DeskError('service/endless', 'the list has too many pages', { details: { pages } });

/** If the service fails at this number of lists in a row, it has a problem that does not concern one list only. */
const MOST_FAILED = 3;

export type UnlessOfOne = <T>(read: () => Promise<T>) => Promise<T | undefined>;

/**
 * Creates a function that runs `read`, which reads the data of one protocol or one county. The function resolves to
 * undefined after an error that affects only this read, and rejects with any other error. Each pass needs a new
 * function: the failures that ended one pass must not count for the next.
 */
export const createListErrors = (): UnlessOfOne => {
  let failed = 0;
  return async <T>(read: () => Promise<T>): Promise<T | undefined> => {
    try {
      const result = await read();
      failed = 0;
      return result;
    } catch (error) {
      failed = hasFailed(error) ? failed + 1 : 0;
      if (!concernsOneList(error) || failed >= MOST_FAILED) throw error;
      return undefined;
    }
  };
};

/** The errors of a list that the service does not have for this user, but may have for other users. */
const NOT_FOR_USER: readonly string[] = ['service/not-found', 'service/forbidden', 'service/refused'];

export const isRefused = (error: unknown): boolean => error instanceof DeskError && NOT_FOR_USER.includes(error.code);

/**
 * The errors that concern only the requested protocol. `input/invalid` means that its id cannot be part of the address
 * of a request.
 */
const REFUSALS: readonly string[] = [...NOT_FOR_USER, 'service/malformed', 'service/too-large', 'input/invalid'];

const hasFailed = (error: unknown): boolean => error instanceof DeskError && error.code === 'service/failed';

/** Whether `error` may affect only the requested list, so that others can still be read. */
export const concernsOneList = (error: unknown): error is DeskError =>
  hasFailed(error) || (error instanceof DeskError && REFUSALS.includes(error.code));

/**
 * Calls `loop` `count` times at once. After an error, aborts the signal of all loops, and throws the first error once
 * all have ended. Errors: those of `loop`; the `cancellation` of `signal`.
 */
export const inParallel = async (
  count: number,
  loop: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> => {
  const failing = new AbortController();
  const stopped = AbortSignal.any([signal, failing.signal]);
  const failures: unknown[] = [];
  const run = (): Promise<void> =>
    loop(stopped).catch((error) => {
      failures.push(error);
      failing.abort();
    });
  await Promise.all(Array.from({ length: count }, run));
  if (failures.length > 0) throw failures[0];
  throwIfCancelled(signal);
};
