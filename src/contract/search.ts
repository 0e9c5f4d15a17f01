/** The search in the offline data. */
import { z } from 'zod';
import { AssignmentSummary, ProtocolSummary } from './resources.ts';

/** The maximum length of a searched text, in characters. */
export const LONGEST_SEARCH = 200;

export const SearchText = z.string().max(LONGEST_SEARCH);

/** The first results of each kind, and their total number. */
export const Found = z.object({
  protocols: z.array(ProtocolSummary).readonly(),
  protocolTotal: z.int(),
  assignments: z.array(AssignmentSummary).readonly(),
  assignmentTotal: z.int(),
  /** How many protocols were searched. */
  cached: z.int(),
});
export type Found = z.infer<typeof Found>;

/** A window of the results of one kind, exact matches first; `total`: all of them. */
export const searchResults = <T extends z.ZodType>(item: T) =>
  z.object({ Items: z.array(item).readonly(), total: z.int() });
export type SearchResults<T> = { readonly Items: readonly T[]; readonly total: number };

export const SearchQuery = z.object({
  text: SearchText,
  offset: z.int().min(0).default(0),
  limit: z.int().min(1).max(1000).default(200),
});
