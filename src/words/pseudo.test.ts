import { expect, test } from 'vitest';
import { pseudo, toPseudo } from './pseudo.ts';

test('text gets accents, brackets and more letters; placeholders stay', () => {
  expect(pseudo('Remove {{count, number}} file')).toBe('[Ŕéɱöṽééñî {{count, number}} ƒîļééñ]');
  expect(toPseudo({ a: { b: 'OK' } })).toEqual({ a: { b: '[ÖĶ]' } });
});

test('a sentence gets at least 30 % longer', () => {
  const sentence = 'Everything you open stays available offline.';
  expect(pseudo(sentence).length).toBeGreaterThan(1.3 * sentence.length);
});

test('a text is as long as its longest translation, and its longest word as the longest of theirs', () => {
  const manual = 'Bedienungsanleitung';
  expect(pseudo('Read the manual', ['Läs', manual])).toBe(`[Ŕéåðéñ ţĥééñ ${'ɱåñûåļ'.padEnd(manual.length, 'éñî')}]`);
  expect(pseudo('No', ['', 'Auf gar keinen Fall'])).toBe('[Ñöéñîé éñîé éñîé éñ]');
  expect(toPseudo({ a: { b: 'OK' } }, [{ a: { b: 'Ordnung', c: 'C' } }])).toEqual({ a: { b: '[ÖĶéñîéñ]' } });
});
