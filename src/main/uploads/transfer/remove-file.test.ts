import { expect, test } from 'vitest';
import { mayStillArrive, sentWithoutResponse } from './remove-file.ts';

test('each attempt without a response may still arrive, and a removal accounts for one of them', () => {
  const unanswered = new Map<number, number>();
  const may = (isRemoved: boolean): boolean => mayStillArrive({ unanswered }, 1, isRemoved);
  expect([may(false), may(true)]).toEqual([false, false]);
  sentWithoutResponse(unanswered, 1);
  expect([may(false), may(true)]).toEqual([true, false]);
  sentWithoutResponse(unanswered, 1);
  expect([may(false), may(true)]).toEqual([true, true]);
});
