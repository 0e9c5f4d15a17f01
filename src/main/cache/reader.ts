/**
 * The reads of the app: from the service, kept in the cache on the way; from the cache when asked for or when the
 * service cannot be reached.
 */
import { z } from 'zod';
import type { Listing, Reading } from '../../contract/reading.ts';
import { AssignmentList, InspectionPoint, OrderableEvent, type ProtocolPage } from '../../contract/resources.ts';
import type { List } from '../async/parse-in-slices.ts';
import { isOutage } from '../net/translate.ts';
import type { Cache, ProtocolQuery } from './cache.ts';
import { orMissing } from './or-missing.ts';
import type { TryToKeep } from './try-to-keep.ts';

/** The reads of the service client: each answers its value and how many items could not be read. */
export type ServiceReads = {
  readonly listProtocols: (query: ProtocolQuery, options?: Signal) => Promise<Listing<ProtocolPage>>;
  readonly listAssignments: (InspectionProtocolId: string, options?: Signal) => Promise<Listing<AssignmentList>>;
  readonly listInspectionPoints: (
    InspectionProtocolId: string,
    options?: Signal,
  ) => Promise<Listing<readonly InspectionPoint[]>>;
  readonly listProjectAssignments: (
    query: { readonly County?: string | undefined },
    options?: Signal,
  ) => Promise<Listing<AssignmentList>>;
  readonly listOrderableEvents: (options?: Signal) => Promise<Listing<readonly OrderableEvent[]>>;
};
type Signal = { readonly signal?: AbortSignal | undefined };

/** `offline`: from the cache only. Errors: the service's; `cache/missing` where the cache has nothing of it. */
export type ReadOptions = Signal & { readonly offline?: boolean | undefined };

export type Reader = {
  readonly protocols: (query: ProtocolQuery, options?: ReadOptions) => Promise<Reading<ProtocolPage>>;
  readonly assignments: (InspectionProtocolId: string, options?: ReadOptions) => Promise<Reading<AssignmentList>>;
  readonly inspectionPoints: (
    InspectionProtocolId: string,
    options?: ReadOptions,
  ) => Promise<Reading<InspectionPoint[]>>;
  readonly projects: (County: string | undefined, options?: ReadOptions) => Promise<Reading<AssignmentList>>;
  readonly orderableEvents: (options?: ReadOptions) => Promise<Reading<OrderableEvent[]>>;
};

export type ReaderOptions = {
  readonly cache: Cache;
  /** The connection's key. */
  readonly connection: string;
  readonly service: ServiceReads;
  readonly now: () => number;
  /** The service has answered. */
  readonly onReached?: () => void;
  readonly tryToKeep: TryToKeep;
};

/** The reads over one connection. */
export const createReader = (options: ReaderOptions): Reader => {
  const { cache, connection, service, now, onReached, tryToKeep } = options;

  /** The rule of every read: where the value comes from, and what it leaves behind. */
  const read = async <T>(
    { offline }: ReadOptions,
    ask: () => Promise<Listing<T>>,
    keep: (reading: Reading<T>) => Promise<void>,
    kept: () => Promise<Reading<T> | undefined> | Reading<T> | undefined,
  ): Promise<Reading<T>> => {
    if (offline) return orMissing(await kept());
    try {
      const reading = { ...(await ask()), source: 'service', fetchedAtMs: now() } as const;
      await tryToKeep(() => keep(reading));
      onReached?.();
      return reading;
    } catch (error) {
      const fallback = isOutage(error) ? await kept() : undefined;
      if (fallback) return fallback;
      throw error;
    }
  };

  const whole = <T extends List>(
    name: string,
    schema: z.ZodType<T>,
    options: ReadOptions,
    ask: () => Promise<Listing<T>>,
  ) =>
    read(
      options,
      ask,
      (reading) => cache.putAnswer(connection, name, reading),
      () => cache.answer(connection, name, schema),
    );

  return {
    protocols: (query, options = {}) =>
      read(
        options,
        () => service.listProtocols(query, options),
        ({ value, fetchedAtMs }) => cache.putProtocols(connection, value, query, fetchedAtMs),
        () => cache.protocols(connection, query),
      ),
    assignments: (id, options = {}) =>
      whole(`assignments/${id}`, AssignmentList, options, () => service.listAssignments(id, options)),
    inspectionPoints: (id, options = {}) =>
      whole(`points/${id}`, z.array(InspectionPoint), options, async () =>
        mutable(await service.listInspectionPoints(id, options)),
      ),
    projects: (County, options = {}) =>
      whole(`projects/${County ?? ''}`, AssignmentList, options, () =>
        service.listProjectAssignments({ County }, options),
      ),
    orderableEvents: (options = {}) =>
      whole('events', z.array(OrderableEvent), options, async () =>
        mutable(await service.listOrderableEvents(options)),
      ),
  };
};

const mutable = <T>({ value, unreadable }: Listing<readonly T[]>): Listing<T[]> => ({ value: [...value], unreadable });
