/** Plans a batch: scans its folder into the ledger, each file with its FileName. */
import type { NameTemplate } from '../../../contract/names.ts';
import { orCancelled, throwIfCancelled, untilCancelled } from '../../async/cancel.ts';
import { addBatchNames, reserveNames } from '../ledger/assignment-names.ts';
import type { AssignmentRef } from '../ledger/known-files.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type ContentOf, createNameRegistry, type OnClashOf } from '../source/name-registry.ts';
import { assertFolder, type ScannedFile, type Source, scanFolder } from '../source/scan.ts';

/** Files written to the ledger in one commit: few enough for a commit to be short. */
const CHUNK_FILES = 250;

/** The longest wait for a full chunk: its files could be sent already. */
const CHUNK_MS = 100;

export type Plan = {
  readonly ledger: Ledger;
  readonly batch: string;
  readonly source: Source;
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
 * Scans the folder and queues its files, while files of the queue are being sent. After an interruption, planning again
 * adds only missing files.
 * Errors: `upload/folder-missing`, `upload/folder-unreadable`, `app/cancelled`.
 */
export const planBatch = async (plan: Plan): Promise<void> => {
  const { ledger, batch, source, signal, onWhole } = plan;
  await orCancelled(assertFolder(source.root, source.realRoot), signal);
  const scan = scanFolder(source, signal);
  await queueFiles(plan, scan.files);
  throwIfCancelled(signal);
  // Otherwise the files of a drive that was disconnected meanwhile would be left out permanently.
  if (scan.leftOut().unreadable > 0) await orCancelled(assertFolder(source.root, source.realRoot), signal);
  await ledger.commit(() => {
    ledger.batches.setScanned(batch, scan.leftOut());
    onWhole?.();
  });
};

/** Names and queues the files of `groups` that are not in the batch yet. */
export const queueFiles = async (
  { ledger, batch, source, nameTemplate, assignment, contentOf, onClash, signal, onAdded }: Omit<Plan, 'onWhole'>,
  groups: AsyncIterable<readonly ScannedFile[]>,
): Promise<void> => {
  const registry = createNameRegistry(nameTemplate, source.root, contentOf, onClash);
  try {
    await reserveNames(registry, ledger, assignment, batch, signal);
    // The files that an interrupted scan has queued.
    await addBatchNames(registry, ledger, batch, signal);
    for await (const files of untilCancelled(chunks(groups), signal)) {
      const planned = await orCancelled(registry.assignNames(files), signal);
      onAdded(await ledger.commitUnsynced(() => ledger.items.add(batch, planned)));
    }
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
