import type { AssignmentFiles } from '../../../contract/resources.ts';
import type { RemoteUploads } from '../../uploads/engine/start-engine.ts';

/** The files known to be on an assignment, in the shape of the service's answer. */
export const knownLeft = async (uploads: RemoteUploads, assignmentId: string): Promise<AssignmentFiles> => ({
  AssignmentId: assignmentId,
  FacilityId: '',
  Files: (await uploads.knownFiles(assignmentId)).map(({ Key, FileName, UploadedBy }) => ({
    Key,
    FileName,
    UploadedBy,
  })),
});
