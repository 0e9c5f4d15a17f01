import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { decodeText, moveAside, readBounded, replaceFile, safeName, writePieces } from './files.ts';

describe('text of a file', () => {
  const text = 'folder;assignment\r\nMalmö 5 – källare;1\r\n';
  const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');
  /** In Windows-1252 the dash is 0x96, and the other letters are those of Latin-1. */
  const codePage = Buffer.from(text.replace('–', '\u0096'), 'latin1');

  test.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16, as "Unicode text"', utf16],
    ['UTF-16 with its bytes swapped', Buffer.from(utf16).swap16()],
    ['the code page of western Windows', codePage],
  ])('reads what a spreadsheet has saved in %s', (_, bytes) => expect(decodeText(bytes)).toBe(text));

  test('an empty file has no text', () => expect(decodeText(new Uint8Array())).toBe(''));
});

const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'files-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
};

describe('a file of a bounded size', () => {
  test('is read whole up to its limit, and one that is missing is none', async () => {
    const path = join(folder(), 'a');
    expect(await readBounded(path, 5)).toBeUndefined();
    writeFileSync(path, 'hello');
    expect(String(await readBounded(path, 5))).toBe('hello');
    writeFileSync(path, '');
    expect(await readBounded(path, 5)).toHaveLength(0);
  });

  test('B18: a file that is too large, a folder, a pipe and a device are refused at once', async () => {
    const root = folder();
    writeFileSync(join(root, 'large'), '');
    truncateSync(join(root, 'large'), 1e12);
    await expect(readBounded(join(root, 'large'), 5)).rejects.toThrow('too large');
    await expect(readBounded(root, 5)).rejects.toThrow();
    if (process.platform === 'win32') return;
    execFileSync('mkfifo', [join(root, 'pipe')]);
    for (const path of [join(root, 'pipe'), '/dev/zero'])
      await expect(readBounded(path, 5)).rejects.toThrow('not a regular file');
  });
});

test('a file that cannot be replaced stays, and the reason is the first error, also where nothing can be cleaned up', async () => {
  const path = join(folder(), 'a');
  writeFileSync(path, 'earlier');
  const replacing = replaceFile(path, async (temporary) => {
    // A folder cannot be removed like a file.
    mkdirSync(temporary);
    throw new Error('EIO');
  });
  await expect(replacing).rejects.toMatchObject({ code: 'data/unwritable', cause: { message: 'EIO' } });
  expect(readFileSync(path, 'utf8')).toBe('earlier');
});

test.each([
  ['Latin letters', `${'a'.repeat(251)}.csv`],
  ['Chinese characters', `${'検'.repeat(83)}.csv`],
  ['characters of four bytes', `${'🏠'.repeat(62)}.csv`],
])('a file with the longest name of %s that the system accepts is saved', async (_, name) => {
  const place = folder();
  await replaceFile(join(place, name), async (temporary) => {
    writeFileSync(temporary, 'new');
    // Watched folders leave out names with this ending, so they ignore a file that a crash leaves behind.
    expect(readdirSync(place)).toEqual([expect.stringMatching(/\.part$/)]);
  });
  expect(readFileSync(join(place, name), 'utf8')).toBe('new');
});

test('a file named after any text is saved, also with a date, a number and an extension', async () => {
  const place = folder();
  const unit = fc.constantFrom('a', ' ', '/', '\u0000', 'é', '検', '🏠', '\ud83c');
  const text = fc.string({ unit, maxLength: 300, size: 'max' });
  await fc.assert(
    fc.asyncProperty(text, async (about) => {
      const path = join(place, `${safeName(about, 'upload')} Belege 2026-11-29 (12 von 345) (2).xlsx`);
      await writePieces(path, ['a']);
      expect(readFileSync(path, 'utf8')).toBe('a');
    }),
    { numRuns: 50 },
  );
});

test('a damaged file that cannot be moved aside is reported as such', () => {
  const path = join(folder(), 'a');
  writeFileSync(path, 'damaged');
  mkdirSync(`${path}.damaged-7`);
  expect(() => moveAside(path, 7)).toThrow(expect.objectContaining({ code: 'data/unwritable', details: { path } }));
});

test.skipIf(process.platform === 'win32')('a file that others cannot read stays so when it is replaced', async () => {
  const path = join(folder(), 'report.csv');
  await writePieces(path, ['first']);
  chmodSync(path, 0o600);
  await writePieces(path, ['second']);
  expect(readFileSync(path, 'utf8')).toBe('second');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
