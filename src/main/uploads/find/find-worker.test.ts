import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FileQuery } from '../../../contract/files.ts';
import type { ListedState } from '../../../contract/uploads.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { addBatch, newLedgerPath, openTestLedger } from '../ledger/testing/ledger.ts';
import { openFileIndex, typedWords, wordsOf } from './file-index.ts';
import { createFileFinder } from './find-worker.ts';
import { createFileSearch } from './start-search.ts';

const connectionId = 'connection';
const assignmentId = randomUUID();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const scanned = (path: string) => ({ path, sizeBytes: path.length, modifiedMs: 1 });

const open = (names: Readonly<Record<string, string>> = {}) => {
  const ledgerPath = newLedgerPath();
  const ledger = openTestLedger(ledgerPath);
  const indexPath = join(dirname(ledgerPath), 'files.sqlite');
  const begin = () => {
    const thread = createFileFinder({ ledgerPath, indexPath }, (_, AssignmentIds) =>
      AssignmentIds.map((id) => names[id] ?? ''),
    );
    onTestFinished(() => {
      try {
        thread.close();
      } catch {
        // The test has already closed the finder.
      }
    });
    const find = (query: Partial<FileQuery>, of = connectionId) =>
      thread.find(of, FileQuery.parse(query), true, undefined);
    return {
      ...thread,
      search: thread.find,
      find,
      paths: async (query: Partial<FileQuery>) => (await find(query)).files.map(({ path }) => path),
    };
  };
  return { ledger, indexPath, begin, ...begin() };
};

/** Records that the files arrived and the batch has finished. The content of each file is its path. */
const settle = ({ items, batches, commit }: Ledger, added: Awaited<ReturnType<typeof addBatch>>, atMs = 2) =>
  commit(() => {
    for (const { id, path } of added.files) {
      items.sending(id, `key-${path}`, '', atMs);
      items.done(id, sha256(path), undefined, atMs);
    }
    batches.setFinished(added.batch, atMs);
  });

test('finds files by beginnings of words in any order, without case and accents, and by numbers inside names', async () => {
  const { ledger, paths } = open();
  await addBatch(ledger, ['Küche/IMG_0123.jpg', 'Dach/IMG_0124.jpg', 'Dach/Zertifikat.pdf'].map(scanned), {
    assignmentId,
  });
  expect(await paths({ text: '0123' })).toEqual(['Küche/IMG_0123.jpg']);
  expect(await paths({ text: '123' })).toEqual(['Küche/IMG_0123.jpg']);
  expect(await paths({ text: 'kuc im' })).toEqual(['Küche/IMG_0123.jpg']);
  expect(await paths({ text: 'IMG_01' })).toEqual(['Dach/IMG_0124.jpg', 'Küche/IMG_0123.jpg']);
  expect(await paths({ text: 'mg' })).toEqual([]);
  expect(await paths({})).toHaveLength(3);
});

test('finds all files of a folder by its name, of an assignment by its name or id, and the rest of the text in the file', async () => {
  const { ledger, find, paths } = open({ [assignmentId]: '41 Elveveien, Bergen' });
  await addBatch(ledger, [scanned('roof.jpg'), scanned('kitchen.jpg')], { assignmentId, root: '/jobs/House Åse' });
  await addBatch(ledger, [scanned('roof.jpg')], { assignmentId: randomUUID(), root: '/jobs/Other' });
  expect(await paths({ text: 'ase' })).toEqual(['kitchen.jpg', 'roof.jpg']);
  expect(await paths({ text: 'elvev roof' })).toEqual(['roof.jpg']);
  expect(await paths({ text: assignmentId.slice(0, 13) })).toHaveLength(2);
  expect((await find({ text: 'elvev roof' })).files[0]).toMatchObject({
    folder: 'House Åse',
    AssignmentId: assignmentId,
  });
});

