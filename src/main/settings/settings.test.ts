import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openConfSettings } from './conf-settings.ts';
import type { Policy } from './policy/policy.ts';
import { changePreferences, readPreferences } from './preferences.ts';
import { openSettings } from './settings.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'settings-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const path = () => join(home, 'settings.json');
const stored = (): unknown => JSON.parse(readFileSync(path(), 'utf8'));
const open = (policy: Policy = {}) =>
  openSettings({ home, open: openConfSettings, policy, now: () => Date.parse('2026-03-01T12:00:00.5Z') });

const defaults = {
  uploads: {
    concurrency: 'auto' as const,
    leaveRoom: 'working-hours' as const,
    waitOnBattery: true,
    waitOnMetered: true,
  },
  advanced: { timeBase: 'auto' },
  preferences: { appearance: 'system', language: 'system', formats: 'system', dateFormat: 'system' },
  network: { proxy: { mode: 'system', exceptions: [] } },
  cache: { limitMegabytes: 1_000 },
  updates: { mode: 'automatic', channel: 'latest' },
  desktop: { tray: true, keepUploading: true, startAtSignIn: false },
  log: { level: 'info' },
  sampleData: true,
  signOut: { erases: 'session' },
  letterhead: { people: {} },
  signInNeeds: {},
  storages: {},
  views: {},
};
const connection = {
  baseUrl: 'https://inspection.example/api',
  authUrl: 'https://login.example',
  clientId: 'desk',
  sample: false,
};

test('without a file, gives the defaults and writes no file', () => {
  const settings = open();
  expect(settings.get()).toEqual(defaults);
  expect(settings.notice).toBeUndefined();
  expect(existsSync(path())).toBe(false);
});

test.each([
  [
    'opened',
    () => {
      throw new Error('EIO');
    },
  ],
  [
    'read',
    () => ({
      read: () => {
        throw new Error('EMFILE');
      },
      write: () => {},
    }),
  ],
] as const)('a file that cannot be %s is kept, and the app says so', (_, openFile) => {
  const content = JSON.stringify({ connection });
  writeFileSync(path(), content);
  const opening = () => openSettings({ home, open: openFile, policy: {} });
  expect(opening).toThrow(expect.objectContaining({ code: 'data/unwritable' }));
  expect(readFileSync(path(), 'utf8')).toBe(content);
});

test('reads what was written, in the next run', () => {
  open().update({ connection, uploads: { ...defaults.uploads, concurrency: 8 } });
  expect(stored()).toEqual({ ...defaults, connection, uploads: { ...defaults.uploads, concurrency: 8 } });
  expect(open().get()).toEqual({ ...defaults, connection, uploads: { ...defaults.uploads, concurrency: 8 } });
});

test('reads a file with a byte order mark, which an editor on Windows may have written', () => {
  writeFileSync(path(), `\uFEFF${JSON.stringify({ log: { level: 'debug' } })}`);
  const settings = open();
  expect(settings.notice).toBeUndefined();
  expect(settings.get().log.level).toBe('debug');
  settings.update({ sampleData: false });
  expect(stored()).toMatchObject({ log: { level: 'debug' }, sampleData: false });
});

test('undefined removes a field, and fields of a newer version stay', () => {
  writeFileSync(path(), JSON.stringify({ connection, fromTheFuture: { a: 1 } }));
  const settings = open();
  settings.update({ connection: undefined });
  expect(settings.get()).toEqual(defaults);
  expect(stored()).toEqual({ ...defaults, fromTheFuture: { a: 1 } });
});

test('fields of a newer version stay in their groups, and those of a connection until it changes', () => {
  const proxy = { mode: 'none' as const, exceptions: [] };
  const newer = { newer: { a: [1] } };
  const desktop = { tray: false, ...newer };
  const network = { proxy: { ...proxy, ...newer }, ...newer };
  const file = { connection: { ...connection, ...newer }, desktop, network: { ...network, caFile: '/ca.pem' } };
  writeFileSync(path(), JSON.stringify({ ...file, views: { protocols: [1] } }));
  const settings = open();
  changePreferences(settings, { desktop: { ...defaults.desktop, keepUploading: false } });
  settings.update({ views: {}, network: { proxy } });
  expect(stored()).toEqual({
    ...defaults,
    ...file,
    desktop: { ...desktop, tray: true, keepUploading: false, startAtSignIn: false },
    network,
  });
  expect(settings.get()).toMatchObject({ network: { proxy }, views: {} });
  const other = { ...connection, clientId: 'other' };
  settings.update({ connection: other });
  expect(stored()).toMatchObject({ connection: other });
  expect(stored()).not.toHaveProperty('connection.newer');
});

