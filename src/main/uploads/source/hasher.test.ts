/** Hashing in a worker of its own: real workers, real digests. */
import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHasher } from './hasher.ts';
import { createTestHasher } from './testing/hasher.ts';

/** The URL of a worker that dies at its first message. */
const dying = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', () => { throw new Error('the thread dies here'); });
  `)}`,
);
const stopped = { code: 'upload/hashing-stopped', retry: 'later' };

test('contents hashed at the same time, in parts of any size, get their own digests', async () => {
  const hasher = createTestHasher();
  const content = fc.record({
    parts: fc.array(fc.uint8Array({ maxLength: 50 }), { minLength: 1, maxLength: 5 }),
    md5: fc.boolean(),
  });
  const digestsOf = async (parts: readonly Uint8Array[], md5: boolean) => {
    const hashing = hasher.begin({ md5 });
    for (const part of parts.slice(0, -1)) await hashing.part(Buffer.from(part));
    return hashing.last(Buffer.from(parts.at(-1) ?? []));
  };
  await fc.assert(
    fc.asyncProperty(fc.array(content, { minLength: 1, maxLength: 4 }), async (contents) => {
      const digests = await Promise.all(contents.map(({ parts, md5 }) => digestsOf(parts, md5)));
      const expected = contents.map(({ parts, md5 }) => {
        const whole = Buffer.concat(parts);
        return { sha256: hash('sha256', whole), md5: md5 ? hash('md5', whole) : undefined };
      });
      expect(digests).toEqual(expected);
    }),
  );
});

test('a part is read in shared memory, and reused once it is given back', async () => {
  const hasher = createTestHasher();
  const part = hasher.takePart().fill('a');
  const hashing = hasher.begin({ md5: false });
  await hashing.part(part);
  expect(await hashing.last(part.fill('b'))).toMatchObject({
    sha256: hash('sha256', 'a'.repeat(part.length) + 'b'.repeat(part.length)),
  });
  hasher.giveBack(part);
  expect(hasher.takePart()).toBe(part);
  expect(hasher.takePart()).not.toBe(part);
});

test('a discarded content does not affect the next one', async () => {
  const hasher = createTestHasher();
  const first = hasher.begin({ md5: false });
  await first.part(Buffer.from('first'));
  first[Symbol.dispose]();
  expect(await hasher.begin({ md5: false }).last(Buffer.from('second'))).toMatchObject({
    sha256: hash('sha256', 'second'),
  });
});

describe('a thread that dies', () => {
  test('rejects waiting and later calls, and its error is reported', async () => {
    const bugs: unknown[] = [];
    const hashing = createHasher(dying, (bug) => bugs.push(bug)).begin({ md5: false });
    const parts = ['a', 'b'].map((part) => hashing.part(Buffer.from(part)));
    for (const part of parts) await expect(part).rejects.toMatchObject(stopped);
    await expect(hashing.last(Buffer.from('c'))).rejects.toMatchObject(stopped);
    hashing[Symbol.dispose]();
    expect(bugs).toEqual([new Error('the thread dies here')]);
  });

  test('is replaced by another for the next content', async () => {
    const bugs: unknown[] = [];
    const hasher = createHasher(dying, (bug) => bugs.push(bug));
    for (const part of ['a', 'b']) {
      await expect(hasher.begin({ md5: false }).part(Buffer.from(part))).rejects.toMatchObject(stopped);
    }
    expect(bugs).toHaveLength(2);
  });

  test('may also be one that never started', async () => {
    const bugs: unknown[] = [];
    const hasher = createHasher(new URL('./not-there.ts', import.meta.url), (bug) => bugs.push(bug));
    await expect(hasher.begin({ md5: false }).part(Buffer.from('a'))).rejects.toMatchObject(stopped);
    expect(bugs).toHaveLength(1);
  });
});
