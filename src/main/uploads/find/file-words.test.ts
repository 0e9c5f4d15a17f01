import { expect, test } from 'vitest';
import { typedWords, wordsOf } from './file-index.ts';

const sorted = (text: string): readonly string[] => [...wordsOf(text)].toSorted();

test.each([
  ['IMG_0123.jpg', ['0123', '123', 'img', 'jpg']],
  ['IMG0123', ['0123', '123', 'img0123']],
  ['Tak Åkergatan/Straße 7b', ['7b', 'akergatan', 'b', 'strasse', 'tak']],
  ['KitchenRoof', ['kitchenroof', 'roof']],
  ['Bjørn Æ.pdf', ['ae', 'bjorn', 'pdf']],
  ['cafe\u0301 caf\u00e9', ['cafe']],
  ['0', ['0']],
  ['…', []],
])('%s is found by %j', (text, words) => {
  expect(sorted(text)).toEqual(words);
});

test('names that alternate letters and digits have few parts, and long words are cut', () => {
  expect(sorted('1a2b3c4d5e6f7g8h')).toHaveLength(5);
  expect(sorted('x'.repeat(100))).toEqual(['x'.repeat(40)]);
  expect(sorted(`${'x'.repeat(39)}\u{10428}y`)).toEqual(['x'.repeat(39)]);
});

test('typed words are compared as they are stored, each once, the longest first and numbers last', () => {
  expect(typedWords('Åke IMG_0123 åkern åke')).toEqual(['akern', 'ake', 'img', '0123']);
});
