/** Reads the assignments that folders are matched with: only the lists that are missing, or older than a day. */
import { setImmediate } from 'node:timers/promises';
import { MAX_PAGES } from '../../../contract/resources.ts';
import type { List } from '../../async/parse-in-slices.ts';
import type { Cache } from '../../cache/cache.ts';
import { forEachOf } from '../../cache/for-each-of.ts';
import { concernsOneList } from '../../cache/offline-walk.ts';
import type { ServiceReads } from '../../cache/reader.ts';
import type { StoredTarget } from '../../cache/targets.ts';

type UpdateOptions = {
  readonly cache: Cache;
  readonly connectionId: string;
  readonly service: ServiceReads;
  readonly now: () => number;
  /** How many lists are up to date, of how many. */
  readonly onProgress: (progress: { readonly read: number; readonly total: number }) => void;
};

const DAY_MS = 24 * 60 * 60 * 1000;
const AT_ONCE = 4;

/** The name under which the cache remembers when the list of protocols was last read to its end. */
const LIST = 'protocols';
const PROJECTS = 'projects/';

/**
 * Reads the list of protocols, the assignments for projects, and the assignments of each protocol, as far as they are not
 * from within a day. What was read before an error stays. Errors: the service's; the reason of `signal`.
 */
export const bringUpToDate = async (options: UpdateOptions, signal: AbortSignal): Promise<void> => {
  const { cache, connectionId, service, now, onProgress } = options;
  const isOld = (atMs: number | undefined): boolean => atMs === undefined || now() - atMs > DAY_MS;
  const keep = (name: string, { value, unreadable }: { readonly value: List; readonly unreadable: number }) =>
    cache.putAnswer(connectionId, name, { value, unreadable, source: 'service', fetchedAtMs: now() });

  if (isOld(cache.answeredAtMs(connectionId, LIST))) {
    await readProtocols(options, signal);
    await keep(LIST, { value: [], unreadable: 0 });
  }
  const missing: string[] = [];
  let total = 1;
  for await (const { InspectionProtocolId, fetchedAtMs } of eachOf((after) =>
    cache.assignmentLists(connectionId, after),
  )) {
    total += 1;
    if (isOld(fetchedAtMs)) missing.push(InspectionProtocolId);
  }
  const areProjectsOld = isOld(cache.answeredAtMs(connectionId, PROJECTS));
  let read = total - missing.length - (areProjectsOld ? 1 : 0);
  onProgress({ read, total });
  const done = (): void => {
    read += 1;
    onProgress({ read, total });
  };
  if (areProjectsOld) {
    await keep(PROJECTS, await service.listProjectAssignments({}, { signal }));
    done();
  }
  await forEachOf(
    missing,
    AT_ONCE,
    async (id, stopped) => {
      try {
        await keep(`assignments/${id}`, await service.listAssignments(id, { signal: stopped }));
      } catch (error) {
        if (!concernsOneList(error)) throw error;
      }
      done();
    },
    signal,
  );
};

/** Reads every page of the list. A page without a protocol that is new ends it, whatever the service counts. */
const readProtocols = async (
  { cache, connectionId, service, now }: UpdateOptions,
  signal: AbortSignal,
): Promise<void> => {
  const seen = new Set<string>();
  let unreadable = 0;
  let Page: number | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await service.listProtocols({ Page }, { signal });
    const { Items, CurrentPage, TotalCount } = page.value;
    const before = seen.size;
    for (const { InspectionProtocolId } of Items) seen.add(InspectionProtocolId);
    unreadable += page.unreadable;
    await cache.putProtocols(connectionId, page.value, {}, now());
    const isLast =
      (seen.size === before && page.unreadable === 0) ||
      seen.size + unreadable >= TotalCount ||
      // Some services return their last page for every page after it.
      (Page !== undefined && CurrentPage !== Page);
    if (isLast) return;
    Page = CurrentPage + 1;
  }
};

/** Every item, slice by slice, with turns for other work of this process in between. */
async function* eachOf<T>(
  sliceAfter: (after: number) => { readonly items: readonly T[]; readonly next?: number },
): AsyncGenerator<T, void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { items, next }: { readonly items: readonly T[]; readonly next?: number } = sliceAfter(after);
    yield* items;
    after = next;
    await setImmediate();
  }
}

/** The assignments of the connection, in parts. */
export async function* storedTargets(
  cache: Pick<Cache, 'targets'>,
  connectionId: string,
): AsyncGenerator<readonly StoredTarget[], void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { items, next }: { readonly items: readonly StoredTarget[]; readonly next?: number } = cache.targets(
      connectionId,
      after,
    );
    yield items;
    after = next;
    await setImmediate();
  }
}
