/** Previews: the files that an upload would send, and their names, without writing anything. */
import type { LeftOut } from '../../../contract/batches.ts';
import type { NameTemplate, Rename, RenameReason } from '../../../contract/names.ts';
import type { UploadPreview } from '../../../contract/upload-preview.ts';
import { cancellation } from '../../async/cancel.ts';
import { reserveNames } from '../ledger/assignment-names.ts';
import type { AssignmentRef } from '../ledger/known-files.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { renameReason } from '../source/file-names.ts';
import { NOTHING_LEFT_OUT, sumOfLeftOut } from '../source/left-out.ts';
import { type ContentOf, createNameRegistry, type NameRegistry } from '../source/name-registry.ts';
import { assertFolder, type Scan, type ScannedFile, type Source, scanFolder } from '../source/scan.ts';

/** `reason`: why FileName differs from the file's own name; absent if it does not. */
export type PlannedFile = ScannedFile & { readonly FileName: string; readonly reason?: RenameReason };

export type PlannedFolder = {
  readonly root: string;
  /** In the order of the scan. Errors: `upload/folder-…`, `app/cancelled`. */
  readonly files: AsyncGenerator<PlannedFile, void>;
  /** How many files were left out so far. */
  readonly leftOut: () => LeftOut;
};

/** How names are chosen. `taken`: the assignment, and the ledger that lists its names; absent: no names are known. */
export type Naming = {
  readonly template: NameTemplate;
  readonly taken?:
    | { readonly ledger: Pick<Ledger, 'batches' | 'items' | 'knownFiles'>; readonly assignment: AssignmentRef }
    | undefined;
  readonly contentOf: ContentOf;
};

/** Scans the sources one after another, as uploads would. Each has to be read to its end before the next. */
export async function* planFolders(
  sources: readonly Source[],
  { template, taken, contentOf }: Naming,
  signal: AbortSignal,
): AsyncGenerator<PlannedFolder, void> {
  const registry = createNameRegistry(template, '', contentOf);
  try {
    if (taken) await reserveNames(registry, taken.ledger, taken.assignment, undefined, signal);
    for (const source of sources) {
      registry.startFolder(source.root);
      const scan = scanFolder(source, signal);
      yield { root: source.root, files: named(source, scan, registry, template, signal), leftOut: scan.leftOut };
    }
  } finally {
    registry.close();
  }
}

async function* named(
  source: Source,
  scan: Scan,
  registry: NameRegistry,
  template: NameTemplate,
  signal: AbortSignal,
): AsyncGenerator<PlannedFile, void> {
  await assertFolder(source.root);
  try {
    for await (const group of scan.files) {
      for (const { fileName: FileName, ...file } of await registry.assignNames(group)) {
        const reason = renameReason(file.path, FileName, template);
        yield { ...file, FileName, ...(reason && { reason }) };
      }
    }
  } catch (error) {
    throw signal.aborted ? cancellation(signal) : error;
  }
}

/** The renames that a preview lists; the others are only counted, because a long message blocks the receiving thread. */
const LISTED_RENAMES = 10_000;

/** The preview of an upload of these sources. Errors: `upload/folder-…`, the reason of `signal`. */
export const previewFolders = async (
  sources: readonly Source[],
  naming: Naming,
  signal: AbortSignal,
): Promise<UploadPreview> => {
  let [files, bytes, renamed] = [0, 0, 0];
  let leftOut = NOTHING_LEFT_OUT;
  const renames: Rename[] = [];
  for await (const folder of planFolders(sources, naming, signal)) {
    for await (const { path, sizeBytes, FileName, reason } of folder.files) {
      files += 1;
      bytes += sizeBytes;
      if (!reason) continue;
      renamed += 1;
      if (renamed <= LISTED_RENAMES) renames.push({ path, FileName, reason });
    }
    leftOut = sumOfLeftOut(leftOut, folder.leftOut());
  }
  return { files, bytes, renamed, renames, leftOut };
};