test.each([
  [{ language: 'en' }, { language: 'en', formats: 'system' }],
  [{ language: 'system' }, { language: 'system', formats: 'system' }],
  [
    { language: 'sv', formats: 'de' },
    { language: 'sv', formats: 'de' },
  ],
])('language: %j means %j, also after a change and a restart', (preferences, expected) => {
  writeFileSync(path(), JSON.stringify({ connection, preferences: { appearance: 'dark', ...preferences } }));
  const settings = open();
  expect(settings.notice).toBeUndefined();
  expect(settings.get().preferences).toMatchObject({ appearance: 'dark', ...expected });
  settings.update({ uploads: { ...defaults.uploads, concurrency: 8 } });
  expect(open().get().preferences).toMatchObject(expected);
});

test('refuses a wrong value and writes nothing', () => {
  const settings = open();
  expect(() => settings.update({ uploads: { ...defaults.uploads, concurrency: 0 } })).toThrow(
    expect.objectContaining({ code: 'input/invalid', details: { field: 'uploads.concurrency' } }),
  );
  expect(settings.get()).toEqual(defaults);
  expect(existsSync(path())).toBe(false);
});

test.each(['', '{"uploads":', '[]', 'null'])('moves a damaged file aside: %s', (content) => {
  writeFileSync(path(), content);
  const settings = open();
  expect(settings.get()).toEqual(defaults);
  const file = 'settings.corrupt-2026-03-01T12-00-00-500Z.json';
  expect(settings.notice).toMatchObject({ code: 'data/moved-aside', details: { file } });
  expect(readFileSync(join(home, file), 'utf8')).toBe(content);
  settings.update({ connection });
  expect(readdirSync(home).sort()).toEqual([file, 'settings.json']);
  expect(open().notice).toBeUndefined();
});

test('a value that is not understood: its default applies, it is named, and it stays until its setting changes', () => {
  const file = {
    version: 1,
    connection,
    desktop: { tray: false, keepUploading: 'sometimes' },
    log: { level: 'trace' },
    network: { proxy: { mode: 'tunnel', exceptions: ['a.example'] }, caFile: '/ca.pem' },
    preferences: { language: 'fi', appearance: 'dark' },
    storages: { a: 5 },
  };
  writeFileSync(path(), JSON.stringify(file));
  const settings = open();
  const fields = 'network.proxy, desktop.keepUploading, log.level, preferences.language';
  expect(settings.notice).toMatchObject({ code: 'settings/not-understood', details: { fields } });
  const understood = {
    ...defaults,
    connection,
    desktop: { ...defaults.desktop, tray: false },
    network: { ...defaults.network, caFile: '/ca.pem' },
    preferences: { ...defaults.preferences, appearance: 'dark' },
  };
  expect(settings.get()).toEqual(understood);
  settings.update({ log: { level: 'warn' }, desktop: { ...understood.desktop, startAtSignIn: true } });
  expect(stored()).toMatchObject({
    ...file,
    log: { level: 'warn' },
    desktop: { ...file.desktop, startAtSignIn: true },
  });
  settings.update({ network: { ...understood.network, proxy: { mode: 'none', exceptions: [] } } });
  expect(stored()).toMatchObject({ network: { proxy: { mode: 'none', exceptions: [] }, caFile: '/ca.pem' } });
});

