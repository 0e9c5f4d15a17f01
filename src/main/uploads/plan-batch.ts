/** Reading a batch's folder into the ledger, every file with its FileName. */
import type { LeftOut } from '../../contract/models.ts';
import type { Item } from './ledger/item-row.ts';
import { type Ledger, openLedger } from './ledger/ledger.ts';
import { assertFolder, type ScannedFile, scanFolder } from './scan.ts';

/** Files written to the ledger in one commit. */
const CHUNK_FILES = 500;

export type Plan = {
  readonly ledger: Ledger;
  readonly batch: string;
  readonly root: string;
  readonly signal: AbortSignal;
  readonly onAdded: (files: readonly ScannedFile[]) => void;
};

/**
 * Scans the folder and queues what it holds. Doing it again after an interruption adds only what is missing.
 * Errors: `upload/folder-missing`, `upload/folder-unreadable`, `app/cancelled`.
 */
export const planBatch = async ({ ledger, batch, root, signal, onAdded }: Plan): Promise<void> => {
  await assertFolder(root);
  const scan = scanFolder(root, signal);
  let chunk: ScannedFile[] = [];
  const write = async (): Promise<void> => {
    const files = chunk;
    chunk = [];
    onAdded(await ledger.commit(() => ledger.items.add(batch, files)));
  };
  for await (const file of scan.files) {
    if (chunk.push(file) === CHUNK_FILES) await write();
  }
  await write();
  await ledger.commit(() => ledger.batches.setScanned(batch, scan.leftOut()));
};

export type DryRun = { readonly items: readonly Item[]; readonly leftOut: LeftOut };

/** What an upload of the folder would send, without a trace. Errors as `planBatch`. */
export const dryRun = async (root: string, assignmentId: string, signal: AbortSignal): Promise<DryRun> => {
  const ledger = openLedger(':memory:');
  try {
    const batch = 'dry-run';
    await ledger.commit(() =>
      ledger.batches.insert({ id: batch, connection: '', subject: undefined, assignmentId, root, createdMs: 0 }),
    );
    await planBatch({ ledger, batch, root, signal, onAdded: () => {} });
    const { items } = ledger.items.list(batch, { offset: 0, limit: Number.MAX_SAFE_INTEGER });
    return { items, leftOut: ledger.batches.get(batch)?.leftOut ?? { hidden: 0, system: 0, links: 0, unreadable: 0 } };
  } finally {
    ledger.close();
  }
};
