/** Answers to reads, from the service or from the offline data. */
import { z } from 'zod';

/** A list that was read: `unreadable` counts the items left out because they do not have the interface's shape. */
export type Listing<T> = { readonly value: T; readonly unreadable: number };

/**
 * A read of the service, or of the cache when offline. `unreadable` counts items that were left out because they
 * did not have the interface's shape; `fetchedAtMs`: since 1970.
 */
export const reading = <T extends z.ZodType>(value: T) =>
  z.object({ value, unreadable: z.int(), source: z.enum(['service', 'cache']), fetchedAtMs: z.number() });
export type Reading<T> = {
  readonly value: T;
  readonly unreadable: number;
  readonly source: 'service' | 'cache';
  readonly fetchedAtMs: number;
};
