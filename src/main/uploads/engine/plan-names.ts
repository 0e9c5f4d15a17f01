/** Previews: the files that an upload would send, and their names, without writing anything. */

import type { DraftClash } from '../../../contract/drafts.ts';
import type { LeftOut, NameTemplate, OnClash, Rename, RenameReason } from '../../../contract/uploads.ts';
import { cancellation } from '../../async/cancel.ts';
import { reserveNames } from '../ledger/assignment-names.ts';
import type { ClashChoices } from '../ledger/batches.ts';
import type { AssignmentRef } from '../ledger/known-items.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { renameReason } from '../source/file-names.ts';
import { NOTHING_LEFT_OUT, sumOfLeftOut } from '../source/left-out.ts';
import { type Clash, type ContentOf, createNameRegistry, type NameRegistry } from '../source/name-registry.ts';
import { chosenFolderOf } from '../source/paths.ts';
import { filesOf, type ReviewedSource } from '../source/reviewed-list.ts';
import { assertFolder, type Scan, type ScannedFile } from '../source/scan.ts';

/** A source, and what happens to its files whose FileName is taken (absent: they are renamed). */
export type PlannedSource = ReviewedSource & {
  readonly onClash?: OnClash | undefined;
  readonly clashChoices?: ClashChoices | undefined;
};

/**
 * `reason`: why FileName differs from the file's own name; absent if it does not. `clash`: the name it should have is
 * taken; with `skip` it would not be sent.
 */
export type PlannedFile = ScannedFile & {
  readonly FileName: string;
  readonly reason?: RenameReason;
  readonly clash?: Clash;
};

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
    | {
        readonly ledger: Pick<Ledger, 'batches' | 'items' | 'knownFiles' | 'lists'>;
        readonly assignment: AssignmentRef;
      }
    | undefined;
  readonly contentOf: ContentOf;
};

/** Reads the sources one after another, as uploads would. Each has to be read to its end before the next. */
export async function* planFolders(
  sources: readonly PlannedSource[],
  { template, taken, contentOf }: Naming,
  signal: AbortSignal,
): AsyncGenerator<PlannedFolder, void> {
  const registry = createNameRegistry(template, '', contentOf);
  try {
    if (taken) await reserveNames(registry, taken.ledger, taken.assignment, undefined, signal);
    for (const source of sources) {
      const { root, onClash = 'rename', clashChoices = {} } = source;
      const choices = new Map(Object.entries(clashChoices));
      registry.startFolder(root, (path) => choices.get(path) ?? onClash);
      const scan = filesOf(source, taken?.ledger.lists, signal);
      yield { root: source.root, files: named(source, scan, registry, template, signal), leftOut: scan.leftOut };
    }
  } finally {
    registry.close();
  }
}

async function* named(
  source: ReviewedSource,
  scan: Scan,
  registry: NameRegistry,
  template: NameTemplate,
  signal: AbortSignal,
): AsyncGenerator<PlannedFile, void> {
  await assertFolder(source);
  try {
    for await (const group of scan.files) {
      for (const { fileName: FileName, ...file } of await registry.assignNames(group)) {
        const reason = file.clash?.onClash === 'skip' ? undefined : renameReason(file.path, FileName, template);
        yield { ...file, FileName, ...(reason && { reason }) };
      }
    }
  } catch (error) {
    throw signal.aborted ? cancellation(signal) : error;
  }
}

/** The renames that a preview lists; the others are only counted, because a long message blocks the receiving thread. */
const LISTED_RENAMES = 10_000;

/** A part of a list: of the clashes of the source with this index. */
export type ClashWindow = { readonly source: number; readonly offset: number; readonly limit: number };

/** `totals`: the clashes of each source; `clashes`: those of the window. */
export type Clashes = { readonly totals: readonly number[]; readonly clashes: readonly DraftClash[] };

/**
 * The files of these sources whose FileName is taken by other content, if they are uploaded to one assignment in this
 * order. Errors: those of `previewFolders`.
 */
export const findClashes = async (
  sources: readonly PlannedSource[],
  naming: Naming,
  window: ClashWindow | undefined,
  signal: AbortSignal,
): Promise<Clashes> => {
  const totals: number[] = [];
  const clashes: DraftClash[] = [];
  for await (const folder of planFolders(sources, naming, signal)) {
    let total = 0;
    const isInWindow = (): boolean =>
      window?.source === totals.length && total >= window.offset && total < window.offset + window.limit;
    for await (const { path, clash } of folder.files) {
      if (!clash) continue;
      if (isInWindow()) clashes.push(toDraftClash(path, clash));
      total += 1;
    }
    totals.push(total);
  }
  return { totals, clashes };
};

const toDraftClash = (path: string, { fileName, place, addedAtMs, onClash, ...clash }: Clash): DraftClash => ({
  path,
  FileName: fileName,
  with: clash.with,
  ...(place && { folder: chosenFolderOf(place) }),
  ...(addedAtMs !== undefined && { addedAtMs }),
  onClash,
});

/** What an upload would send. `renamed`: how many files are renamed; `renames`: the first of them. */
export type UploadPreview = {
  readonly files: number;
  readonly bytes: number;
  readonly renamed: number;
  readonly renames: readonly Rename[];
  readonly leftOut: LeftOut;
};

/**
 * The preview of an upload of these sources, or (`only`) of the one with that index when all of them are uploaded in this
 * order. Errors: `upload/folder-…`, the reason of `signal`.
 */
export const previewFolders = async (
  sources: readonly PlannedSource[],
  naming: Naming,
  signal: AbortSignal,
  only?: number,
): Promise<UploadPreview> => {
  let [index, files, bytes, renamed] = [0, 0, 0, 0];
  let leftOut = NOTHING_LEFT_OUT;
  const renames: Rename[] = [];
  for await (const folder of planFolders(sources, naming, signal)) {
    const isCounted = only === undefined || only === index;
    index += 1;
    for await (const { path, sizeBytes, FileName, reason } of folder.files) {
      if (!isCounted) continue;
      files += 1;
      bytes += sizeBytes;
      if (!reason) continue;
      renamed += 1;
      if (renamed <= LISTED_RENAMES) renames.push({ path, FileName, reason });
    }
    if (isCounted) leftOut = sumOfLeftOut(leftOut, folder.leftOut());
  }
  return { files, bytes, renamed, renames, leftOut };
};
