/** One test a migration: a database of the version before, with rows in it, is brought to its version. */
import type { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openDatabase } from '../../sqlite.ts';
import { ledgerMigrations } from './migrations.ts';
import { newLedgerPath, openTestLedger } from './test-ledger.ts';

const openAt = (path: string, version: number): DatabaseSync =>
  openDatabase({ path, migrations: ledgerMigrations.slice(0, version), durability: 'full' });

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

test('2: files by why they failed', () => {
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

test('3: batches from before have each file under its own name, files no start', () => {
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

test('every released migration has its test above', () => {
  expect(ledgerMigrations).toHaveLength(3);
});
