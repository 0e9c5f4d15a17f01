import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { DeskError } from '../../../contract/errors.ts';
import { ManagedPath } from '../../../contract/preferences.ts';
import { managedPaths } from './overlay.ts';
import { policyKeys } from './policy.ts';
import { exportRegistry, isSafeDescriptor, REGISTRY_KEY, readPolicy, thisMachine } from './read-policy.ts';

const linux = '/etc/inspection-desk/config.json';
const mac = '/Library/Application Support/Inspection Desk/config.json';
const preferences = '/Library/Managed Preferences/com.inspectiondesk.app.plist';
const windows = 'D:\\ProgramData\\Inspection Desk\\config.json';

type Machine = ReturnType<typeof thisMachine>;
type RunProgram = NonNullable<Parameters<typeof exportRegistry>[0]>;

type Has = {
  readonly platform?: NodeJS.Platform;
  readonly files?: Readonly<Record<string, string>>;
  readonly registry?: string;
  readonly unsafe?: string;
};

const machine = ({ platform = 'linux', files = {}, registry, unsafe }: Has): Machine => ({
  platform,
  readText: async (path) => files[path],
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
  ['"log.level"=hex:01,02', 'policy/syntax', 'log.level'],
  ['no line of the format', 'policy/syntax', 'no line of the format'],
])('a registry that is wrong is an error: %s', async (line, code, key) => {
  await expect(readPolicy(machine({ platform: 'win32', registry: exported(line) }))).rejects.toMatchObject({
    code,
    details: { path: expect.stringContaining('HKEY_LOCAL_MACHINE'), key },
  });
});

test('B24: all faults are listed at once, each with its file, line and key and with what is allowed there', async () => {
  const file = `{
  "updates": { "chanel": "beta" },
  "log": { "level": "loud" },
  "uploads": { "concurrency": 100, "hours": [{ "from": "8", "to": "9:00" }] },
  "connection": { "baseUrl": "http://service.example" },
  "cache": []
}`;
  const registry = exported('"sampleData"=dword:00000002', '"updates.mod"="off"', '"desktop.tray"=hex:01');
  const error = await readPolicy(machine({ platform: 'win32', files: { [windows]: file }, registry })).catch(
    (reason: unknown) => reason,
  );
  const key = 'HKEY_LOCAL_MACHINE\\Software\\Policies\\Inspection Desk';
  expect(error).toMatchObject({ code: 'policy/syntax', details: { path: key, key: 'desktop.tray' } });
  const { faults } = (error as DeskError).details;
  expect(String(faults).split(' • ')).toEqual([
    `• ${windows}:2: updates.chanel: mode, channel, address`,
    `${windows}:3: log.level: error | warn | info | debug`,
    `${windows}:4: uploads.concurrency: 1–64 | auto`,
    `${windows}:4: uploads.hours.0.from: "08:00"`,
    `${windows}:4: uploads.hours.0.to: "08:00"`,
    `${windows}:5: connection.baseUrl: "https://inspection.example.com"`,
    `${windows}:6: cache: limitMegabytes`,
    `${key}: desktop.tray: REG_SZ | REG_DWORD | REG_MULTI_SZ`,
    `${key}: updates.mod: mode, channel, address`,
    `${key}: sampleData: true | false`,
  ]);
});

test('B24: of a file with any number of faults, the first ones are listed', async () => {
  const keys = Array.from({ length: 50_000 }, (_, at) => `\n"key${at}": 1`);
  await expect(readPolicy(machine({ files: { [linux]: `{${keys.join()}}` } }))).rejects.toMatchObject({
    code: 'policy/unknown-key',
    details: {
      line: 2,
      key: 'key0',
      faults: expect.stringMatching(/^(• \/etc\S+:\d+: key\d+: connection, .*? ){20}• … \(49980\)$/),
    },
  });
});