test('finds files by the name of their assignment when it was read after they were indexed', async () => {
  const names: Record<string, string> = {};
  const { ledger, begin, paths, close } = open(names);
  await addBatch(ledger, [scanned('roof.jpg')], { assignmentId });
  expect(await paths({ text: 'elvev' })).toEqual([]);
  close();
  names[assignmentId] = '41 Elveveien, Bergen';
  expect(await begin().paths({ text: 'elvev roof' })).toEqual(['roof.jpg']);
});

test('finds files by the present name of their assignment after the service has changed it', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const names: Record<string, string> = { [assignmentId]: 'Storgatan 1' };
  const { ledger, paths } = open(names);
  await addBatch(ledger, [scanned('roof.jpg')], { assignmentId });
  expect(await paths({ text: 'storg 1' })).toEqual(['roof.jpg']);
  names[assignmentId] = 'Kungsgatan 1';
  vi.advanceTimersByTime(3_600_000);
  expect(await paths({ text: 'kungsg' })).toEqual(['roof.jpg']);
  expect(await paths({ text: 'storg' })).toEqual([]);
});

test('finds files by their hash or its beginning, also while their upload goes on', async () => {
  const { ledger, find, paths } = open();
  const batch = await addBatch(ledger, [scanned('a.jpg'), scanned('b.jpg')], { assignmentId });
  await paths({ text: 'jpg' });
  const [first] = batch.files;
  await ledger.commit(() => first && ledger.items.done(first.id, sha256('a.jpg'), undefined, 5));
  expect(await paths({ sha256: sha256('a.jpg') })).toEqual(['a.jpg']);
  await settle(ledger, batch);
  expect(await paths({ sha256: sha256('b.jpg').slice(0, 8).toUpperCase() })).toEqual(['b.jpg']);
  expect(await paths({ text: sha256('b.jpg').slice(0, 10) })).toEqual(['b.jpg']);
  expect((await find({ sha256: sha256('c.jpg') })).total).toBe(0);
});

test('finds a file by the name that it got while it was sent', async () => {
  const { ledger, paths } = open();
  const batch = await addBatch(ledger, [scanned('a.jpg')], { assignmentId });
  expect(await paths({ text: 'other' })).toEqual([]);
  const [file] = batch.files;
  await ledger.commit(() => file && ledger.items.renamed(file.id, 'other.jpg'));
  await settle(ledger, batch);
  expect(await paths({ text: 'other' })).toEqual(['a.jpg']);
});

test('filters by state, time, assignment and upload, and says which files were removed since', async () => {
  const { ledger, find, paths } = open();
  const old = await addBatch(ledger, [scanned('old.jpg')], { assignmentId, createdAtMs: 10 });
  await settle(ledger, old, 20);
  const uploadId = randomUUID();
  const late = await addBatch(ledger, [scanned('late.jpg'), scanned('later.jpg')], {
    assignmentId,
    createdAtMs: 100,
    uploadId,
  });
  await settle(ledger, late, 200);
  await addBatch(ledger, [scanned('queued.jpg')], { assignmentId: randomUUID(), createdAtMs: 300 });
  await ledger.commit(() => ledger.knownFiles.removed({ connectionId, assignmentId }, 'key-late.jpg', 0));
  expect(await paths({ states: ['queued'] })).toEqual(['queued.jpg']);
  expect(await paths({ states: ['done'], text: 'late' })).toEqual(['later.jpg']);
  expect(await paths({ fromMs: 200, beforeMs: 300 })).toEqual(['later.jpg', 'late.jpg']);
  expect(await paths({ beforeMs: 150 })).toEqual(['old.jpg']);
  expect(await paths({ AssignmentId: assignmentId })).toEqual(['later.jpg', 'late.jpg', 'old.jpg']);
  expect(await paths({ uploadId })).toEqual(['later.jpg', 'late.jpg']);
  expect((await find({ text: 'late' })).files.map(({ state }) => state)).toEqual(['done', 'removed']);
});

