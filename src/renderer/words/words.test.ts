import { expect, it } from 'vitest';
import { speakEnglish } from './testing/speak-english.ts';
import { t } from './words.ts';

speakEnglish();

it('takes the form for one and for several, with numbers as on the rest of the computer', () => {
  expect(t('count.file', { count: 1 })).toBe('1 file');
  expect(t('count.file', { count: 0 })).toBe('0 files');
  expect(t('count.file', { count: 1204 })).toBe(`${(1204).toLocaleString()} files`);
});

it('shows values as they are, whatever they look like', () => {
  const query = '<b>$t(common.cancel)</b> {{query}} “\u202Eabc” 🏠';
  expect(t('protocols.noMatch', { query })).toBe(`No protocols found for “${query}”.`);
});

it('does not compile with a key or a value that is missing', () => {
  // @ts-expect-error -- there is no such key.
  expect(t('protocols.nothingOfTheKind')).toBe('protocols.nothingOfTheKind');
  // @ts-expect-error -- the sentence names the query.
  expect(t('protocols.noMatch', {})).toContain('No protocol');
});
