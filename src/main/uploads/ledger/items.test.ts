import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FileState } from '../../../contract/uploads.ts';
import { scanned } from '../source/testing/scanned.ts';
import { createBatchQueue, type Item, itemsFrom, LARGE_BYTES, sum } from './items.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { addBatch, newLedgerPath, openTestLedger } from './testing/ledger.ts';

const large = LARGE_BYTES;

test('a large file is next if it may go, otherwise a small one, and either if there is no other', async () => {
  const ledger = openTestLedger();
  const sizes = [1, large, 2, large + 1, 3];
  const { batch } = await addBatch(
    ledger,
    sizes.map((size, index) => scanned(`f${index}`, size)),
  );
  const queue = createBatchQueue(ledger.items, batch, () => 0);
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

test('files that were chosen to be sent first go before their turn, once, unless they have had it', async () => {
  const ledger = openTestLedger();
  const sizes = [1, 1, 1, large, large, large, 1];
  const { batch, files } = await addBatch(
    ledger,
    sizes.map((size, index) => scanned(`f${index}`, size)),
  );
  const queue = createBatchQueue(ledger.items, batch, () => 0);
  const next = (largeMayGo = false) => queue.next(largeMayGo)?.path;
  const choose = (atMs: number, ...indexes: readonly number[]) =>
    ledger.commit(() =>
      ledger.batches.sendFirst(
        batch,
        atMs,
        indexes.map((index) => files[index]?.id ?? 0),
      ),
    );
  expect([next(), next(true)]).toEqual(['f0', 'f3']);
  await choose(1, 0, 3, 2);
  await choose(2, 4);
  expect([next(), next(), next(), next(true), next(), next()]).toEqual(['f4', 'f2', 'f1', 'f5', 'f6', undefined]);
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
  const queue = createBatchQueue(ledger.items, batch, () => 0);
  expect([1, 2, 3, 4].map(() => queue.next(true)?.path)).toEqual(['c', 'b', 'a', undefined]);
});

test('the Key that a failed item left unclear moves to another item of the file, once, and not from one that was queued again', async () => {
  const ledger = openTestLedger();
  const { items, commit } = ledger;
  const identity = { id: '1-2', changedMs: 1 };
  const add = async (path: string, facts = {}) =>
    (await addBatch(ledger, [{ ...scanned(path), identity, ...facts }])).files[0]?.id ?? 0;
  const former = await add('before.txt');
  const [own, other] = [await add('a.txt'), await add('b.txt', { identity: { ...identity, id: '1-3' } })];
  const fail = (key?: string) =>
    commit(() =>
      items.failed(
        former,
        { state: 'failed', error, unclear: true, url: 'https://storage.test', ...(key && { key }) },
        1,
      ),
    );
  expect(items.leftUnclear(own)).toBeUndefined();
  await fail();
  expect(items.leftUnclear(own)).toBeUndefined();
  await fail('old');
  expect([items.leftUnclear(other), items.leftUnclear(former)]).toEqual([undefined, undefined]);
  const left = items.leftUnclear(own);
  expect(left).toMatchObject({ id: former, path: 'before.txt', key: 'old' });
  if (!left) return;
  expect(await commit(() => items.takeKey({ ...left, key: 'another' }, own))).toBe(false);
  expect(items.get(own)).toMatchObject({ key: undefined, unclear: false });
  expect(await commit(() => items.takeKey(left, own))).toBe(true);
  expect(items.get(own)).toMatchObject({ key: 'old', unclear: true });
  expect(items.get(former)).toMatchObject({ state: 'failed', key: undefined, url: undefined, unclear: false });
  expect(await commit(() => items.takeKey(left, other))).toBe(false);
  expect(items.leftUnclear(own)).toBeUndefined();
});

const error = { code: 'upload/refused', message: 'no', retry: 'never', details: {} } as const;
const lost = { ...error, code: 'upload/uncertain' } as const;

test('files of a batch are its own, whatever is added to others meanwhile', async () => {
  const ledger = openTestLedger();
  const [one, other] = [await addBatch(ledger, [scanned('a')]), await addBatch(ledger, [scanned('x')])];
  await ledger.commit(() => {
    ledger.items.add(one.batch, [scanned('b'), scanned('c')]);
    ledger.items.add(other.batch, [scanned('y')]);
    ledger.items.failed(one.files[0]?.id ?? 0, { state: 'failed', error, unclear: false }, 5);
  });
  const paths = (items: readonly Item[]) => items.map(({ path }) => path);
  expect(paths([...itemsFrom(ledger.items, one.batch)])).toEqual(['a', 'b', 'c']);
  expect(paths([...itemsFrom(ledger.items, other.batch)])).toEqual(['x', 'y']);
  expect(paths(ledger.items.list(other.batch, { offset: 1, limit: 10 }).items)).toEqual(['y']);
  expect(paths(ledger.items.pending(one.batch, 10))).toEqual(['b', 'c']);
  expect(ledger.items.failedIds(other.batch)).toEqual([]);
  expect(ledger.items.list('none', { offset: 0, limit: 10 })).toEqual({ items: [], total: 0 });
  // The file does not belong to this batch.
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

describe('a file with a signed Url', () => {
  const URL = 'https://storage/a?sig=1';
  const failure = { state: 'uncertain', error, unclear: true, key: 'key' } as const;
  const nameTaken = { code: 'upload/name-taken', message: expect.stringMatching(/./) };
  const forgotten = { key: undefined, unclear: false };
  const settled = { ...forgotten, settledAtMs: 5 };
  type Case = [string, (items: Ledger['items'], id: number, batch: string) => unknown, Partial<Item>, string[]];

  test.each<Case>([
    ['is signed again', (items, id) => items.signing(id, 5), { state: 'signing', startedAtMs: 1, ...forgotten }, []],
    ['is done', (items, id) => items.done(id, 'ab', '"e"', 5), { state: 'done', sha256: 'ab' }, []],
    ['is skipped', (items, id) => items.skipped(id, 'ab', 5), { state: 'skipped', sha256: 'ab', ...settled }, []],
    [
      'is skipped because of its name',
      (items, id) => items.nameTaken(id, 5),
      { state: 'skipped', error: expect.objectContaining(nameTaken), ...settled },
      [],
    ],
    ['is cancelled', (items, id) => items.cancelled(id, 5), { state: 'cancelled', ...settled }, []],
    ['gets another name', (items, id) => items.renamed(id, 'b'), { fileName: 'b', key: undefined }, []],
    ['fails for a reason of its own', (items, id) => items.failed(id, failure, 5), { state: 'uncertain', error }, []],
    [
      'fails and may have been stored',
      (items, id) => items.failed(id, { ...failure, url: URL }, 5),
      { state: 'uncertain', unclear: true, key: 'key', url: URL },
      [URL],
    ],
    [
      'fails and is queued again',
      (items, id, batch) => {
        items.failed(id, { ...failure, url: URL }, 5);
        expect(items.requeue(batch, id)).toBe(true);
      },
      { state: 'queued', unclear: true, key: 'key', url: URL, settledAtMs: undefined },
      [URL],
    ],
    [
      'cannot be queued again while it is sent',
      (items, id, batch) => expect(items.requeue(batch, id, { sizeBytes: 1, modifiedMs: 1 })).toBe(false),
      { state: 'sending', key: 'key', url: URL, sizeBytes: 10 },
      [URL],
    ],
    ['cannot be unsigned while it is sent', (items, id) => items.unsigned(id), { state: 'sending', url: URL }, [URL]],
    [
      'is queued again if its next signature is not used',
      (items, id) => {
        items.signing(id, 5);
        items.unsigned(id);
      },
      { state: 'queued', ...forgotten },
      [],
    ],
  ])('%s: the ledger has the Url as long as it may be needed', async (_, act, expected, urls) => {
    const path = newLedgerPath();
    const ledger = openTestLedger(path);
    const { batch, files } = await addBatch(ledger, [scanned('a')]);
    const id = files[0]?.id ?? 0;
    await ledger.commit(() => {
      ledger.items.sending(id, 'key', URL, 1);
      act(ledger.items, id, batch);
    });
    expect(ledger.items.get(id)).toMatchObject({ url: undefined, ...expected });
    using db = new DatabaseSync(path, { readOnly: true });
    expect(
      db
        .prepare('SELECT url FROM signed_url')
        .all()
        .map(({ url }) => url),
    ).toEqual(urls);
  });
});

describe('a file that is sent in blocks', () => {
  const setUp = async () => {
    const ledger = openTestLedger();
    const id = (await addBatch(ledger, [scanned('a')])).files[0]?.id ?? 0;
    const url = (blob: string, signature = 1) => `https://storage/${blob}?sig=${signature}#part\n2`;
    const send = (blob: string, inBlocks = true) =>
      ledger.commit(() => ledger.items.sending(id, blob, url(blob), 1, { inBlocks }));
    const sent = (blob: string) => [...ledger.items.sentBlocks(id, url(blob, 2))];
    await send('a');
    await ledger.commit(() => {
      for (const block of ['1', '2', '2']) ledger.items.blockSent(id, url('a'), block);
    });
    return { ledger, id, send, sent };
  };

  test('keeps its blocks for the same blob, whatever the signature', async () => {
    const { send, sent } = await setUp();
    expect([sent('a'), sent('b')]).toEqual([['1', '2'], []]);
    await send('a');
    expect(sent('a')).toEqual(['1', '2']);
    await send('b');
    expect(sent('a')).toEqual([]);
  });

  test('has none once the storage has discarded them, or the file is sent in one request', async () => {
    const { ledger, id, send, sent } = await setUp();
    await send('a', false);
    expect(sent('a')).toEqual([]);
    const another = await setUp();
    await another.ledger.commit(() => another.ledger.items.blocksLost(another.id));
    expect(another.sent('a')).toEqual([]);
    expect(ledger.items.get(id)).toMatchObject({ unclear: true, attempts: 2 });
  });

  test('may have arrived once its blocks are committed', async () => {
    const { ledger, id } = await setUp();
    expect(ledger.items.get(id)).toMatchObject({ state: 'sending', unclear: false });
    await ledger.commit(() => ledger.items.committing(id));
    expect(ledger.items.get(id)).toMatchObject({ state: 'sending', unclear: true });
  });
});

describe('a file that was done and did not arrive', () => {
  const setUp = async () => {
    const ledger = openTestLedger();
    const { batch, files } = await addBatch(ledger, [scanned('a'), scanned('b')]);
    const [a = 0, b = 0] = files.map(({ id }) => id);
    const arrive = (id: number, isProven?: boolean) =>
      ledger.commit(() => {
        ledger.items.sending(id, 'key', 'url', 1);
        ledger.items.done(id, 'ab', undefined, 2, isProven);
      });
    const lose = (how: { readonly keepsKey: boolean; readonly again: boolean }) =>
      ledger.commit(() => ledger.items.lost(a, how, 5));
    return { ledger, batch, a, b, arrive, lose };
  };

  test('is sent again, with its Key if it may still arrive under it, and is looked for', async () => {
    const { ledger, batch, a, b, arrive, lose } = await setUp();
    await arrive(b, false);
    for (const keepsKey of [true, false]) {
      await arrive(a);
      await lose({ keepsKey, again: true });
      const key = keepsKey ? 'key' : undefined;
      expect(ledger.items.get(a)).toMatchObject({ state: 'queued', key, unclear: keepsKey, sha256: undefined });
    }
    expect([ledger.items.countResent(batch), ledger.items.unlisted(batch)]).toEqual([0, b]);
    await arrive(a);
    expect([ledger.items.countResent(batch), ledger.items.unlisted(batch)]).toEqual([1, b]);
    await arrive(b);
    expect(ledger.items.unlisted(batch)).toBe(a);
    expect(ledger.items.countResent('none')).toBe(0);
  });

  test.each([
    ['the fourth time', [true, true, true, true]],
    ['if it may not be sent again', [false]],
  ])('fails %s', async (_, tries) => {
    const { ledger, a, arrive, lose } = await setUp();
    for (const again of tries) {
      expect(ledger.items.get(a)).toMatchObject({ state: 'queued', settledAtMs: undefined, error: undefined });
      await arrive(a);
      await lose({ keepsKey: false, again });
    }
    const notArrived = { code: 'upload/not-arrived', retry: 'later', message: expect.stringMatching(/./) };
    expect(ledger.items.get(a)).toMatchObject({ state: 'failed', settledAtMs: 5, error: notArrived });
  });
});

test('a file whose name is taken is settled when it is planned, if it is to be skipped', async () => {
  const ledger = openTestLedger();
  const { batch } = await addBatch(ledger, []);
  const clash = (onClash: 'skip' | 'rename') => ({ clash: { fileName: 'x', with: 'earlier', onClash } }) as const;
  const files = [scanned('a'), { ...scanned('b'), ...clash('skip') }, { ...scanned('c'), ...clash('rename') }];
  const skipped = await ledger.commit(() => ledger.items.add(batch, files, 7));
  const [a, b, c] = [...itemsFrom(ledger.items, batch)];
  expect(skipped).toEqual([b?.id]);
  for (const item of [a, c]) expect(item).toMatchObject({ state: 'queued', error: undefined, settledAtMs: undefined });
  const error = { code: 'upload/name-taken', message: expect.stringMatching(/./) };
  expect(b).toMatchObject({ state: 'skipped', error, settledAtMs: 7 });
});

test('the files that are being sent, and those from any place on, are listed', async () => {
  const ledger = openTestLedger();
  const { batch, files } = await addBatch(
    ledger,
    Array.from({ length: 1100 }, (_, size) => scanned(`f${size}`, size)),
  );
  const ids = files.map(({ id }) => id);
  await ledger.commit(() => ledger.items.sending(ids[3] ?? 0, 'key', 'url', 1));
  expect([...ledger.items.sendingIds(batch)]).toEqual([ids[3]]);
  for (const [offset, count] of [
    [0, 1100],
    [0, 500],
    [90, 1005],
    [100, 2000],
    [1090, 20],
    [7, 0],
  ] as const) {
    const found = [...itemsFrom(ledger.items, batch, offset, count)].map(({ id }) => id);
    expect(found).toEqual(ids.slice(offset, offset + count));
  }
  const tally = ledger.items.tally(batch);
  expect(sum(tally.queued, tally.sending)).toEqual({ files: 1100, bytes: (1099 * 1100) / 2 });
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
  // The Url was erased, so the Key is removed before a new signature is requested.
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
      for (const [index, { id, path }] of files.entries()) {
        if (index % 5 === 4) continue;
        const key = `${batch} ${path}`;
        ledger.items.sending(id, key, 'url', 1);
        ledger.items.done(id, 'ab12', undefined, 1);
        if (index % 3 === 0 || index > 20) ledger.knownFiles.removed(assignment, key, 2);
      }
    });
    return batch;
  };
  const [batch] = [await upload(paths), await upload(paths.slice(10))];
  const there = paths.filter((_, index) => index % 5 !== 4 && index % 3 !== 0 && index <= 20);
  const queued = paths.filter((_, index) => index % 5 === 4);
  expect(ledger.items.list(batch, { states: ['queued'], offset: 0, limit: 50 }).items.map(({ path }) => path)).toEqual(
    queued,
  );
  for (let offset = 0; offset <= there.length + 2; offset += 1)
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
  for (const { id } of itemsFrom(ledger.items, batch)) {
    seen.push(id);
    if (seen.length % 400 === 0) await ledger.commit(() => ledger.items.signing(id, 1));
  }
  expect(new Set(seen).size).toBe(1200);
  expect(seen).toHaveLength(1200);
});

describe('any folder, scanned while its files are sent', () => {
  const step = fc.oneof(
    // More files than one query reads.
    fc.record({ add: fc.array(fc.constantFrom(1, large), { maxLength: 200, size: 'max' }) }),
    fc.record({ begin: fc.nat(80), largeMayGo: fc.boolean() }),
  );

  test('starts every file once, in order among large and among small ones', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const ledger = openLedger(':memory:');
        const { batch } = await addBatch(ledger, []);
        let additions = 0;
        const queue = createBatchQueue(ledger.items, batch, () => additions);
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
            additions += 1;
          }
        }
        begin(added.length, true);
        for (const size of [1, large]) {
          const ofSize = (file: { readonly size: number }) => file.size === size;
          expect(begun.filter(ofSize)).toEqual(added.filter(ofSize));
        }
        expect(begun).toHaveLength(added.length);
        ledger.close();
      }),
      { numRuns: 50 },
    ));
});

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
        const rows = [...itemsFrom(ledger.items, batch)];
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
        expect(ledger.items.failedIds(batch)).toEqual(failed.map(({ id }) => id));
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
