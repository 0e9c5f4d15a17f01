import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ManagedPath } from '../../../contract/office-settings.ts';
import { policyKeys } from './keys.ts';
import { managedPaths } from './overlay.ts';
import { type Machine, readPolicy, thisMachine } from './read-policy.ts';

const linux = '/etc/inspection-desk/config.json';
const mac = '/Library/Application Support/Inspection Desk/config.json';
const preferences = '/Library/Managed Preferences/com.inspectiondesk.app.plist';
const windows = 'D:\\ProgramData\\Inspection Desk\\config.json';

type Has = {
  readonly platform?: NodeJS.Platform;
  readonly files?: Readonly<Record<string, string>>;
  readonly registry?: string;
  readonly unsafe?: string;
};

const machine = ({ platform = 'linux', files = {}, registry, unsafe }: Has): Machine => ({
  platform,
  readText: (path) => files[path],
  isSafe: async (path) => path !== unsafe,
  exportRegistry: async () => registry,
  readPropertyList: async (path) => files[path],
  systemRoot: () => 'D:\\Windows',
});

const exported = (...lines: readonly string[]): string =>
  [
    '\uFEFFWindows Registry Editor Version 5.00',
    '',
    '[HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Inspection Desk]',
    ...lines,
    '',
    '',
  ].join('\r\n');

test.each(['linux', 'darwin', 'win32'] as const)('%s: nothing is set', async (platform) => {
  expect(await readPolicy(machine({ platform }))).toEqual({});
});

test('Linux: reads the file', async () => {
  const policy = { network: { proxy: { mode: 'none' } }, uploads: { concurrency: 'auto' }, sampleData: false };
  expect(await readPolicy(machine({ files: { [linux]: `\uFEFF${JSON.stringify(policy)}` } }))).toEqual({
    ...policy,
    network: { proxy: { mode: 'none', exceptions: [] } },
  });
});

test('macOS: managed preferences win over the file, key by key', async () => {
  const files = {
    [mac]: JSON.stringify({ updates: { mode: 'off', channel: 'beta' }, desktop: { tray: false } }),
    [preferences]: JSON.stringify({ updates: { mode: 'automatic' }, PayloadUUID: 'A1B2' }),
  };
  expect(await readPolicy(machine({ platform: 'darwin', files }))).toEqual({
    updates: { mode: 'automatic', channel: 'beta' },
    desktop: { tray: false },
  });
});

test('Windows: the registry wins over the file, in every type that it has', async () => {
  const files = { [windows]: JSON.stringify({ log: { level: 'debug' }, signOut: { erases: 'session' } }) };
  const registry = exported(
    '"network.proxy.mode"="manual"',
    '"Network.Proxy.Address"="http://proxy.example:8080"',
    '"network.proxy.exceptions"=hex(7):2a,00,2e,00,61,00,2e,00,62,00,00,00,63,00,00,\\',
    '  00,00,00',
    '"network.caFile"="C:\\\\Företag\\\\ca.pem"',
    '"sampleData"=dword:00000000',
    '"desktop.tray"=dword:00000001',
    '"uploads.concurrency"=dword:00000008',
    '"uploads.limit.bytesPerSecond"=hex(b):00,f2,05,2a,01,00,00,00',
    '"connection.scope"=""',
    '"signOut.erases"="offline-data"',
    '',
    '[HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Inspection Desk\\uploads.hours]',
    '"2"="{\\"from\\":\\"12:00\\",\\"to\\":\\"13:00\\"}"',
    '"1"="{\\"from\\":\\"18:00\\",\\"to\\":\\"06:00\\",\\"days\\":[1]}"',
  );
  expect(await readPolicy(machine({ platform: 'win32', files, registry }))).toEqual({
    network: {
      proxy: { mode: 'manual', address: 'http://proxy.example:8080', exceptions: ['*.a.b', 'c'] },
      caFile: 'C:\\Företag\\ca.pem',
    },
    sampleData: false,
    desktop: { tray: true },
    uploads: {
      concurrency: 8,
      limit: { bytesPerSecond: 5_000_000_000, schedule: [] },
      hours: [
        { from: '18:00', to: '06:00', days: [1] },
        { from: '12:00', to: '13:00' },
      ],
    },
    signOut: { erases: 'offline-data' },
    log: { level: 'debug' },
  });
});

