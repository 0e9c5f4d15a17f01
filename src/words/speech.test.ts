import { expect, test } from 'vitest';
import { windowWords } from './en/window.ts';
import { createSpeech } from './speech.ts';

test('a language has plural forms of its own, and variants by context', () => {
  const count = { ...windowWords.count, file_few: '{{count, number}} pliki', file_many: '{{count, number}} plików' };
  const common = { ...windowWords.common, close_dative: 'Zamknięciu' };
  const { t, say } = createSpeech({ name: 'window', locale: 'pl', words: { ...windowWords, common, count } }, String);
  expect(t('count.file', { count: 3 })).toBe('3 pliki');
  expect(t('count.file', { count: 5 })).toBe('5 plików');
  expect(say('common.close', { context: 'dative' })).toBe('Zamknięciu');
  expect(say('common.close', { context: 'genitive' })).toBe('Close');
});
