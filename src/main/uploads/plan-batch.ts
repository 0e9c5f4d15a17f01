/** Reading a batch's folder into the ledger, every file with its FileName. */
import type { NameTemplate } from '../../contract/names.ts';
import type { Ledger } from './ledger/ledger.ts';
import { assertFolder, type ScannedFile, scanFolder } from './scan.ts';

/** Files written to the ledger in one commit. */
const CHUNK_FILES = 500;

export type Plan = {
  readonly ledger: Ledger;
  readonly batch: string;
  readonly root: string;
  readonly nameTemplate: NameTemplate;
  readonly signal: AbortSignal;
  readonly onAdded: (files: readonly ScannedFile[]) => void;
};

/**
 * Scans the folder and queues what it holds. Doing it again after an interruption adds only what is missing.
 * Errors: `upload/folder-missing`, `upload/folder-unreadable`, `app/cancelled`.
 */
export const planBatch = async ({ ledger, batch, root, nameTemplate, signal, onAdded }: Plan): Promise<void> => {
  await assertFolder(root);
  const scan = scanFolder(root, signal);
  let chunk: ScannedFile[] = [];
  const write = async (): Promise<void> => {
    const files = chunk;
    chunk = [];
    onAdded(await ledger.commit(() => ledger.items.add(batch, files, nameTemplate)));
  };
  for await (const file of scan.files) {
    if (chunk.push(file) === CHUNK_FILES) await write();
  }
  await write();
  await ledger.commit(() => ledger.batches.setScanned(batch, scan.leftOut()));
};
