import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cachePaths, makeHome, secureHome } from './data-directory.ts';

let parent: string;
let home: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'data-directory-'));
  home = join(parent, 'home');
});
afterEach(() => rmSync(parent, { recursive: true }));

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const put = (name: string, mode: number) => {
  mkdirSync(join(home, name, '..'), { recursive: true });
  writeFileSync(join(home, name), 'x');
  chmodSync(join(home, name), mode);
};
/** The functions and values of the system that `secureHome` uses. `machine` creates those of Linux, with changes. */
type Machine = NonNullable<Parameters<typeof secureHome>[1]>;

const machine = (other: Partial<Machine>): Machine => ({
  platform: 'linux',
  uid: process.getuid?.(),
  chmod: chmodSync,
  ...other,
});
const unsafe = (path: string, reason: string) =>
  expect.objectContaining({ code: 'data/unsafe', details: { path, reason } });

describe.skipIf(process.platform === 'win32')('on systems with modes', () => {
  test('A11: creates a home for its owner only', () => {
    makeHome(home);
    expect(modeOf(home)).toBe('700');
    expect(secureHome(home)).toEqual({ closed: 0, hasModes: true });
  });

  test('A11: closes an existing home and the app’s files in it, and nothing else', () => {
    for (const name of [
      'settings.json',
      'ledger.sqlite',
      'ledger.sqlite-wal',
      'tokens/a.sealed',
      'logs/a.log',
      'drafts/a.jsonl',
    ])
      put(name, 0o644);
    put('cache.sqlite', 0o400);
    put('notes of mine.txt', 0o644);
    put('browser/Cookies', 0o644);
    chmodSync(home, 0o755);
    expect(secureHome(home)).toEqual({ closed: 12, hasModes: true });
    for (const name of ['', 'tokens', 'logs', 'drafts', 'browser']) expect(modeOf(join(home, name))).toBe('700');
    for (const name of ['settings.json', 'ledger.sqlite-wal', 'tokens/a.sealed', 'cache.sqlite'])
      expect(modeOf(join(home, name))).toBe('600');
    expect(modeOf(join(home, 'notes of mine.txt'))).toBe('644');
    expect(secureHome(home)).toEqual({ closed: 0, hasModes: true });
  });

  test.each(['settings.json', 'ledger.sqlite', 'cache.sqlite-wal', 'tokens', 'logs/inspection-desk.log', 'browser'])(
    'A11: a link in the place of %s is not followed',
    (name) => {
      put(name, 0o644);
      rmSync(join(home, name));
      const target = join(parent, 'target');
      writeFileSync(target, 'of somebody else', { mode: 0o644 });
      symlinkSync(target, join(home, name));
      expect(() => secureHome(home)).toThrow(unsafe(join(home, name), 'link'));
      expect(modeOf(target)).toBe('644');
      expect(readFileSync(target, 'utf8')).toBe('of somebody else');
    },
  );

  test('A11: does not open a named pipe', () => {
    makeHome(home);
    execFileSync('mkfifo', [join(home, 'settings.json')]);
    expect(() => secureHome(home)).toThrow(unsafe(join(home, 'settings.json'), 'notAFile'));
  });

  test('A11: refuses a home or a file of another owner and leaves it unchanged', () => {
    put('settings.json', 0o644);
    const { uid } = lstatSync(home);
    expect(() => secureHome(home, machine({ uid: uid + 1 }))).toThrow(unsafe(home, 'otherUser'));
    expect(modeOf(join(home, 'settings.json'))).toBe('644');
  });

  test('A11: refuses a home below a folder that everyone can change, except one like /tmp', () => {
    makeHome(home);
    chmodSync(parent, 0o777);
    expect(() => secureHome(home)).toThrow(unsafe(parent, 'openToAll'));
    chmodSync(parent, 0o1777);
    expect(secureHome(home)).toEqual({ closed: 0, hasModes: true });
  });

  test('A11: ignores a file that another process removes meanwhile', () => {
    put('cache.sqlite', 0o644);
    put('settings.json.tmp-1', 0o600);
    const chmod = (path: string, mode: number) => {
      rmSync(join(home, 'settings.json.tmp-1'), { force: true });
      if (path.endsWith('cache.sqlite')) rmSync(path);
      chmodSync(path, mode);
    };
    expect(secureHome(home, machine({ chmod }))).toEqual({ closed: 2, hasModes: true });
  });

  test.each(['EPERM', 'ENOTSUP', 'nothing'])(
    'A11: a home on a file system without modes, whose chmod answers %s, can be used',
    (code) => {
      put('settings.json', 0o777);
      for (const folder of [parent, home]) chmodSync(folder, 0o777);
      const chmod = () => {
        if (code !== 'nothing') throw Object.assign(new Error('chmod'), { code });
      };
      expect(secureHome(home, machine({ chmod }))).toEqual({ closed: 0, hasModes: false });
    },
  );

  test('A11: leaves Chromium’s links alone', () => {
    makeHome(home);
    symlinkSync('host-123', join(home, 'SingletonLock'));
    expect(secureHome(home)).toEqual({ closed: 0, hasModes: true });
  });

  test('A11: changes no modes on Windows, where the profile’s rules apply', () => {
    makeHome(home);
    chmodSync(home, 0o777);
    expect(secureHome(home, machine({ platform: 'win32', uid: undefined }))).toEqual({ closed: 0, hasModes: false });
    expect(modeOf(home)).toBe('777');
  });
});

test('names the folder if it cannot be made', () => {
  makeHome(home);
  writeFileSync(join(home, 'cache'), 'a file');
  expect(() => makeHome(cachePaths(home).folder)).toThrow(expect.objectContaining({ code: 'data/unwritable' }));
  expect(existsSync(join(home, 'cache'))).toBe(true);
});
