/** A file's name when it is about to be sent: a name that was free when it was planned may be taken by now. */

import { addBatchNames, reserveNames } from '../ledger/assignment-names.ts';
import type { Item } from '../ledger/items.ts';
import type { AssignmentRef } from '../ledger/known-files.ts';
import { hashInTime } from '../source/local-file.ts';
import { type ContentOf, createNameRegistry } from '../source/name-registry.ts';
import { localPath, realRootOf } from '../source/paths.ts';
import type { Job, TransferContext } from './transfer-context.ts';

/** The key to lock while names for an assignment are chosen. */
export const namesOf = ({ connectionId, assignmentId }: AssignmentRef): string =>
  `names ${connectionId} ${assignmentId}`;

/** Reads files as for sending. An unreadable file never equals another. */
export const createContentOf =
  ({ open, timeouts }: Pick<TransferContext, 'open' | 'timeouts'>, signal: AbortSignal): ContentOf =>
  async ({ root, path }, { sizeBytes, modifiedMs }) => {
    const within = await realRootOf({ root });
    const expected = { sizeBytes, modifiedMs, within };
    return hashInTime(open, localPath(root, path), expected, timeouts.idleMs, signal).catch(() => undefined);
  };

/** Renames the item to the next name that is free on its assignment, or that belongs to the same content there. */
export const giveFreeName = async (context: TransferContext, job: Job): Promise<Item> => {
  const { ledger, lock } = context;
  const { item, batch, signal } = job;
  // Its content is known to differ from that of the file which has the name.
  const registry = createNameRegistry(
    batch.nameTemplate,
    batch.root,
    createContentOf(context, signal),
    undefined,
    true,
  );
  const release = await lock.take(namesOf(batch), signal);
  try {
    await reserveNames(registry, ledger, batch, batch.id, signal);
    await addBatchNames(registry, ledger, batch.id, signal, item.id);
    const [named] = await registry.assignNames([item]);
    const fileName = named?.fileName ?? item.fileName;
    await ledger.commit(() => {
      ledger.items.renamed(item.id, fileName);
      ledger.replacedFiles.plan(item.id, []);
    });
    return { ...item, fileName, key: undefined, url: undefined, unclear: false };
  } finally {
    release();
    registry.close();
  }
};
