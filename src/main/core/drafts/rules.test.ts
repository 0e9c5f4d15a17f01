import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { ruleFor } from '../../matching/targets.ts';
import { openRuleReader, openRuleStore } from './rules.ts';

const nothing = { rules: [], rows: [], files: [] };

const openStore = (onNotice: (notice: unknown) => void = () => expect.unreachable()) => {
  const home = mkdtempSync(join(tmpdir(), 'rules-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const rules = openRuleStore(join(home, 'rules.sqlite'), onNotice);
  onTestFinished(() => rules.close());
  return rules;
};

const openReader = ({ path }: ReturnType<typeof openStore>, onError: (error: unknown) => void = () => {}) => {
  const reader = openRuleReader({ path, connectionId: 'c' }, onError);
  onTestFinished(reader.close);
  return reader;
};

test('the last confirmed rules come first, also those that were confirmed together', () => {
  const rules = openStore();
  const confirm = (connectionId: string, atMs: number, ...names: readonly string[]): void =>
    rules.remember(
      connectionId,
      { ...nothing, rules: names.map((name) => ({ nameKey: name, name, parent: '', AssignmentId: 'a' })) },
      atMs,
    );
  confirm('c', 5, 'd', 'e', 'f');
  confirm('c', 4, 'c', 'b');
  confirm('other', 6, 'x', 'y');
  confirm('c', 5, 'g');
  confirm('c', 7, 'b');
  const names = (some: ReturnType<typeof rules.list>): string => some.map(({ name }) => name).join('');
  const listed = [3, 10].map((limit) => names(rules.list('c', limit)));
  expect([...listed, names(rules.list('none', 10))]).toEqual(['bgf', 'bgfedc', '']);
});

test('a rule without a folder counts only for a name that says where it belongs; others belong to their folder', () => {
  const notices: unknown[] = [];
  const rules = openStore((notice) => notices.push(notice));
  const reader = openReader(rules);
  const found = (isPlace: boolean) =>
    ruleFor(reader.rules, { key: 'hansen', name: 'Hansen', parent: '/jobs', isPlace })?.AssignmentId;
  const chosen = { nameKey: 'hansen', name: 'Hansen' };
  rules.remember('c', { ...nothing, rules: [{ ...chosen, parent: '', AssignmentId: 'early' }] }, 1);
  expect([found(false), found(true), notices]).toEqual([undefined, 'early', []]);

  rules.remember('c', { ...nothing, rules: [{ ...chosen, parent: '/jobs', AssignmentId: 'here' }] }, 2);
  rules.remember('c', { ...nothing, rules: [{ ...chosen, parent: '/other', AssignmentId: 'there' }] }, 3);
  expect([found(false), found(true)]).toEqual(['here', 'here']);
  expect(rules.list('c', 10)).toHaveLength(3);
});

test('a draft reads the choices in its folders, and no others', () => {
  const rules = openStore();
  const paths = ['jobs', 'jobs/a/b.txt', 'jobs/', 'jobs 2/a.txt', 'job/a.txt'].map((path) => join('/', path));
  rules.remember('c', { ...nothing, files: paths.map((path) => ({ path, isLeftOut: true })) }, 1);
  const { choicesIn } = openReader(rules);
  const found = (root: string) => choicesIn(join('/', root)).map(({ path }) => path);
  expect(found('jobs')).toEqual(paths.slice(0, 3).toSorted());
  expect(found('')).toHaveLength(paths.length);
  expect(found('other')).toEqual([]);
});

test('rules that cannot be read are reported once', () => {
  const errors: unknown[] = [];
  const { rules, choicesIn } = openReader({ ...openStore(), path: '/there/is/no/such/file' }, (error) =>
    errors.push(error),
  );
  expect([rules.get('a'), choicesIn('/')]).toEqual([undefined, []]);
  expect(errors).toMatchObject([{ code: 'data/unwritable' }]);
});

test('rules that were moved aside are removed with all others', () => {
  const home = mkdtempSync(join(tmpdir(), 'rules-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const path = join(home, 'rules.sqlite');
  writeFileSync(path, 'Anna Berg, Storgatan 4');
  const files: string[] = [];
  const rules = openRuleStore(path, ({ details }) => files.push(String(details.file)));
  onTestFinished(() => rules.close());
  const left = () => files.map((file) => existsSync(file));
  expect(left()).toEqual([true]);
  rules.clear('c');
  expect(left()).toEqual([false]);
});

test('rules of a newer app stay as they are, and are neither used nor changed', () => {
  const home = mkdtempSync(join(tmpdir(), 'rules-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const path = join(home, 'rules.sqlite');
  const notices: unknown[] = [];
  const open = () => openRuleStore(path, (notice) => notices.push(notice));
  const setVersion = (version: number): void => {
    const db = new DatabaseSync(path);
    db.exec(`PRAGMA user_version = ${version}`);
    db.close();
  };
  const rule = { nameKey: 'hansen', name: 'Hansen', parent: '/jobs', AssignmentId: 'a' };
  const first = open();
  first.remember('c', { ...nothing, rules: [rule] }, 1);
  first.close();
  setVersion(1_000);
  const older = open();
  expect(older.list('c', 10)).toEqual([]);
  expect(() => older.remember('c', nothing, 2)).toThrow(expect.objectContaining({ code: 'data/newer' }));
  expect(() => older.clear('c')).toThrow(expect.objectContaining({ code: 'data/newer' }));
  // The reader reports the error, too, because matching must not be certain without the rules.
  openReader(older, (error) => notices.push(error));
  expect(notices).toMatchObject([{ code: 'data/newer' }, { code: 'data/newer' }]);
  older.close();
  setVersion(1);
  const again = open();
  onTestFinished(() => again.close());
  expect(again.list('c', 10)).toMatchObject([{ name: 'Hansen' }]);
});
