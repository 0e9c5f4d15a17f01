import { expect, test } from 'vitest';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { fileState, foundStateName } from './files.tsx';

speakEnglish();

test('a file in progress is copied and exported as queued while its upload waits, as its row says', () => {
  expect(fileState(false).text?.({ state: 'sending' })).toBe(foundStateName('queued'));
  expect(fileState(true).text?.({ state: 'sending' })).toBe(foundStateName('sending'));
  expect(fileState(true).text?.({ state: 'sending', isWaiting: true })).toBe('Waiting to retry');
  expect(fileState(false).text?.({ state: 'done' })).toBe(foundStateName('done'));
});
