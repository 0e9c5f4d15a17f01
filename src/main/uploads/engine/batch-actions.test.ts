import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import { addBatch, openTestLedger } from '../ledger/testing/ledger.ts';
import type { NamedFile } from '../source/file-names.ts';
import { PART_BYTES } from '../source/hasher.ts';
import { type OpenFile, openLocalFile } from '../source/local-file.ts';
import { PATIENCE_MS } from '../source/scan.ts';
import { createCountingHasher } from '../source/testing/hasher.ts';
import { fakeTimeouts, replaceCalls } from '../source/testing/replaced-calls.ts';
import { scanned } from '../source/testing/scanned.ts';
import { SEND_TIMEOUTS, type SendTimeouts } from '../storage/put-file.ts';
import { requeue, verifyPart } from './batch-actions.ts';

const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const signal = new AbortController().signal;
const stalled = toErrorData(new DeskError('upload/stalled', 'the file cannot be read'));

const setUp = async (
  found: readonly (string | NamedFile)[],
  own: { open?: OpenFile; timeouts?: SendTimeouts } = {},
) => {
  const root = mkdtempSync(join(tmpdir(), 'verify-test-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const ledger = openTestLedger();
  const { batch, files } = await addBatch(
    ledger,
    found.map((file) => (typeof file === 'string' ? scanned(file, 0) : file)),
    { root },
  );
  await ledger.commit(() => {
    for (const { id } of files) ledger.items.done(id, EMPTY_SHA256, undefined, 1);
  });
  const row = ledger.batches.get(batch);
  if (!row) throw new Error('no batch');
  const hasher = createCountingHasher();
  const context = {
    ledger,
    open: (...file: Parameters<OpenFile>) => openLocalFile(...file, hasher),
    timeouts: SEND_TIMEOUTS,
    ...own,
  };
  return {
    root,
    hasher,
    ledger,
    files,
    verify: (after: number, until = signal) => verifyPart(context, row, after, until),
  };
};

test('a batch is verified part by part, in order, each file once', async () => {
  const paths = Array.from({ length: 150 }, (_, index) => `${String(index).padStart(3, '0')}.txt`);
  const { root, verify } = await setUp(paths);
  for (const path of paths) writeFileSync(join(root, path), '');
  const seen: string[] = [];
  for (let after: number | undefined = 0; after !== undefined; ) {
    const part = await verify(after);
    for (const { path, verdict } of part.files) seen.push(`${path} ${verdict}`);
    after = part.next;
  }
  expect(seen).toEqual(paths.map((path) => `${path} same`));
});

test('a part ends after a large file, so that large files come one by one', async () => {
  const large = 300 * 1024 * 1024;
  const { verify } = await setUp([scanned('a', large), scanned('b', 1), scanned('c', large)]);
  const first = await verify(0);
  expect(first.files.map(({ path }) => path)).toEqual(['a']);
  const second = await verify(first.next ?? 0);
  expect(second.files.map(({ path }) => path)).toEqual(['b', 'c']);
  expect(second).not.toHaveProperty('next');
});

test('unreadable files are distinguished from missing ones', async () => {
  const { root, verify } = await setUp(['x'.repeat(300), 'under a file/x', 'gone']);
  writeFileSync(join(root, 'under a file'), '');
  const { files } = await verify(0);
  expect(files.map(({ verdict }) => verdict)).toEqual(['unreadable', 'missing', 'missing']);
});

test('verifying ends if the drive of the folder does not respond', async () => {
  const { root, verify } = await setUp(['a']);
  replaceCalls({ realpath: () => new Promise(() => {}) });
  fakeTimeouts();
  const failed = expect(verify(0)).rejects.toMatchObject({
    code: 'upload/drive-unresponsive',
    details: { path: root },
  });
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  await failed;
});

test('verifying ends with its signal', async () => {
  const { verify } = await setUp(['a']);
  await expect(verify(0, AbortSignal.abort())).rejects.toMatchObject({ code: 'app/cancelled' });
});

test('a large file is hashed in the thread for hashing', async () => {
  const content = Buffer.alloc(3 * PART_BYTES, 'x');
  const { root, hasher, ledger, files, verify } = await setUp([scanned('large.bin', content.length)]);
  const path = join(root, 'large.bin');
  writeFileSync(path, content);
  const [{ id } = { id: 0 }] = files;
  await ledger.commit(() => ledger.items.done(id, hash('sha256', content), undefined, 1));
  expect(await verify(0)).toMatchObject({ files: [{ verdict: 'same' }] });
  expect(hasher.taken()).toBeGreaterThan(0);
  content[PART_BYTES] = 0;
  writeFileSync(path, content);
  expect(await verify(0)).toMatchObject({ files: [{ verdict: 'changed' }] });
});

test('neither a pipe in place of a file nor a stalled drive blocks it', async () => {
  const { root, verify } = await setUp(['pipe']);
  execFileSync('mkfifo', [join(root, 'pipe')]);
  expect(await verify(0)).toMatchObject({ files: [{ verdict: 'changed' }] });

  const stalled = await setUp(['a'], {
    open: () => new Promise(() => {}),
    timeouts: { ...SEND_TIMEOUTS, idleMs: 1 },
  });
  writeFileSync(join(stalled.root, 'a'), '');
  expect(await stalled.verify(0)).toMatchObject({ files: [{ verdict: 'unreadable' }] });
});

test('files on a drive that does not respond are queued again after one look at the drive', async () => {
  const { ledger, files } = await setUp(Array.from({ length: 1_200 }, (_, index) => `${index}.txt`));
  await ledger.commit(() => {
    for (const { id } of files) ledger.items.failed(id, { state: 'failed', error: stalled, unclear: false }, 1);
  });
  const row = ledger.batches.list('connection')[0] ?? expect.unreachable();
  let looks = 0;
  const hang = (): Promise<never> => {
    looks += 1;
    return new Promise(() => {});
  };
  replaceCalls({ stat: hang, lstat: hang, open: hang, realpath: hang });
  fakeTimeouts();
  const requeued = requeue(ledger, row);
  await expect.poll(() => looks).toBe(1);
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  expect(await requeued).toMatchObject({ files: 1_200 });
  expect(looks).toBe(1);
});

test('files on a slow drive are queued again as they are now, each looked up within its own limit', async () => {
  const { ledger, files, root } = await setUp(Array.from({ length: 100 }, (_, index) => `${index}.txt`));
  for (const { path } of files) writeFileSync(join(root, path), 'changed');
  await ledger.commit(() => {
    for (const { id } of files) ledger.items.failed(id, { state: 'failed', error: stalled, unclear: false }, 1);
  });
  const row = ledger.batches.list('connection')[0] ?? expect.unreachable();
  // The drive opens one file at a time. Opening all files takes longer than `PATIENCE_MS`, the limit of each lookup.
  let isWaiting = false;
  const wait = async (): Promise<void> => {
    isWaiting = true;
    await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS / 50));
    isWaiting = false;
  };
  let ready = Promise.resolve();
  const { open } = replaceCalls({
    open: (...file: Parameters<typeof open>): Promise<unknown> => {
      ready = ready.then(wait);
      return ready.then(() => open(...file));
    },
  });
  fakeTimeouts();
  let isDone = false;
  const requeued = requeue(ledger, row).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    if (isWaiting) await vi.advanceTimersByTimeAsync(PATIENCE_MS / 50);
    await new Promise(setImmediate);
  }
  expect(await requeued).toMatchObject({ files: 100 });
  const sizes = files.map(({ id }) => ledger.items.get(id)?.sizeBytes);
  expect(new Set(sizes)).toEqual(new Set(['changed'.length]));
});
