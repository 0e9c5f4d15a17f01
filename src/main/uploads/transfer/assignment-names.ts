/** Fills name registries with the names on an assignment, to plan files, or to rename a file whose name was taken. */
import { setImmediate } from 'node:timers/promises';
import type { FileState } from '../../../contract/uploads.ts';
import { throwIfCancelled } from '../../async/cancel.ts';
import type { BatchRow } from '../ledger/batches.ts';
import { type Item, itemPages } from '../ledger/items.ts';
import type { AssignmentRef } from '../ledger/known-files.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { hashInTime } from '../source/local-file.ts';
import { type ContentOf, createNameRegistry, type NameRegistry, type OnClashOf } from '../source/name-registry.ts';
import { localPath, realRootOf } from '../source/paths.ts';
import type { Job, TransferContext } from './transfer-context.ts';

/** The key of the lock that is held while names for an assignment are chosen. */
export const namesOf = ({ connectionId, assignmentId }: AssignmentRef): string =>
  `names ${connectionId} ${assignmentId}`;

/** Returns a function that hashes a file on disk. It resolves to undefined if the file cannot be read or sent. */
export const createContentOf =
  ({ open, timeouts }: Pick<TransferContext, 'open' | 'timeouts'>, signal: AbortSignal): ContentOf =>
  async ({ root, path }, { sizeBytes, modifiedMs }) => {
    const within = await realRootOf({ root });
    const expected = { sizeBytes, modifiedMs, within };
    return hashInTime(open, localPath(root, path), expected, timeouts.idleMs, signal).catch(() => undefined);
  };

/** The states of files that may still arrive on the assignment, or may have arrived without a clear response. */
const COMING: readonly FileState[] = ['queued', 'signing', 'sending', 'failed', 'uncertain'];

/** Whether the file may still arrive on the assignment. A failed file may arrive only if the storage may hold it. */
const mayCome = ({ state, unclear }: Item): boolean => COMING.includes(state) && (state !== 'failed' || unclear);

/**
 * Reserves the names of files on the assignment, and of files that batches other than `batch` may upload to it.
 * `batch`: undefined for a new batch. Rejects with the `cancellation` of `signal`.
 */
export const reserveNames = async (
  registry: NameRegistry,
  { batches, items, knownFiles }: Pick<Ledger, 'batches' | 'items' | 'knownFiles'>,
  assignment: AssignmentRef,
  batch: string | undefined,
  signal: AbortSignal,
): Promise<void> => {
  const uploadId = batch === undefined ? undefined : batches.get(batch)?.uploadId;
  const isOwn = (other: { readonly uploadId?: string }): boolean =>
    uploadId !== undefined && other.uploadId === uploadId;
  for (let page = knownFiles.after(assignment); page.length > 0; ) {
    const staying = page.filter(({ key }) => !knownFiles.isBeingRemoved(assignment, key));
    registry.reserve(staying.map((known) => ({ ...known, isThere: true, isOwn: isOwn(known) })));
    await pause(signal);
    page = knownFiles.after(assignment, page.at(-1));
  }
  for (const other of batches.ofAssignment(assignment)) {
    const { id, root } = other;
    if (id === batch) continue;
    const tally = items.tally(id);
    if (COMING.every((coming) => tally[coming].files === 0)) continue;
    const runs = other.state === 'running' || other.state === 'scanning';
    for (const found of itemPages(items, id)) {
      const coming = found.filter(mayCome);
      registry.reserve(
        coming.map(({ path, ...item }) => ({
          ...item,
          isThere: false,
          isOwn: isOwn(other),
          isExpected: runs && item.state !== 'failed' && item.state !== 'uncertain',
          place: { root, path },
        })),
      );
      await pause(signal);
    }
  }
};

type OpenNamesOptions = {
  readonly contentOf: ContentOf;
  readonly signal: AbortSignal;
  readonly onClash?: OnClashOf;
  /** The id of the file to rename. Its present name is not added, and files are read before they share a name. */
  readonly renamed?: number;
};

/** Opens a registry with the names on the assignment and those of the batch's own files. The caller closes it. */
export const openNames = async (
  ledger: Ledger,
  batch: AssignmentRef & Pick<BatchRow, 'id' | 'root' | 'nameTemplate'>,
  { contentOf, signal, onClash, renamed }: OpenNamesOptions,
): Promise<NameRegistry> => {
  const registry = createNameRegistry(batch.nameTemplate, batch.root, contentOf, onClash, renamed !== undefined);
  try {
    await reserveNames(registry, ledger, batch, batch.id, signal);
    for (const known of itemPages(ledger.items, batch.id)) {
      const named = known.filter(({ id }) => id !== renamed);
      registry.add(named.map((item) => ({ ...item, hasName: item.error?.code !== 'upload/name-taken' })));
      await pause(signal);
    }
    return registry;
  } catch (error) {
    registry.close();
    throw error;
  }
};

const pause = async (signal: AbortSignal): Promise<void> => {
  await setImmediate();
  throwIfCancelled(signal);
};

/** Renames the item to its first possible name that is free or belongs to the same content, and returns the item. */
export const giveFreeName = async (context: TransferContext, job: Job): Promise<Item> => {
  const { ledger, lock } = context;
  const { item, batch, signal } = job;
  const contentOf = createContentOf(context, signal);
  const release = await lock.take(namesOf(batch), signal);
  let registry: NameRegistry | undefined;
  try {
    registry = await openNames(ledger, batch, { contentOf, signal, renamed: item.id });
    const [named] = await registry.assignNames([item]);
    const fileName = named?.fileName ?? item.fileName;
    await ledger.commit(() => {
      ledger.items.renamed(item.id, fileName);
      ledger.replacedFiles.plan(item.id, []);
    });
    return { ...item, fileName, key: undefined, url: undefined, unclear: false };
  } finally {
    release();
    registry?.close();
  }
};
