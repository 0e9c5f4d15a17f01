import { beforeAll, expect, it } from 'vitest';
import { loadWindowWords } from '../../words/languages.ts';
import { speakEnglish } from '../words/testing/speak-english.ts';
import { speak } from '../words/words.ts';
import { codeWords } from './texts.tsx';

beforeAll(speakEnglish);

it('writes a code in capitals as words and keeps everything else', () => {
  expect(['PENDING', 'IN_PROGRESS', 'NOT_AS_ORDERED'].map(codeWords)).toEqual([
    'Pending',
    'In progress',
    'Not as ordered',
  ]);
  const others = ['', 'A', 'Ja', 'in_progress', 'K3', '_PLANNED', 'PLANNED ', 'ÅPEN', 'OK / NA'];
  expect(others.map(codeWords)).toEqual(others);
});

it('translates the codes that are known', async () => {
  speak(await loadWindowWords('de'));
  expect(['PENDING', 'CRITICAL', 'NOT_AS_ORDERED'].map(codeWords)).toEqual([
    'Ausstehend',
    'Kritisch',
    'Not as ordered',
  ]);
});
