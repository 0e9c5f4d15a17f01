/** FileNames that are taken: what a preview lists, and what the plan of a batch does about them. */

import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import type { OnClash } from '../../../contract/uploads.ts';
import { createKeyedLock } from '../../async/lock.ts';
import { itemsFrom } from '../ledger/items.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { addBatch, addUploaded, openTestLedger } from '../ledger/testing/ledger.ts';
import { PATIENCE_MS } from '../source/scan.ts';
import { fakeTimeouts, replaceCalls } from '../source/testing/replaced-calls.ts';
import { SEND_TIMEOUTS } from '../storage/put-file.ts';
import { compareFolders, createKeptRegistries, type PlannedSource, planBatch, previewFolders } from './names.ts';

const assignment = { connectionId: 'connection', assignmentId: 'assignment' };
const reading = { open: () => Promise.reject(new Error('no file is read')), timeouts: SEND_TIMEOUTS };
const lock = createKeyedLock();
const { signal } = new AbortController();
const registries = createKeptRegistries(() => 0);

const makeFolders = (files: Readonly<Record<string, string>>): string => {
  const root = mkdtempSync(join(tmpdir(), 'clashes-test-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
};

/**
 * Creates two folders that both have a file `a.txt`. The first also has a file `old.txt`, whose name an earlier upload
 * has taken; the second also has an `a.txt` in a subfolder.
 */
const setUp = async () => {
  const parent = makeFolders({ 'one/a.txt': '1', 'one/old.txt': '2', 'two/a.txt': '33', 'two/in/a.txt': '444' });
  const ledger = openTestLedger();
  const known = { key: 'k', fileName: 'OLD.txt', sizeBytes: 9, modifiedMs: 1, sha256: 'ab', atMs: 5 };
  const place = { root: '/jobs/Site A', path: 'photos/old.txt' };
  await ledger.commit(() => addUploaded(ledger, assignment, { ...known, place }));
  const [one, two] = [join(parent, 'one'), join(parent, 'two')];
  const clashesOf = async (sources: readonly PlannedSource[], listed?: number) => {
    const naming = { template: '{name}', taken: { ledger, assignment }, ...reading } as const;
    const compared = await compareFolders(sources, naming, listed, signal);
    return { totals: compared.sources.map(({ clashes }) => clashes.length), clashes: compared.clashes };
  };
  return { ledger, one, two, clashesOf };
};

test('clashes are counted for each folder and listed for one of them, with the file that has the name', async () => {
  const { one, two, clashesOf } = await setUp();
  const sources = [{ root: one }, { root: two }];
  expect(await clashesOf(sources)).toEqual({ totals: [1, 2], clashes: [] });
  expect((await clashesOf(sources, 0)).clashes).toEqual([
    { path: 'old.txt', FileName: 'old.txt', with: 'earlier', folder: 'Site A/photos', addedAtMs: 5, onClash: 'rename' },
  ]);
  const clash = { FileName: 'a.txt', with: 'this-upload', folder: 'one', onClash: 'rename' };
  expect((await clashesOf(sources, 1)).clashes).toEqual([
    { ...clash, path: 'a.txt' },
    { ...clash, path: 'in/a.txt' },
  ]);
});

test.each(['old (2).txt', 'old (3).txt', 'Photos - old.txt'])(
  'a file that replaces another one rather replaces its own earlier version, %s',
  async (fileName) => {
    const { ledger, one, clashesOf } = await setUp();
    const known = { sizeBytes: 9, modifiedMs: 1, sha256: 'cd', atMs: 6 };
    await ledger.commit(() => {
      addUploaded(ledger, assignment, {
        ...known,
        key: 'l',
        fileName,
        place: { root: dirname(one), path: 'one/old.txt' },
      });
    });
    const { clashes } = await clashesOf([{ root: one, onClash: 'replace' }], 0);
    expect(clashes).toMatchObject([{ path: 'old.txt', FileName: fileName, onClash: 'replace' }]);
  },
);

test('a file of the same upload cannot be replaced: the second one is renamed', async () => {
  const { one, two, clashesOf } = await setUp();
  const sources = [one, two].map((root) => ({ root, onClash: 'replace' }) as const);
  expect((await clashesOf(sources, 0)).clashes).toMatchObject([{ path: 'old.txt', onClash: 'replace' }]);
  expect((await clashesOf(sources, 1)).clashes).toMatchObject([
    { path: 'a.txt', onClash: 'rename' },
    { path: 'in/a.txt', onClash: 'rename' },
  ]);
});

test('a preview gives the names that the choices lead to', async () => {
  const { one, two, ledger } = await setUp();
  const naming = { template: '{name}', taken: { ledger, assignment }, ...reading };
  const sources = [
    { root: one, onClash: 'replace' },
    { root: two, clashChoices: { 'a.txt': 'skip' } },
  ] as const;
  expect(await previewFolders(sources, naming, signal)).toMatchObject({
    renamed: 1,
    renames: [{ path: 'in/a.txt', FileName: 'in - a.txt', reason: 'taken' }],
  });
});

/** Plans a batch of the folder, and returns the path, FileName and state of each file. */
const planned = async (
  ledger: Ledger,
  root: string,
  more: { readonly uploadId: string; readonly onClash?: OnClash; readonly clashChoices?: Record<string, OnClash> },
) => {
  const { batch } = await addBatch(ledger, [], { root, ...more });
  const row = ledger.batches.get(batch);
  if (!row) throw new Error('there is no such batch');
  const plan = async () => {
    await planBatch({ ledger, lock, batch: row, ...reading, registries, signal, onAdded: () => {} });
    return [...itemsFrom(ledger.items, batch)].map(({ path, fileName, state }) => [path, fileName, state]);
  };
  const first = await plan();
  expect(await plan(), 'planning again changes nothing').toEqual(first);
  return { batch, files: first };
};

test('a plan renames, skips or keeps the name, as it was chosen for the batch and for single files', async () => {
  const { ledger, one, two } = await setUp();
  const uploadId = 'upload';
  expect((await planned(ledger, one, { uploadId, onClash: 'replace' })).files).toEqual([
    ['a.txt', 'a.txt', 'queued'],
    ['old.txt', 'old.txt', 'queued'],
  ]);
  const { batch, files } = await planned(ledger, two, {
    uploadId,
    onClash: 'replace',
    clashChoices: { 'a.txt': 'skip' },
  });
  expect(files).toEqual([
    ['a.txt', 'a.txt', 'skipped'],
    ['in/a.txt', 'in - a.txt', 'queued'],
  ]);
  expect(ledger.items.tally(batch)).toMatchObject({ skipped: { files: 1, bytes: 2 }, queued: { files: 1 } });
  const { items } = ledger.items.list(batch, { states: ['skipped'], offset: 0, limit: 1 });
  expect(items).toMatchObject([{ error: { code: 'upload/name-taken' }, settledAtMs: expect.any(Number) }]);
  expect(ledger.items.errorGroups(batch), 'a skipped file has not failed').toEqual([]);
});

test('a file that another upload is going to send is not replaced', async () => {
  const { ledger, one } = await setUp();
  await planned(ledger, one, { uploadId: 'first' });
  expect((await planned(ledger, one, { uploadId: 'second', onClash: 'replace' })).files).toEqual([
    ['a.txt', 'a.txt', 'queued'],
    ['old.txt', 'old.txt', 'queued'],
  ]);
  const other = makeFolders({ 'a.txt': 'other' });
  expect((await planned(ledger, other, { uploadId: 'third', onClash: 'replace' })).files).toEqual([
    ['a.txt', 'a (2).txt', 'queued'],
  ]);
});

test('a file that was renamed when it was sent is there the next time, whatever is chosen for taken names', async () => {
  const { ledger, one, two } = await setUp();
  const place = (path: string) => ({ root: two, path });
  await ledger.commit(() => {
    for (const [key, fileName, path, sizeBytes] of [
      ['1', 'a.txt', 'a.txt', 2],
      ['2', 'in - a.txt', 'in/a.txt', 3],
    ] as const) {
      const { mtimeMs: modifiedMs } = statSync(join(two, path));
      const facts = { sizeBytes, modifiedMs, sha256: 'ab', atMs: 5 };
      addUploaded(ledger, assignment, { ...facts, key, fileName, place: place(path) });
    }
  });
  const naming = { template: '{name}', taken: { ledger, assignment }, ...reading } as const;
  for (const onClash of ['rename', 'skip', 'replace'] as const) {
    const { sources } = await compareFolders(
      [
        { root: two, onClash },
        { root: one, onClash },
      ],
      naming,
      undefined,
      signal,
    );
    expect(sources.map(({ sent, clashes }) => [[...sent], [...clashes]])).toEqual([
      [[0, 1], []],
      [[], [0, 1]],
    ]);
  }
});

test('many folders of an upload get the same names as if the names were read for each, but these are read once', async () => {
  const roots = Array.from({ length: 20 }, (_, index) =>
    makeFolders({ 'a.txt': String(index), 'in/a.txt': `in ${index}`, [`${index % 3}.txt`]: 'x'.repeat(index) }),
  );
  const planAll = async (registriesOf: () => typeof registries) => {
    const ledger = openTestLedger();
    const read = vi.spyOn(ledger.batches, 'ofAssignment');
    const files: unknown[] = [];
    for (const [index, root] of roots.entries()) {
      const { batch } = await addBatch(ledger, [], { root, uploadId: index === 10 ? 'other' : 'upload' });
      const row = ledger.batches.get(batch) ?? expect.unreachable();
      await planBatch({ ledger, lock, batch: row, ...reading, registries: registriesOf(), signal, onAdded: () => {} });
      files.push([...itemsFrom(ledger.items, batch)].map(({ path, fileName, state }) => [path, fileName, state]));
    }
    return { files, reads: read.mock.calls.length };
  };
  const kept = createKeptRegistries(() => 0);
  const [shared, separate] = [await planAll(() => kept), await planAll(() => createKeptRegistries(() => 0))];
  expect(shared.files).toEqual(separate.files);
  // The names are read for the first upload, for the other one in between, and again for the rest of the first.
  expect([separate.reads, shared.reads]).toEqual([20, 3]);
});

test('a registry that is kept is not used after a minute', async () => {
  let nowMs = 0;
  const kept = createKeptRegistries(() => nowMs);
  const ledger = openTestLedger();
  const read = vi.spyOn(ledger.batches, 'ofAssignment');
  const plan = async () => {
    const { batch } = await addBatch(ledger, [], { root: makeFolders({ 'a.txt': 'a' }), uploadId: 'upload' });
    const row = ledger.batches.get(batch) ?? expect.unreachable();
    await planBatch({ ledger, lock, batch: row, ...reading, registries: kept, signal, onAdded: () => {} });
  };
  await plan();
  await plan();
  expect(read).toHaveBeenCalledTimes(1);
  nowMs = 60_000;
  await plan();
  expect(read).toHaveBeenCalledTimes(2);
});

const failure = {
  state: 'failed',
  error: toErrorData(new DeskError('upload/file-changed', 'changed')),
  unclear: false,
} as const;
const hash = 'ab'.repeat(32);

/** Creates a function that plans one more folder of an upload. Its file `a.txt` is skipped if the name is taken. */
const setUpSkips = () => {
  const ledger = openTestLedger();
  const kept = createKeptRegistries(() => 0);
  const planOne = async (content: string, onAdded = (_batch: string): void => {}) => {
    const root = makeFolders({ 'a.txt': content });
    const { batch } = await addBatch(ledger, [], { root, uploadId: 'upload', onClash: 'skip' });
    const row = ledger.batches.get(batch) ?? expect.unreachable();
    const plan = { ledger, lock, batch: row, ...reading, registries: kept, signal, onAdded: () => onAdded(batch) };
    await planBatch(plan);
    const [{ id, state } = expect.unreachable()] = itemsFrom(ledger.items, batch);
    return { batch, id, state };
  };
  return { ledger, planOne };
};

test.each<[string, (ledger: Ledger, batch: string, id: number) => unknown]>([
  ['failed', ({ items }, _, id) => items.failed(id, failure, 1)],
  ['was cancelled', ({ items }, _, id) => items.cancelled(id, 1)],
  ['was cancelled with its batch', ({ items }, batch) => items.cancelUntouched(batch, 10, 1)],
  ['was renamed', ({ items }, _, id) => items.renamed(id, 'b.txt')],
  [
    'was removed from the assignment',
    ({ items, knownFiles }, _, id) => {
      items.sending(id, 'k', 'url', 1);
      items.done(id, hash, undefined, 1);
      knownFiles.removed(assignment, 'k', 2);
    },
  ],
  [
    'is being removed from the assignment',
    ({ items, knownFiles }, _, id) => {
      items.sending(id, 'k', 'url', 1);
      items.done(id, hash, undefined, 1);
      knownFiles.setBeingRemoved('connection', [{ assignmentId: 'assignment', key: 'k' }]);
    },
  ],
])('the name of a file that %s is free for the next folder of its upload', async (_, free) => {
  const { ledger, planOne } = setUpSkips();
  const { batch, id } = await planOne('one');
  expect(await planOne('another')).toMatchObject({ state: 'skipped' });
  await ledger.commit(() => void free(ledger, batch, id));
  expect(await planOne('next one')).toMatchObject({ state: 'queued' });
});

test('a name that becomes free while a folder is planned is free for the next folder of its upload', async () => {
  const { ledger, planOne } = setUpSkips();
  const { id } = await planOne('one');
  await planOne('another', () => ledger.items.failed(id, failure, 1));
  expect(await planOne('next one')).toMatchObject({ state: 'queued' });
});

test('files that have the names of files on a drive that does not respond are renamed after one look at it', async () => {
  const ledger = openTestLedger();
  const files = { 'a.txt': 'abc', 'b.txt': 'abc' };
  const [dead, good] = [makeFolders(files), makeFolders(files)];
  const facts = (path: string) => {
    const { size: sizeBytes, mtimeMs: modifiedMs } = statSync(join(dead, path));
    return { path, sizeBytes, modifiedMs };
  };
  await addBatch(ledger, Object.keys(files).map(facts), { root: dead, uploadId: 'other' });
  let looks = 0;
  const { realpath } = replaceCalls({
    realpath: (path: string): Promise<string> => {
      if (path !== dead) return realpath(path);
      looks += 1;
      return new Promise(() => {});
    },
  });
  fakeTimeouts();
  const { batch } = await addBatch(ledger, [], { root: good, uploadId: 'upload' });
  const row = ledger.batches.get(batch) ?? expect.unreachable();
  const planning = planBatch({ ledger, lock, batch: row, ...reading, registries, signal, onAdded: () => {} });
  await expect.poll(() => looks).toBe(1);
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  await planning;
  expect([...itemsFrom(ledger.items, batch)].map(({ fileName }) => fileName)).toEqual(['a (2).txt', 'b (2).txt']);
  expect(looks).toBe(1);
});
