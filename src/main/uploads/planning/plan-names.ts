/** What an upload of a folder would send, and under which names, without a trace. */
import type { LeftOut, UploadPreview } from '../../../contract/models.ts';
import type { NameTemplate, Rename, RenameReason } from '../../../contract/names.ts';
import { cancellation } from '../../net/cancel.ts';
import { renameReason } from './file-names.ts';
import { createNameBook } from './name-book.ts';
import { assertFolder, type ScannedFile, type Source, scanFolder } from './scan.ts';

/** `reason`: why FileName is not the file's own name; absent where it is. */
export type PlannedFile = ScannedFile & { readonly FileName: string; readonly reason?: RenameReason };

export type PlannedFolder = {
  /** In the order of the scan. Errors: `upload/folder-…`, `app/cancelled`. */
  readonly files: AsyncGenerator<PlannedFile, void>;
  /** Counts so far of what was left out. */
  readonly leftOut: () => LeftOut;
};

/** Reads the source as an upload would. */
export const planFolder = (source: Source, template: NameTemplate, signal: AbortSignal): PlannedFolder => {
  const scan = scanFolder(source, signal);
  async function* files(): AsyncGenerator<PlannedFile, void> {
    await assertFolder(source.root);
    const book = createNameBook(template);
    try {
      for await (const group of scan.files) {
        for (const { fileName: FileName, ...file } of book.name(group)) {
          const reason = renameReason(file.path, FileName, template);
          yield { ...file, FileName, ...(reason && { reason }) };
        }
      }
    } catch (error) {
      throw signal.aborted ? cancellation(signal) : error;
    } finally {
      book.close();
    }
  }
  return { files: files(), leftOut: scan.leftOut };
};

/** Renames that a preview tells one by one; the others it counts: a message takes the thread that gets it. */
const TOLD_RENAMES = 10_000;

/** What people should know before they upload it. Errors: `upload/folder-…`, the reason of `signal`. */
export const previewFolder = async (
  source: Source,
  template: NameTemplate,
  signal: AbortSignal,
): Promise<UploadPreview> => {
  const planned = planFolder(source, template, signal);
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
