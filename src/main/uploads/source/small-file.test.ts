import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Expected } from './file-identity.ts';
import { createFileReader, type OpenFile, WHOLE_BYTES } from './local-file.ts';
import { readAtOnce } from './read-worker.ts';
import { createTestOpen } from './testing/hasher.ts';

const makeDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'desk-reader-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
};

const reader = new URL('./read-worker.ts', import.meta.url);

/** Returns the URL of a worker that runs `code` for each message. */
const threadThat = (code: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', () => { ${code} });
    `)}`,
  );

/** Creates a reader. `others`: the paths of the files that it does not open in its worker. */
const openReader = (module = reader) => {
  const others: string[] = [];
  const bugs: unknown[] = [];
  const open = createTestOpen();
  const openAnyway: OpenFile = (path, expected) => {
    others.push(path);
    return open(path, expected);
  };
  return { ...createFileReader(module, openAnyway, (error) => bugs.push(error)), others, bugs };
};

const write = (path: string, content: Buffer): { readonly path: string; readonly expected: Expected } => {
  writeFileSync(path, content);
  const { size, mtimeMs } = statSync(path);
  return { path, expected: { sizeBytes: size, modifiedMs: mtimeMs } };
};

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

test('small files are read in the thread, each whole, many at a time', async () => {
  const directory = makeDirectory();
  const sizes = [0, 1, 4_095, 4_096, WHOLE_BYTES - 1, WHOLE_BYTES];
  const contents = Array.from({ length: 12 }, (_, index) => Buffer.alloc(sizes[index % sizes.length] ?? 0, index + 1));
  const { open, others } = openReader();
  const files = await Promise.all(
    contents.map((content, index) => {
      const { path, expected } = write(join(directory, `${index}.bin`), content);
      return open(path, expected);
    }),
  );
  expect(others).toEqual([]);
  for (const [index, content] of contents.entries()) {
    expect(files[index]?.whole?.equals(content)).toBe(true);
    expect(files[index]?.digests()?.sha256).toBe(sha256(content));
  }
});

test('a missing or changed file fails with its error, and the next ones are read', async () => {
  const directory = makeDirectory();
  const [changed, grown, kept] = ['changed', 'grown', 'kept'].map((name) =>
    write(join(directory, name), Buffer.from(name)),
  );
  if (!changed || !grown || !kept) throw new Error('not written');
  utimesSync(changed.path, new Date(1), new Date(1));
  writeFileSync(grown.path, 'grown since');
  const { open } = openReader();
  const opened = await Promise.allSettled([
    open(join(directory, 'none'), kept.expected),
    open(changed.path, changed.expected),
    open(grown.path, grown.expected),
    open(kept.path, kept.expected),
  ]);
  expect(opened).toMatchObject([
    { reason: { code: 'upload/file-missing' } },
    { reason: { code: 'upload/file-changed' } },
    { reason: { code: 'upload/file-changed' } },
    { value: { whole: Buffer.from('kept') } },
  ]);
});

test('a larger file is not read whole', async () => {
  const { path, expected } = write(join(makeDirectory(), 'large.bin'), Buffer.alloc(WHOLE_BYTES + 1));
  const { open, others } = openReader();
  const file = await open(path, expected);
  await file.close();
  expect([file.whole, others]).toEqual([undefined, [path]]);
});

test('no file is lost when the thread dies', async () => {
  const { path, expected } = write(join(makeDirectory(), 'one.txt'), Buffer.from('one'));
  const { open, others, bugs } = openReader(threadThat(`throw new Error('dead')`));
  for (const file of [await open(path, expected), await open(path, expected)])
    expect(file.whole?.toString()).toBe('one');
  expect(others).toEqual([path, path]);
  expect(bugs).toMatchObject([{ message: 'dead' }]);
});

test('a thread that does not answer is bypassed', async () => {
  const { path, expected } = write(join(makeDirectory(), 'one.txt'), Buffer.from('one'));
  const { open } = openReader(threadThat(''));
  const stuck = Array.from({ length: 64 }, () => open(path, expected));
  expect((await open(path, expected)).whole?.toString()).toBe('one');
  expect(await Promise.race([...stuck, 'stuck'])).toBe('stuck');
});

test('a file that cannot be closed, as may happen on a network drive, does not end the thread', () => {
  const directory = makeDirectory();
  const { path, expected } = write(join(directory, 'a.bin'), Buffer.from('a'));
  const closed = (fd: number): string => {
    closeSync(fd);
    return path;
  };
  expect(readAtOnce({ path, expected: { ...expected, within: directory } }, closed)).toBeUndefined();
});
