/** Queries that ask the service: which of them show old data, or none, because it is unreachable. */
import type { Query } from '@tanstack/react-query';
import { z } from 'zod';
import { isOutageCode, toErrorData } from '../../contract/errors.ts';

/** The `meta` of a query that the service answers. */
export const fromService = { asks: 'service' } as const;

const Sourced = z.object({ source: z.enum(['service', 'cache']) });

/** What such a query holds: one reading, or the pages of a list. */
const ServiceData = z.union([z.object({ pages: z.array(Sourced) }), Sourced.transform((page) => ({ pages: [page] }))]);

const isFromCache = (data: unknown): boolean =>
  ServiceData.safeParse(data).data?.pages.some(({ source }) => source === 'cache') ?? false;

/** Whether `query` has offline data, or nothing, in the place of the service's answer. */
export const isAway = ({ meta, state: { error, data } }: Query): boolean => {
  if (meta !== fromService) return false;
  return error === null ? isFromCache(data) : isOutageCode(toErrorData(error).code);
};

/** Whether `query` is away, or was refused because the service asked for a pause. */
export const isHeldUp = (query: Query): boolean => {
  const { meta, state } = query;
  const isRefused = state.error !== null && toErrorData(state.error).code === 'service/busy';
  return isAway(query) || (meta === fromService && isRefused);
};
