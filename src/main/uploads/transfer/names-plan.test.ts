import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createKeyedLock } from '../../async/lock.ts';
import { itemsFrom } from '../ledger/items.ts';
import type { BatchRow, Ledger } from '../ledger/ledger.ts';
import { addBatch, newLedgerPath, openTestLedger } from '../ledger/testing/ledger.ts';
import { createReviewedList, PATIENCE_MS } from '../source/scan.ts';
import { fakeTimeouts, replaceCalls } from '../source/testing/replaced-calls.ts';
import { scanned } from '../source/testing/scanned.ts';
import { SEND_TIMEOUTS } from '../storage/put-file.ts';
import { createKeptRegistries, createNameRegistry, type Plan, planBatch, previewFolders } from './names.ts';

/** More files than one commit contains. */
const FILES = 1100;

let path: string;
let root: string;
let ledger: Ledger;
let batch: string;
beforeEach(async () => {
  path = newLedgerPath();
  root = join(dirname(path), 'folder');
  for (const folder of ['a', 'b']) {
    mkdirSync(join(root, folder), { recursive: true });
    for (let index = 0; index < FILES / 2; index += 1) writeFileSync(join(root, folder, `${index}.txt`), 'x');
  }
  ledger = openTestLedger(path);
  ({ batch } = await addBatch(ledger, [], { root }));
});

const contentOf = async () => undefined;
const reading = { open: () => Promise.reject(new Error('no file is read')), timeouts: SEND_TIMEOUTS };
const registries = createKeptRegistries(() => 0);
const plan = ({ reviewed, leavesLater = false, ...more }: Partial<Plan & BatchRow> = {}) => {
  const row = ledger.batches.get(batch);
  if (!row) throw new Error('no batch');
  const signal = new AbortController().signal;
  return planBatch({
    ledger,
    lock: createKeyedLock(),
    batch: { ...row, reviewed, leavesLater },
    ...reading,
    registries,
    signal,
    onAdded: () => {},
    ...more,
  });
};
const isScanned = () => ledger.batches.get(batch)?.scanned;

test('files are queued while the scan continues', async () => {
  const seen: { readonly files: number; readonly scanned: boolean | undefined }[] = [];
  await plan({ onAdded: () => seen.push({ files: ledger.items.tally(batch).queued.files, scanned: isScanned() }) });
  expect(seen.length).toBeGreaterThan(1);
  expect(seen[0]?.files).toBeLessThan(FILES);
  expect(seen.at(-1)).toEqual({ files: FILES, scanned: false });
  expect(isScanned()).toBe(true);
});

test('after an interruption the scan adds missing files, and none twice', async () => {
  const stop = new AbortController();
  await expect(plan({ signal: stop.signal, onAdded: () => stop.abort() })).rejects.toMatchObject({
    code: 'app/cancelled',
  });
  expect(isScanned()).toBe(false);
  const before = [...itemsFrom(ledger.items, batch)];
  expect(before.length).toBeLessThan(FILES);
  // Meanwhile, one of the files has been sent.
  await ledger.commit(() => ledger.items.done(before[0]?.id ?? 0, 'hash', undefined, 5));
  await plan();
  const after = [...itemsFrom(ledger.items, batch)];
  expect(after).toHaveLength(FILES);
  expect(new Set(after.map(({ path }) => path)).size).toBe(FILES);
  expect(new Set(after.map(({ fileName }) => fileName)).size).toBe(FILES);
  expect(after.slice(0, before.length).map(({ path, fileName }) => [path, fileName])).toEqual(
    before.map(({ path, fileName }) => [path, fileName]),
  );
  expect(after[0]?.state).toBe('done');
  expect(isScanned()).toBe(true);
});

test('the write-ahead log is checkpointed while files are queued', async () => {
  let largest = 0;
  const onAdded = () => {
    largest = Math.max(largest, statSync(`${path}-wal`).size);
  };
  const list = createReviewedList(ledger.lists);
  const identity = { id: '1', bornMs: 0 };
  const own = { id: '2', changedMs: 0 };
  const ranges = Array.from({ length: 300 }, (_, group) => {
    const files = Array.from({ length: 100 }, (_, index) => ({
      ...scanned(`IMG ${group * 100 + index}.jpg`),
      identity: own,
    }));
    return list.add({ below: `folder ${group}/`, identity }, files);
  });
  list.save(true);
  list.close();
  await plan({ reviewed: { list: list.id, below: '', ranges }, leavesLater: true, onAdded });
  expect(ledger.items.tally(batch).queued.files).toBe(30_000);
  expect(statSync(path).size).toBeGreaterThan(2 ** 20);
  expect(largest).toBeLessThan(8 * 2 ** 20);
});

