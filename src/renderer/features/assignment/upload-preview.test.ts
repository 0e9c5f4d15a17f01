import { expect, test } from 'vitest';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { previewText } from './upload-preview.ts';

speakEnglish();

const noFiles = {
  files: 0,
  bytes: 0,
  renamed: 0,
  renames: [],
  leftOut: { hidden: 0, system: 0, links: 0, special: 0, unreadable: 0 },
};
const rename = { path: 'a?.txt', FileName: 'a_.txt', reason: 'characters' } as const;
const one = { ...noFiles, files: 1, bytes: 1024, renamed: 1, renames: [rename] };

test('says how much it is, what is left out, and how many files will be renamed', () => {
  expect(previewText(noFiles)).toBe('There are no files to upload.');
  expect(previewText(one)).toBe('1 file, 1 kB. 1 file will be renamed.');
  const leftOut = { hidden: 2, system: 0, links: 0, special: 0, unreadable: 1 };
  expect(previewText({ ...one, renamed: 0, leftOut })).toBe(
    '1 file, 1 kB. Left out: 2 hidden files, 1 unreadable file.',
  );
});
