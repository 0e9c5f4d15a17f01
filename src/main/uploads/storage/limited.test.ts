import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { limited } from './limited.ts';

const MIB = 1024 * 1024;

/** The bytes that a socket may still buffer when it requests more: Node's largest `writableHighWaterMark`. */
const KEPT_BYTES = 64 * 1024;

const partsOf = async function* (content: Buffer, partBytes: number): AsyncGenerator<Buffer, void> {
  const buffer = Buffer.alloc(partBytes);
  for (let from = 0; from < content.length; from += partBytes) {
    const part = buffer.subarray(0, content.copy(buffer, 0, from, from + partBytes));
    yield part;
    buffer.fill(0);
  }
};

const collect = async (content: Buffer, limits: readonly number[]) => {
  let turn = 0;
  const slices: Buffer[] = [];
  const progress: number[] = [];
  const outflow = {
    limit: { partBytes: () => limits[turn++ % limits.length] ?? 1, take: async () => {} },
    onBytes: (bytes: number) => void progress.push(bytes),
    signal: new AbortController().signal,
  };
  for await (const slice of limited(partsOf(content, MIB), outflow)) {
    slices.push(slice.length < KEPT_BYTES ? slice : Buffer.from(slice));
  }
  return { slices, progress };
};

test.each([
  ['no limit', [Number.POSITIVE_INFINITY]],
  ['a low limit', [10_000]],
  ['a limit that changes', [Number.POSITIVE_INFINITY, 1, 400_000, 65_535, 262_143]],
])('parts that are overwritten later arrive whole at a consumer with a small buffer, with %s', async (_, limits) => {
  const content = randomBytes(3 * MIB + 70_000);
  const { slices, progress } = await collect(content, limits);
  expect(Buffer.concat(slices).equals(content)).toBe(true);
  expect(progress.at(-1)).toBe(content.length);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
});

test('progress is reported several times per part', async () => {
  const { progress } = await collect(randomBytes(MIB), [Number.POSITIVE_INFINITY]);
  expect(progress.length).toBeGreaterThan(1);
});
