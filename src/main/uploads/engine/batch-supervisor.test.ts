import { expect, it } from 'vitest';
import { DeskError, type ErrorCode } from '../../../contract/errors.ts';
import type { Settled } from '../transfer/transfer.ts';
import { createCircuitBreaker } from './batch-supervisor.ts';

const failed = (code: ErrorCode): Settled => ({
  state: 'failed',
  error: new DeskError(code, 'failed', { details: { status: 403, path: 'a.txt' } }),
});
const done: Settled = { state: 'done' };

/** Returns the number of the file at which a circuit breaker with the limit three pauses; 0 if it does not pause. */
const pausesAt = (...ends: readonly Settled[]): number => {
  const settled = createCircuitBreaker(3);
  return ends.findIndex((end) => settled(end) !== undefined) + 1;
};

it('pauses when the last files failed with the same error, and reports it without naming a file', () => {
  const settled = createCircuitBreaker(2);
  expect(settled(failed('upload/denied'))).toBeUndefined();
  const reason = settled(failed('upload/denied'));
  expect(reason).toMatchObject({ code: 'upload/denied', details: { status: 403, failedInARow: 2 } });
  expect(reason?.details).not.toHaveProperty('path');
});

it('continues if a file succeeds from time to time', () => {
  const denied = failed('upload/denied');
  expect(pausesAt(denied, denied, done, denied, denied, { state: 'skipped' }, denied, denied)).toBe(0);
  expect(pausesAt(done, denied, denied, denied)).toBe(4);
});

it('continues if files fail with different errors', () => {
  const [denied, refused] = [failed('upload/denied'), failed('service/forbidden')];
  expect(pausesAt(denied, denied, refused, denied, denied, refused)).toBe(0);
});

it('ignores errors of the files themselves', () => {
  const [large, denied] = [failed('upload/too-large'), failed('upload/denied')];
  expect(pausesAt(large, large, large, large)).toBe(0);
  expect(pausesAt(denied, large, denied, large, denied)).toBe(5);
});
