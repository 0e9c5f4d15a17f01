import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fileNameCandidates, fileNameKey } from './file-names.ts';

const first = (path: string, count: number) => fileNameCandidates(path).take(count).toArray();

it('starts with the base name, then adds folders from the inside out, then counts', () => {
  expect(first('Site A/inside/photo.jpg', 5)).toEqual([
    'photo.jpg',
    'inside - photo.jpg',
    'Site A - inside - photo.jpg',
    'photo (2).jpg',
    'photo (3).jpg',
  ]);
});

it('keeps names without an extension and dot files whole when it counts', () => {
  expect(first('README', 2)).toEqual(['README', 'README (2)']);
  expect(first('.env', 2)).toEqual(['.env', '.env (2)']);
});

it('composes letters (NFC), as a Mac spells them apart', () => {
  expect(first('A\u030angstro\u0308m.pdf', 1)).toEqual(['\u00c5ngstr\u00f6m.pdf']);
  expect(fileNameKey('A\u030aNG.PDF')).toBe(fileNameKey('\u00e5ng.pdf'));
});

it('never runs out of different names', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.string({ minLength: 1 }).filter((part) => !part.includes('/')),
        { minLength: 1, maxLength: 5 },
      ),
      (parts) => {
        const names = first(parts.join('/'), parts.length + 20);
        expect(new Set(names.slice(-20)).size).toBe(20);
      },
    ),
  );
});
