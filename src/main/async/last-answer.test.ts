import { expect, test } from 'vitest';
import { keepLastAnswer } from './last-answer.ts';

test('asks once for the same question, and again after another one or a failure', async () => {
  const answer = keepLastAnswer<string>();
  const asked: string[] = [];
  const ask = (question: string, fails = false) =>
    answer(question, async () => {
      asked.push(question);
      if (fails) throw new Error('no');
      return question;
    });
  expect(await Promise.all([ask('one'), ask('one')])).toEqual(['one', 'one']);
  expect(await ask('other')).toBe('other');
  await expect(ask('bad', true)).rejects.toThrow('no');
  expect(await ask('bad')).toBe('bad');
  expect(asked).toEqual(['one', 'other', 'bad', 'bad']);
});
