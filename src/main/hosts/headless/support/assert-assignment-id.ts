import { DeskError } from '../../../../contract/errors.ts';
import { AssignmentId } from '../../../../contract/resources.ts';

/** Refuses an AssignmentId that is no uuid before anything is asked of anyone. Errors: `input/invalid`. */
export const assertAssignmentId = (id: string): void => {
  if (AssignmentId.safeParse(id).success) return;
  throw new DeskError('input/invalid', 'the assignment id is not a uuid', { details: { field: 'AssignmentId' } });
};
