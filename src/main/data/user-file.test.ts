import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { userFile } from './user-file.ts';

let folder: string;
let home: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'user-file-')));
  home = join(folder, 'home');
  mkdirSync(join(home, 'logs'), { recursive: true });
  writeFileSync(join(home, 'ledger.sqlite'), 'precious');
});
afterEach(() => rmSync(folder, { recursive: true }));

const place = (path: string) => userFile(path, home);
const refused = (code: string, path: string) => expect(place(path)).rejects.toMatchObject({ code, details: { path } });

test('a new file, an existing one, and one in a folder that is still to be made', async () => {
  writeFileSync(join(folder, 'old.csv'), '');
  for (const name of ['old.csv', 'new.csv', join('receipts', 'a', 'new.csv')])
    expect(await place(join(folder, name))).toBe(join(folder, name));
  mkdirSync(join(folder, 'home of others'));
  expect(await place(join(folder, 'home of others', 'a.csv'))).toBe(join(folder, 'home of others', 'a.csv'));
});

describe('B14: refuses', () => {
  test('a folder, a device and a pipe', async () => {
    await refused('output/not-a-file', folder);
    await refused('output/not-a-file', process.platform === 'win32' ? '\\\\.\\NUL' : '/dev/null');
    if (process.platform === 'win32') return;
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await refused('output/not-a-file', join(folder, 'pipe'));
    symlinkSync(join(folder, 'pipe'), join(folder, 'link.csv'));
    await refused('output/not-a-file', join(folder, 'link.csv'));
  });

  test('the data directory, however it is written', async () => {
    for (const name of ['ledger.sqlite', 'new.csv', join('logs', 'new.csv'), join('new', 'new.csv')])
      await refused('output/data-directory', join(home, name));
    await refused('output/data-directory', `${folder}/x/../home/ledger.sqlite`);
  });

  test.skipIf(process.platform === 'win32')('the data directory behind a link', async () => {
    symlinkSync(join(home, 'ledger.sqlite'), join(folder, 'report.csv'));
    symlinkSync(home, join(folder, 'reports'));
    symlinkSync(join(home, 'settings.json'), join(folder, 'dangling.csv'));
    await refused('output/data-directory', join(folder, 'report.csv'));
    await refused('output/data-directory', join(folder, 'reports', 'new.csv'));
    await refused('data/unwritable', join(folder, 'dangling.csv'));
    // The path of the data directory itself may be a link.
    await expect(userFile(join(home, 'a.csv'), join(folder, 'reports'))).rejects.toMatchObject({
      code: 'output/data-directory',
    });
  });
});

test.skipIf(process.platform === 'win32')('a link to a file stays one: its target is written', async () => {
  writeFileSync(join(folder, 'target.csv'), '');
  symlinkSync(join(folder, 'target.csv'), join(folder, 'link.csv'));
  expect(await place(join(folder, 'link.csv'))).toBe(join(folder, 'target.csv'));
});
