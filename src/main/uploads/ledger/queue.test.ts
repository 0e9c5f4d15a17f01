import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scanned } from '../source/testing/scanned.ts';
import { openLedger } from './ledger.ts';
import { createBatchQueue, LARGE_BYTES } from './queue.ts';
import { addBatch, openTestLedger } from './testing/ledger.ts';

const large = LARGE_BYTES;

describe('any folder, scanned while its files are sent', () => {
  const step = fc.oneof(
    fc.record({ add: fc.array(fc.constantFrom(1, large), { maxLength: 100 }) }),
    fc.record({ begin: fc.nat(80), largeMayGo: fc.boolean() }),
  );

  test('starts every file once, in order among large and among small ones', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const ledger = openLedger(':memory:');
        const { batch } = await addBatch(ledger, []);
        let isPlanned = false;
        const queue = createBatchQueue(ledger.items, batch, () => isPlanned);
        const added: { readonly path: string; readonly size: number }[] = [];
        const begun: { readonly path: string; readonly size: number }[] = [];
        const begin = (count: number, largeMayGo: boolean) => {
          for (let index = 0; index < count; index += 1) {
            const item = queue.next(largeMayGo);
            if (item) begun.push({ path: item.path, size: item.sizeBytes });
          }
        };
        for (const one of steps) {
          if ('begin' in one) begin(one.begin, one.largeMayGo);
          else {
            const files = one.add.map((size, index) => ({ path: `${added.length + index}`, size }));
            await ledger.commit(() =>
              ledger.items.add(
                batch,
                files.map(({ path, size }) => scanned(path, size)),
              ),
            );
            added.push(...files);
          }
        }
        isPlanned = true;
        begin(added.length, true);
        for (const size of [1, large]) {
          const ofSize = (file: { readonly size: number }) => file.size === size;
          expect(begun.filter(ofSize)).toEqual(added.filter(ofSize));
        }
        expect(begun).toHaveLength(added.length);
        ledger.close();
      }),
    ));
});

test('a large file is next if it may go, otherwise a small one, and either if there is no other', async () => {
  const ledger = openTestLedger();
  const sizes = [1, large, 2, large + 1, 3];
  const { batch } = await addBatch(
    ledger,
    sizes.map((size, index) => scanned(`f${index}`, size)),
  );
  const queue = createBatchQueue(ledger.items, batch, () => true);
  const next = (largeMayGo: boolean) => queue.next(largeMayGo)?.path;
  expect([next(true), next(false), next(false), next(false), next(false), next(true)]).toEqual([
    'f1',
    'f0',
    'f2',
    'f4',
    'f3',
    undefined,
  ]);
});

test('files that a previous run left unfinished come first, once', async () => {
  const ledger = openTestLedger();
  const { batch, files } = await addBatch(
    ledger,
    ['a', 'b', 'c'].map((path) => scanned(path)),
  );
  await ledger.commit(() => {
    ledger.items.sending(files[2]?.id ?? 0, 'key', 'url', 1);
    ledger.items.signing(files[1]?.id ?? 0, 1);
  });
  const queue = createBatchQueue(ledger.items, batch, () => true);
  expect([1, 2, 3, 4].map(() => queue.next(true)?.path)).toEqual(['c', 'b', 'a', undefined]);
});
