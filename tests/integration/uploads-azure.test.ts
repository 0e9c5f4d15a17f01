/**
 * Files that are sent to Azure in blocks, tested with its emulator Azurite. storage-dialects.test.ts tests all other
 * files.
 */
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { unlimited } from '../../src/main/async/testing/unlimited.ts';
import { createStorageAgent } from '../../src/main/net/connector.ts';
import { createHostHealth } from '../../src/main/net/host-health.ts';
import { addBatch, openTestLedger } from '../../src/main/uploads/ledger/testing/ledger.ts';
import { openLocalFile } from '../../src/main/uploads/source/local-file.ts';
import { createTestHasher } from '../../src/main/uploads/source/testing/hasher.ts';
import { putFile, SEND_TIMEOUTS } from '../../src/main/uploads/storage/put-file.ts';
import { blockPlan, putTo } from '../../src/main/uploads/storage/testing/put.ts';
import { createTestContext } from '../../src/main/uploads/transfer/testing/context.ts';
import { transferFile } from '../../src/main/uploads/transfer/transfer.ts';
import { azureBlockErrors } from '../storages/azure.ts';
import { documentedErrors } from '../storages/documented-errors.ts';
import { errorOf } from '../storages/test-storage.ts';
import { OLD_VERSION, useAzurite } from './support/azurite.ts';
import type { LineFault } from './support/faulty-line.ts';
import { bytes, makeDirectory, sha256 } from './support/folders.ts';
import { sendWithKills } from './support/kill-sender.ts';
import { startAzureStorage } from './support/signed-storages.ts';

const hasher = createTestHasher();
const azurite = useAzurite();
const MIB = 1024 * 1024;

const put = async (url: string, content: Uint8Array) => {
  const { signal } = new AbortController();
  const path = join(makeDirectory(), 'file');
  writeFileSync(path, content);
  const { size: sizeBytes, mtimeMs: modifiedMs } = statSync(path);
  const file = await openLocalFile(path, { sizeBytes, modifiedMs }, hasher);
  const dispatcher = createStorageAgent();
  onTestFinished(() => dispatcher.destroy());
  const seen: number[] = [];
  const onBytes = (sent: number): void => void seen.push(sent);
  const outcome = await putFile({
    dispatcher,
    ...putTo(url),
    file,
    sizeBytes,
    limit: unlimited,
    md5Origins: new Map(),
    blocks: blockPlan(),
    timeouts: SEND_TIMEOUTS,
    onBytes,
    onResponse: () => {},
    now: Date.now,
    waitSignal: signal,
    signal,
  }).finally(file.close);
  return { outcome, sentBytes: seen.at(-1), progress: seen };
};

test('a SAS that may only create accepts no blocks: the file is too large, and nothing is sent', async () => {
  const url = azurite.sign('no blocks', { permissions: 'c', version: OLD_VERSION });
  const { outcome, progress } = await put(url, Buffer.alloc(65 * MIB));
  expect(outcome).toMatchObject({ type: 'unsendable', error: { code: 'upload/too-large' } });
  expect(progress).toEqual([]);
});

// Files that continue after an interruption. The blocks are small here, so that a file of 1 MB has many.

const KIB = 1024;
const BLOCKS = 17;
const SIZES = { aboveBytes: 256 * KIB, blockBytes: 64 * KIB };
/** The last block is smaller than the others. */
const CONTENT = bytes((BLOCKS - 1) * SIZES.blockBytes + 5);

type Sent = 'block' | 'list' | 'whole';
type Meeting = { readonly fault?: LineFault | undefined; readonly kill?: boolean };

/**
 * Creates a file in a ledger, and a service that signs the blobs `names` one after another, and then the last of them
 * again and again. `run` transfers the file until it ends or is killed; `meet` returns the fault of the nth request of
 * its kind, and whether the transfer is killed at it.
 */