test.each(['ended', 'goes on'])(
  'lists removed files as removed, not as uploaded, while their upload %s',
  async (how) => {
    const { ledger, find } = open();
    const names = Array.from({ length: 5_000 }, (_, i) => `${i % 2 ? 'roof' : 'attic'} ${i}.jpg`);
    const first = await addBatch(ledger, names.map(scanned), { assignmentId });
    const other = await addBatch(ledger, [scanned('roof other.jpg')], { assignmentId });
    await settle(ledger, { ...first, files: first.files.slice(0, 4_900) });
    await settle(ledger, other);
    if (how === 'goes on') await ledger.commit(() => ledger.batches.setState(first.batch, 'running'));
    await find({ text: 'roof' });
    const gone = names.slice(0, 4_900).filter((_, index) => index % 100 < 2);
    await ledger.commit(() => {
      for (const path of gone) ledger.knownFiles.removed({ connectionId, assignmentId }, `key-${path}`, 9);
    });
    const count = async (...states: readonly ListedState[]) => [
      (await find({ states })).total,
      (await find({ states, text: 'roof' })).total,
    ];
    expect(await count('removed')).toEqual([98, 49]);
    expect(await count('done')).toEqual([4_803, 2_402]);
    expect(await count('done', 'removed')).toEqual([4_901, 2_451]);
    expect(await count('queued', 'removed')).toEqual([198, 99]);
    expect(await count('queued', 'done')).toEqual([4_903, 2_452]);
    const window = async (states: readonly ListedState[], offset: number) =>
      (await find({ states, offset, limit: 2 })).files.map(({ path, state }) => [path, state]);
    expect(await window(['removed'], 96)).toEqual([
      ['roof 1.jpg', 'removed'],
      ['attic 0.jpg', 'removed'],
    ]);
    expect(await window(['done'], 4_801)).toEqual([
      ['roof 3.jpg', 'done'],
      ['attic 2.jpg', 'done'],
    ]);
    expect(await window(['removed', 'queued'], 99)).toEqual([
      ['attic 4900.jpg', 'queued'],
      ['roof 4801.jpg', 'removed'],
    ]);
    expect((await find({ AssignmentId: assignmentId })).total).toBe(5_001);
  },
);

test('files that were skipped are left out on request, unless they are asked for', async () => {
  const { ledger, find } = open();
  const names = Array.from({ length: 10 }, (_, i) => `${i % 2 ? 'roof' : 'attic'} ${i}.jpg`);
  const first = await addBatch(ledger, names.map(scanned), { assignmentId });
  await settle(ledger, first);
  const again = await addBatch(ledger, names.map(scanned), { assignmentId });
  await ledger.commit(() => {
    for (const { id, path } of again.files.slice(0, 8)) ledger.items.skipped(id, sha256(path), 5);
  });
  const total = async (query: Partial<FileQuery>) => (await find({ withoutSkipped: true, ...query })).total;
  expect(await total({})).toBe(12);
  expect(await total({ withoutSkipped: false })).toBe(20);
  expect(await total({ text: 'roof' })).toBe(6);
  expect(await total({ text: 'roof', withoutSkipped: false })).toBe(10);
  expect(await total({ sha256: sha256('roof 1.jpg') })).toBe(1);
  expect(await total({ fromMs: 5, beforeMs: 6 })).toBe(0);
  expect(await total({ states: ['skipped'] })).toBe(8);
  const { files } = await find({ withoutSkipped: true, offset: 1, limit: 3 });
  expect(files.map(({ path, state }) => [path, state])).toEqual([
    ['attic 8.jpg', 'queued'],
    ['roof 9.jpg', 'done'],
    ['attic 8.jpg', 'done'],
  ]);
});

