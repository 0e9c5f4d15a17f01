import { expect, test } from 'vitest';
import { mayStillArrive } from './remove-file.ts';

test('each attempt without a response may still arrive, and a removal accounts for one of them', () => {
  const may = (attempts: number, isRemoved: boolean): boolean =>
    mayStillArrive({ unanswered: new Map([[1, attempts]]) }, 1, isRemoved);
  expect([may(0, false), may(0, true)]).toEqual([false, false]);
  expect([may(1, false), may(1, true)]).toEqual([true, false]);
  expect([may(2, false), may(2, true)]).toEqual([true, true]);
});
