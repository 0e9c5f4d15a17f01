/** Uploads to Azure Blob Storage, tested against its emulator Azurite. */
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { unlimited } from '../../src/main/async/testing/unlimited.ts';
import { createStorageAgent } from '../../src/main/net/connector.ts';
import { openLocalFile } from '../../src/main/uploads/source/local-file.ts';
import { createTestHasher } from '../../src/main/uploads/source/testing/hasher.ts';
import { putFile } from '../../src/main/uploads/storage/put-file.ts';
import { SEND_TIMEOUTS } from '../../src/main/uploads/storage/put-request.ts';
import { OLD_VERSION, type Sas, useAzurite } from './support/azurite.ts';
import { bytes, makeDirectory } from './support/folders.ts';

const hasher = createTestHasher();
const azurite = useAzurite();
const MIB = 1024 * 1024;
const write: Sas = { permissions: 'w' };

type Content = string | Uint8Array;

/** Sends `content` to `url`; `send` may stand for another content than the file has. */
const put = async (url: string, content: Content, signal = new AbortController().signal) => {
  const path = join(makeDirectory(), 'file');
  writeFileSync(path, content);
  const { size: sizeBytes, mtimeMs: modifiedMs } = statSync(path);
  const file = await openLocalFile(path, { sizeBytes, modifiedMs }, hasher);
  const dispatcher = createStorageAgent();
  onTestFinished(() => dispatcher.destroy());
  const seen: number[] = [];
  const onBytes = (sent: number): void => void seen.push(sent);
  const common = {
    dispatcher,
    limit: unlimited,
    md5Origins: new Map(),
    timeouts: SEND_TIMEOUTS,
    now: Date.now,
    onAnswered: () => {},
  };
  const outcome = await putFile({
    ...common,
    url: new URL(url),
    file,
    sizeBytes,
    onBytes,
    waitSignal: signal,
    signal,
  }).finally(file.close);
  return { outcome, sentBytes: seen.at(-1), progress: seen };
};

test.each([
  ['an empty file', ''],
  ['a small file', 'content'],
  ['a large file', bytes(3 * MIB)],
])('%s arrives by Put Blob', async (name, content) => {
  const { outcome } = await put(azurite.sign(name, write), content);
  expect(outcome).toMatchObject({ type: 'stored', proof: { etag: expect.any(String) } });
  expect(await azurite.read(name)).toEqual(Buffer.from(content));
});

test('sends a file above the limit of Put Blob in blocks, and a second time as the same blob', async () => {
  const content = bytes(65 * MIB);
  const url = azurite.sign('blocks', { ...write, version: OLD_VERSION });
  const { outcome, sentBytes, progress } = await put(url, content);
  expect(outcome).toMatchObject({ type: 'stored' });
  expect(sentBytes).toBe(content.length);
  expect(progress).toEqual([...progress].sort((a, b) => a - b));
  expect((await azurite.read('blocks'))?.equals(content)).toBe(true);
  expect((await put(url, content)).outcome).toMatchObject({ type: 'stored' });
  expect((await azurite.read('blocks'))?.equals(content)).toBe(true);
});

test('a SAS that may only create accepts no blocks: the file is too large, and nothing is sent', async () => {
  const url = azurite.sign('no blocks', { permissions: 'c', version: OLD_VERSION });
  const { outcome, progress } = await put(url, bytes(65 * MIB));
  expect(outcome).toMatchObject({ type: 'unsendable', error: { code: 'upload/too-large' } });
  expect(progress).toEqual([]);
});

test('reports an expired SAS', async () => {
  const url = azurite.sign('expired', { ...write, expiresMs: Date.now() - 60_000 });
  expect((await put(url, 'content')).outcome).toMatchObject({ type: 'expired', error: { code: 'upload/url-expired' } });
});

test('a SAS that is not yet valid may be retried later', async () => {
  const url = azurite.sign('early', { ...write, startsMs: Date.now() + 600_000 });
  expect((await put(url, 'content')).outcome).toMatchObject({ type: 'later', error: { code: 'upload/not-yet-valid' } });
});

test('refuses a SAS without the permission and one that was changed', async () => {
  const denied = { type: 'refused', error: { code: 'upload/denied', details: { status: 403 } } };
  expect((await put(azurite.sign('read only', { permissions: 'r' }), 'content')).outcome).toMatchObject(denied);
  const url = azurite.sign('signed', write).replace('/signed?', '/another?');
  expect((await put(url, 'content')).outcome).toMatchObject(denied);
});

test('does not store content that fails its checksum', async () => {
  const url = azurite.sign('garbled', write);
  const path = join(makeDirectory(), 'file');
  writeFileSync(path, 'content');
  const { mtimeMs: modifiedMs } = statSync(path);
  const file = await openLocalFile(path, { sizeBytes: 7, modifiedMs }, hasher);
  const agent = createStorageAgent();
  onTestFinished(() => agent.destroy());
  // A network that changes a byte: the bytes sent differ from those read.
  const dispatcher = agent.compose((dispatch) => (options, handler) => {
    return dispatch({ ...options, body: Buffer.from('c0ntent') }, handler);
  });
  const common = {
    dispatcher,
    limit: unlimited,
    md5Origins: new Map(),
    timeouts: SEND_TIMEOUTS,
    now: Date.now,
    onBytes: () => {},
    onAnswered: () => {},
  };
  const { signal } = new AbortController();
  const outcome = await putFile({ ...common, url: new URL(url), file, sizeBytes: 7, waitSignal: signal, signal });
  expect(outcome).toMatchObject({
    type: 'later',
    error: { code: 'upload/damaged', details: { error: 'Md5Mismatch' } },
  });
  expect(await azurite.read('garbled')).toBeUndefined();
});
