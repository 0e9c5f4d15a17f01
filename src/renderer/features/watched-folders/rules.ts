/** What happens with the files of a watched folder, as its form holds it. */
import type { WatchedFolder, WatchedRules } from '../../../contract/watched-folders.ts';

export type FormRules = Omit<WatchedRules, 'paused'>;

/** Without an assignment each job folder is matched. */
export const withTarget = ({ AssignmentId: _, ...rules }: FormRules, AssignmentId: string | undefined): FormRules =>
  AssignmentId === undefined ? rules : { ...rules, AssignmentId };

/** The rules of a folder. */
export const rulesOf = ({ AssignmentId, onClash, hours, paused }: WatchedFolder): WatchedRules => ({
  ...(AssignmentId !== undefined && { AssignmentId }),
  onClash,
  hours,
  paused,
});
