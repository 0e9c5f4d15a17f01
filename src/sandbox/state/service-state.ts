/** The sample data with clients' changes applied: plan-after values, uploaded and removed files. */
import type { DatabaseSync } from 'node:sqlite';
import type { AssignmentFiles, PlanAfterValue } from '../../contract/resources.ts';
import type { SampleData } from '../sample/sample-data.ts';
import type { UploadStore } from './uploads.ts';

export type ServiceState = {
  /** The AssignmentId as the service writes it (lower case); undefined when there is no such assignment. */
  readonly assignmentId: (id: string) => string | undefined;
  /** Sets the plan-after value of an assignment; undefined clears it (answered as 0). */
  readonly setPlanAfter: (assignmentId: string, value: number | undefined) => PlanAfterValue;
  /** All plan-after values that are set. */
  readonly planAfterValues: () => readonly PlanAfterValue[];
  /** Removes a file and returns the remaining ones; undefined if the assignment does not have the Key. */
  readonly removeFile: (assignmentId: string, key: string) => AssignmentFiles | undefined;
};

/** The service's state on a database. */
export const createServiceState = (database: DatabaseSync, sample: SampleData, uploads: UploadStore): ServiceState => {
  const putPlanAfter = database.prepare('INSERT OR REPLACE INTO plan_after (assignment_id, value) VALUES (?, ?)');
  const clearPlanAfter = database.prepare('DELETE FROM plan_after WHERE assignment_id = ?');
  const allPlanAfter = database.prepare('SELECT * FROM plan_after ORDER BY assignment_id');
  const markRemoved = database.prepare('INSERT OR IGNORE INTO removed_sample_files (key) VALUES (?)');
  const findRemoved = database.prepare('SELECT key FROM removed_sample_files WHERE key = ?');

  const sampleFilesOf = (assignmentId: string) =>
    (sample.assignment(assignmentId)?.files ?? []).filter((file) => findRemoved.get(file.Key) === undefined);

  const removeOne = (assignmentId: string, key: string): boolean => {
    if (uploads.remove(assignmentId, key)) return true;
    if (!sampleFilesOf(assignmentId).some((file) => file.Key === key)) return false;
    markRemoved.run(key);
    return true;
  };

  return {
    assignmentId: (id) => sample.assignment(id)?.summary.AssignmentId,
    setPlanAfter: (assignmentId, value) => {
      if (value === undefined) clearPlanAfter.run(assignmentId);
      else putPlanAfter.run(assignmentId, value);
      return { AssignmentId: assignmentId, PlanAfter: value ?? 0 };
    },
    planAfterValues: () =>
      allPlanAfter.all().map((row) => ({ AssignmentId: String(row.assignment_id), PlanAfter: Number(row.value) })),
    removeFile: (assignmentId, key) => {
      if (!removeOne(assignmentId, key)) return undefined;
      const uploaded = uploads
        .list(assignmentId)
        .map(({ Key, FileName }) => ({ Key, FileName, UploadedBy: 'CONTRACTOR' }));
      return {
        AssignmentId: assignmentId,
        FacilityId: sample.assignment(assignmentId)?.summary.FacilityId ?? '',
        Files: [...sampleFilesOf(assignmentId), ...uploaded],
      };
    },
  };
};
