/** One test for each migration: it is applied to a database of the previous version that contains rows. */
import type { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openDatabase } from '../../data/sqlite.ts';
import { scanned } from '../source/testing/scanned.ts';
import { createItemLists } from './item-lists.ts';
import { ledgerMigrations } from './migrations.ts';
import { newLedgerPath, openTestLedger } from './testing/ledger.ts';

const openAt = (path: string, version: number): DatabaseSync =>
  openDatabase({ path, migrations: ledgerMigrations.slice(0, version), durability: 'full' });

/** A ledger of this version with a running batch, numbered 1, and what `rows` adds; returns its path. */
const ledgerOf = (version: number, rows = ''): string => {
  const path = newLedgerPath();
  const db = openAt(path, version);
  db.exec(`INSERT INTO batch (number, id, connection, assignment_id, root, state, created_ms)
    VALUES (1, 'b', 'c', 'a', '/r', 'running', 1); ${rows}`);
  db.close();
  return path;
};

const schema = (db: DatabaseSync) =>
  db
    .prepare("SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name")
    .all()
    .map(({ type, name }) => `${type} ${name}`);

test('1: batches, items and known files', () => {
  const db = openAt(newLedgerPath(), 1);
  expect(schema(db)).toEqual([
    'index batch_by_connection',
    'index item_by_name',
    'index item_by_path',
    'index item_by_state',
    'index known_file_by_name',
    'table batch',
    'table item',
    'table known_file',
  ]);
  expect(() =>
    db.exec(
      "INSERT INTO item (batch, path, file_name, name_key, size_bytes, modified_ms) VALUES ('none', 'p', 'n', 'n', 1, 1)",
    ),
  ).toThrow(/FOREIGN KEY/);
  expect(() =>
    db.exec(
      "INSERT INTO batch (id, connection, assignment_id, root, state, created_ms) VALUES ('b', 'c', 'a', 'r', 'odd', 1)",
    ),
  ).toThrow(/CHECK/);
  db.close();
});

test('2: files by error', () => {
  const path = newLedgerPath();
  const before = openAt(path, 1);
  before.exec(`
    INSERT INTO batch (id, connection, assignment_id, root, state, created_ms) VALUES ('b', 'c', 'a', 'r', 'finished', 1);
    INSERT INTO item (batch, path, file_name, name_key, size_bytes, modified_ms, state, error) VALUES
      ('b', 'p', 'n', 'n', 1, 1, 'failed', '{"code":"upload/refused","message":"no","retry":"never","details":{}}');
  `);
  before.close();
  const ledger = openTestLedger(path);
  expect(ledger.items.errorGroups('b')).toEqual([{ code: 'upload/refused', files: 1 }]);
});

test('3: in existing batches files keep their own names and have no start time', () => {
  const path = newLedgerPath();
  const before = openAt(path, 2);
  before.exec(`
    INSERT INTO batch (id, connection, assignment_id, root, state, created_ms) VALUES ('b', 'c', 'a', 'r', 'running', 1);
    INSERT INTO item (batch, path, file_name, name_key, size_bytes, modified_ms) VALUES ('b', 'p', 'n', 'n', 1, 1);
  `);
  before.close();
  const db = openAt(path, 3);
  expect(db.prepare('SELECT name_template FROM batch').get()).toEqual({ name_template: '{name}' });
  expect(db.prepare('SELECT started_ms FROM item').get()).toEqual({ started_ms: null });
  db.close();
});

