/** A watched folder as people see it. */
import { basename } from 'node:path';
import { toErrorData } from '../../contract/errors.ts';
import { isOpen, opensAtMs } from '../../contract/hours.ts';
import type { WatchedFolder } from '../../contract/watched-folders.ts';
import { type OpenFolder, waitsForMatch } from './open-folder.ts';
import { byFolder } from './release.ts';
import type { FolderRow } from './watched-store.ts';

/** `folder`: absent while nobody is signed in. */
export const viewFolder = (
  { id, root, assignmentId, onClash, hours, paused }: FolderRow,
  folder: OpenFolder | undefined,
  { title, moment }: { readonly title: string | undefined; readonly moment: Date },
): WatchedFolder => {
  const complete = folder?.watch.complete() ?? [];
  const toMatch = folder ? complete.filter((file) => waitsForMatch(folder, file)) : [];
  const problem = folder?.watch.problem() ?? folder?.problem;
  const opensAt = isOpen(hours, moment) ? undefined : opensAtMs(hours, moment);
  return {
    watchedId: id,
    name: basename(root) || root,
    path: root,
    ...(assignmentId !== undefined && { AssignmentId: assignmentId }),
    ...(title !== undefined && { title }),
    onClash,
    hours,
    paused,
    state: folder?.watch.state() ?? 'signed-out',
    ...(problem && { reason: toErrorData(problem) }),
    settling: folder?.watch.unsettled() ?? 0,
    waiting: complete.length - toMatch.length,
    toMatch: { files: toMatch.length, folders: byFolder(toMatch).size },
    ...(opensAt !== undefined && { opensAtMs: opensAt }),
    ...(folder?.sentAtMs !== undefined && { sentAtMs: folder.sentAtMs }),
  };
};
