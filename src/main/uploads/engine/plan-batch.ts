/** Plans a batch: assigns FileNames to reviewed or scanned files, and queues the files. Also previews the names. */

import type { DraftClash } from '../../../contract/drafts.ts';
import type { LeftOut, NameTemplate, OnClash, Rename, RenameReason } from '../../../contract/uploads.ts';
import { cancellation, orCancelled, throwIfCancelled, untilCancelled } from '../../async/cancel.ts';
import type { BatchRow, ClashChoices, Ledger } from '../ledger/ledger.ts';
import { type Clash, type NamedFile, renameReason } from '../source/file-names.ts';
import { archiveOf, chosenFolderOf, insideOf, splitInner } from '../source/paths.ts';
import { filesOf, type ReviewedSource } from '../source/reviewed-list.ts';
import {
  assertFolder,
  type FoundFolder,
  NOTHING_LEFT_OUT,
  type Scan,
  type ScanListeners,
  type ScannedFile,
  scanFolder,
  sumOfLeftOut,
} from '../source/scan.ts';
import { type KeptRegistries, type NameRegistry, openNames, type TakenNames } from '../transfer/names.ts';
import type { TransferContext } from '../transfer/transfer-context.ts';

/** The number of files written to the ledger in one commit; few enough for a commit to be short. */
const CHUNK_FILES = 250;

/** The time after which a smaller chunk is written, too, because its first files could already be sent. */
const CHUNK_MS = 100;

export type Plan = Pick<TransferContext, 'ledger' | 'open' | 'timeouts'> & {
  readonly registries: KeptRegistries;
  readonly batch: BatchRow;
  readonly signal: AbortSignal;
  /** Called when files were queued. `settled`: the ids of files that are not sent because their name is taken. */
  readonly onAdded: (settled: readonly number[]) => void;
  /** Called in the commit that completes the plan. */
  readonly onWhole?: () => void;
};

/**
 * Queues the files of the batch. Files that are already queued can be sent in the meantime. With `leavesLater`, queues
 * the reviewed files as they were reviewed; otherwise all files that are present now, and reviewed files that are
 * missing. After an interruption, planning again adds only files that are not queued yet. Errors: those of
 * `assertFolder`, `data/…`, `app/cancelled`.
 */
export const planBatch = async (plan: Plan): Promise<void> => {
  const { ledger, batch, signal, onWhole } = plan;
  const { id, reviewed, leavesLater } = batch;
  const folder = { ...batch, identity: ledger.batches.folderAt(id, '') };
  await orCancelled(assertFolder(folder), signal);
  let leftOut = batch.leftOut;
  await naming(plan, async ({ queue, isKnown, onFolder }) => {
    const opened = new Set<string>();
    const noted =
      (isLeft: boolean) =>
      ({ path }: ScannedFile): boolean => {
        if (splitInner(path)) opened.add(archiveOf(path));
        return isLeft;
      };
    const setReviewed = () => ledger.commit(() => ledger.batches.setReviewed(id));
    if (reviewed) await queue(without(noted(!leavesLater), filesOf(folder, ledger.lists, signal, { onFolder }).files));
    if (reviewed && leavesLater) await setReviewed();
    // No file can have been added to a batch of single files after the review.
    if (leavesLater && batch.only) return;
    const scan = scanFolder(folder, signal, { onFolder, folderAt: (below) => ledger.batches.folderAt(id, below) });
    let later = 0;
    /** Whether an archive was reviewed as a folder, which contains the archive itself unless that was left out. */
    const isOpened = ({ path }: ScannedFile): boolean => {
      const itself = insideOf(path, path.slice(path.lastIndexOf('/') + 1));
      return opened.has(path) || isKnown({ path: itself }) || batch.except?.includes(itself) === true;
    };
    const isLeft = (file: ScannedFile): boolean => {
      if (isOpened(file)) return true;
      if (!leavesLater) return false;
      if (!isKnown(file)) later += 1;
      return true;
    };
    await queue(without(isLeft, scan.files));
    if (reviewed && !leavesLater) {
      // Reviewed files that the scan did not find are queued, too: those in archives, and missing ones, which then fail
      // under their names.
      await queue(without(isKnown, filesOf(folder, ledger.lists, signal).files));
      await setReviewed();
    }
    leftOut = { ...scan.leftOut(), inReview: leftOut.inReview, ...(leavesLater && { later }) };
  });
  throwIfCancelled(signal);
  // Rejects if the drive was disconnected during the scan: otherwise its files would be left out permanently.
  if (leftOut.unreadable > 0) await orCancelled(assertFolder(folder), signal);
  await ledger.commit(() => {
    ledger.batches.setScanned(id, leftOut);
    onWhole?.();
  });
};

type Groups = AsyncIterable<readonly ScannedFile[]>;

async function* without(
  isLeft: (file: ScannedFile) => boolean,
  groups: Groups,
): AsyncGenerator<readonly ScannedFile[], void> {
  for await (const files of groups) yield files.filter((file) => !isLeft(file));
}

type Queue = Required<Pick<ScanListeners, 'onFolder'>> & {
  readonly queue: (groups: Groups) => Promise<void>;
  /** Whether the file is in the batch. Files that `queue` adds are remembered only if the batch was reviewed. */
  readonly isKnown: NameRegistry['isKnown'];
};