test('4: numbers for batches and files, and a tally', async () => {
  const path = newLedgerPath();
  const before = openAt(path, 3);
  const file = (batch: string, name: string, state: string, error = 'NULL') =>
    `('${batch}', 'in/${name}', '${name}', '${name}', 7, 1.5, '${state}', 'k', 'u', 1, 2, ${error})`;
  before.exec(`
    INSERT INTO batch (id, connection, subject, assignment_id, root, state, scanned, created_ms, name_template) VALUES
      ('first', 'c', 's', 'a', '/r', 'paused', 1, 5, '{path}'), ('none', 'c', NULL, 'a', '/r', 'finished', 1, 5, '{name}'),
      ('second', 'c', NULL, 'a', '/r', 'scanning', 0, 4, '{name}');
    INSERT INTO item (batch, path, file_name, name_key, state, size_bytes, modified_ms, key, url, unclear, attempts, error, started_ms)
    SELECT column1, column2, column3, column4, column7, column5, column6, column8, column9, column10, column11, column12, 3
    FROM (VALUES ${[
      file('first', 'a', 'done'),
      file('second', 'x', 'queued'),
      file('first', 'b', 'uncertain', `'{"code":"upload/refused","message":"no","retry":"never","details":{}}'`),
      file('second', 'y', 'queued'),
      file('first', 'c', 'sending'),
    ]});
  `);
  before.close();
  const { batches, items, commit } = openTestLedger(path);
  expect(batches.list('c').map(({ id }) => id)).toEqual(['second', 'first', 'none']);
  expect(batches.get('first')).toMatchObject({
    subject: 's',
    state: 'paused',
    scanned: true,
    createdAtMs: 5,
    nameTemplate: '{path}',
  });
  const { items: files, total } = items.list('first', { offset: 1, limit: 10 });
  expect(total).toBe(3);
  const uncertain = {
    path: 'in/b',
    fileName: 'b',
    sizeBytes: 7,
    modifiedMs: 1.5,
    key: 'k',
    url: 'u',
    attempts: 2,
    startedAtMs: 3,
  };
  expect(files).toMatchObject([
    { ...uncertain, state: 'uncertain', error: { code: 'upload/refused' } },
    { path: 'in/c' },
  ]);
  expect(items.tally('first')).toMatchObject({
    done: { files: 1, bytes: 7 },
    sending: { files: 1 },
    queued: { files: 0 },
  });
  expect(items.tally('none').done).toEqual({ files: 0, bytes: 0 });
  await commit(() => items.add('second', [scanned('z', 1)]));
  expect(items.list('second', { offset: 0, limit: 10 }).items.map(({ path }) => path)).toEqual(['in/x', 'in/y', 'z']);
  expect(items.tally('second').queued).toEqual({ files: 3, bytes: 15 });
});

test('5: batches of some files of a folder', () => {
  const path = newLedgerPath();
  const before = openAt(path, 4);
  before.exec(`INSERT INTO batch (id, connection, assignment_id, root, state, created_ms)
    VALUES ('b', 'c', 'a', '/r', 'running', 1)`);
  before.close();
  const { batches } = openTestLedger(path);
  expect(batches.get('b')).toMatchObject({ root: '/r', only: undefined });
});

test('6: existing files are identified by size and time, and their folder by its path', () => {
  const path = ledgerOf(
    5,
    "INSERT INTO item (id, batch, path, file_name, size_bytes, modified_ms) VALUES (4294967296, 1, 'p', 'n', 1, 1.5)",
  );
  const { batches, items } = openTestLedger(path);
  expect(batches.get('b')).toMatchObject({ root: '/r', realRoot: undefined, leftOut: { special: 0 } });
  expect(items.get(4_294_967_296)).toMatchObject({ modifiedMs: 1.5, identity: undefined });
});

test('7: uploaded files are known with the folder they came from', () => {
  const path = newLedgerPath();
  const before = openAt(path, 6);
  before.exec(`
    INSERT INTO batch (number, id, connection, assignment_id, root, state, created_ms)
      VALUES (1, 'b', 'c', 'a', '/r', 'finished', 1);
    INSERT INTO item (id, batch, path, file_name, size_bytes, modified_ms, state, key)
      VALUES (4294967296, 1, 'in/p', 'n', 1, 1.5, 'done', 'k');
    INSERT INTO known_file VALUES ('c', 'a', 'k', 'n', '', 'uploaded-here', 1, 'hash', 5);
    INSERT INTO known_file VALUES ('c', 'a', 'other', 'n', 'CUSTOMER', 'seen-at-removal', NULL, NULL, 5);
  `);
  before.close();
  const { knownFiles } = openTestLedger(path);
  expect(knownFiles.named({ connectionId: 'c', assignmentId: 'a' }, 'n')).toEqual([
    {
      key: 'k',
      fileName: 'n',
      addedAtMs: 5,
      uploadId: 'b',
      place: { root: '/r', path: 'in/p' },
      sizeBytes: 1,
      modifiedMs: 1.5,
      sha256: 'hash',
    },
    { key: 'other', fileName: 'n', addedAtMs: 5 },
  ]);
});

