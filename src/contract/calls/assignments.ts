/** Assignments and their files. */
import { z } from 'zod';
import { KnownAssignment } from '../cached.ts';
import { reading } from '../reading.ts';
import { AssignmentFiles, AssignmentId, AssignmentList, PlanAfterValue } from '../resources.ts';
import { KnownFile } from '../upload-files.ts';
import { call, nothing, offline } from './call.ts';

export const assignmentsCalls = {
  /** Interface operation 4. */
  projects: call(z.object({ County: z.string().optional(), offline }), reading(AssignmentList)),
  /** The counties whose assignments for projects have been read. */
  counties: call(nothing, z.array(z.string()).readonly()),
  /** An assignment as it was last read. Errors: `cache/missing`. */
  get: call(z.object({ AssignmentId: z.string().min(1) }), KnownAssignment),
  /**
   * Interface operation 7; without `PlanAfter` the value is cleared. `waiting`: the service cannot be reached, so the
   * change is pending.
   */
  planAfter: call(
    z.object({ AssignmentId, PlanAfter: z.number().optional() }),
    PlanAfterValue.extend({ waiting: z.boolean() }),
  ),
  knownFiles: call(z.object({ AssignmentId }), z.array(KnownFile).readonly()),
  /** Interface operation 6. `waiting`: the removal is pending, and `Files` are those known here. */
  removeFile: call(
    z.object({ AssignmentId, Key: z.string().min(1) }),
    AssignmentFiles.extend({ waiting: z.boolean() }),
  ),
};
