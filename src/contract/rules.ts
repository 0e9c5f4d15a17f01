/** Matching rules: which assignment a person chose for folders of a name. */
import { z } from 'zod';
import { AssignmentId, AssignmentSummary } from './resources.ts';

/** `name`: of the folder for which the assignment was last chosen. Times are ms since 1970. */
export const MatchingRule = z.object({
  ruleId: z.int(),
  name: z.string(),
  AssignmentId,
  /** As far as it has been read here. */
  assignment: AssignmentSummary.optional(),
  confirmedAtMs: z.number(),
});
export type MatchingRule = z.infer<typeof MatchingRule>;
