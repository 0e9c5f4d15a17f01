/**
 * What is kept on this computer, for work without a network: the table of protocols, the search, the overview, the
 * walk that keeps everything, and the changes that wait to be sent. Times are ms since 1970.
 */
import { z } from 'zod';
import { ErrorData } from './errors.ts';
import { AssignmentSummary, ProtocolSummary } from './resources.ts';

export const ProtocolColumn = z.enum(['Address', 'City', 'ZipCode', 'FacilityId', 'InspectionDate', 'Points']);
export type ProtocolColumn = z.infer<typeof ProtocolColumn>;

const SearchText = z.string().max(200);

/**
 * A window of the cached protocols. Every word of `text` has to begin a word of one of the text columns, every word
 * of a filter one of its own column, whatever their case and accents; what the service itself found for `text` since
 * the app was started belongs to it, too. Without `sort`: the service's order, of a search the order in which they were
 * first read. `from` and `before` bound InspectionDate, in ms since 1970. `severity`: with an inspection point of it.
 */
export const ProtocolTableQuery = z.object({
  text: SearchText.default(''),
  filters: z
    .object({ Address: SearchText, City: SearchText, ZipCode: SearchText, FacilityId: SearchText })
    .partial()
    .default({}),
  from: z.number().optional(),
  before: z.number().optional(),
  severity: z.string().optional(),
  /** Only those whose assignments and inspection points are here, too. */
  availableOffline: z.boolean().default(false),
  sort: ProtocolColumn.optional(),
  descending: z.boolean().default(false),
  offset: z.int().min(0).default(0),
  limit: z.int().min(1).max(1000).default(200),
});
export type ProtocolTableQuery = z.infer<typeof ProtocolTableQuery>;

/** A cached protocol; `availableOffline`: its assignments and inspection points are here too. */
export const CachedProtocol = ProtocolSummary.extend({ availableOffline: z.boolean(), fetchedAt: z.number() });
export type CachedProtocol = z.infer<typeof CachedProtocol>;

/**
 * `total` matches of `kept` protocols in all; `fetchedAt`: when the oldest of `Items` was read; absent without any.
 * `unreadable`: of the last walk.
 */
export const ProtocolTable = z.object({
  Items: z.array(CachedProtocol),
  total: z.int(),
  kept: z.int(),
  unreadable: z.int(),
  fetchedAt: z.number().optional(),
});
export type ProtocolTable = z.infer<typeof ProtocolTable>;

/** A change made here that the service has not taken over: it waits, or was refused for `error`. */
const entry = { id: z.int(), AssignmentId: z.string(), at: z.number(), error: ErrorData.optional() };
export const OutboxEntry = z.discriminatedUnion('kind', [
  /** Without `PlanAfter` the value is to be cleared. */
  z.object({ ...entry, kind: z.literal('plan-after'), PlanAfter: z.number().optional() }),
  z.object({ ...entry, kind: z.literal('remove-file'), Key: z.string() }),
]);
export type OutboxEntry = z.infer<typeof OutboxEntry>;

/** What is known of an assignment. `planAfter`: as the service last answered; the interface has no way to read it. */
export const KnownAssignment = z.object({
  assignment: AssignmentSummary,
  fetchedAt: z.number(),
  planAfter: z.object({ PlanAfter: z.number(), at: z.number() }).optional(),
});
export type KnownAssignment = z.infer<typeof KnownAssignment>;

/** What a search finds first of each kind, and how many there are in all. */
export const Found = z.object({
  protocols: z.array(ProtocolSummary),
  protocolTotal: z.int(),
  assignments: z.array(AssignmentSummary),
  assignmentTotal: z.int(),
});
export type Found = z.infer<typeof Found>;

/** A window of what a search finds of one kind, `total` in all: exact matches first. */
export const searchResults = <T extends z.ZodType>(item: T) => z.object({ Items: z.array(item), total: z.int() });
export type SearchResults<T> = { readonly Items: T[]; readonly total: number };

export const SearchQuery = z.object({
  text: SearchText,
  offset: z.int().min(0).default(0),
  limit: z.int().min(1).max(1000).default(200),
});

const Count = z.object({ value: z.string(), count: z.int() });

/**
 * Counts over the cache, the most frequent first; months (`2026-03`, in local time) in their order, with the
 * bounds for `ProtocolTableQuery` in ms. `oldest`: when the oldest protocol was read; absent while there is none.
 */
export const Overview = z.object({
  protocols: z.int(),
  assignmentsByStatus: z.array(Count),
  pointsBySeverity: z.array(Count),
  protocolsByMonth: z.array(Count.extend({ from: z.number(), before: z.number() })),
  oldest: z.number().optional(),
});
export type Overview = z.infer<typeof Overview>;

/**
 * The walk that makes everything available offline. `paused`: for `reason`, or by the person; it goes on where it was.
 */
export const OfflineStatus = z.object({
  state: z.enum(['idle', 'running', 'paused']),
  /** Protocols in the list so far, and how many of them are available offline with assignments and inspection points. */
  listed: z.int(),
  kept: z.int(),
  /** Protocols at the service; 0 until the first page came. */
  total: z.int(),
  /** About how long the rest takes; absent where that is not known. */
  leftMs: z.number().optional(),
  /** Of the offline data on disk. */
  sizeBytes: z.number(),
  reason: ErrorData.optional(),
  /** When a walk last came to its end. */
  completed: z.number().optional(),
});
export type OfflineStatus = z.infer<typeof OfflineStatus>;
