/** The table of protocols: a window of the offline data. */
import { z } from 'zod';
import { CachedProtocol } from './cached.ts';
import { SearchText } from './search.ts';

export const ProtocolColumn = z.enum(['Address', 'City', 'ZipCode', 'FacilityId', 'InspectionDate', 'Points']);
export type ProtocolColumn = z.infer<typeof ProtocolColumn>;

/**
 * A window of the cached protocols. Every word of `text` has to begin a word of one of the text columns, every word
 * of a filter one of its own column, whatever their case and accents; a number beside a word of the address has to be in
 * the address, too. What the service itself found for `text` since the app was started belongs to it. Without `sort`: the
 * service's order; of a search exact addresses first, then records with all words in full, then the others in the order in
 * which they were first read. `fromMs` and `beforeMs` (since 1970) bound InspectionDate. `severity`: with an inspection point of it.
 */
export const ProtocolTableQuery = z.object({
  text: SearchText.default(''),
  filters: z
    .object({ Address: SearchText, City: SearchText, ZipCode: SearchText, FacilityId: SearchText })
    .partial()
    .default({}),
  fromMs: z.number().optional(),
  beforeMs: z.number().optional(),
  severity: z.string().optional(),
  /** Only those whose assignments and inspection points are here, too. */
  availableOffline: z.boolean().default(false),
  sort: ProtocolColumn.optional(),
  descending: z.boolean().default(false),
  offset: z.int().min(0).default(0),
  limit: z.int().min(1).max(1000).default(200),
});
export type ProtocolTableQuery = z.infer<typeof ProtocolTableQuery>;

/**
 * `total` matches of `cached` protocols in all; `fetchedAtMs`: when the oldest of `Items` was read; absent without any.
 * `unreadable`: of the last walk.
 */
export const ProtocolTable = z.object({
  Items: z.array(CachedProtocol).readonly(),
  total: z.int(),
  cached: z.int(),
  unreadable: z.int(),
  fetchedAtMs: z.number().optional(),
});
export type ProtocolTable = z.infer<typeof ProtocolTable>;