test('a connection that is not understood is a missing one, and stays until another is set', () => {
  const newer = { baseUrl: 'ftp://x' };
  writeFileSync(path(), JSON.stringify({ connection: newer, desktop: 5 }));
  const settings = open();
  expect(settings.notice).toMatchObject({ details: { fields: 'connection, desktop' } });
  expect(settings.get()).toEqual(defaults);
  settings.update({ log: { level: 'warn' } });
  expect(stored()).toMatchObject({ connection: newer, desktop: 5 });
  settings.update({ connection });
  expect(stored()).toMatchObject({ connection, desktop: 5 });
});

test('of the damaged files, only the newest is kept', () => {
  for (const day of [1, 2]) {
    writeFileSync(path(), `damaged on day ${day}`);
    openSettings({ home, open: openConfSettings, policy: {}, now: () => Date.UTC(2026, 2, day) });
  }
  const [aside = '', ...others] = readdirSync(home);
  expect(others).toEqual([]);
  expect(readFileSync(join(home, aside), 'utf8')).toBe('damaged on day 2');
});

test('A3: moves aside a folder in its place, and a file of 50 MB', () => {
  mkdirSync(path());
  expect(open().notice).toMatchObject({ code: 'data/moved-aside' });
  rmSync(home, { recursive: true });
  mkdirSync(home);
  writeFileSync(path(), JSON.stringify({ fromTheFuture: 'x'.repeat(50_000_000) }));
  const settings = open();
  expect(settings.notice).toMatchObject({ code: 'data/moved-aside' });
  expect(settings.get()).toEqual(defaults);
});

test.each([
  ['a pipe', () => execFileSync('mkfifo', [path()])],
  ['lists', () => writeFileSync(path(), `{"fromTheFuture":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)],
  ['groups', () => writeFileSync(path(), `{"views":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_001)}`)],
] as const)('B18: moves aside what would hang or end the app: %s', (what, write) => {
  if (what === 'a pipe' && process.platform === 'win32') return;
  write();
  const settings = open();
  expect(settings.notice).toMatchObject({ code: 'data/moved-aside' });
  expect(settings.get()).toEqual(defaults);
  settings.update({ connection });
});

test('policy: lies over the file, is not written into it, and refuses another value', () => {
  open().update({ uploads: { ...defaults.uploads, concurrency: 8 }, desktop: { ...defaults.desktop, tray: false } });
  const policy = { uploads: { concurrency: 2, limit: { bytesPerSecond: 500_000, schedule: [] } }, sampleData: false };
  const settings = open(policy);
  expect(settings.managed).toEqual(['uploads.limit', 'uploads.concurrency', 'sampleData']);
  expect(settings.get()).toMatchObject({ ...policy, desktop: { tray: false } });

  const hours = [{ from: '18:00', to: '06:00' }];
  settings.update({ uploads: { ...settings.get().uploads, hours }, sampleData: false });
  expect(settings.get().uploads).toEqual({ ...defaults.uploads, ...policy.uploads, hours });
  for (const [patch, field] of [
    [{ uploads: { ...defaults.uploads, ...policy.uploads, concurrency: 3 } }, 'uploads.concurrency'],
    [{ uploads: { ...defaults.uploads, concurrency: 2 } }, 'uploads.limit'],
    [{ sampleData: true }, 'sampleData'],
  ] as const)
    expect(() => settings.update(patch)).toThrow(
      expect.objectContaining({ code: 'settings/managed', details: { field } }),
    );
  expect(open().get()).toEqual({
    ...defaults,
    uploads: { ...defaults.uploads, concurrency: 8, hours },
    desktop: { ...defaults.desktop, tray: false },
  });
});

test('policy: a change of preferences keeps what the policy sets', () => {
  const settings = open({ updates: { mode: 'off' }, log: { level: 'debug' } });
  changePreferences(settings, { concurrency: 8, updates: { mode: 'off', channel: 'beta' } });
  expect(readPreferences(settings)).toMatchObject({
    concurrency: 8,
    updates: { mode: 'off', channel: 'beta' },
    logLevel: 'debug',
  });
  expect(() => changePreferences(settings, { logLevel: 'info' })).toThrow(
    expect.objectContaining({ code: 'settings/managed', details: { field: 'log.level' } }),
  );
  expect(open().get()).toMatchObject({ updates: { mode: 'automatic', channel: 'beta' }, log: { level: 'info' } });
});
