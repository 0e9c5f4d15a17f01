/**
 * Signs that a folder belongs to another assignment, or that the assignment expects no files. Only certain signs count,
 * because people learn to click false alarms away.
 */
import { assignmentName } from '../../contract/assignment-name.ts';
import type { DraftWarning } from '../../contract/drafts.ts';
import { type AssignmentSummary, isClosed } from '../../contract/resources.ts';
import { idIn, placeIn, plainWords } from './folder-words.ts';

/** The warnings of a draft that concern the name of a folder and its assignment. */
export type UploadDoubt = Extract<DraftWarning, { readonly kind: 'status' | 'other-assignment' }>;

/**
 * The doubts about uploading a folder named `folder` to `target`. `others`: assignments that the name may mean;
 * those at the address of `target` are the same place and do not count.
 */
export const uploadDoubts = (
  folder: string,
  target: AssignmentSummary,
  others: readonly AssignmentSummary[],
): readonly UploadDoubt[] => {
  const { AssignmentStatus } = target;
  const other = otherAssignment(folder, target, others);
  return [
    ...(isClosed(AssignmentStatus) ? [{ kind: 'status', AssignmentStatus } as const] : []),
    ...(other === undefined ? [] : [other]),
  ];
};

const otherAssignment = (
  folder: string,
  target: AssignmentSummary,
  others: readonly AssignmentSummary[],
): UploadDoubt | undefined => {
  const words = plainWords(folder);
  if (signIn(words, target) !== undefined) return undefined;
  for (const other of others) {
    if (other.AssignmentId === target.AssignmentId) continue;
    const found = signIn(words, other);
    if (found !== undefined)
      return {
        kind: 'other-assignment',
        AssignmentId: other.AssignmentId,
        name: assignmentName(other) || other.AssignmentId,
        found,
      };
  }
  return undefined;
};

/** The part of `words` that names `assignment`: one of its ids, or its street with the number. */
const signIn = (
  words: readonly string[],
  { AssignmentId, FacilityId, Address }: AssignmentSummary,
): string | undefined => {
  if (idIn(words, AssignmentId)) return AssignmentId;
  if (idIn(words, FacilityId)) return FacilityId;
  return placeIn(words, Address) ? Address : undefined;
};