test('finds files that the service reported, after those uploaded here', async () => {
  const withoutUploads = randomUUID();
  const { ledger, find } = open({ [assignmentId]: 'Mill Street', [withoutUploads]: 'Harbour' });
  await addBatch(ledger, [scanned('roof.jpg')], { assignmentId });
  const report = (FileName: string, AssignmentId = assignmentId) =>
    ledger.commit(() => {
      const Files = [{ Key: 'k', FileName, UploadedBy: 'CUSTOMER' }];
      const listed = { AssignmentId, FacilityId: '', Files };
      ledger.knownFiles.listed({ connectionId, assignmentId: AssignmentId }, listed, 5, 7);
    });
  await report('Roof plan.pdf');
  const { files, total } = await find({ text: 'roof mill' });
  expect([total, files.map(({ FileName, state }) => [FileName, state])]).toEqual([
    2,
    [
      ['roof.jpg', 'queued'],
      ['Roof plan.pdf', 'reported'],
    ],
  ]);
  expect((await find({ text: 'roof', states: ['done'] })).total).toBe(0);
  await report('Attic plan.pdf');
  const renamed = await find({ text: 'plan' });
  expect(renamed.files.map(({ FileName }) => FileName)).toEqual(['Attic plan.pdf']);
  await report('Cellar.pdf', withoutUploads);
  expect((await find({ text: 'harbour' })).files.map(({ FileName }) => FileName)).toEqual(['Cellar.pdf']);
});

test('answers windows, and nothing of other connections', async () => {
  const { ledger, find } = open();
  await addBatch(
    ledger,
    Array.from({ length: 5 }, (_, i) => scanned(`a ${i}`)),
    { assignmentId },
  );
  await addBatch(ledger, [scanned('a of another')], { assignmentId, connectionId: 'another' });
  const window = await find({ text: 'a', offset: 1, limit: 2 });
  expect([window.total, window.files.map(({ path }) => path)]).toEqual([5, ['a 3', 'a 2']]);
  expect((await find({ offset: 3, limit: 10 })).files.map(({ path }) => path)).toEqual(['a 1', 'a 0']);
  expect((await find({}, 'another')).total).toBe(1);
});

test('makes a damaged index again, and one of another ledger', async () => {
  const { ledger, indexPath, begin, find, close } = open();
  await addBatch(ledger, [scanned('a.jpg')], { assignmentId });
  expect((await find({ text: 'a' })).total).toBe(1);
  close();
  writeFileSync(indexPath, 'damaged');
  const again = begin();
  expect((await again.find({ text: 'a' })).total).toBe(1);
});

/** Overwrites all pages of the database except the first, even while other connections have it open. */
const damage = (path: string): void => {
  const other = new DatabaseSync(path);
  other.exec("UPDATE indexed SET name = 'other'; PRAGMA wal_checkpoint(TRUNCATE)");
  other.close();
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xff, 4_096), { flag: 'r+' });
};

test('files are found again after a damaged index could not be replaced at first', async () => {
  const { ledger, indexPath, paths } = open();
  await addBatch(ledger, [scanned('a.jpg')], { assignmentId });
  await paths({ text: 'a' });
  damage(indexPath);
  const ledgerPath = join(dirname(indexPath), 'ledger.sqlite');
  renameSync(ledgerPath, `${ledgerPath}.away`);
  await expect(paths({ text: 'a' })).rejects.toMatchObject({ code: 'data/unwritable' });
  renameSync(`${ledgerPath}.away`, ledgerPath);
  expect(await paths({ text: 'a' })).toEqual(['a.jpg']);
});

