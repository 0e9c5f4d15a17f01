/** Fills a name registry with the names that the ledger knows on an assignment. */
import { setImmediate } from 'node:timers/promises';
import type { FileState } from '../../../contract/uploads.ts';
import { throwIfCancelled } from '../../async/cancel.ts';
import type { NameRegistry } from '../source/name-registry.ts';
import { type Item, itemPages } from './items.ts';
import type { AssignmentRef } from './known-files.ts';
import type { Ledger } from './ledger.ts';

/** States of files that may still arrive on the assignment, or may be there without a clear response. */
const COMING: readonly FileState[] = ['queued', 'signing', 'sending', 'failed', 'uncertain'];

/**
 * A failed file that cannot be there does not reserve its name: a retry gets the name again only if it is still free.
 */
const mayCome = ({ state, unclear }: Item): boolean => COMING.includes(state) && (state !== 'failed' || unclear);

/**
 * Reserves the names of files on the assignment, and of files that batches other than `batch` will upload to it.
 * `batch`: the batch whose names are being assigned, to recognise other files of its upload; undefined for a new one.
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
    registry.reserve(page.map((known) => ({ ...known, isThere: true, isOwn: isOwn(known) })));
    await pause(signal);
    page = knownFiles.after(assignment, page.at(-1));
  }
  for (const other of batches.ofAssignment(assignment)) {
    const { id, root } = other;
    if (id === batch) continue;
    const tally = items.tally(id);
    if (COMING.every((coming) => tally[coming].files === 0)) continue;
    for (const found of itemPages(items, id)) {
      const coming = found.filter(mayCome);
      registry.reserve(
        coming.map(({ path, ...item }) => ({ ...item, isThere: false, isOwn: isOwn(other), place: { root, path } })),
      );
      await pause(signal);
    }
  }
};

/** Adds the names of the batch's files, except the one with the id `except`. */
export const addBatchNames = async (
  registry: NameRegistry,
  { items }: Pick<Ledger, 'items'>,
  batch: string,
  signal: AbortSignal,
  except?: number,
): Promise<void> => {
  for (const known of itemPages(items, batch)) {
    const named = known.filter(({ id }) => id !== except);
    registry.add(named.map((item) => ({ ...item, hasName: item.error?.code !== 'upload/name-taken' })));
    await pause(signal);
  }
};

const pause = async (signal: AbortSignal): Promise<void> => {
  await setImmediate();
  throwIfCancelled(signal);
};
