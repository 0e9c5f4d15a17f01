/** The table of protocols, and the reads of protocols and events. */
import { z } from 'zod';
import { call, offline, paging } from './call.ts';
import {
  AssignmentList,
  CachedProtocol,
  InspectionPoint,
  OrderableEvent,
  PageNumber,
  ProtocolPage,
  reading,
} from './resources.ts';
import { SearchText } from './search.ts';

// The table of protocols: a window of the offline data.

export const ProtocolColumn = z.enum(['Address', 'City', 'ZipCode', 'FacilityId', 'InspectionDate', 'Points']);
export type ProtocolColumn = z.infer<typeof ProtocolColumn>;

/**
 * A window of the cached protocols. Every word of `text` has to begin a word of one of the text columns, every word
 * of a filter one of its own column, whatever their case and accents; a number beside a word of the address has to be in
 * the address, too. What the service itself found for `text` since the app was started belongs to it. Without `sort`: the
 * service's order; of a search exact addresses first, then records with all words in full, then the others in the order in
 * which they were first read. `fromMs` and `beforeMs` (since 1970) bound InspectionDate.
 */
export const ProtocolTableQuery = z.object({
  text: SearchText.default(''),
  filters: z
    .object({ Address: SearchText, City: SearchText, ZipCode: SearchText, FacilityId: SearchText })
    .partial()
    .default({}),
  fromMs: z.number().optional(),
  beforeMs: z.number().optional(),
  /** Only protocols whose assignments and inspection points are available offline, too. */
  availableOffline: z.boolean().default(false),
  sort: ProtocolColumn.optional(),
  descending: z.boolean().default(false),
  ...paging,
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

const ofProtocol = z.object({ InspectionProtocolId: z.string().min(1), offline });

export const protocolsCalls = {
  /**
   * API operation 1. Without `Page`, the service's first page. A read aborts the previous one of the same `turn`, which
   * is outdated.
   */
  list: call(
    z.object({
      Page: PageNumber.optional(),
      Query: z.string().optional(),
      offline,
      turn: z.string().max(100).optional(),
    }),
    reading(ProtocolPage),
  ),
  /** Interface operation 2. */
  assignments: call(ofProtocol, reading(AssignmentList)),
  /** Interface operation 3. With `text` those points that have its words. */
  inspectionPoints: call(
    ofProtocol.extend({ text: SearchText.optional() }),
    reading(z.array(InspectionPoint).readonly()),
  ),
  /** A window of the offline data; makes no request to the service. */
  table: call(ProtocolTableQuery, ProtocolTable),
  /** A protocol of the offline data. Errors: `cache/missing`. */
  get: call(ofProtocol.omit({ offline: true }), CachedProtocol),
};

export const orderableEventsCalls = {
  /** Interface operation 8. */
  list: call(z.object({ offline }), reading(z.array(OrderableEvent).readonly())),
};
