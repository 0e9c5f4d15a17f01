import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockDataDirectory } from './data-lock.ts';
import { leaveRoaming, openDefaultHome } from './leave-roaming.ts';

let profile: string;
let from: string;
let to: string;
beforeEach(() => {
  profile = mkdtempSync(join(tmpdir(), 'profile-'));
  from = join(profile, 'Roaming', 'Inspection Desk');
  to = join(profile, 'Local', 'Inspection Desk');
});
afterEach(() => rmSync(profile, { recursive: true }));

const put = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
};
const data = {
  'settings.json': '{}',
  'ledger.sqlite': 'ledger',
  'ledger.sqlite-wal': 'its log',
  'outbox.sqlite': 'outbox',
  'cache.sqlite': 'offline data',
  'tokens/a.sealed': 'token',
  'logs/inspection-desk.log': 'log',
};
const rest = { 'browser/Cookies': 'x', 'ledger.sqlite-shm': 'x', 'lock.sqlite': '' };
/** The files below `folder` by their paths, and their content. */
const filesIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [])
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  );

test('moves the data once, and leaves the roaming folder empty', () => {
  put(from, { ...data, ...rest });
  const env = { APPDATA: join(profile, 'Roaming'), LOCALAPPDATA: join(profile, 'Local') };
  expect(openDefaultHome(env, 'win32')).toBe(to);
  expect(filesIn(to)).toEqual(data);
  expect(existsSync(from)).toBe(false);
  put(from, { 'ledger.sqlite': 'of an earlier version that was used again' });
  openDefaultHome(env, 'win32');
  expect(filesIn(to)).toEqual(data);
});

test('moves nothing on other systems, and nothing where there is nothing', () => {
  put(from, data);
  openDefaultHome({ APPDATA: join(profile, 'Roaming'), XDG_CONFIG_HOME: join(profile, 'Local') }, 'linux');
  expect(existsSync(to)).toBe(false);
  leaveRoaming({ from: join(profile, 'none'), to });
  expect(existsSync(to)).toBe(false);
});

test('leaves alone what is a person’s own, and what links lead to', () => {
  put(from, { ...data, 'notes of mine.txt': 'notes' });
  put(profile, { 'elsewhere/a.txt': 'a' });
  symlinkSync(join(profile, 'elsewhere'), join(from, 'sample'));
  leaveRoaming({ from, to });
  expect(filesIn(to)).toEqual(data);
  expect(filesIn(from)).toEqual({ 'notes of mine.txt': 'notes' });
  expect(filesIn(join(profile, 'elsewhere'))).toEqual({ 'a.txt': 'a' });
});

test('moves into a folder that another program made, and never over data', () => {
  put(from, data);
  put(to, { 'cache/browser/Cookies': 'x' });
  leaveRoaming({ from, to });
  expect(filesIn(to)).toMatchObject(data);
});

test('waits for an earlier version that is running', () => {
  put(from, data);
  const unlock = lockDataDirectory(from);
  expect(() => leaveRoaming({ from, to })).toThrow(expect.objectContaining({ code: 'data/in-use' }));
  expect(filesIn(from)).toMatchObject(data);
  unlock();
  leaveRoaming({ from, to });
  expect(filesIn(to)).toEqual(data);
});

test('loses nothing when it is interrupted at any step', () => {
  for (let crashAt = 1, crashed = true; crashed; crashAt += 1) {
    for (const folder of [from, to]) rmSync(folder, { recursive: true, force: true });
    put(from, { ...data, ...rest });
    let step = 0;
    const beforeStep = (): void => {
      step += 1;
      if (step === crashAt) throw new Error('crash');
    };
    crashed = false;
    try {
      leaveRoaming({ from, to, beforeStep });
    } catch {
      crashed = true;
    }
    expect({ ...filesIn(to), ...filesIn(from) }).toMatchObject(data);
    leaveRoaming({ from, to });
    expect(filesIn(to)).toEqual(data);
    expect(existsSync(from)).toBe(false);
    if (crashAt === 1) expect(crashed).toBe(true);
  }
});

const held = (): never => {
  throw Object.assign(new Error('held by another program'), { code: 'EBUSY' });
};

test('a file that another program holds keeps no other one, and goes at a later start', () => {
  put(from, { ...data, ...rest });
  let isMovedAlready = false;
  const holdFirst = (): void => {
    if (!existsSync(join(to, 'moved-from-roaming')) || isMovedAlready) return;
    isMovedAlready = true;
    held();
  };
  leaveRoaming({ from, to, beforeStep: holdFirst });
  expect(readdirSync(from)).toHaveLength(1);
  leaveRoaming({ from, to });
  expect(existsSync(from)).toBe(false);
  expect(filesIn(to)).toEqual(data);
});

test('a file that is held while it is copied ends that start only', () => {
  put(from, data);
  let step = 0;
  const holdOne = (): void => {
    step += 1;
    if (step === 4) held();
  };
  expect(() => leaveRoaming({ from, to, beforeStep: holdOne })).toThrow(
    expect.objectContaining({ code: 'data/unwritable' }),
  );
  expect(filesIn(from)).toMatchObject(data);
  leaveRoaming({ from, to });
  expect(filesIn(to)).toEqual(data);
  expect(existsSync(from)).toBe(false);
});

test('what an earlier version wrote before the removal was finished stays', () => {
  put(from, data);
  const holdAll = (): void => {
    if (existsSync(join(to, 'moved-from-roaming'))) held();
  };
  leaveRoaming({ from, to, beforeStep: holdAll });
  const later = { 'ledger.sqlite': 'of an earlier version that was used again' };
  put(from, later);
  utimesSync(join(from, 'ledger.sqlite'), new Date(), new Date(Date.now() + 60_000));
  leaveRoaming({ from, to });
  expect(filesIn(from)).toMatchObject(later);
  expect(filesIn(to)).toEqual(data);
  leaveRoaming({ from, to });
  expect(filesIn(from)).toMatchObject(later);
});

test('copies again what an earlier version changed after an interruption', () => {
  put(from, data);
  let step = 0;
  const beforeStep = (): void => {
    step += 1;
    if (step === 4) throw new Error('crash');
  };
  expect(() => leaveRoaming({ from, to, beforeStep })).toThrow();
  put(from, { 'ledger.sqlite': 'a later upload' });
  leaveRoaming({ from, to });
  expect(filesIn(to)).toEqual({ ...data, 'ledger.sqlite': 'a later upload' });
});

test('copies nothing over what another start has moved in the meantime', () => {
  put(from, data);
  let step = 0;
  const beforeStep = (): void => {
    step += 1;
    if (step === 1) put(to, { ...data, 'ledger.sqlite': 'a later upload', 'moved-from-roaming': '' });
  };
  leaveRoaming({ from, to, beforeStep });
  expect(filesIn(to)).toEqual({ ...data, 'ledger.sqlite': 'a later upload' });
});