test('the end of the scan is recorded in one commit', async () => {
  await plan({ onWhole: () => ledger.batches.setState(batch, 'running') });
  expect(ledger.batches.get(batch)).toMatchObject({ scanned: true, state: 'running' });
});

test('a folder that disappears during the scan does not count as scanned', async () => {
  const away = `${root} away`;
  const leaves = () => {
    if (existsSync(root)) renameSync(root, away);
  };
  await expect(plan({ onAdded: leaves })).rejects.toMatchObject({ code: 'upload/folder-missing' });
  expect(isScanned()).toBe(false);
  renameSync(away, root);
  await plan();
  expect(ledger.items.tally(batch).queued.files).toBe(FILES);
});

test.skipIf(process.platform === 'win32')('planning from a drive that does not respond can be stopped', async () => {
  const stop = new AbortController();
  const list = randomUUID();
  mkdirSync(ledger.lists, { recursive: true });
  const pipe = join(ledger.lists, `${list}.jsonl`);
  execFileSync('mkfifo', [pipe]);
  onTestFinished(() => closeSync(openSync(pipe, 'r+')));
  const reviewed = { list, below: '', ranges: [[0, 1] as const] };
  const planning = plan({ reviewed, leavesLater: true, signal: stop.signal });
  stop.abort();
  await expect(planning).rejects.toMatchObject({ code: 'app/cancelled' });
});

describe.each<[string, 'stat' | 'opendir', (path: string) => boolean]>([
  ['at first', 'stat', () => true],
  ['in the middle of the scan', 'opendir', (path) => path.endsWith('b')],
])('if the drive does not respond %s', (_, name, hangs) => {
  const expectFailure = async (work: () => Promise<unknown>): Promise<void> => {
    const called = Promise.withResolvers<void>();
    const { opendir } = replaceCalls({
      [name]: (path: string, ...more: never[]) => {
        if (!hangs(path)) return opendir(path, ...more);
        called.resolve();
        return new Promise(() => {});
      },
    });
    fakeTimeouts();
    const failed = expect(work()).rejects.toMatchObject({ code: 'upload/drive-unresponsive', details: { path: root } });
    await called.promise;
    // The files that were found before may still be getting their names.
    await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    await failed;
  };

  test('planning stops, because others wait for the names', async () => {
    const lock = createKeyedLock();
    await expectFailure(() => plan({ lock }));
    expect(lock.tryTake('names connection assignment')).toBeDefined();
    expect(isScanned()).toBe(false);
  });

  test('a preview stops', async () => {
    await expectFailure(() =>
      previewFolders([{ root }], { template: '{name}', ...reading }, new AbortController().signal),
    );
  });
});

test('the patience with a drive does not end while the names of its files are chosen', async () => {
  let isLate = false;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { commitUnsynced } = ledger;
  const commitLate: typeof commitUnsynced = async (write) => {
    if (!isLate) await vi.advanceTimersByTimeAsync(2 * PATIENCE_MS);
    isLate = true;
    return commitUnsynced(write);
  };
  await plan({ ledger: { ...ledger, commitUnsynced: commitLate } });
  expect([isLate, isScanned()]).toEqual([true, true]);
});

/**
 * Generates parts of paths: any text or, often, one of a few that differ only in case or that Windows does not accept.
 */
const part = fc.oneof(
  fc.constantFrom('a', 'A', 'b.txt', 'B.TXT', 'con', 'NUL.txt', 'stra\u00dfe', 'STRASSE', 'a:b', 'a?b', 'x. ', '...'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
  fc
    .tuple(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }), fc.nat(120))
    .map(([text, n]) => text.repeat(n + 1)),
);
const anyPath = fc
  .array(
    part.map((text) => text.replaceAll('/', '-')),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join('/'));
const paths = fc.uniqueArray(anyPath, { maxLength: 40 });
const templates = fc.constantFrom('{name}', '{folder} - {name}', '{path}', '{name} in {folder}');