test('8: known files are found by names that only differ in case or composition', () => {
  const path = newLedgerPath();
  const before = openAt(path, 7);
  before.exec(`
    INSERT INTO known_file (connection, assignment_id, key, file_name, uploaded_by, source, at_ms) VALUES
      ('c', 'a', 'k', 'O\u0308.TXT', '', 'seen-at-removal', 5), ('c', 'a', 'other', 'o.txt', '', 'seen-at-removal', 5);
  `);
  before.close();
  const { knownFiles } = openTestLedger(path);
  expect(knownFiles.named({ connectionId: 'c', assignmentId: 'a' }, '\u00f6.txt').map(({ key }) => key)).toEqual(['k']);
});

test('9: existing batches are uploads of their own that rename, and known files lead to their items', () => {
  const path = newLedgerPath();
  const before = openAt(path, 8);
  before.exec(`
    INSERT INTO batch (number, id, connection, assignment_id, root, state, created_ms)
      VALUES (1, 'b', 'c', 'a', '/r', 'finished', 1);
    INSERT INTO item (id, batch, path, file_name, size_bytes, modified_ms, state, key)
      VALUES (4294967296, 1, 'in/p', 'n', 1, 1.5, 'done', 'k');
    INSERT INTO known_file (connection, assignment_id, key, file_name, uploaded_by, source, at_ms, name_key) VALUES
      ('c', 'a', 'k', 'n', '', 'uploaded-here', 5, 'n'), ('c', 'a', 'other', 'n', '', 'seen-at-removal', 5, 'n');
  `);
  before.close();
  const db = openAt(path, 9);
  expect(db.prepare('SELECT key, item FROM known_file').all()).toEqual([
    { key: 'k', item: 4_294_967_296 },
    { key: 'other', item: null },
  ]);
  expect(() => db.exec("INSERT INTO replaced_file (item, key) VALUES (1, 'k')")).toThrow(/FOREIGN KEY/);
  db.close();
  const { batches } = openTestLedger(path);
  const batch = batches.get('b');
  expect(batch).toMatchObject({ uploadId: 'b', onClash: 'rename' });
  expect(batch && batches.onClashOf(batch, 'in/p')).toBe('rename');
});

test('10: the batches for an assignment', () => {
  const path = newLedgerPath();
  const before = openAt(path, 9);
  before.exec(`
    INSERT INTO batch (number, id, connection, assignment_id, root, state, created_ms) VALUES
      (1, 'b', 'c', 'a', '/r', 'finished', 2), (2, 'o', 'c', 'other', '/r', 'finished', 1), (3, 'd', 'c', 'a', '/r', 'running', 1);
  `);
  before.close();
  const { batches } = openTestLedger(path);
  expect(batches.ofAssignment({ connectionId: 'c', assignmentId: 'a' }).map(({ id }) => id)).toEqual(['d', 'b']);
});

test('11: reported files have an index of their own', () => {
  const path = newLedgerPath();
  openAt(path, 10).close();
  const db = openAt(path, 11);
  const plan = db.prepare(
    `EXPLAIN QUERY PLAN SELECT at_ms FROM known_file WHERE connection = 'c' AND source = 'seen-at-removal' ORDER BY at_ms`,
  );
  expect(String(plan.get()?.detail)).toContain('known_file_reported');
  db.close();
});

test('12: files that are to be removed are found by their Keys', () => {
  const path = newLedgerPath();
  openAt(path, 11).close();
  const db = openAt(path, 12);
  const plan = db.prepare(
    `EXPLAIN QUERY PLAN SELECT EXISTS (SELECT 1 FROM replaced_file WHERE key = k.key AND state IN ('pending', 'failed'))
     FROM known_file AS k`,
  );
  expect(plan.all().map(({ detail }) => detail)).toContainEqual(expect.stringContaining('replaced_file_to_remove'));
  db.close();
});

