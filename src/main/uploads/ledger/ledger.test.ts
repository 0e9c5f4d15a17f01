import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test, vi } from 'vitest';
import { scanned } from '../source/testing/scanned.ts';
import { itemsFrom } from './items.ts';
import { openLedger } from './ledger.ts';
import { addBatch, newLedgerPath, openTestLedger } from './testing/ledger.ts';

const manyFiles = Array.from({ length: 2000 }, (_, index) => scanned(`folder/file ${index}.jpg`));
const hash = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

const makeClosed = async () => {
  const path = newLedgerPath();
  const ledger = openTestLedger(path);
  const { batch } = await addBatch(ledger, manyFiles);
  ledger.close();
  return { path, batch };
};

const overwrite = (path: string, from: number, to: number) => {
  const content = readFileSync(path);
  content.fill(0x5a, from, Math.min(to, content.length));
  writeFileSync(path, content);
};

/** Opens the damaged ledger. Expects that it refuses writes, and that the file stays unchanged. */
const expectReadOnly = async (path: string, code: string) => {
  const before = hash(path);
  const ledger = openTestLedger(path);
  expect(ledger.damage).toMatchObject({ code, details: { file: path } });
  const insert = () => ledger.batches.setState('any', 'paused');
  await expect(ledger.commit(insert)).rejects.toMatchObject({ code });
  ledger.batches.list('connection');
  ledger.close();
  expect(hash(path)).toBe(before);
};

test('what was chosen to be sent first is found by the choices, not by reading all files of a batch', () => {
  const path = newLedgerPath();
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
  openTestLedger(path).close();
  const statements = prepare.mock.calls.map(([sql]) => sql).filter((sql) => sql.includes('FROM first_file'));
  prepare.mockRestore();
  expect(statements.length).toBeGreaterThan(1);
  const db = new DatabaseSync(path);
  for (const sql of statements) {
    const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
    const searched = steps.flatMap(({ detail }) => /^SEARCH (first_file|item)\b/.exec(String(detail))?.[1] ?? []);
    expect(searched, sql).toEqual(['first_file', 'item']);
  }
  db.close();
});

test('lists the batches that have not ended, and the owners of all', async () => {
  const ledger = openTestLedger();
  const { batches, commit } = ledger;
  const add = async (subject: string | undefined) => (await addBatch(ledger, [], { subject })).batch;
  const [scanning, paused, finished, cancelled] = [
    await add('a'),
    await add('b'),
    await add('a'),
    await add(undefined),
  ];
  await addBatch(ledger, [], { connectionId: 'other' });
  await commit(() => {
    batches.setState(paused, 'paused');
    batches.setFinished(finished, 2);
    batches.setCancelling(cancelled);
  });
  expect(batches.unfinished('connection').map(({ id }) => id)).toEqual([scanning, paused, cancelled]);
  await commit(() => batches.setFinished(cancelled, 2));
  expect(batches.unfinished('connection').map(({ id }) => id)).toEqual([scanning, paused]);
  const owned = (id: string, subject: string | undefined) => ({ id, connectionId: 'connection', subject });
  expect(batches.owners('connection')).toEqual([
    owned(scanning, 'a'),
    owned(paused, 'b'),
    owned(finished, 'a'),
    owned(cancelled, undefined),
  ]);
});

test('a file counts as too large until one of at least its size has been accepted since', async () => {
  const path = newLedgerPath();
  const ledger = openTestLedger(path);
  const { history } = ledger;
  const { files } = await addBatch(ledger, [scanned('a'), scanned('b'), scanned('c')]);
  const db = new DatabaseSync(path);
  const settle = (index: number, state: string, sizeBytes: number, atMs: number, error: string | null = null) =>
    db
      .prepare('UPDATE item SET state = ?, size_bytes = ?, settled_ms = ?, error = ? WHERE id = ?')
      .run(state, sizeBytes, atMs, error, files[index]?.id ?? 0);
  const tooLarge = JSON.stringify({ code: 'upload/too-large' });
  expect(history.smallestRefused('connection')).toBeUndefined();
  settle(0, 'failed', 500, 10, tooLarge);
  settle(1, 'failed', 900, 20, tooLarge);
  expect(history.smallestRefused('connection')).toBe(500);
  settle(2, 'done', 600, 5);
  expect(history.smallestRefused('connection')).toBe(500);
  settle(2, 'done', 600, 30);
  expect(history.smallestRefused('connection')).toBe(900);
  settle(1, 'failed', 900, 40, tooLarge);
  expect(history.smallestRefused('connection')).toBe(900);
  settle(2, 'done', 900, 50);
  expect(history.smallestRefused('connection')).toBeUndefined();
  db.close();
});

test('writes survive closing the ledger', async () => {
  const { path, batch } = await makeClosed();
  const ledger = openTestLedger(path);
  expect(ledger.damage).toBeUndefined();
  expect(ledger.batches.get(batch)).toMatchObject({ assignmentId: 'assignment', state: 'scanning', scanned: false });
  expect(ledger.items.list(batch, { offset: 1, limit: 1 })).toMatchObject({
    items: [{ path: 'folder/file 1.jpg', fileName: 'file 1.jpg', modifiedMs: 1000.5, state: 'queued' }],
    total: 2000,
  });
});