test('a file that is tried again after the clock was set back is found by its new state', async () => {
  const { ledger, find, paths } = open();
  const [old, retried] = [[scanned('old.jpg')], [scanned('retried.jpg')]];
  await settle(ledger, await addBatch(ledger, old, { assignmentId }), 9_000);
  const { batch, files } = await addBatch(ledger, retried, { assignmentId });
  const error = { code: 'upload/file-locked', message: 'locked', retry: 'later', details: {} } as const;
  const [{ id } = { id: 0 }] = files;
  await ledger.commit(() => {
    ledger.items.failed(id, { state: 'failed', error, unclear: false }, 8_000);
    ledger.batches.setFinished(batch, 8_000);
  });
  expect((await find({ text: 'retried', states: ['failed'] })).files).toMatchObject([
    { path: 'retried.jpg', error: 'upload/file-locked' },
  ]);
  await ledger.commit(() => {
    ledger.items.done(id, sha256('retried'), undefined, 7_000);
    ledger.batches.setFinished(batch, 7_000);
  });
  expect(await paths({ text: 'retried', states: ['done'] })).toEqual(['retried.jpg']);
});

test('finds many words of letters that UTF-16 writes with two units', async () => {
  const { ledger, find, paths } = open();
  const letters = [0x20000, 0x20400].flatMap((first) =>
    Array.from({ length: 20 }, (_, index) => String.fromCodePoint(first + index)),
  );
  await addBatch(ledger, letters.map(scanned), { assignmentId });
  expect(await paths({ text: '\u{20403}' })).toEqual(['\u{20403}']);
  expect((await find({})).total).toBe(40);
});

test('knows the states of files while their upload goes on, when it has ended, and when failed ones are tried again', async () => {
  const { ledger, find, begin, close } = open();
  const paths = Array.from({ length: 5_000 }, (_, i) => `${i % 2 ? 'roof' : 'attic'} ${i}.jpg`);
  const first = await addBatch(ledger, paths.map(scanned), { assignmentId });
  await addBatch(ledger, [scanned('roof waiting.jpg')], { assignmentId });
  const error = { code: 'upload/file-locked', message: 'locked', retry: 'later', details: {} } as const;
  const failed = first.files.filter((_, index) => index % 100 === 1);
  const counts = async (from = { find }) => {
    const questions = (['queued', 'done', 'failed'] as const).flatMap((state) => [
      { states: [state] },
      { states: [state], text: 'roof' },
    ]);
    return Promise.all(questions.map(async (query) => (await from.find(query)).total));
  };
  expect(await counts()).toEqual([5_001, 2_501, 0, 0, 0, 0]);
  await settle(ledger, { ...first, files: first.files.slice(0, 3_000) });
  await ledger.commit(() => {
    for (const { id } of failed) ledger.items.failed(id, { state: 'failed', error, unclear: false }, 3);
  });
  const settled = [1_981, 981, 2_970, 1_470, 50, 50];
  expect(await counts()).toEqual(settled);
  expect(
    (await find({ states: ['failed'], text: 'roof', offset: 10, limit: 2 })).files.map(({ path }) => path),
  ).toEqual(['roof 3901.jpg', 'roof 3801.jpg']);
  expect((await find({ states: ['failed', 'queued'], offset: 2_029, limit: 9 })).files.map(({ path }) => path)).toEqual(
    ['roof 101.jpg', 'roof 1.jpg'],
  );
  close();
  const later = begin();
  expect(await counts(later)).toEqual(settled);
  await ledger.commit(() => {
    for (const { id } of failed) ledger.items.requeue(first.batch, id);
    ledger.batches.setState(first.batch, 'running');
  });
  expect(await counts(later)).toEqual([2_031, 1_031, 2_970, 1_470, 0, 0]);
  await settle(ledger, { ...first, files: failed }, 9);
  expect(await counts(later)).toEqual([1_981, 981, 3_020, 1_520, 0, 0]);
});