test('13: existing batches are sent at any time', () => {
  expect(openTestLedger(ledgerOf(12)).batches.get('b')).toMatchObject({ schedule: undefined });
});

test('14: existing batches end without a receipt', () => {
  expect(openTestLedger(ledgerOf(13)).batches.get('b')).toMatchObject({ receipt: undefined });
});

test('15: existing items keep their hashes, and the files of existing rows stay known', async () => {
  const path = ledgerOf(
    14,
    `INSERT INTO item (id, batch, path, file_name, size_bytes, modified_ms, state, key, sha256, settled_ms) VALUES
      (4294967296, 1, 'p/n.txt', 'n.txt', 3, 1, 'done', 'k', 'ab12', 5);
    INSERT INTO known_file (connection, assignment_id, key, file_name, uploaded_by, source, size_bytes, sha256, at_ms,
      root, path, modified_ms, name_key, item) VALUES
      ('c', 'a', 'k', 'n.txt', '', 'uploaded-here', 3, 'ab12', 5, '/r', 'p/n.txt', 1, 'n.txt', 4294967296)`,
  );
  const ledger = openTestLedger(path);
  const { items, knownFiles } = ledger;
  expect(items.get(4294967296)).toMatchObject({ fileName: 'n.txt', sha256: 'ab12' });
  const assignment = { connectionId: 'c', assignmentId: 'a' };
  expect(knownFiles.list(assignment)).toMatchObject([{ Key: 'k', FileName: 'n.txt', addedAtMs: 5 }]);
  expect(knownFiles.named(assignment, 'N.txt')).toMatchObject([{ key: 'k', sha256: 'ab12' }]);
  await ledger.commit(() => knownFiles.removed(assignment, 'k', 9));
  expect(knownFiles.list(assignment)).toEqual([]);
});

test('16: existing items keep the Url that they may have been sent with', async () => {
  const path = ledgerOf(
    15,
    `INSERT INTO item (id, batch, path, file_name, size_bytes, modified_ms, state, key, url) VALUES
      (4294967296, 1, 'n.txt', '', 3, 1, 'sending', 'k', 'url of before')`,
  );
  const { items, commit } = openTestLedger(path);
  expect(items.get(4294967296)).toMatchObject({ key: 'k', url: 'url of before' });
  await commit(() => items.sending(4294967296, 'k', 'url of now', 1));
  expect(items.pending('b', 1)).toMatchObject([{ url: 'url of now' }]);
  await commit(() => items.done(4294967296, '', undefined, 1));
  expect(items.get(4294967296)?.url).toBeUndefined();
});

test('17: files that are no longer on their assignment are counted as removed', () => {
  const item = (id: number, key: string, crc: string, state = 'done') =>
    `(${4294967296 + id}, 1, '${id}.txt', '', 3, 1, '${state}', '${key}', ${crc})`;
  const path = ledgerOf(
    16,
    `INSERT INTO item (id, batch, path, file_name, size_bytes, modified_ms, state, key, key_crc) VALUES
      ${item(0, 'there', '7')}, ${item(1, 'gone', 'NULL')}, ${item(2, 'reported', 'NULL')},
      ${item(3, 'there', 'NULL')}, ${item(4, 'unclear', 'NULL', 'failed')};
     INSERT INTO known_file (connection, assignment_id, key, file_name, uploaded_by, source, at_ms, name_key) VALUES
      ('c', 'a', 'reported', 'n', 'X', 'seen-at-removal', 1, 'n'), ('c', 'other', 'gone', 'n', 'X', 'seen-at-removal', 1, 'n')`,
  );
  const db = openAt(path, 17);
  const items = createItemLists(db);
  const window = { offset: 0, limit: 10 };
  expect(items.tally('b')).toMatchObject({ done: { files: 4, bytes: 12 }, removed: { files: 1, bytes: 3 } });
  expect(items.list('b', { states: ['removed'], ...window })).toMatchObject({
    total: 1,
    items: [{ key: 'gone', removed: { atMs: undefined } }],
  });
  expect(items.list('b', { states: ['done'], ...window }).items.map(({ path: file }) => file)).toEqual([
    '0.txt',
    '2.txt',
    '3.txt',
  ]);
  db.close();
});