test.each(['utf16le', 'utf8', 'latin1'] as const)(
  'B24: a file that PowerShell writes is read: %s',
  async (encoding) => {
    const folder = mkdtempSync(join(tmpdir(), 'policy-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'config.json');
    const mark = encoding === 'latin1' ? '' : '\uFEFF';
    writeFileSync(path, Buffer.from(`${mark}{ "network": { "caFile": "C:\\\\Företag\\\\ca.pem" } }\r\n`, encoding));
    const own = { ...machine({}), readText: () => thisMachine().readText(path) };
    expect(await readPolicy(own)).toEqual({ network: { caFile: 'C:\\Företag\\ca.pem' } });
  },
);

describe('B18: a policy', () => {
  const read = (path: string) => readPolicy({ ...machine({}), readText: () => thisMachine().readText(path) });

  test.skipIf(process.platform === 'win32')('that is a pipe or a device is refused at once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'policy-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    execFileSync('mkfifo', [join(folder, 'config.json')]);
    for (const path of [join(folder, 'config.json'), '/dev/zero'])
      await expect(read(path)).rejects.toMatchObject({ code: 'policy/unreadable', details: { path: linux } });
  });

  test.each([
    ['lists', '[', 'connection.baseUrl.0'],
    ['groups', '{"a":', 'connection.baseUrl.a.a'],
    ['texts that look so', '"[[[[\\"[[[[",[', 'connection.baseUrl'],
  ])('with any number of levels is refused with its line and key: %s', async (_, begin, key) => {
    const text = `{\n  "connection": {\n    "baseUrl": ${begin.replace(/^"/, '["')}${begin.at(-1) === ':' ? begin.repeat(200_000) : '['.repeat(200_000)}`;
    await expect(readPolicy(machine({ files: { [linux]: text } }))).rejects.toMatchObject({
      code: 'policy/syntax',
      details: {
        path: linux,
        line: 3,
        key: expect.stringMatching(`^${key}`),
        faults: expect.stringContaining('NestingTooDeep'),
      },
    });
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
  expect(await own.readText(path)).toBe('{}');
  expect(await own.readText(join(folder, 'missing'))).toBeUndefined();
});

test('every key of the schema is managed as a setting of the contract', () => {
  const paths = new Set(policyKeys().map(({ path }) => path.split('.').slice(0, 2).join('.')));
  expect([...paths].toSorted()).toEqual([...ManagedPath.options].toSorted());
  expect(managedPaths({ sampleData: true, connection: { scope: 'openid' } })).toEqual([
    'connection.scope',
    'sampleData',
  ]);
});

const admins = '(A;ID;FA;;;SY)(A;ID;FA;;;BA)';

test.each([
  ['a file of an administrator below ProgramData', 'file', `O:BAG:DUD:AI${admins}(A;ID;0x1200a9;;;BU)`, true],
  ['a file of SYSTEM', 'file', `O:SYG:SYD:${admins}`, true],
  ['a file of a user', 'file', `O:S-1-5-21-1-2-3-1001G:DUD:AI${admins}`, false],
  ['a file that a user may change', 'file', `O:BAG:DUD:AI${admins}(A;ID;FA;;;S-1-5-21-1-2-3-1001)`, false],
  ['a file that users may write', 'file', `O:BAG:DUD:AI${admins}(A;;0x1301bf;;;BU)`, false],
  ['a file that users may read, in letters', 'file', `O:BAG:DUD:AI${admins}(A;;FRFX;;;BU)`, true],
  ['a file that everybody may append to, in letters', 'file', `O:BAG:DUD:AI${admins}(A;;LC;;;WD)`, false],
  ['a file that users are denied', 'file', `O:BAG:DUD:(D;;FA;;;BU)${admins}`, true],
  ['a file without a list', 'file', 'O:BAG:DUD:NO_ACCESS_CONTROL', false],
  ['a file with a condition', 'file', 'O:BAG:DUD:(XA;;FA;;;WD;(Member_of {SID(BU)}))', false],
  ['a folder that users may add files to', 'folder', `O:BAG:DUD:AI${admins}(A;CIID;DCLCRPCR;;;BU)`, true],
  ['a folder whose files users may delete', 'folder', `O:BAG:DUD:AI${admins}(A;CIID;DT;;;BU)`, false],
  ['a folder with rights for what is below', 'folder', `O:BAG:DUD:AI${admins}(A;OICIIOID;GA;;;CO)`, true],
  ['nothing', 'file', '', false],
] as const)('%s', (_, kind, sddl, isSafe) => {
  expect(isSafeDescriptor(`${sddl}\r\n`, kind)).toBe(isSafe);
});

const refused = Object.assign(new Error('exit code 1'), { code: 1 });

/**
 * Creates a `RunProgram` like Windows: `reg query` finds only `keys`, `reg export` fails, and PowerShell prints
 * `found`.
 */
const windowsWith =
  (keys: readonly string[], found: string): RunProgram =>
  async (program, [verb, key = '']) => {
    if (program !== 'reg.exe') return `${found}\r\n`;
    if (verb === 'query' && keys.includes(key)) return '';
    throw refused;
  };

test('a registry without the key has no policy', async () => {
  expect(await exportRegistry(windowsWith(['HKEY_LOCAL_MACHINE\\Software'], 'True'))).toBeUndefined();
});

test('where the office has turned registry tools off, a policy in the registry is not passed over', async () => {
  await expect(exportRegistry(windowsWith([], 'True'))).rejects.toThrow('cannot be read');
  await expect(exportRegistry(windowsWith([], ''))).rejects.toThrow('cannot be read');
  expect(await exportRegistry(windowsWith([], 'False'))).toBeUndefined();
});

test('a program that does not run is an error', async () => {
  const run: RunProgram = async () => {
    throw Object.assign(new Error('spawn'), { code: 'ENOENT' });
  };
  await expect(exportRegistry(run)).rejects.toThrow('spawn');
  // The key exists, but cannot be exported.
  await expect(exportRegistry(windowsWith([REGISTRY_KEY], ''))).rejects.toBe(refused);
});
