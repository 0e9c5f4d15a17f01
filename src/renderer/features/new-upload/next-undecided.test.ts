import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DraftRow } from '../../../contract/drafts.ts';
import { nextUndecided } from './next-undecided.ts';

const readFrom = (choices: readonly DraftRow['choice'][]) => async (offset: number, limit: number) => ({
  rows: choices.slice(offset, offset + limit).map((choice) => ({ choice })),
  total: choices.length,
});

it('finds the first row without a decision from a position on, and continues at the beginning', async () => {
  const choice = fc.constantFrom('undecided', 'assignment', 'left-out');
  await fc.assert(
    fc.asyncProperty(fc.array(choice, { maxLength: 900 }), fc.nat(1000), async (choices, from) => {
      const after = choices.findIndex((each, index) => index >= from && each === 'undecided');
      const any = choices.indexOf('undecided');
      const expected = after >= 0 ? after : any >= 0 ? any : undefined;
      expect(await nextUndecided(readFrom(choices), from)).toBe(expected);
    }),
    { numRuns: 50 },
  );
});

it('asks for parts of a long list', async () => {
  const limits: number[] = [];
  const read = readFrom([...Array.from({ length: 700 }, () => 'assignment' as const), 'undecided']);
  const found = await nextUndecided((offset, limit) => {
    limits.push(limit);
    return read(offset, limit);
  }, 0);
  expect(found).toBe(700);
  expect(Math.max(...limits)).toBe(200);
});
