import type { Cache } from '../../cache/cache.ts';
import { searchesFor } from '../../matching/folder-words.ts';
import { type UploadDoubt, uploadDoubts } from '../../matching/upload-doubts.ts';

/** More than one street or id has. */
const MOST_FOUND = 100;

/**
 * The doubts that the offline data of `connection` raises about uploading `folder`, or one file of that name, to an
 * assignment; none if the assignment was never read.
 */
export const findUploadDoubts = (
  cache: Pick<Cache, 'assignment' | 'findAssignments'>,
  connectionId: string,
  { folder, AssignmentId }: { readonly folder: string; readonly AssignmentId: string },
): readonly UploadDoubt[] => {
  const target = cache.assignment(connectionId, AssignmentId)?.assignment;
  if (target === undefined) return [];
  const { ids, texts } = searchesFor(folder);
  const known = [
    ...ids.flatMap((id) => cache.assignment(connectionId, id)?.assignment ?? []),
    ...[...texts, ...ids].flatMap(
      (text) => cache.findAssignments(connectionId, text, { offset: 0, limit: MOST_FOUND }).Items,
    ),
  ];
  return uploadDoubts(folder, target, known);
};
