/**
 * The reads of the app. A read requests data from the service and stores the response in the cache. With `offline`, or
 * if the service cannot be reached, the read returns cached data instead.
 */
import { z } from 'zod';
import { DeskError } from '../../contract/errors.ts';
import {
  AssignmentList,
  InspectionPoint,
  type Listing,
  OrderableEvent,
  type ProtocolPage,
  type Reading,
} from '../../contract/resources.ts';
import { isOutage } from '../net/translate.ts';
import type { BegunRequest, Cache, ProtocolQuery } from './cache.ts';
import type { List } from './responses.ts';

/** The reads of the service client. Each resolves to its value, with the number of items that could not be read. */
export type ServiceReads = {
  readonly listProtocols: (query: ProtocolQuery, options?: Signal) => Promise<Listing<ProtocolPage>>;
  readonly listAssignments: ListBy<string, AssignmentList>;
  readonly listInspectionPoints: ListBy<string, readonly InspectionPoint[]>;
  readonly listProjectAssignments: ListBy<{ readonly County?: string | undefined }, AssignmentList>;
  readonly listOrderableEvents: (options?: Signal) => Promise<Listing<readonly OrderableEvent[]>>;
};
type ListBy<Key, T> = (key: Key, options?: Signal) => Promise<Listing<T>>;
type Signal = { readonly signal?: AbortSignal | undefined };

/**
 * Options of a read. With `offline`, only the cache is read, and the error is `cache/missing` if the cache has no
 * response. Otherwise the errors are those of the service. If the service cannot be reached, a cached response is
 * returned instead of the error.
 */
export type ReadOptions = Signal & { readonly offline?: boolean | undefined };

export type Served<Service = ServiceReads> = {
  readonly cache: Cache;
  readonly connectionId: string;
  readonly service: Service;
  readonly now: () => number;
};

type ReaderOptions = Served & {
  /** Called after each successful request, once the response was stored or could not be stored. */
  readonly onReached?: () => void;
  readonly tryToStore: TryToStore;
};

export type Reader = ReturnType<typeof createReader>;

export const createReader = ({ cache, connectionId, service, now, onReached, tryToStore }: ReaderOptions) => {
  const read = async <T>(
    { offline }: ReadOptions,
    request: () => Promise<Listing<T>>,
    store: (begun: BegunRequest, reading: Reading<T>) => Promise<void>,
    cached: () => Promise<Reading<T> | undefined> | Reading<T> | undefined,
  ): Promise<Reading<T>> => {
    if (offline) return orMissing(await cached());
    const begun = cache.beginRequest(connectionId);
    try {
      const reading = { ...(await request()), source: 'service', fetchedAtMs: now() } as const;
      await tryToStore(() => store(begun, reading));
      onReached?.();
      return reading;
    } catch (error) {
      const fallback = isOutage(error) ? await cached() : undefined;
      if (fallback) return fallback;
      throw error;
    }
  };

  const whole = <T extends List>(
    name: string,
    schema: z.ZodType<T>,
    options: ReadOptions,
    request: () => Promise<Listing<T>>,
  ) =>
    read(
      options,
      request,
      (begun, reading) => cache.putResponse(begun, name, reading),
      () => cache.response(connectionId, name, schema),
    );

  return {
    protocols: (query: ProtocolQuery, options: ReadOptions = {}): Promise<Reading<ProtocolPage>> =>
      read(
        options,
        () => service.listProtocols(query, options),
        (begun, { value, fetchedAtMs }) => cache.putProtocols(begun, value, query, fetchedAtMs),
        () => cache.protocols(connectionId, query),
      ),
    assignments: (id: string, options: ReadOptions = {}) =>
      whole(`assignments/${id}`, AssignmentList, options, () => service.listAssignments(id, options)),
    inspectionPoints: (id: string, options: ReadOptions = {}) =>
      whole(`points/${id}`, z.array(InspectionPoint).readonly(), options, () =>
        service.listInspectionPoints(id, options),
      ),
    projects: (County: string | undefined, options: ReadOptions = {}) =>
      whole(`projects/${County ?? ''}`, AssignmentList, options, () =>
        service.listProjectAssignments({ County }, options),
      ),
    orderableEvents: (options: ReadOptions = {}) =>
      whole('events', z.array(OrderableEvent).readonly(), options, () => service.listOrderableEvents(options)),
  };
};

/**
 * Requests a list and stores the response as `name`, unless the offline data was cleared in the meantime. Errors: those
 * of `request` and of the cache.
 */
export const fetchList = async <T extends List>(
  { cache, connectionId, now }: Omit<Served, 'service'>,
  name: string,
  request: () => Promise<Listing<T>>,
): Promise<Reading<T>> => {
  const begun = cache.beginRequest(connectionId);
  const reading: Reading<T> = { ...(await request()), source: 'service', fetchedAtMs: now() };
  await cache.putResponse(begun, name, reading);
  return reading;
};

type TryToStore = (store: () => Promise<void> | void) => Promise<void>;

/**
 * Creates a `TryToStore`, which lets requests succeed if their responses cannot be stored, for example on a full disk.
 * `onFailure` is called with the first error, and not again until a write has succeeded.
 */
export const createTryToStore = (onFailure: (error: DeskError) => void): TryToStore => {
  let works = true;
  return async (store) => {
    try {
      await store();
      works = true;
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      if (works) onFailure(error);
      works = false;
    }
  };
};

export const orMissing = <T>(cached: T | undefined): T => {
  if (cached === undefined) throw new DeskError('cache/missing', 'this was not read before');
  return cached;
};
