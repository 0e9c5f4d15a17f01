/** What speaks against uploading a folder to an assignment. */
import { z } from 'zod';
import { AssignmentId } from './resources.ts';

/**
 * `status`: the assignment is no longer open for uploads. `other-assignment`: the folder's name has the address or an
 * id of another assignment, and none of this one; `found` is that part of the name.
 */
export const UploadDoubt = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('status'), AssignmentStatus: z.string() }),
  z.object({ kind: z.literal('other-assignment'), AssignmentId, name: z.string(), found: z.string() }),
]);
export type UploadDoubt = z.infer<typeof UploadDoubt>;
