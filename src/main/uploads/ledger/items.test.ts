import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FileState } from '../../../contract/uploads.ts';
import { scanned } from '../source/testing/scanned.ts';
import type { Item } from './item-row.ts';
import { createBatchQueue, everyItem, LARGE_BYTES } from './items.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { addBatch, newLedgerPath, openTestLedger } from './testing/ledger.ts';

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

const error = { code: 'upload/refused', message: 'no', retry: 'never', details: {} } as const;
const lost = { ...error, code: 'upload/uncertain' } as const;

describe('the counts', () => {
  type Step = { readonly file: number; readonly act: (ledger: Ledger, id: number, batch: string) => void };
  const acts: readonly Step['act'][] = [
    ({ items }, id) => items.signing(id, 1),
    ({ items }, id) => items.sending(id, 'key', 'url', 1),
    ({ items }, id) => items.done(id, 'hash', undefined, 5),
    ({ items }, id) => items.skipped(id, 'hash', 5),
    ({ items }, id) => items.failed(id, { state: 'failed', error, unclear: false }, 5),
    ({ items }, id) => items.failed(id, { state: 'uncertain', error: lost, unclear: true, key: 'k', url: 'u' }, 5),
    ({ items }, id, batch) => void items.requeue(batch, id),
    ({ items }, id) => items.cancelled(id, 5),
  ];
  const steps = fc.array(fc.record({ file: fc.nat(9), act: fc.constantFrom(...acts) }), { maxLength: 40 });

  test('of the tally and of every list agree with the rows, and no file is lost between states', () =>
    fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const ledger = openLedger(':memory:');
        const { batch, files } = await addBatch(
          ledger,
          Array.from({ length: 10 }, (_, size) => scanned(`f${size}`, size)),
        );
        await ledger.commit(() => {
          for (const { file, act } of taken) act(ledger, files[file]?.id ?? 0, batch);
        });
        const tally = ledger.items.tally(batch);
        const rows = [...everyItem(ledger.items, batch)];
        expect(rows).toHaveLength(10);
        const unsettled = rows.filter(({ state }) => ['queued', 'signing', 'sending'].includes(state));
        expect(ledger.items.mayHaveArrived(batch)).toBe(unsettled.some(({ unclear }) => unclear));
        for (const state of FileState.options) {
          const own = rows.filter((row) => row.state === state);
          expect(tally[state]).toEqual({ files: own.length, bytes: own.reduce((sum, row) => sum + row.sizeBytes, 0) });
          const listed = ledger.items.list(batch, { states: [state], offset: 0, limit: 100 });
          expect(listed).toEqual({ items: own, total: own.length });
        }
        const failed = rows.filter(({ state }) => state === 'failed' || state === 'uncertain');
        expect(ledger.items.failedIds(batch, { afterId: 0, limit: 100 })).toEqual(failed.map(({ id }) => id));
        for (const { code } of [error, lost]) {
          const own = rows.filter((row) => row.error?.code === code);
          const group = ledger.items.errorGroups(batch).find((one) => one.code === code);
          expect(group?.files ?? 0).toBe(own.length);
          const listed = ledger.items.list(batch, { error: code, offset: 0, limit: 100 });
          expect(listed).toEqual({ items: own, total: own.length });
        }
        const settled = ['done', 'cancelled', 'failed'] as const;
        const inOrder = settled.flatMap((state) => rows.filter((row) => row.state === state));
        for (const offset of [0, 1, 4]) {
          const listed = ledger.items.list(batch, { states: settled, offset, limit: 3 });
          expect(listed).toEqual({ items: inOrder.slice(offset, offset + 3), total: inOrder.length });
          expect(ledger.items.list(batch, { offset, limit: 3 })).toEqual({
            items: rows.slice(offset, offset + 3),
            total: 10,
          });
        }
        const open = rows.filter(({ state }) => state === 'queued' || state === 'signing' || state === 'sending');
        expect(
          ledger.items
            .pending(batch, 100)
            .map(({ id }) => id)
            .sort((a, b) => a - b),
        ).toEqual(open.map(({ id }) => id));
        ledger.close();
      }),
      { numRuns: 150 },
    ));
});

test('files of a batch are its own, whatever is added to others meanwhile', async () => {
  const ledger = openTestLedger();
  const [one, other] = [await addBatch(ledger, [scanned('a')]), await addBatch(ledger, [scanned('x')])];
  await ledger.commit(() => {
    ledger.items.add(one.batch, [scanned('b'), scanned('c')]);
    ledger.items.add(other.batch, [scanned('y')]);
    ledger.items.failed(one.files[0]?.id ?? 0, { state: 'failed', error, unclear: false }, 5);
  });
  const paths = (items: readonly Item[]) => items.map(({ path }) => path);
  expect(paths([...everyItem(ledger.items, one.batch)])).toEqual(['a', 'b', 'c']);
  expect(paths([...everyItem(ledger.items, other.batch)])).toEqual(['x', 'y']);
  expect(paths(ledger.items.list(other.batch, { offset: 1, limit: 10 }).items)).toEqual(['y']);
  expect(paths(ledger.items.pending(one.batch, 10))).toEqual(['b', 'c']);
  expect(ledger.items.failedIds(other.batch, { afterId: 0, limit: 10 })).toEqual([]);
  expect(ledger.items.list('none', { offset: 0, limit: 10 })).toEqual({ items: [], total: 0 });
  // A file of another batch does not belong to this one.
  expect(await ledger.commit(() => ledger.items.requeue(other.batch, one.files[0]?.id ?? 0))).toBe(false);
});

