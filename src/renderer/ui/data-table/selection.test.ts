import { expect, test } from 'vitest';
import { extended, nothingSelected, toggled } from './selection.ts';

test('a row is selected, and no longer when it is chosen again', () => {
  const one = toggled(nothingSelected, 3, 30);
  expect([...one.ids]).toEqual([30]);
  expect(one.anchor).toBe(3);
  expect([...toggled(one, 3, 30).ids]).toEqual([]);
});

test('a range becomes longer and shorter without losing what was selected before', () => {
  const before = toggled(toggled(nothingSelected, 9, 90), 2, 20);
  const long = extended(before, [20, 30, 40]);
  expect([...long.ids]).toEqual([90, 20, 30, 40]);
  const short = extended(long, [20, 30]);
  expect([...short.ids]).toEqual([90, 20, 30]);
  expect(short.anchor).toBe(2);
});
