/** What an upload of a folder would send, and under which names, without a trace. */
import type { LeftOut, UploadPreview } from '../../contract/models.ts';
import type { NameTemplate, Rename, RenameReason } from '../../contract/names.ts';
import { cancellation } from '../net/cancel.ts';
import { fileNameCandidates, fileNameKey, renameReason } from './file-names.ts';
import { assertFolder, type ScannedFile, scanFolder } from './scan.ts';

/** `reason`: why FileName is not the file's own name; absent where it is. */
export type PlannedFile = ScannedFile & { readonly FileName: string; readonly reason?: RenameReason };

export type PlannedFolder = {
  /** In the order of the scan. Errors: `upload/folder-…`, `app/cancelled`. */
  readonly files: AsyncGenerator<PlannedFile, void>;
  /** Counts so far of what was left out. */
  readonly leftOut: () => LeftOut;
};

/** Gives each path, in the order in which they come, the name that the ledger would give it. */
export const createNamePlanner = (
  template: NameTemplate,
): ((path: string) => { readonly FileName: string; readonly reason?: RenameReason }) => {
  const taken = new Set<string>();
  const free = (path: string): string => {
    const candidates = fileNameCandidates(path, template);
    for (;;) {
      const { value } = candidates.next();
      const key = fileNameKey(value);
      if (taken.has(key)) continue;
      taken.add(key);
      return value;
    }
  };
  return (path) => {
    const FileName = free(path);
    const reason = renameReason(path, FileName, template);
    return { FileName, ...(reason && { reason }) };
  };
};

/** Reads the folder `root` as an upload would. */
export const planFolder = (root: string, template: NameTemplate, signal: AbortSignal): PlannedFolder => {
  const scan = scanFolder(root, signal);
  async function* files(): AsyncGenerator<PlannedFile, void> {
    await assertFolder(root);
    const name = createNamePlanner(template);
    try {
      for await (const file of scan.files) yield { ...file, ...name(file.path) };
    } catch (error) {
      throw signal.aborted ? cancellation(signal) : error;
    }
  }
  return { files: files(), leftOut: scan.leftOut };
};

/** Renames that a preview tells one by one; the others it counts. */
const TOLD_RENAMES = 200;

/** What people should know before they upload `root`. Errors: `upload/folder-…`, the reason of `signal`. */
export const previewFolder = async (
  root: string,
  template: NameTemplate,
  signal: AbortSignal,
): Promise<UploadPreview> => {
  const planned = planFolder(root, template, signal);
  let [files, bytes, renamed] = [0, 0, 0];
  const renames: Rename[] = [];
  for await (const { path, sizeBytes, FileName, reason } of planned.files) {
    files += 1;
    bytes += sizeBytes;
    if (!reason) continue;
    renamed += 1;
    if (renamed <= TOLD_RENAMES) renames.push({ path, FileName, reason });
  }
  return { files, bytes, renamed, renames, leftOut: planned.leftOut() };
};
