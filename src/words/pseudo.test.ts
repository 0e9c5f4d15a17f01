import { expect, test } from 'vitest';
import { pseudo, toPseudo } from './pseudo.ts';

test('text gets accents, brackets and more letters; placeholders stay', () => {
  expect(pseudo('Remove {{count, number}} file')).toBe('[Ŕéɱöṽééñö {{count, number}} ƒîļééñ]');
  expect(toPseudo({ a: { b: 'OK' } })).toEqual({ a: { b: '[ÖĶ]' } });
});

test('a sentence gets at least 30 % longer', () => {
  const sentence = 'Everything you open stays available offline.';
  expect(pseudo(sentence).length).toBeGreaterThan(1.3 * sentence.length);
});