test('commits survive a kill', async () => {
  const path = newLedgerPath();
  const { batch } = await addBatch(openTestLedger(path), manyFiles);
  const copy = newLedgerPath();
  for (const part of ['', '-wal']) copyFileSync(path + part, copy + part);
  const ledger = openTestLedger(copy);
  expect(ledger.damage).toBeUndefined();
  expect(ledger.items.tally(batch).queued.files).toBe(2000);
});

test('what was committed survives the loss of everything that was not fsynced', async () => {
  const path = newLedgerPath();
  const rescued = newLedgerPath();
  /** Copies the files at each fsync, as a disk would hold them. Later writes may never reach the disk. */
  const ledger = openLedger(path, async () => {
    for (const part of ['', '-wal']) copyFileSync(`${path}${part}`, `${rescued}${part}`);
  });
  const { batch, files } = await addBatch(ledger, [scanned('a.jpg'), scanned('b.jpg')]);
  const [a = 0, b = 0] = files.map(({ id }) => id);
  await ledger.commit(() => ledger.items.sending(a, 'key', 'url', 1));
  await ledger.commitUnsynced(() => ledger.items.sending(b, 'other', 'url', 2));
  // The power fails now: nothing is closed, and the last write is lost.
  const after = openTestLedger(rescued);
  expect(after.damage).toBeUndefined();
  expect(after.items.list(batch, { offset: 0, limit: 2 }).items).toMatchObject([
    { state: 'sending', key: 'key', unclear: true },
    { state: 'queued', key: undefined },
  ]);
  ledger.close();
});

test('after a failed fsync nothing is written until the ledger is reopened', async () => {
  const path = newLedgerPath();
  let isFailing = false;
  const ledger = openLedger(path, async () => {
    if (isFailing) throw new Error('EIO');
  });
  const { batch } = await addBatch(ledger, [scanned('a.jpg')]);
  const pause = () => ledger.batches.setState(batch, 'paused');
  isFailing = true;
  await expect(ledger.commit(pause)).rejects.toMatchObject({ code: 'data/unsynced' });
  isFailing = false;
  const log = hash(`${path}-wal`);
  await expect(ledger.commit(() => ledger.batches.setState(batch, 'running'))).rejects.toMatchObject({
    code: 'data/unsynced',
  });
  expect(ledger.checkpoint).toThrow(expect.objectContaining({ code: 'data/unsynced' }));
  const database = hash(path);
  ledger.close();
  // Closing the ledger made no checkpoint, either.
  expect([hash(path), hash(`${path}-wal`)]).toEqual([database, log]);
  const again = openTestLedger(path);
  await again.commit(() => again.batches.setState(batch, 'running'));
  expect(again.batches.get(batch)).toMatchObject({ state: 'running' });
});

describe('a damaged ledger is left unchanged and opened read-only', () => {
  test('its header overwritten', async () => {
    const { path } = await makeClosed();
    overwrite(path, 0, 200);
    await expectReadOnly(path, 'data/corrupt');
  });

  test('pages in its middle overwritten', async () => {
    const { path } = await makeClosed();
    const middle = statSync(path).size / 2;
    overwrite(path, middle, middle + 20_000);
    await expectReadOnly(path, 'data/corrupt');
  });

  test('replaced by something else', async () => {
    const path = newLedgerPath();
    writeFileSync(path, 'not a database. '.repeat(1000));
    await expectReadOnly(path, 'data/corrupt');
  });

  test('its end cut off', async () => {
    const { path } = await makeClosed();
    writeFileSync(path, readFileSync(path).subarray(0, 50_000));
    await expectReadOnly(path, 'data/corrupt');
  });

  test('readable parts can be read', async () => {
    const { path, batch } = await makeClosed();
    const size = statSync(path).size;
    overwrite(path, size - 4096 * 3, size - 4096);
    const ledger = openTestLedger(path);
    expect(ledger.damage).toMatchObject({ code: 'data/corrupt' });
    expect(ledger.batches.get(batch)).toMatchObject({ id: batch, root: '/folder' });
  });

  test('unreadable parts fail with their error code', async () => {
    const { path, batch } = await makeClosed();
    overwrite(path, 4096 * 40, statSync(path).size);
    const ledger = openTestLedger(path);
    const corrupt = expect.objectContaining({ code: 'data/corrupt', details: expect.objectContaining({ file: path }) });
    expect(() => [...itemsFrom(ledger.items, batch)]).toThrow(corrupt);
  });
});

test('the ledger of a newer app is left unchanged', async () => {
  const { path } = await makeClosed();
  const db = new DatabaseSync(path);
  db.exec('PRAGMA user_version = 99; CREATE TABLE of_tomorrow (x TEXT)');
  db.close();
  await expectReadOnly(path, 'data/newer');
});

test('a folder that cannot be written is not damage', () => {
  expect(() => openLedger('/nowhere/at/all/ledger.sqlite')).toThrow(
    expect.objectContaining({ code: 'data/unwritable' }),
  );
});
