/** Plans a batch: what was reviewed, or a scan of its folder, becomes files of the ledger, each with its FileName. */
import type { NameTemplate } from '../../../contract/uploads.ts';
import { orCancelled, throwIfCancelled, untilCancelled } from '../../async/cancel.ts';
import { addBatchNames, reserveNames } from '../ledger/assignment-names.ts';
import type { AssignmentRef } from '../ledger/known-items.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { NOTHING_LEFT_OUT } from '../source/left-out.ts';
import {
  type ContentOf,
  createNameRegistry,
  type NamedFile,
  type NameRegistry,
  type OnClashOf,
} from '../source/name-registry.ts';
import { filesOf, type ReviewedSource } from '../source/reviewed-list.ts';
import { assertFolder, type FoundFolder, type ScanListeners, type ScannedFile, scanFolder } from '../source/scan.ts';

/** Files written to the ledger in one commit: few enough for a commit to be short. */
const CHUNK_FILES = 250;

/** The longest wait for a full chunk: its files could be sent already. */
const CHUNK_MS = 100;

export type Plan = {
  readonly ledger: Ledger;
  readonly batch: string;
  readonly source: ReviewedSource;
  /** Whether only what was reviewed is uploaded, as it was then; what was added since is counted. */
  readonly leavesLater?: boolean | undefined;
  readonly nameTemplate: NameTemplate;
  readonly assignment: AssignmentRef;
  readonly contentOf: ContentOf;
  /** Absent: files whose name is taken are renamed. */
  readonly onClash?: OnClashOf | undefined;
  readonly signal: AbortSignal;
  /** Called when files were queued. `settled`: the ids of those that are not going to be sent, because their name is taken. */
  readonly onAdded: (settled: readonly number[]) => void;
  /** Called in the commit that completes the plan. */
  readonly onWhole?: () => void;
};

/**
 * Queues what was reviewed as it was then (`leavesLater`), or everything as it is now, while files of the queue are being sent.
 * After an interruption, planning again adds only missing files. A folder that another one replaced since it was first found is left out.
 * Errors: those of `assertFolder`, `data/corrupt` (the list of reviewed files), `app/cancelled`.
 */
export const planBatch = async (plan: Plan): Promise<void> => {
  const { ledger, batch, source, leavesLater = false, signal, onWhole } = plan;
  const { reviewed, ...folder } = source;
  await orCancelled(assertFolder(folder), signal);
  let leftOut = NOTHING_LEFT_OUT;
  await naming(plan, async ({ queue, isKnown, onFolder }) => {
    const setReviewed = () => ledger.commit(() => ledger.batches.setReviewed(batch));
    if (reviewed && leavesLater) {
      await queue(filesOf(source, ledger.lists, signal, { onFolder }).files);
      await setReviewed();
    }
    // Of single files, everything was chosen.
    if (leavesLater && source.only) return;
    if (reviewed && !leavesLater)
      await queue(without(() => true, filesOf(source, ledger.lists, signal, { onFolder }).files));
    const scan = scanFolder(folder, signal, { onFolder, folderAt: (below) => ledger.batches.folderAt(batch, below) });
    let later = 0;
    const isLeft = (file: ScannedFile): boolean => {
      if (!leavesLater) return false;
      if (!isKnown(file)) later += 1;
      return true;
    };
    await queue(without(isLeft, scan.files));
    if (reviewed && !leavesLater) {
      // What is gone since fails by name.
      await queue(without(isKnown, filesOf(source, ledger.lists, signal).files));
      await setReviewed();
    }
    leftOut = { ...scan.leftOut(), ...(leavesLater && { later }) };
  });
  throwIfCancelled(signal);
  // Otherwise the files of a drive that was disconnected meanwhile would be left out permanently.
  if (leftOut.unreadable > 0) await orCancelled(assertFolder(folder), signal);
  await ledger.commit(() => {
    ledger.batches.setScanned(batch, leftOut);
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

/** Names and queues the files of `groups` that are not in the batch yet. */
export const queueFiles = (plan: Plan, groups: Groups): Promise<void> => naming(plan, ({ queue }) => queue(groups));

type Naming = Required<Pick<ScanListeners, 'onFolder'>> & {
  readonly queue: (groups: Groups) => Promise<void>;
  /** Whether the file is in the batch. Of those that `queue` has added, only reviewed ones are remembered. */
  readonly isKnown: NameRegistry['isKnown'];
};

/** Runs `work`, whose files get their names together. */
const naming = async (
  { ledger, batch, source, nameTemplate, assignment, contentOf, onClash, signal, onAdded }: Plan,
  work: (naming: Naming) => Promise<void>,
): Promise<void> => {
  const registry = createNameRegistry(nameTemplate, source.root, contentOf, onClash);
  /** Those that the ledger does not have yet. */
  let folders: FoundFolder[] = [];
  const commit = async (planned: readonly NamedFile[]): Promise<void> => {
    const found = folders;
    folders = [];
    const add = (): readonly number[] => {
      ledger.batches.addFolders(batch, found);
      return ledger.items.add(batch, planned);
    };
    onAdded(await ledger.commitUnsynced(add));
  };
  try {
    await reserveNames(registry, ledger, assignment, batch, signal);
    // The files that an interrupted scan has queued.
    await addBatchNames(registry, ledger, batch, signal);
    await work({
      queue: async (groups) => {
        for await (const files of untilCancelled(chunks(groups), signal)) {
          const planned = await orCancelled(registry.assignNames(files), signal);
          if (source.reviewed) registry.know(planned);
          await commit(planned);
        }
        if (folders.length > 0) await commit([]);
      },
      isKnown: registry.isKnown,
      onFolder: (folder) => void folders.push(folder),
    });
  } finally {
    registry.close();
  }
};

/** Combines groups into chunks, as far as they arrive together. */
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