test('finds in many blocks exactly what every word of a text begins in', async () => {
  const { ledger, find } = open();
  const names = ['roof', 'Küche', 'IMG_0042', 'scan 12', 'a1b2', 'x'];
  const paths = Array.from({ length: 9_000 }, (_, i) => `${names[i % 6]}/${names[(i >> 3) % 6]} ${i}.jpg`);
  for (let from = 0; from < paths.length; from += 3_000)
    await addBatch(ledger, paths.slice(from, from + 3_000).map(scanned), { assignmentId, root: `/jobs/part ${from}` });
  const expected = (text: string): number =>
    paths.filter((path, index) => {
      const words = wordsOf(`${path} part ${Math.floor(index / 3_000) * 3_000}`);
      return typedWords(text).every((typed) => [...words].some((word) => word.startsWith(typed)));
    }).length;
  const text = fc
    .array(fc.constantFrom('roof', 'ku', 'img', '42', '0042', 'scan', '1', '12', 'b2', 'part', '3000', '77', 'zz'), {
      minLength: 1,
      maxLength: 3,
    })
    .map((words) => words.join(' '));
  await fc.assert(
    fc.asyncProperty(text, async (typed) => {
      expect((await find({ text: typed })).total).toBe(expected(typed));
    }),
    { numRuns: 40 },
  );
});

test('an archive that was skipped because another file has its name does not count as sent', async () => {
  const { ledger, sentArchives } = open();
  const archive = (path: string) => ({ ...scanned(path), identity: { id: path, changedMs: 1 } });
  const clash = { fileName: 'taken.zip', with: 'earlier', onClash: 'skip' } as const;
  const added = await addBatch(ledger, [archive('sent.zip'), { ...archive('taken.zip'), clash }], { assignmentId });
  await settle(ledger, { ...added, files: added.files.filter(({ state }) => state === 'queued') });
  expect(sentArchives(connectionId)).toEqual(['sent.zip 1']);
});

test('the search after an update of the index that failed reports the error, until an update succeeds', async () => {
  const { ledger, indexPath, find, search } = open();
  await find({});
  const other = new DatabaseSync(indexPath);
  onTestFinished(() => other.close());
  other.exec("CREATE TRIGGER full BEFORE INSERT ON indexed BEGIN SELECT RAISE(ABORT, 'full'); END");
  const paths = Array.from({ length: 5_000 }, (_, i) => scanned(`roof ${i}.jpg`));
  await addBatch(ledger, paths, { assignmentId });
  const quick = () => search(connectionId, FileQuery.parse({ text: 'roof' }), false, undefined);
  expect(await quick()).toMatchObject({ total: 0, indexing: { files: 0, total: 5_000 } });
  await expect(quick()).rejects.toMatchObject({ code: 'data/unwritable' });
  await expect(quick()).rejects.toMatchObject({ code: 'data/unwritable' });
  other.exec('DROP TRIGGER full');
  expect(await quick()).toMatchObject({ total: 5_000 });
});

test('a worker that could not begin is used again by the next search', async () => {
  let workers = 0;
  const count = (): void => {
    workers += 1;
  };
  process.on('worker', count);
  onTestFinished(() => void process.off('worker', count));
  const ledgerPath = newLedgerPath();
  const search = createFileSearch({
    worker: new URL('find-worker.ts', import.meta.url),
    paths: { ledgerPath, indexPath: join(dirname(ledgerPath), 'files.sqlite') },
    ready: async () => {},
    nameOf: () => undefined,
    onBug: (error) => expect.fail(String(error)),
  });
  onTestFinished(search.close);
  const find = () => search.find(connectionId, FileQuery.parse({}), false, undefined);
  await expect(find()).rejects.toThrow();
  await expect(find()).rejects.toThrow();
  const ledger = openTestLedger(ledgerPath);
  await addBatch(ledger, [scanned('a.jpg')], { assignmentId });
  expect(await find()).toMatchObject({ total: 1 });
  expect(workers).toBe(1);
});

