import type { AssignmentFiles } from '../../../contract/resources.ts';
import type { RemoteUploads } from '../../uploads/engine/start-engine.ts';

/** What this app knows to be on an assignment, as the service would answer it. */
export const knownLeft = async (uploads: RemoteUploads, assignmentId: string): Promise<AssignmentFiles> => ({
  AssignmentId: assignmentId,
  FacilityId: '',
  Files: (await uploads.knownFiles(assignmentId)).map(({ Key, FileName, UploadedBy }) => ({
    Key,
    FileName,
    UploadedBy,
  })),
});
