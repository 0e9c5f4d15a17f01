/** Reading files for an upload: real files, hashed by a real worker. */

import { hash, randomBytes } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Hasher, PART_BYTES } from './hasher.ts';
import { openLocalFile } from './local-file.ts';
import { openPatiently } from './open-file.ts';
import { createCountingHasher, createTestHasher } from './testing/hasher.ts';

const newFile = (content: Uint8Array) => {
  const dir = mkdtempSync(join(tmpdir(), 'local-file-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const path = join(dir, 'file');
  writeFileSync(path, content);
  // An old time, because files that are written at the same moment have the same time.
  utimesSync(path, 1, 1);
  return { path, expected: { sizeBytes: content.length, modifiedMs: 1_000 } };
};

const open = async (content: Uint8Array, hasher: Hasher = createTestHasher()) => {
  const { path, expected } = newFile(content);
  const file = await openLocalFile(path, expected, hasher);
  onTestFinished(file.close);
  return { path, file };
};

const SIZES = [
  0,
  1,
  256 * 1024,
  256 * 1024 + 1,
  PART_BYTES - 1,
  PART_BYTES,
  PART_BYTES + 1,
  3 * PART_BYTES - 1,
  3 * PART_BYTES,
  5 * PART_BYTES + 4_321,
];

/** Returns a function that opens files on a drive on which this call of an open file fails. */
const failing =
  (call: 'stat' | 'close'): typeof openPatiently =>
  async (path) => {
    const handle = await openPatiently(path);
    const { close } = handle;
    onTestFinished(() => close.call(handle));
    handle[call] = async () => Promise.reject(Object.assign(new Error('gone'), { code: 'EIO' }));
    return handle;
  };

test('a file whose facts the drive does not tell any more cannot be read', async () => {
  const { path, expected } = newFile(Buffer.from('content'));
  await expect(openLocalFile(path, expected, createTestHasher(), failing('stat'))).rejects.toMatchObject({
    code: 'upload/file-unreadable',
  });
});

test('a file that was read is there even if the drive fails when it is closed', async () => {
  const { path, expected } = newFile(Buffer.from('content'));
  const { whole } = await openLocalFile(path, expected, createTestHasher(), failing('close'));
  expect(whole?.toString()).toBe('content');
});

describe('a file', () => {
  test.each(SIZES)('of %i bytes is read byte for byte, with its digests', async (sizeBytes) => {
    const content = randomBytes(sizeBytes);
    const { file } = await open(content);
    for (const md5 of [false, true]) {
      const parts: Buffer[] = [];
      // The part is copied, because it is overwritten as soon as the next one is requested.
      for await (const part of file.read({ md5 })) parts.push(Buffer.from(part));
      expect(Buffer.concat(parts).equals(content)).toBe(true);
      expect(file.digests()?.sha256).toBe(hash('sha256', content));
    }
    expect(file.digests()?.md5).toBe(hash('md5', content));
  });

  test('read at the same time as others is not mixed up with them', async () => {
    const hasher = createCountingHasher();
    const sizes = [3 * PART_BYTES + 1, 2 * PART_BYTES, 7 * PART_BYTES - 1, PART_BYTES + 1];
    const read = async (sizeBytes: number) => {
      const content = randomBytes(sizeBytes);
      const { path, expected } = newFile(content);
      const file = await openLocalFile(path, expected, hasher);
      for await (const _ of file.read());
      await file.close();
      expect(file.digests()?.sha256).toBe(hash('sha256', content));
    };
    await Promise.all([...sizes, ...sizes].map(read));
    expect(hasher.inUse()).toBe(0);
  });

  test('has no digests before it has been read to its end', async () => {
    const { file } = await open(randomBytes(2 * PART_BYTES));
    const parts = file.read();
    await parts.next();
    expect(file.digests()).toBeUndefined();
    await parts.next();
    expect(file.digests()).toBeDefined();
  });

  test('uses at most three parts of memory, however large it is and however slowly it is sent', async () => {
    const hasher = createCountingHasher();
    const { file } = await open(randomBytes(8 * PART_BYTES), hasher);
    for await (const _ of file.read()) expect(hasher.inUse()).toBeLessThanOrEqual(3);
    expect(hasher.inUse()).toBe(0);
  });
});

describe('a file that is aborted in the middle', () => {
  test('does not reuse the part that may still be in a socket', async () => {
    const hasher = createCountingHasher();
    const content = randomBytes(4 * PART_BYTES);
    const { file } = await open(content, hasher);
    const parts = file.read();
    const first = (await parts.next()).value as Buffer;
    await parts.return();
    for await (const part of file.read()) expect(part.buffer).not.toBe(first.buffer);
    expect(first.equals(content.subarray(0, PART_BYTES))).toBe(true);
    expect(file.digests()?.sha256).toBe(hash('sha256', content));
    expect(hasher.inUse()).toBeGreaterThan(0);
  });
});

describe('a file that changes while it is read', () => {
  const changes: readonly [string, (path: string) => void][] = [
    ['grows', (path) => appendFileSync(path, 'more')],
    ['is shortened by less than its last part', (path) => truncateSync(path, 4 * PART_BYTES - 1)],
    ['is shortened to nothing', (path) => truncateSync(path, 0)],
    ['is written over', (path) => writeFileSync(path, randomBytes(4 * PART_BYTES))],
  ];

  test.each(changes)('and %s does not supply its last part', async (_, change) => {
    const { path, file } = await open(randomBytes(4 * PART_BYTES));
    const parts = file.read();
    let readBytes = 0;
    const rest = async (): Promise<void> => {
      for await (const part of parts) readBytes += part.length;
    };
    readBytes += (await parts.next()).value?.length ?? 0;
    change(path);
    await expect(rest()).rejects.toMatchObject({ code: 'upload/file-changed' });
    expect(readBytes).toBeLessThan(4 * PART_BYTES);
    expect(file.digests()).toBeUndefined();
  });
});