const createTransfer = async (names: readonly string[] = ['blob'], content = CONTENT) => {
  const storage = await startAzureStorage(azurite);
  onTestFinished(storage.close);
  const root = makeDirectory();
  const path = join(root, 'video.mp4');
  writeFileSync(path, content);
  const onDisk = () => {
    const { size: sizeBytes, mtimeMs: modifiedMs } = statSync(path);
    return { sizeBytes, modifiedMs, identity: undefined };
  };
  const ledger = openTestLedger();
  const { batch, files } = await addBatch(ledger, [{ path: 'video.mp4', ...onDisk() }], { root });
  const id = files[0]?.id ?? 0;
  const keys = new Map<string, Awaited<ReturnType<typeof storage.newKey>>>();
  for (const name of names) keys.set(name, keys.get(name) ?? (await storage.newKey(name)));
  const removed: string[] = [];
  let signs = 0;
  const service = {
    signUpload: async () => {
      const name = names[Math.min(signs, names.length - 1)] ?? '';
      signs += 1;
      const { key = '', sign } = keys.get(name) ?? {};
      const endMs = Date.now() + 900_000 + signs * 1000;
      const Url = (await sign?.({ atMs: Date.now() - 1000, endMs, permissions: 'cw' })) ?? '';
      return { AssignmentId: 'assignment', Key: key, Url };
    },
    removeFile: async (request: { readonly Key: string; readonly AssignmentId: string }) => {
      removed.push(request.Key);
      return storage.removeFile(request);
    },
  };

  const run = async (meet: (sent: Sent, n: number) => Meeting = () => ({})) => {
    const counts = { block: 0, list: 0, whole: 0 };
    const abort = new AbortController();
    const agent = createStorageAgent();
    const here = storage.line.leadHere(agent, (address) => {
      const sent = address.includes('comp=blocklist') ? 'list' : address.includes('comp=block') ? 'block' : 'whole';
      counts[sent] += 1;
      const { fault, kill } = meet(sent, counts[sent]);
      if (kill) setImmediate(() => abort.abort());
      return fault;
    });
    const context = createTestContext({
      ledger,
      service,
      storage: here,
      blockSizes: SIZES,
      health: createHostHealth({ probe: async () => {} }),
      now: Date.now,
    });
    const item = ledger.items.get(id);
    if (!item) throw new Error('the ledger has no file');
    const assignment = { connectionId: 'connection', assignmentId: 'assignment' };
    const settled = await transferFile(context, {
      item,
      batch: { ...assignment, id: batch, uploadId: 'upload', nameTemplate: '{name}', onClash: 'rename', root },
      within: root,
      onBytes: () => {},
      onWaiting: () => {},
      slot: { take: async () => {}, tryPark: () => undefined, park: () => async () => {}, release: () => {} },
      waitSignal: abort.signal,
      signal: abort.signal,
    })
      .catch((error) => ({ state: 'interrupted' as const, error }))
      .finally(() => agent.destroy());
    return { ...settled, ...counts };
  };
  return {
    run,
    path,
    onDisk,
    item: () => ledger.items.get(id),
    requeue: () => ledger.commit(() => ledger.items.requeue(batch, id, onDisk())),
    /** Resolves to the SHA-256 of the blob under each name. */
    held: async () => {
      const held = await storage.held([...keys.values()].map(({ key }) => key));
      return names.map((name) => held.get(keys.get(name)?.key ?? ''));
    },
    removed,
    signs: () => signs,
  };
};

const busy: LineFault = { type: 'error', at: 'head', error: errorOf(documentedErrors('azure'), 'ServerBusy') };
const expiry: LineFault = {
  type: 'error',
  at: 'received',
  error: errorOf(documentedErrors('azure'), 'AuthenticationFailed', {
    more: { AuthenticationErrorDetail: 'Signature expired' },
  }),
};

test.each<[string, LineFault]>([
  ['503', busy],
  ['whose response is lost', { type: 'cut', at: 'stored' }],
  ['cut in the middle', { type: 'cut', at: 'body' }],
  ['in which a byte changes', { type: 'changed' }],
  ['that something else responds to', { type: 'swallowed' }],
])('a block %s is sent again, and no other', async (_, fault) => {
  const { run, held, signs } = await createTransfer();
  const ended = await run((sent, n) => (sent === 'block' && n === 5 ? { fault } : {}));
  expect(ended).toMatchObject({ state: 'done', block: BLOCKS + 1, list: 1, whole: 0 });
  expect(await held()).toEqual([sha256(CONTENT)]);
  expect(signs()).toBe(1);
});

test('after an interruption only the blocks that were not confirmed are sent, and nothing needs to be removed', async () => {
  const { run, held, item, removed, signs } = await createTransfer();
  const first = await run((sent, n) => ({ kill: sent === 'block' && n === 12 }));
  expect(first).toMatchObject({ state: 'interrupted', list: 0 });
  expect(item()).toMatchObject({ state: 'sending', unclear: false });
  expect(await held()).toEqual([undefined]);
  const second = await run();
  expect(second).toMatchObject({ state: 'done', list: 1 });
  expect(first.block + second.block).toBeLessThanOrEqual(BLOCKS + 8);
  expect(second.block).toBeGreaterThan(0);
  expect(await held()).toEqual([sha256(CONTENT)]);
  expect({ removed, signs: signs() }).toEqual({ removed: [], signs: 1 });
});

