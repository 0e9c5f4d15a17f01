import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanned } from '../ledger/test-ledger.ts';
import { fileNameKey } from './file-names.ts';
import { createNameBook } from './name-book.ts';

const part = fc.constantFrom('a', 'A', 'b', 'å', 'a\u030a', 'photo.jpg', 'Photo.JPG', 'x (2).jpg', 'b - a');
const paths = fc.uniqueArray(
  fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
  { minLength: 1, maxLength: 30 },
);

test('names every file once, as nobody could take for another, however often its folder is read', () =>
  fc.assert(
    fc.asyncProperty(paths, fc.array(fc.nat(29)), fc.integer({ min: 1, max: 7 }), async (all, interrupted, chunk) => {
      // A scan that ended early, with a part of the folder, and then a whole one.
      const found = [...new Set(interrupted.flatMap((index) => all[index] ?? []))].map((path) => scanned(path));
      const before = createNameBook('{name}', '/folder', async () => undefined);
      const first = await before.name(found);
      before.close();

      const book = createNameBook('{name}', '/folder', async () => undefined);
      book.know(first);
      const planned = [...first];
      for (let from = 0; from < all.length; from += chunk) {
        planned.push(...(await book.name(all.slice(from, from + chunk).map((path) => scanned(path)))));
      }
      book.close();
      expect(planned.map(({ path }) => path).sort()).toEqual([...all].sort());
      expect(new Set(planned.map(({ fileName }) => fileNameKey(fileName))).size).toBe(all.length);
      for (const { fileName } of planned) expect(fileName).toBe(fileName.normalize('NFC'));
    }),
    { numRuns: 150 },
  ));