test.each([
  ['{\n  "sampleData": fals\n}', 'policy/syntax', { line: 2 }],
  ['', 'policy/syntax', { line: 1 }],
  ['{\n  // comment\n}', 'policy/syntax', { line: 2 }],
  ['{\n  "updates": {\n    "chanel": "beta"\n  }\n}', 'policy/unknown-key', { line: 3, key: 'updates.chanel' }],
  [
    '{\n  "network": {\n    "proxy": { "mode": "none", "port": 1 }\n  }\n}',
    'policy/unknown-key',
    { line: 3, key: 'network.proxy.port' },
  ],
  ['{\n  "log": { "level": "info" },\n  "sampleData": "no"\n}', 'policy/invalid', { line: 3, key: 'sampleData' }],
  ['{\n  "network": { "proxy": { "mode": "manual" } }\n}', 'policy/invalid', { line: 2, key: 'network.proxy.address' }],
  [
    '{ "connection": { "baseUrl": "http://service.example" } }',
    'policy/invalid',
    { line: 1, key: 'connection.baseUrl' },
  ],
  [
    '{ "uploads": { "hours": [{ "from": "8", "to": "9:00" }] } }',
    'policy/invalid',
    { line: 1, key: 'uploads.hours.0.from' },
  ],
  ['[]', 'policy/invalid', { line: 1, key: '' }],
])('a file that is wrong is an error with its line: %j', async (text, code, details) => {
  await expect(readPolicy(machine({ files: { [linux]: text } }))).rejects.toMatchObject({
    code,
    details: { path: linux, ...details },
  });
});

test.each([
  ['"updates.chanel"="beta"', 'policy/unknown-key', 'updates.chanel'],
  ['"sampleData"=dword:00000002', 'policy/invalid', 'sampleData'],
  ['"log.level"="loud"', 'policy/invalid', 'log.level'],
  ['"log.level"=hex:01,02', 'policy/syntax', '"log.level"'],
  ['no line of the format', 'policy/syntax', ''],
])('a registry that is wrong is an error: %s', async (line, code, key) => {
  await expect(readPolicy(machine({ platform: 'win32', registry: exported(line) }))).rejects.toMatchObject({
    code,
    details: { path: expect.stringContaining('HKEY_LOCAL_MACHINE'), key },
  });
});

test.each([linux, '/etc/inspection-desk'])('refuses a file that others can change: %s', async (unsafe) => {
  await expect(readPolicy(machine({ files: { [linux]: '{}' }, unsafe }))).rejects.toMatchObject({
    code: 'policy/unsafe',
    details: { path: unsafe },
  });
});

test('what cannot be read is an error, and not a machine without policy', async () => {
  const failing = { ...machine({ platform: 'win32' }), exportRegistry: () => Promise.reject(new Error('EACCES')) };
  await expect(readPolicy(failing)).rejects.toMatchObject({ code: 'policy/unreadable' });
});

test.skipIf(process.platform === 'win32')('this machine: only the owner may be able to change a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'policy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'config.json');
  writeFileSync(path, '{}');
  chmodSync(path, 0o644);
  const own = thisMachine(process.getuid?.());
  expect(await own.isSafe(path, 'file')).toBe(true);
  expect(await thisMachine(4711).isSafe(path, 'file')).toBe(false);
  chmodSync(path, 0o664);
  expect(await own.isSafe(path, 'file')).toBe(false);
  expect(own.readText(path)).toBe('{}');
  expect(own.readText(join(folder, 'missing'))).toBeUndefined();
});

test('every key of the schema is managed as a setting of the contract', () => {
  const paths = new Set(policyKeys().map(({ path }) => path.split('.').slice(0, 2).join('.')));
  expect([...paths].toSorted()).toEqual([...ManagedPath.options].toSorted());
  expect(managedPaths({ sampleData: true, connection: { scope: 'openid' } })).toEqual([
    'connection.scope',
    'sampleData',
  ]);
});
