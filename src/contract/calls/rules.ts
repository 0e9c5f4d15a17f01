/** The matching rules of the connection. */
import { z } from 'zod';
import { AssignmentId } from '../resources.ts';
import { MatchingRule } from '../rules.ts';
import { SearchText } from '../search.ts';
import { call, nothing } from './call.ts';

export const rulesCalls = {
  /** Those whose folder or assignment contains the words of `text`; the last confirmed first. */
  list: call(
    z.object({
      text: SearchText.optional(),
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(1000).default(200),
    }),
    z.object({ rules: z.array(MatchingRule).readonly(), total: z.int() }),
  ),
  /** Changes the assignment of a rule. Errors: `input/invalid` for an unknown rule or assignment (as far as it is
   * in the offline data), `data/unwritable`. */
  set: call(z.object({ ruleId: z.int(), AssignmentId }), z.void()),
  /** Removes these rules. Errors: `data/unwritable`. */
  remove: call(z.object({ ruleIds: z.array(z.int()).min(1).max(10_000).readonly() }), z.void()),
  /** Removes all rules of the connection. Errors: `data/unwritable`. */
  clear: call(nothing, z.void()),
};
