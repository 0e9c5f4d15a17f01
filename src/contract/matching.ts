/** How folders are matched with assignments: what speaks for which, and how certain it is. */
import { z } from 'zod';
import { AssignmentId } from './resources.ts';

/** Where the folders of the jobs are: 0 for a chosen folder, 1 for those in it, and so on. */
export const JobLevel = z.int().min(0).max(1_000);

/**
 * What a name can say of an assignment. `confirmed`: a person chose this assignment for such a name before; `map`: a map
 * file names it. The last five say of the folder why it is a question however well an assignment fits: protocols at its address
 * (`unread-here`), or that may be meant (`unread`), have not been read, nor has the whole list of protocols (`unread-list`);
 * `characters`: its name is not what it looks like; `best-status`: what fits best is closed.
 */
export const MatchSignal = z.enum([
  'map',
  'confirmed',
  'assignment-id',
  'protocol-id',
  'facility-id',
  'address',
  'street',
  'house-number',
  'city',
  'zip-code',
  'person',
  'performer',
  'date',
  'status',
  'unread-here',
  'unread',
  'unread-list',
  'characters',
  'best-status',
]);
export type MatchSignal = z.infer<typeof MatchSignal>;

/** `found`: the words of the folder's path that say so; `against`: they speak against the assignment; `count`: of protocols. */
export const MatchReason = z.object({
  signal: MatchSignal,
  found: z.string(),
  against: z.boolean().optional(),
  count: z.int().optional(),
});
export type MatchReason = z.infer<typeof MatchReason>;

/** `certainty`: the probability, from 0 to 1, that the folder belongs to the assignment. */
export const MatchCandidate = z.object({
  AssignmentId,
  certainty: z.number().min(0).max(1),
  reasons: z.array(MatchReason).readonly(),
});
export type MatchCandidate = z.infer<typeof MatchCandidate>;

/** `send`: certain enough to be uploaded without a question; `ask`: a person has to decide; `none`: nothing fits. */
export const MatchDecision = z.enum(['send', 'ask', 'none']);
export type MatchDecision = z.infer<typeof MatchDecision>;

/**
 * `candidates`: best first, closed ones last, at most ten. With `send` the first one is the assignment. `vetoes`: why a person has to
 * decide, even where a candidate fits well.
 */
export const Match = z.object({
  decision: MatchDecision,
  candidates: z.array(MatchCandidate).readonly(),
  vetoes: z.array(MatchReason).readonly(),
});
export type Match = z.infer<typeof Match>;

/** Certain enough to be sent without a question, unless the person says otherwise. */
export const MIN_CERTAINTY = 0.95;
