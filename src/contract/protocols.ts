/** The table of protocols, and the calls that read protocols and orderable events. */
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

export const ProtocolColumn = z.enum(['Address', 'City', 'ZipCode', 'FacilityId', 'InspectionDate', 'Points']);
export type ProtocolColumn = z.infer<typeof ProtocolColumn>;

/**
 * Requests a window of the cached protocols. A protocol matches if every word of `text` begins a word of one of its
 * text columns, and every word of a filter begins a word of that filter's column, regardless of case and accents. If
 * `text` has a number next to a word of the address, the number has to be in the address, too. Protocols that the
 * service found for `text` match as well, as long as the app remembers them. `fromMs` and `beforeMs` (ms since 1970)
 * bound InspectionDate.
 *
 * Without `sort`, the order is the service's; a search for words alone may use the order in which the protocols were
 * first read instead. A search with neither `sort` nor `descending` first lists the protocols whose address begins with
 * the address in `text`, then those that contain every word in full. If one of these groups is too large, it is not
 * listed first.
 */
export const ProtocolTableQuery = z.object({
  text: SearchText.default(''),
  filters: z
    .object({ Address: SearchText, City: SearchText, ZipCode: SearchText, FacilityId: SearchText })
    .partial()
    .default({}),
  fromMs: z.number().optional(),
  beforeMs: z.number().optional(),
  availableOffline: z.boolean().default(false),
  sort: ProtocolColumn.optional(),
  descending: z.boolean().default(false),
  ...paging,
});
export type ProtocolTableQuery = z.infer<typeof ProtocolTableQuery>;

/**
 * A window of the protocols that match. `total`: how many of the `cached` protocols match. `fetchedAtMs`: when the
 * oldest of the items was read; absent without items. `unreadable`: how many protocols the current or last offline walk
 * could not read.
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
  /** Operation 1 of the service's API. Without `Page`, reads the service's first page. */
  list: call(z.object({ Page: PageNumber.optional(), Query: z.string().optional(), offline }), reading(ProtocolPage)),
  /** Operation 2 of the service's API. */
  assignments: call(ofProtocol, reading(AssignmentList)),
  /** Operation 3 of the service's API. */
  inspectionPoints: call(ofProtocol, reading(z.array(InspectionPoint).readonly())),
  table: call(ProtocolTableQuery, ProtocolTable),
  get: call(ofProtocol.omit({ offline: true }), CachedProtocol),
};

export const orderableEventsCalls = {
  /** The operation "list orderable events" of the service's API. */
  list: call(z.object({ offline }), reading(z.array(OrderableEvent).readonly())),
};
