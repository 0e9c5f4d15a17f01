/**
 * Sends one file to a signed URL, in a process that can be killed; the next process with the same ledger continues. The
 * argument of the process is its `SenderArguments` as JSON. Prints the final state of the file.
 */
import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { createStorageAgent } from '../../../src/main/net/connector.ts';
import { createHostHealth } from '../../../src/main/net/host-health.ts';
import { openLedger } from '../../../src/main/uploads/ledger/ledger.ts';
import type { BlockSizes } from '../../../src/main/uploads/storage/put-file.ts';
import { createTestContext } from '../../../src/main/uploads/transfer/testing/context.ts';
import { transferFile } from '../../../src/main/uploads/transfer/transfer.ts';

export type SenderArguments = {
  readonly ledgerPath: string;
  readonly path: string;
  readonly Url: string;
  readonly blockSizes: BlockSizes;
};

const { ledgerPath, path, Url, blockSizes } = JSON.parse(process.argv[2] ?? '') as SenderArguments;
const ledger = openLedger(ledgerPath);
const [batch, root] = ['batch', dirname(path)];
const assignment = { connectionId: 'connection', subject: undefined, assignmentId: 'assignment' };
if (!ledger.batches.get(batch)) {
  const { size: sizeBytes, mtimeMs: modifiedMs } = statSync(path);
  const file = { path: basename(path), fileName: basename(path), sizeBytes, modifiedMs };
  await ledger.commit(() => {
    ledger.batches.insert({ id: batch, ...assignment, root, nameTemplate: '{name}', createdAtMs: Date.now() });
    ledger.items.add(batch, [file]);
  });
}
const [item] = ledger.items.list(batch, { offset: 0, limit: 1 }).items;
if (!item) throw new Error('the batch has no file');
const storage = createStorageAgent();
const service = {
  signUpload: async () => ({ AssignmentId: 'assignment', Key: 'key', Url }),
  removeFile: async () => undefined,
};
const health = createHostHealth({ probe: async () => {} });
const context = createTestContext({ ledger, service, storage, blockSizes, health, now: Date.now });
// Permits eight concurrent blocks, the first of them in the slot of the file.
const { sending } = context.pools;
for (let taken = sending.taken(); sending.limit() - taken > 7; taken += 1) sending.tryAcquire();
const { signal } = new AbortController();
const settled = await transferFile(context, {
  item,
  batch: { ...assignment, id: batch, uploadId: 'upload', nameTemplate: '{name}', onClash: 'rename', root },
  within: root,
  onBytes: () => {},
  onWaiting: () => {},
  slot: { take: async () => {}, tryPark: () => undefined, park: () => async () => {}, release: () => {} },
  waitSignal: signal,
  signal,
});
await storage.destroy();
ledger.close();
process.stdout.write(settled.state, () => process.exit());
