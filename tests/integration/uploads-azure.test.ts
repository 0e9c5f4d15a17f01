/** Files that are too large for one request to Azure, against its emulator Azurite. All others: storage-dialects.test.ts. */
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { unlimited } from '../../src/main/async/testing/unlimited.ts';
import { createStorageAgent } from '../../src/main/net/connector.ts';
import { openLocalFile } from '../../src/main/uploads/source/local-file.ts';
import { createTestHasher } from '../../src/main/uploads/source/testing/hasher.ts';
import { putFile } from '../../src/main/uploads/storage/put-file.ts';
import { SEND_TIMEOUTS } from '../../src/main/uploads/storage/put-request.ts';
import { OLD_VERSION, useAzurite } from './support/azurite.ts';
import { bytes, makeDirectory } from './support/folders.ts';

const hasher = createTestHasher();
const azurite = useAzurite();
const MIB = 1024 * 1024;

/** Sends `content` to `url`. */
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
    url: new URL(url),
    file,
    sizeBytes,
    limit: unlimited,
    md5Origins: new Map(),
    timeouts: SEND_TIMEOUTS,
    onBytes,
    onAnswered: () => {},
    now: Date.now,
    waitSignal: signal,
    signal,
  }).finally(file.close);
  return { outcome, sentBytes: seen.at(-1), progress: seen };
};

test('sends a file above the limit of Put Blob in blocks, and a second time as the same blob', async () => {
  const content = bytes(65 * MIB);
  const url = azurite.sign('blocks', { permissions: 'w', version: OLD_VERSION });
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