/** Runs `work`. All files that it queues get their names from one registry. */
const naming = async (
  { ledger, open, timeouts, registries, batch, signal, onAdded }: Plan,
  work: (queue: Queue) => Promise<void>,
): Promise<void> => {
  const { id } = batch;
  const onClash = (path: string) => ledger.batches.onClashOf(batch, path);
  /** Folders that the ledger does not have yet. */
  let folders: FoundFolder[] = [];
  const commit = async (planned: readonly NamedFile[]): Promise<void> => {
    const found = folders;
    folders = [];
    const add = (): readonly number[] => {
      ledger.batches.addFolders(id, found);
      return ledger.items.add(id, planned);
    };
    onAdded(await ledger.commitUnsynced(add));
  };
  // The registry also has the files that an interrupted scan has queued.
  const taken = { ledger, assignment: batch };
  const template = batch.nameTemplate;
  await registries.use({ template, open, timeouts, signal, taken, batch, onClash }, (registry) =>
    work({
      queue: async (groups) => {
        for await (const files of untilCancelled(chunks(groups), signal)) {
          const planned = await orCancelled(registry.assignNames(files), signal);
          if (batch.reviewed) registry.know(planned);
          await commit(planned);
        }
        if (folders.length > 0) await commit([]);
      },
      isKnown: registry.isKnown,
      onFolder: (folder) => void folders.push(folder),
    }),
  );
};

/** Combines groups that arrive shortly after each other into chunks. */
async function* chunks(groups: AsyncIterable<readonly ScannedFile[]>): AsyncGenerator<readonly ScannedFile[], void> {
  let chunk: ScannedFile[] = [];
  let begunMs = performance.now();
  for await (const group of groups) {
    chunk.push(...group);
    if (chunk.length < CHUNK_FILES && performance.now() - begunMs < CHUNK_MS) continue;
    yield chunk;
    chunk = [];
    begunMs = performance.now();
  }
  if (chunk.length > 0) yield chunk;
}

/** A source, and what happens to its files whose FileName is taken (absent: they are renamed). */
export type PlannedSource = ReviewedSource & {
  readonly onClash?: OnClash | undefined;
  readonly clashChoices?: ClashChoices | undefined;
};

/**
 * A file as an upload would send it. `isThere`: the file would be skipped, because the assignment has or will have its
 * content. `reason`: why FileName differs from the file's own name. `clash`: the name that the file should have is
 * taken; with `skip`, the file would not be sent.
 */
export type PlannedFile = Omit<NamedFile, 'fileName'> & {
  readonly FileName: string;
  readonly reason?: RenameReason;
};

export type PlannedFolder = {
  readonly root: string;
  /** The files, in the order of the scan. Errors: those of `assertFolder`, `data/…`, `app/cancelled`. */
  readonly files: AsyncGenerator<PlannedFile, void>;
  readonly leftOut: () => LeftOut;
};

/** How names are chosen. `taken`: the assignment, and the ledger that lists its names; absent: no names are known. */
export type Naming = Pick<TransferContext, 'open' | 'timeouts'> & {
  readonly template: NameTemplate;
  readonly taken?: (TakenNames & { readonly ledger: Pick<Ledger, 'lists'> }) | undefined;
};

/** Plans the sources in order. The caller has to read the files of each source before the next source. */
export async function* planFolders(
  sources: readonly PlannedSource[],
  naming: Naming,
  signal: AbortSignal,
): AsyncGenerator<PlannedFolder, void> {
  const { template, taken } = naming;
  const registry = await openNames({ ...naming, signal });
  try {
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
        const isSent = file.isThere !== true && file.clash?.onClash !== 'skip';
        const reason = isSent ? renameReason(file.path, FileName, template) : undefined;
        yield { ...file, FileName, ...(reason && { reason }) };
      }
    }
  } catch (error) {
    throw signal.aborted ? cancellation(signal) : error;
  }
}

/** The maximum number of renames that a preview lists: a longer message would block the receiving thread. */
const LISTED_RENAMES = 10_000;

/** A part of the list of clashes of one source. `source`: the index of the source. */
export type ClashWindow = { readonly source: number; readonly offset: number; readonly limit: number };

/** Indexes of files in the order of the scan. `sent`: those already there. `clashes`: those whose FileName is taken. */
export type ComparedFiles = { readonly sent: Uint32Array; readonly clashes: Uint32Array };

/** Compares the sources with their assignment, as uploads in this order would. Only clashes in `window` are listed. */
export const compareFolders = async (
  sources: readonly PlannedSource[],
  naming: Naming,
  window: ClashWindow | undefined,
  signal: AbortSignal,
) => {
  const compared: ComparedFiles[] = [];
  const clashes: DraftClash[] = [];
  for await (const folder of planFolders(sources, naming, signal)) {
    const [sent, clashing]: [number[], number[]] = [[], []];
    const isInWindow = (): boolean =>
      window?.source === compared.length &&
      clashing.length >= window.offset &&
      clashing.length < window.offset + window.limit;
    let index = 0;
    for await (const { path, isThere, clash } of folder.files) {
      if (isThere) sent.push(index);
      if (clash) {
        if (isInWindow()) clashes.push(toDraftClash(path, clash));
        clashing.push(index);
      }
      index += 1;
    }
    compared.push({ sent: Uint32Array.from(sent), clashes: Uint32Array.from(clashing) });
  }
  return { sources: compared, clashes };
};

const toDraftClash = (path: string, { fileName, place, addedAtMs, onClash, ...clash }: Clash): DraftClash => ({
  path,
  FileName: fileName,
  with: clash.with,
  ...(place && { folder: chosenFolderOf(place) }),
  ...(addedAtMs !== undefined && { addedAtMs }),
  onClash,
});

/** A preview of an upload. `renamed`: how many files would be renamed; `renames`: the first of these. */
export type UploadPreview = Awaited<ReturnType<typeof previewFolders>>;

/** Previews an upload of these sources, or of the one with index `only`. Errors: those of `PlannedFolder.files`. */
export const previewFolders = async (
  sources: readonly PlannedSource[],
  naming: Naming,
  signal: AbortSignal,
  only?: number,
) => {
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
