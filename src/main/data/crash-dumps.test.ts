import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { crashFolder, openCrashFolder, readCrashDumps } from './crash-dumps.ts';

const makeHome = (): string => {
  const home = mkdtempSync(join(tmpdir(), 'desk-crashes-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return home;
};

/** Writes the dump with the number `index`, which is `index` minutes old, and its metadata file. */
const writeDump = (home: string, index: number): void => {
  const folder = join(crashFolder(home), index % 2 ? 'pending' : 'completed');
  mkdirSync(folder, { recursive: true });
  for (const suffix of ['dmp', 'meta']) writeFileSync(join(folder, `dump-${index}.${suffix}`), 'x'.repeat(index + 1));
  const at = 1_700_000_000 - index * 60;
  utimesSync(join(folder, `dump-${index}.dmp`), at, at);
};

test('the newest five dumps are kept, and others go with their notes', () => {
  const home = makeHome();
  expect(readCrashDumps(home)).toEqual([]);
  for (let index = 0; index < 9; index += 1) writeDump(home, index);
  writeFileSync(join(crashFolder(home), 'settings.dat'), 'of the reporter');
  expect(openCrashFolder(home)).toBe(crashFolder(home));
  expect(readCrashDumps(home)).toEqual(
    [0, 1, 2, 3, 4].map((index) => ({
      file: `${index % 2 ? 'pending' : 'completed'}/dump-${index}.dmp`,
      atMs: 1_700_000_000_000 - index * 60_000,
      sizeBytes: index + 1,
    })),
  );
  const left = readdirSync(crashFolder(home), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(left).toHaveLength(11);
});

test.skipIf(process.platform === 'win32')(
  'the folder is closed to others, and nothing behind a link is removed',
  () => {
    const home = makeHome();
    expect(statSync(openCrashFolder(home)).mode & 0o777).toBe(0o700);
    rmSync(crashFolder(home), { recursive: true });
    const other = makeHome();
    for (let index = 0; index < 9; index += 1) writeDump(other, index);
    symlinkSync(crashFolder(other), crashFolder(home));
    openCrashFolder(home);
    expect(readCrashDumps(home)).toEqual([]);
    rmSync(crashFolder(home));
    mkdirSync(crashFolder(home));
    symlinkSync(join(crashFolder(other), 'completed'), join(crashFolder(home), 'completed'));
    openCrashFolder(home);
    expect(readCrashDumps(home)).toEqual([]);
    expect(existsSync(join(crashFolder(other), 'completed/dump-8.dmp'))).toBe(true);
  },
);
