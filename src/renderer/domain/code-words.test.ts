import { expect, it } from 'vitest';
import { codeWords } from './code-words.ts';

it('writes a code in capitals as words and keeps everything else', () => {
  expect(['PENDING', 'IN_PROGRESS', 'NOT_AS_ORDERED'].map(codeWords)).toEqual([
    'Pending',
    'In progress',
    'Not as ordered',
  ]);
  const others = ['', 'A', 'Ja', 'in_progress', 'K3', '_PLANNED', 'PLANNED ', 'ÅPEN', 'OK / NA'];
  expect(others.map(codeWords)).toEqual(others);
});
