import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { ruleFor } from '../../matching/rules.ts';
import { openRuleStore, rulesByName } from './rule-store.ts';

test('B16: a rule of an earlier version counts only for a name that says where it belongs; new ones belong to a folder', () => {
  const home = mkdtempSync(join(tmpdir(), 'rules-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const path = join(home, 'rules.sqlite');
  const before = new DatabaseSync(path);
  before.exec(`
    CREATE TABLE rule (
      id           INTEGER PRIMARY KEY,
      connection   TEXT NOT NULL,
      name_key     TEXT NOT NULL,
      name         TEXT NOT NULL,
      assignment   TEXT NOT NULL,
      confirmed_ms INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX rule_by_name ON rule (connection, name_key);
    INSERT INTO rule (connection, name_key, name, assignment, confirmed_ms) VALUES ('c', 'hansen', 'Hansen', 'early', 1);
    PRAGMA user_version = 1`);
  before.close();
  const notices: unknown[] = [];
  const rules = openRuleStore(path, (notice) => notices.push(notice));
  onTestFinished(() => rules.close());
  const name = { key: 'hansen', name: 'Hansen', parent: '/jobs', depth: 0 };
  const found = (isPlace: boolean) => ruleFor(rulesByName(rules, 'c'), name, isPlace)?.AssignmentId;
  expect([found(false), found(true), notices]).toEqual([undefined, 'early', []]);

  const chosen = { nameKey: 'hansen', name: 'Hansen' };
  rules.confirm('c', [{ ...chosen, parent: '/jobs', AssignmentId: 'here' }], 2);
  rules.confirm('c', [{ ...chosen, parent: '/other', AssignmentId: 'there' }], 3);
  expect([found(false), found(true)]).toEqual(['here', 'here']);
  expect(rules.list('c')).toHaveLength(3);
});