test('17: a ledger with very many files that are gone, and as many that are there, is brought up to date at once', {
  timeout: 20_000,
}, () => {
  // Compared with each other, they would take a minute.
  const many = 40_000;
  const path = ledgerOf(
    16,
    `INSERT INTO item (id, batch, path, file_name, size_bytes, modified_ms, state, key, key_crc)
      WITH RECURSIVE file (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM file WHERE n < ${2 * many - 1})
      SELECT 4294967296 + n, 1, n || '.txt', '', 3, 1, 'done', 'key ' || n, iif(n % 2, n, NULL) FROM file`,
  );
  expect(openTestLedger(path).items.tally('b').removed).toEqual({ files: many, bytes: 3 * many });
});

test('18: files whose Key a later one got count as removed', () => {
  const item = (id: number, key: string, crc: string) =>
    `(${4294967296 + id}, 1, '${id}.txt', '', 3, 1, 'done', '${key}', ${crc})`;
  const known = (key: string, id: string) => `('c', 'a', '${key}', 'n', 'X', 'seen-at-removal', 1, 'n', ${id})`;
  const path = ledgerOf(
    17,
    `INSERT INTO item (id, batch, path, file_name, size_bytes, modified_ms, state, key, key_crc) VALUES
      ${item(0, 'k', 'NULL')}, ${item(1, 'k', '7')}, ${item(2, 'named', 'NULL')}, ${item(3, 'named', 'NULL')},
      ${item(4, 'unclear', 'NULL')}, ${item(5, 'gone', 'NULL')};
     INSERT INTO removed_file VALUES (4294967301, 'gone', 5);
     INSERT INTO known_file (connection, assignment_id, key, file_name, uploaded_by, source, at_ms, name_key, item) VALUES
      ${known('named', '4294967299')}, ${known('unclear', 'NULL')}`,
  );
  const { items } = openTestLedger(path);
  expect(items.tally('b')).toMatchObject({ done: { files: 6 }, removed: { files: 3, bytes: 9 } });
  const listed = items.list('b', { states: ['removed'], offset: 0, limit: 10 }).items;
  expect(listed.map(({ path: file, removed }) => [file, removed?.atMs])).toEqual([
    ['0.txt', undefined],
    ['2.txt', undefined],
    ['5.txt', 5],
  ]);
});

test('19: earlier batches were not reviewed, and no folder of them was recorded', () => {
  const { batches } = openTestLedger(ledgerOf(18));
  expect(batches.get('b')).toMatchObject({ reviewed: undefined, leavesLater: false });
  expect(batches.folderAt('b', '')).toBeUndefined();
  expect(batches.reviewedLists()).toEqual(new Set());
});

test('20: existing files count as arrived, and what they replaced as files of people', () => {
  const path = ledgerOf(
    19,
    `INSERT INTO item (id, batch, path, file_name, size_bytes, modified_ms, state, key)
       VALUES (4294967296, 1, '0.txt', '', 3, 1, 'done', 'k'), (4294967297, 1, '1.txt', '', 3, 1, 'done', 'l');
     INSERT INTO replaced_file VALUES (4294967296, 'j', 'failed', NULL);
     INSERT INTO removed_file VALUES (4294967297, 'l', 5);`,
  );
  const { items, knownFiles, replacedFiles } = openTestLedger(path);
  expect(replacedFiles.of(4294967296)).toEqual([{ key: 'j', state: 'failed', error: undefined, isCheck: false }]);
  expect([items.countResent('b'), knownFiles.takeLost('b')]).toEqual([0, []]);
  expect(items.tally('b').removed.files).toBe(1);
});

test('every released migration has its test above', () => {
  expect(ledgerMigrations).toHaveLength(20);
});