test('large and small files have queues of their own', async () => {
  const ledger = openTestLedger();
  const sizes = [10, LARGE_BYTES, LARGE_BYTES - 1, 2 * LARGE_BYTES, 0];
  const { batch, files } = await addBatch(
    ledger,
    sizes.map((size, index) => scanned(`f${index}`, size)),
  );
  const line = (large: boolean, afterId = 0, limit = 10) =>
    ledger.items.queued(batch, { afterId, limit, large }).map(({ path }) => path);
  expect(line(true)).toEqual(['f1', 'f3']);
  expect(line(false)).toEqual(['f0', 'f2', 'f4']);
  expect(line(false, files[0]?.id, 1)).toEqual(['f2']);
  await ledger.commit(() => ledger.items.signing(files[1]?.id ?? 0, 1));
  expect(line(true)).toEqual(['f3']);
  expect(ledger.items.interrupted(batch).map(({ path }) => path)).toEqual(['f1']);
});

test('cancelling settles files that never started, a limited number at a time', async () => {
  const ledger = openTestLedger();
  const { batch, files } = await addBatch(
    ledger,
    ['a', 'b', 'c', 'd'].map((path) => scanned(path)),
  );
  await ledger.commit(() => ledger.items.sending(files[1]?.id ?? 0, 'key', 'url', 1));
  const cancelTwo = () => ledger.commit(() => ledger.items.cancelUntouched(batch, 2, 5));
  expect([await cancelTwo(), await cancelTwo(), await cancelTwo()]).toEqual([2, 1, 0]);
  expect(ledger.items.tally(batch)).toMatchObject({ cancelled: { files: 3 }, sending: { files: 1 } });
});

test('a file that failed with a signed Url, was queued again and is cancelled leaves no Url on disk', async () => {
  const path = newLedgerPath();
  const ledger = openTestLedger(path);
  const { batch, files } = await addBatch(ledger, [scanned('a')]);
  const id = files[0]?.id ?? 0;
  const failure = { state: 'failed', error, key: 'key', url: 'https://storage/a?sig=1', unclear: false } as const;
  await ledger.commit(() => ledger.items.failed(id, failure, 1));
  await ledger.commit(() => ledger.items.requeue(batch, id));
  await ledger.commit(() => ledger.items.cancelUntouched(batch, 10, 2));
  using db = new DatabaseSync(path, { readOnly: true });
  expect(db.prepare('SELECT * FROM signed_url').all()).toEqual([]);
});

test('interrupted files come first, then the others in order, up to the limit', async () => {
  const ledger = openTestLedger();
  const { batch, files } = await addBatch(
    ledger,
    ['a', 'b', 'c', 'd'].map((path) => scanned(path)),
  );
  await ledger.commit(() => {
    ledger.items.signing(files[1]?.id ?? 0, 1);
    ledger.items.sending(files[3]?.id ?? 0, 'key', 'url', 1);
  });
  expect(ledger.items.pending(batch, 10).map(({ path }) => path)).toEqual(['d', 'b', 'a', 'c']);
  expect(ledger.items.pending(batch, 3).map(({ path }) => path)).toEqual(['d', 'b', 'a']);
});

test('a file that was being sent when the app ended may have arrived', async () => {
  const ledger = openTestLedger();
  const { files } = await addBatch(ledger, [scanned('a')]);
  const id = files[0]?.id ?? 0;
  expect(ledger.items.get(id)).toMatchObject({ unclear: false, key: undefined, url: undefined, attempts: 0 });
  await ledger.commit(() => ledger.items.sending(id, 'key', 'url', 1));
  expect(ledger.items.get(id)).toMatchObject({ unclear: true, key: 'key', url: 'url', attempts: 1 });
});

