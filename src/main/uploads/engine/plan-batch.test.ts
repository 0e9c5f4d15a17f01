import { existsSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { everyItem } from '../ledger/items.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { addBatch, newLedgerPath, openTestLedger } from '../ledger/testing/ledger.ts';
import type { NamedFile } from '../source/name-registry.ts';
import { scanned } from '../source/testing/scanned.ts';
import { type Plan, planBatch, queueFiles } from './plan-batch.ts';

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

const naming = {
  nameTemplate: '{name}',
  assignment: { connectionId: 'connection', assignmentId: 'assignment' },
  contentOf: async () => undefined,
};
const plan = (more: Partial<Plan> = {}) =>
  planBatch({
    ledger,
    batch,
    source: { root },
    ...naming,
    signal: new AbortController().signal,
    onAdded: () => {},
    ...more,
  });
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
  const before = [...everyItem(ledger.items, batch)];
  expect(before.length).toBeLessThan(FILES);
  // Some have been sent meanwhile.
  await ledger.commit(() => ledger.items.done(before[0]?.id ?? 0, 'hash', undefined, 5));
  await plan();
  const after = [...everyItem(ledger.items, batch)];
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
  async function* groups() {
    for (let group = 0; group < 300; group += 1) {
      yield Array.from({ length: 100 }, (_, index) => scanned(`folder ${group}/IMG ${group * 100 + index}.jpg`));
    }
  }
  const signal = new AbortController().signal;
  await queueFiles({ ledger, batch, source: { root }, ...naming, signal, onAdded }, groups());
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

test('the scan of a stalled drive can be stopped', async () => {
  const stop = new AbortController();
  async function* stalled(): AsyncGenerator<readonly NamedFile[], void> {
    yield [scanned('a/0.txt')];
    await new Promise(() => {});
  }
  const queueing = queueFiles(
    { ledger, batch, source: { root }, ...naming, signal: stop.signal, onAdded: () => {} },
    stalled(),
  );
  stop.abort();
  await expect(queueing).rejects.toMatchObject({ code: 'app/cancelled' });
});
