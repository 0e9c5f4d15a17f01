import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fileNameKey } from './file-names.ts';
import { createNameRegistry, type Holder } from './name-registry.ts';
import { scanned } from './testing/scanned.ts';

const part = fc.constantFrom('a', 'A', 'b', 'å', 'a\u030a', 'photo.jpg', 'Photo.JPG', 'x (2).jpg', 'b - a');
const paths = fc.uniqueArray(
  fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
  { minLength: 1, maxLength: 30 },
);

test('gives every file one distinct name, however often its folder is scanned', () =>
  fc.assert(
    fc.asyncProperty(paths, fc.array(fc.nat(29)), fc.integer({ min: 1, max: 7 }), async (all, interrupted, chunk) => {
      // A scan that ended early, with a part of the folder, and then a whole one.
      const found = [...new Set(interrupted.flatMap((index) => all[index] ?? []))].map((path) => scanned(path));
      const before = createNameRegistry('{name}', '/folder', async () => undefined);
      const first = await before.assignNames(found);
      before.close();

      const registry = createNameRegistry('{name}', '/folder', async () => undefined);
      registry.add(first);
      const planned = [...first];
      for (let from = 0; from < all.length; from += chunk) {
        planned.push(...(await registry.assignNames(all.slice(from, from + chunk).map((path) => scanned(path)))));
      }
      registry.close();
      expect(planned.map(({ path }) => path).sort()).toEqual([...all].sort());
      expect(new Set(planned.map(({ fileName }) => fileNameKey(fileName))).size).toBe(all.length);
      for (const { fileName } of planned) expect(fileName).toBe(fileName.normalize('NFC'));
    }),
    { numRuns: 150 },
  ));

describe('a name that is reserved on the assignment', () => {
  const there = { fileName: 'A.TXT', isThere: true, sizeBytes: 10, sha256: 'same' };
  const place = { root: '/folder', path: 'a.txt' };
  const coming = { fileName: 'a.txt', isThere: false, sizeBytes: 10, modifiedMs: 7 };
  const touched = { ...there, place, modifiedMs: 7 };

  test.each<[string, Holder[], string, string]>([
    ['by the same content is shared', [there], 'same', 'a.txt'],
    ['by other content is not', [there], 'other', 'a (2).txt'],
    ['by a file of another size is not', [{ ...there, sizeBytes: 11 }], 'same', 'a (2).txt'],
    ['by a file of which nothing else is known is not', [{ fileName: 'a.txt', isThere: true }], 'same', 'a (2).txt'],
    ['by several is shared with one of the same content', [{ ...there, sha256: 'x' }, there], 'same', 'a.txt'],
    ['by another upload of the very same file is shared', [{ ...coming, place }], 'same', 'a.txt'],
    [
      'by a file to come with the same content is shared',
      [{ ...coming, place: { ...place, root: '/b' } }],
      'same',
      'a.txt',
    ],
    ['by a file to come that cannot be read is not', [coming], 'same', 'a (2).txt'],
    ['by the file as it was before it was written to is not', [touched], 'other', 'a (2).txt'],
  ])('%s', async (_, holders, content, name) => {
    const registry = createNameRegistry('{name}', '/folder', async () => content);
    registry.reserve(holders);
    expect(await registry.assignNames([scanned('a.txt')])).toMatchObject([{ fileName: name }]);
    registry.close();
  });

  test('needs no reading if the file is unchanged since its upload', async () => {
    const registry = createNameRegistry('{name}', '/folder', () => Promise.reject(new Error('read')));
    registry.reserve([{ ...touched, modifiedMs: scanned('a.txt').modifiedMs }]);
    expect(await registry.assignNames([scanned('a.txt')])).toMatchObject([{ fileName: 'a.txt' }]);
    registry.close();
  });

  test('by the previous folder is not assigned in the next one', async () => {
    const registry = createNameRegistry('{name}', '/one', async ({ root }) => root);
    await registry.assignNames([scanned('a.txt')]);
    registry.startFolder('/two');
    expect(await registry.assignNames([scanned('a.txt')])).toMatchObject([{ fileName: 'a (2).txt' }]);
    registry.close();
  });
});