test('a Url is deleted as soon as the file has a clear end; an unclear file keeps it for the retry', async () => {
  const ledger = openTestLedger();
  const { batch, files } = await addBatch(
    ledger,
    ['done', 'skipped', 'cancelled', 'uncertain'].map((path) => scanned(path)),
  );
  const [done = 0, skipped = 0, cancelled = 0, uncertain = 0] = files.map(({ id }) => id);
  await ledger.commit(() => {
    for (const { id } of files) ledger.items.sending(id, 'key', 'url', 1);
    ledger.items.done(done, 'hash', '"etag"', 5);
    ledger.items.skipped(skipped, 'hash', 5);
    ledger.items.cancelled(cancelled, 5);
    ledger.items.failed(uncertain, { state: 'uncertain', error, unclear: true, key: 'key', url: 'url' }, 5);
  });
  expect([...everyItem(ledger.items, batch)].map(({ path, url }) => [path, url])).toEqual([
    ['done', undefined],
    ['skipped', undefined],
    ['cancelled', undefined],
    ['uncertain', 'url'],
  ]);
  expect(await ledger.commit(() => ledger.items.requeue(batch, uncertain))).toBe(true);
  expect(ledger.items.get(uncertain)).toMatchObject({ state: 'queued', unclear: true, key: 'key', url: 'url' });
});

test('a failed file is queued again as it is on disk; other files stay unchanged', async () => {
  const ledger = openTestLedger();
  const { batch, files } = await addBatch(ledger, [scanned('failed', 10), scanned('done', 10)]);
  const [failed = 0, done = 0] = files.map(({ id }) => id);
  const onDisk = { sizeBytes: 12, modifiedMs: 7.5 };
  await ledger.commit(() => {
    ledger.items.failed(failed, { state: 'failed', error, unclear: false }, 5);
    ledger.items.done(done, 'hash', undefined, 5);
  });
  expect(await ledger.commit(() => [failed, done].map((id) => ledger.items.requeue(batch, id, onDisk)))).toEqual([
    true,
    false,
  ]);
  expect(ledger.items.get(failed)).toMatchObject({ state: 'queued', ...onDisk, error: undefined });
  expect(ledger.items.get(done)).toMatchObject({ state: 'done', sizeBytes: 10 });
});

test('a file whose attempt may still arrive gets another Key once it has changed', async () => {
  const ledger = openTestLedger();
  const { batch, files } = await addBatch(ledger, [scanned('changed', 10), scanned('same', 10)]);
  const [changed = 0, same = 0] = files.map(({ id }) => id);
  const before = ledger.items.get(same);
  const { sizeBytes = 0, modifiedMs = 0 } = before ?? {};
  const unclear = { state: 'failed', error, unclear: true, key: 'key', url: 'url' } as const;
  await ledger.commit(() => {
    for (const id of [changed, same]) ledger.items.failed(id, unclear, 5);
    ledger.items.requeue(batch, changed, { sizeBytes, modifiedMs: modifiedMs + 1 });
    ledger.items.requeue(batch, same, { sizeBytes, modifiedMs, identity: before?.identity });
  });
  // Without a Url, the Key is removed before a new one is requested.
  expect(ledger.items.get(changed)).toMatchObject({ unclear: true, key: 'key', url: undefined });
  expect(ledger.items.get(same)).toMatchObject({ unclear: true, key: 'key', url: 'url' });
});

test('every window of the files that are still there has them in order, without those removed', async () => {
  const ledger = openTestLedger();
  const paths = Array.from({ length: 30 }, (_, index) => `${index}`.padStart(2, '0'));
  const assignment = { connectionId: 'connection', assignmentId: 'assignment' };
  const upload = async (named: readonly string[]) => {
    const { batch, files } = await addBatch(ledger, named.map(scanned));
    await ledger.commit(() => {
      for (const [index, { id, path, fileName }] of files.entries()) {
        if (index % 5 === 4) continue;
        const key = `${batch} ${path}`;
        ledger.items.sending(id, key, 'url', 1);
        ledger.items.done(id, 'ab12', undefined, 1);
        const facts = { sizeBytes: 1, modifiedMs: 1, sha256: 'ab12', atMs: 1, place: { root: '/folder', path } };
        ledger.knownFiles.uploaded(assignment, { key, fileName, itemId: id, ...facts });
        if (index % 3 === 0 || index > 20) ledger.knownFiles.removed(assignment, key, 2);
      }
    });
    return batch;
  };
  const [batch] = [await upload(paths), await upload(paths.slice(10))];
  const there = paths.filter((_, index) => index % 5 !== 4 && index % 3 !== 0 && index <= 20);
  for (let offset = 0; offset <= there.length; offset += 1)
    for (const limit of [1, 3, 50]) {
      const { items, total } = ledger.items.list(batch, { states: ['done'], offset, limit });
      expect([total, items.map(({ path }) => path)]).toEqual([there.length, there.slice(offset, offset + limit)]);
    }
});

test('a list read during writes misses and repeats no row', async () => {
  const ledger = openTestLedger();
  const { batch } = await addBatch(
    ledger,
    Array.from({ length: 1200 }, (_, index) => scanned(`f${index}`)),
  );
  const seen: number[] = [];
  for (const { id } of everyItem(ledger.items, batch)) {
    seen.push(id);
    if (seen.length % 400 === 0) await ledger.commit(() => ledger.items.signing(id, 1));
  }
  expect(new Set(seen).size).toBe(1200);
  expect(seen).toHaveLength(1200);
});