const named = async (all: readonly string[], template: string): Promise<readonly string[]> => {
  const registry = createNameRegistry(template, '/folder', contentOf);
  const files = await registry.assignNames(all.map((one) => scanned(one)));
  registry.close();
  return files.map(({ fileName }) => fileName);
};

describe('any set of paths, by any template', () => {
  const holds = (property: (all: readonly string[], template: string) => Promise<void>) =>
    fc.assert(fc.asyncProperty(paths, templates, property), { numRuns: 300 });

  test('gets names that are distinct on every file system', () =>
    holds(async (all, template) => {
      const names = await named(all, template);
      for (const fold of [
        (name: string) => name.toLowerCase(),
        (name: string) => name.toUpperCase(),
        (name: string) => name.normalize('NFC'),
      ])
        expect(new Set(names.map(fold)).size).toBe(all.length);
    }));

  test('gets names that Windows and storages accept', () =>
    holds(async (all, template) => {
      for (const name of await named(all, template)) {
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(name).toMatch(/^[^\p{Cc}<>:"/\\|?*]*[^\p{Cc}<>:"/\\|?*. ]$/u);
        expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d) *(\.|$)/i);
        expect(name.isWellFormed()).toBe(true);
        expect(name).toBe(name.normalize('NFC'));
      }
    }));

  test('keeps extensions', () =>
    holds(async (all, template) => {
      const files = all.map((one) => `${one}.jpeg`);
      for (const name of await named(files, template)) expect(name).toMatch(/.\.jpeg$/);
    }));

  test('gets the same names each time, in groups of any size', () =>
    holds(async (all, template) => {
      const registry = createNameRegistry(template, '/folder', contentOf);
      const names: string[] = [];
      for (const one of all)
        for (const { fileName } of await registry.assignNames([scanned(one)])) names.push(fileName);
      registry.close();
      expect(names).toEqual(await named(all, template));
    }));
});

describe('a preview', () => {
  const makeFolder = (files: Readonly<Record<string, string>>): string => {
    const root = mkdtempSync(join(tmpdir(), 'plan-names-test-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(root, name, '..'), { recursive: true });
      writeFileSync(join(root, name), content);
    }
    return root;
  };
  const signal = new AbortController().signal;

  test('lists the files that are renamed', async () => {
    const root = makeFolder({ 'a/x.txt': '1', 'b/X.txt': '22', 'plan?.pdf': '333' });
    expect(await previewFolders([{ root }], { template: '{name}', ...reading }, signal)).toEqual({
      renamed: 2,
      renames: [
        { path: 'plan?.pdf', FileName: 'plan_.pdf', reason: 'characters' },
        { path: 'b/X.txt', FileName: 'b - X.txt', reason: 'taken' },
      ],
    });
    expect(await previewFolders([{ root }], { template: '{folder} - {name}', ...reading }, signal)).toMatchObject({
      renamed: 3,
    });
  });

  test('lists the first renames and counts all of them', async () => {
    const root = makeFolder(Object.fromEntries(Array.from({ length: 10_050 }, (_, index) => [`${index}?`, ''])));
    const { renamed, renames } = await previewFolders([{ root }], { template: '{name}', ...reading }, signal);
    expect([renamed, renames.length]).toEqual([10_050, 10_000]);
  });

  test('gives the same name in many folders few numbers', async () => {
    const sources = Array.from({ length: 40 }, (_, index) => ({ root: makeFolder({ 'a.jpg': 'x'.repeat(index) }) }));
    const { renames } = await previewFolders(sources, { template: '{name}', ...reading }, signal);
    const names = renames.map(({ FileName }) => FileName);
    expect(names.slice(0, 19)).toEqual(Array.from({ length: 19 }, (_, index) => `a (${index + 2}).jpg`));
    expect(new Set(names).size).toBe(39);
    // Each further name has a hash: of the path, or of the folder and the path.
    for (const name of names.slice(19)) expect(name).toMatch(/^a \([0-9a-f]{8,64}\)\.jpg$/);
  });

  test('ends with its signal, and fails without a folder', async () => {
    const root = makeFolder({ a: '' });
    await expect(
      previewFolders([{ root }], { template: '{name}', ...reading }, AbortSignal.abort()),
    ).rejects.toMatchObject({
      code: 'app/cancelled',
    });
    await expect(
      previewFolders([{ root: join(root, 'b') }], { template: '{name}', ...reading }, signal),
    ).rejects.toMatchObject({
      code: 'upload/folder-missing',
    });
  });
});