test('a worker that ends before there is a ledger does not keep the next one from searching', async () => {
  const workers: Worker[] = [];
  const add = (worker: Worker): void => void workers.push(worker);
  process.on('worker', add);
  onTestFinished(() => void process.off('worker', add));
  const ready = Promise.withResolvers<void>();
  const ledgerPath = newLedgerPath();
  const ledger = openTestLedger(ledgerPath);
  await addBatch(ledger, [scanned('a.jpg')], { assignmentId });
  const search = createFileSearch({
    worker: new URL('find-worker.ts', import.meta.url),
    paths: { ledgerPath, indexPath: join(dirname(ledgerPath), 'files.sqlite') },
    ready: () => ready.promise,
    nameOf: () => undefined,
    onBug: (error) => expect.fail(String(error)),
  });
  onTestFinished(search.close);
  const find = () => search.find(connectionId, FileQuery.parse({}), false, undefined);
  const first = find();
  first.catch(() => {});
  await expect.poll(() => workers.length).toBe(1);
  await workers[0]?.terminate();
  const second = find();
  ready.resolve();
  await expect(first).rejects.toMatchObject({ code: 'upload/engine-stopped' });
  expect(await second).toMatchObject({ total: 1 });
  expect(await find()).toMatchObject({ total: 1 });
  expect(workers).toHaveLength(2);
});

test.runIf(process.platform === 'linux')('an index that cannot be read is closed before it is replaced', async () => {
  const { ledger, indexPath, begin, find, close } = open();
  await addBatch(ledger, [scanned('a.jpg')], { assignmentId });
  await find({});
  close();
  const damaged = new DatabaseSync(indexPath);
  damaged.exec('UPDATE indexed SET files = 9223372036854775807');
  damaged.close();
  expect((await begin().find({ text: 'a' })).total).toBe(1);
  const isOpen = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      // The descriptor that listed this folder is closed now.
      return [];
    }
  });
  expect(isOpen.filter((path) => path.startsWith(indexPath) && path.endsWith('(deleted)'))).toEqual([]);
});

test('finds all files of one content whose upload goes on, by words and by its hash, or says that there are more', async () => {
  const { ledger, find } = open();
  const paths = ['oldest roof.jpg', ...Array.from({ length: 10_001 }, (_, i) => `${i}.jpg`)].map(scanned);
  const { batch, files } = await addBatch(ledger, paths, { assignmentId });
  await find({});
  await ledger.commit(() => {
    const [first] = files;
    for (let at = 0; first && at < paths.length; at += 1)
      ledger.items.done(first.id + at, sha256('one content'), undefined, 5);
  });
  expect(ledger.batches.get(batch)?.finishedAtMs).toBeUndefined();
  const hash = sha256('one content');
  expect((await find({ sha256: hash, text: 'oldest' })).files.map(({ path }) => path)).toEqual(['oldest roof.jpg']);
  expect(await find({ sha256: hash })).toMatchObject({ total: 10_000, isMore: true });
});

test('a search that is cancelled stops before it has read the whole index', async () => {
  const { ledger, find, search } = open();
  const paths = Array.from({ length: 10_002 }, (_, i) => `${i}.jpg`).map(scanned);
  await settle(ledger, await addBatch(ledger, paths, { assignmentId }), 5);
  // Few of the files that have the word are in the period, so the search needs a second page of the index.
  const query = { text: 'jpg', beforeMs: 5 };
  expect(await find(query)).toMatchObject({ total: 2 });
  const cancelled = new AbortController();
  const found = search(connectionId, FileQuery.parse(query), true, cancelled.signal);
  setImmediate(() => cancelled.abort());
  await expect(found).rejects.toMatchObject({ code: 'app/cancelled' });
});

test('a name that is learned while another update ends is indexed before the next one resolves', async () => {
  const ledgerPath = newLedgerPath();
  const ledger = openTestLedger(ledgerPath);
  await settle(ledger, await addBatch(ledger, [scanned('a.txt')], { assignmentId }));
  const index = openFileIndex(join(dirname(ledgerPath), 'files.sqlite'), ledgerPath);
  onTestFinished(index.close);
  index.look();
  await index.update();
  const nothingToDo = index.update();
  index.setNames(new Map([[assignmentId, 'Rose Lane 4']]));
  await index.update();
  expect(index.waiting()).toBe(0);
  await nothingToDo;
});
