import { describe, expect, test } from 'vitest';
import { folded } from '../../contract/search.ts';
import { correctedBeginning, isCorrectable } from './typos.ts';

describe('one mistake in a word', () => {
  test.each([
    ['a letter too few', 'staton', 'station', 'station'],
    ['a letter too many', 'statiion', 'station', 'station'],
    ['another letter', 'stetion', 'station', 'station'],
    ['two letters in the wrong order', 'statoin', 'station', 'station'],
    ['in the first letter', 'etation', 'station', 'station'],
    ['the first letter missing', 'tation', 'station', 'station'],
    ['in the last letter of the whole word', 'statiom', 'station', 'station'],
    ['a letter too many at the end', 'stations', 'station', 'station'],
    ['in the beginning of a longer word', 'drotin', 'drottninggatan', 'drottn'],
    ['in a beginning that is not typed to its end', 'drottnngg', 'drottninggatan', 'drottningg'],
    ['at the end of a beginning, which may be another word', 'statx', 'station', undefined],
    ['none', 'stat', 'station', undefined],
    ['two', 'sattoin', 'station', undefined],
  ])('%s: %s for %s', (_what, typed, known, corrected) => {
    expect(correctedBeginning(typed, known)).toBe(corrected);
  });

  test('is corrected in words of letters only, regardless of case and accents', () => {
    expect(['stat', 'Ängsvägen', 'øster'].every(isCorrectable)).toBe(true);
    expect(['109', 'yo1', '109b', 'fac', 'a'.repeat(41), 'a-bcd'].some(isCorrectable)).toBe(false);
    expect(folded('Ängsvägen')).toBe('angsvagen');
  });
});
