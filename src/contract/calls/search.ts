/** The search in the offline data. */
import { z } from 'zod';
import { CachedProtocol } from '../cached.ts';
import { AssignmentSummary } from '../resources.ts';
import { Found, SearchQuery, SearchText, searchResults } from '../search.ts';
import { call } from './call.ts';

export const searchCalls = {
  /**
   * Cached protocols and assignments whose words begin as those of `text` do, in any order, or whose id does; where
   * these are few, also with one mistake in a word. `limit` of each.
   */
  find: call(z.object({ text: SearchText, limit: z.int().min(1).max(100).default(10) }), Found),
  /** The same, of one kind, by windows. */
  protocols: call(SearchQuery, searchResults(CachedProtocol)),
  assignments: call(SearchQuery, searchResults(AssignmentSummary)),
};
