import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ruleFor } from '../../matching/targets.ts';
import { openRuleStore, rulesByName } from './rule-store.ts';

test('B16: a rule without a folder counts only for a name that says where it belongs; others belong to their folder', () => {
  const home = mkdtempSync(join(tmpdir(), 'rules-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const path = join(home, 'rules.sqlite');
  const notices: unknown[] = [];
  const rules = openRuleStore(path, (notice) => notices.push(notice));
  onTestFinished(() => rules.close());
  const found = (isPlace: boolean) =>
    ruleFor(rulesByName(rules, 'c'), { key: 'hansen', name: 'Hansen', parent: '/jobs', isPlace })?.AssignmentId;
  const chosen = { nameKey: 'hansen', name: 'Hansen' };
  rules.confirm('c', [{ ...chosen, parent: '', AssignmentId: 'early' }], 1);
  expect([found(false), found(true), notices]).toEqual([undefined, 'early', []]);

  rules.confirm('c', [{ ...chosen, parent: '/jobs', AssignmentId: 'here' }], 2);
  rules.confirm('c', [{ ...chosen, parent: '/other', AssignmentId: 'there' }], 3);
  expect([found(false), found(true)]).toEqual(['here', 'here']);
  expect(rules.list('c')).toHaveLength(3);
});