test.each<[string, LineFault]>([
  ['is lost', { type: 'cut', at: 'stored' }],
  ['never comes, because nothing was committed', { type: 'cut', at: 'received' }],
])('if the response to the commit %s, it is repeated, without any block', async (_, fault) => {
  const { run, held } = await createTransfer();
  const ended = await run((sent, n) => (sent === 'list' && n === 1 ? { fault } : {}));
  expect(ended).toMatchObject({ state: 'done', block: BLOCKS, list: 2 });
  expect(await held()).toEqual([sha256(CONTENT)]);
});

test('an app that is killed at the commit commits again, as it may have arrived', async () => {
  const { run, held, item } = await createTransfer();
  await run((sent) => ({
    kill: sent === 'list',
    fault: sent === 'list' ? { type: 'silent', at: 'stored' } : undefined,
  }));
  expect(item()).toMatchObject({ state: 'sending', unclear: true });
  expect(await run()).toMatchObject({ state: 'done', block: 0, list: 1 });
  expect(await held()).toEqual([sha256(CONTENT)]);
});

test('a Url that expires in the middle is followed by others of the same blob, as often as that goes on', async () => {
  const { run, held, removed, signs } = await createTransfer();
  const ended = await run((sent, n) => ({ fault: sent === 'block' && n % 10 === 0 ? expiry : undefined }));
  expect(ended).toMatchObject({ state: 'done', whole: 0, list: 1 });
  expect(ended.block).toBeLessThanOrEqual(BLOCKS + 2);
  expect(await held()).toEqual([sha256(CONTENT)]);
  expect({ removed, signs: signs() }).toEqual({ removed: [], signs: 2 });
});

test('a Url of another blob is used for the whole file at once, because it may expire as well', async () => {
  const { run, held, signs } = await createTransfer(['first', 'second']);
  const ended = await run((sent, n) => ({ fault: sent === 'block' && n === 10 ? expiry : undefined }));
  expect(ended).toMatchObject({ state: 'done', whole: 1, list: 0 });
  expect(await held()).toEqual([undefined, sha256(CONTENT)]);
  expect(signs()).toBe(2);
});

test('a Url that always expires ends as for any other file', async () => {
  const { run } = await createTransfer();
  const ended = await run(() => ({ fault: expiry }));
  expect(ended).toMatchObject({ state: 'failed', error: { code: 'upload/url-expired' } });
});

test('a file that was edited in between is sent as it is then, and none of its earlier blocks is used', async () => {
  const { run, held, path, requeue } = await createTransfer();
  await run((sent, n) => ({ kill: sent === 'block' && n === 12 }));
  const edited = Buffer.from(CONTENT);
  edited.writeUInt8((edited[3] ?? 0) ^ 1, 3);
  await setTimeout(20);
  writeFileSync(path, edited);
  expect(await run()).toMatchObject({ state: 'failed', error: { code: 'upload/file-changed' }, block: 0 });
  await requeue();
  const ended = await run();
  expect(ended).toMatchObject({ state: 'done', list: 1 });
  expect(await held()).toEqual([sha256(edited)]);
});

test('blocks that the storage has discarded are sent again', async () => {
  const { run, held } = await createTransfer();
  const fault: LineFault = { type: 'error', at: 'received', error: errorOf(azureBlockErrors, 'InvalidBlockList') };
  const ended = await run((sent, n) => ({ fault: sent === 'list' && n === 1 ? fault : undefined }));
  expect(ended).toMatchObject({ state: 'done', block: 2 * BLOCKS, list: 2 });
  expect(await held()).toEqual([sha256(CONTENT)]);
});

test('below the threshold, and where the signature may only create, a file is sent in one request', async () => {
  const small = bytes(SIZES.aboveBytes);
  const { run, held } = await createTransfer(['small'], small);
  expect(await run()).toMatchObject({ state: 'done', block: 0, whole: 1 });
  expect(await held()).toEqual([sha256(small)]);
});

test('five kills cost at most the blocks that were in flight', async () => {
  const content = bytes(128 * SIZES.blockBytes);
  const folder = makeDirectory();
  const path = join(folder, 'video.mp4');
  writeFileSync(path, content);
  const Url = azurite.sign('killed', { permissions: 'cw' });
  const sender = { ledgerPath: join(folder, 'ledger.sqlite'), path, Url, blockSizes: SIZES };
  const { state, kills, sentBytes } = await sendWithKills(sender, { sizeBytes: content.length, kills: 5 });
  expect({ state, kills }).toEqual({ state: 'done', kills: 5 });
  // Each request also has a few hundred bytes of headers.
  expect(sentBytes).toBeLessThan((128 + 5 * 8) * (SIZES.blockBytes + KIB));
  expect((await azurite.read('killed'))?.equals(content)).toBe(true);
});
