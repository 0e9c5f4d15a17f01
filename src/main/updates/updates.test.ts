import { expect, test } from 'vitest';
import type { UpdateStatus } from '../../contract/app.ts';
import { DeskError } from '../../contract/errors.ts';
import {
  CHECK_EVERY_MS,
  canCheck,
  dueAtMs,
  FIRST_CHECK_MS,
  nextStatus,
  RETRY_FAILED_MS,
  type UpdateEvent,
} from './updates.ts';

const found = { version: '2.0.0', notes: 'Faster.' };
const error = new DeskError('update/unreachable', 'no answer', { retry: 'later' });

const after = (...events: readonly UpdateEvent[]): UpdateStatus =>
  events.reduce(nextStatus, { state: 'off', reason: 'setting' });
const on: UpdateEvent = { type: 'allowed' };

test('goes from a check to a version that is ready', () => {
  expect(after(on)).toEqual({ state: 'current' });
  const asked: readonly UpdateEvent[] = [on, { type: 'asked' }];
  expect(after(...asked)).toEqual({ state: 'checking' });
  const responded = [...asked, { type: 'responded', found, atMs: 5 } as const];
  expect(after(...responded)).toEqual({ state: 'downloading', found, percent: 0 });
  expect(after(...responded, { type: 'progress', percent: 41.8 })).toMatchObject({ percent: 41 });
  expect(after(...responded, { type: 'downloaded' })).toEqual({ state: 'ready', found });
});

test('remembers when there was nothing newer, and looks again a day later', () => {
  const current = after(on, { type: 'asked' }, { type: 'responded', atMs: 5 });
  expect(current).toEqual({ state: 'current', checkedAtMs: 5 });
  expect(dueAtMs(after(on), 100)).toBe(100 + FIRST_CHECK_MS);
  expect(dueAtMs(current, 100)).toBe(5 + CHECK_EVERY_MS);
});

test('tries again an hour after a failure', () => {
  const failed = after(on, { type: 'asked' }, { type: 'failed', error, atMs: 7 });
  expect(failed).toMatchObject({ state: 'failed', error: { code: 'update/unreachable' }, failedAtMs: 7 });
  expect(canCheck(failed)).toBe(true);
  expect(dueAtMs(failed, 0)).toBe(7 + RETRY_FAILED_MS);
});

test('what is turned off stays off, whatever is still on its way', () => {
  const off: UpdateEvent = { type: 'allowed', off: 'setting' };
  const late: readonly UpdateEvent[] = [
    { type: 'asked' },
    { type: 'responded', found, atMs: 1 },
    { type: 'progress', percent: 9 },
    { type: 'downloaded' },
    { type: 'failed', error, atMs: 1 },
  ];
  const downloading = [on, { type: 'asked' }, { type: 'responded', found, atMs: 1 }] as const;
  for (const event of late) expect(after(...downloading, off, event)).toEqual({ state: 'off', reason: 'setting' });
  expect(dueAtMs(after(off), 0)).toBeUndefined();
});

test('a version that is ready is neither looked for again nor lost', () => {
  const ready = after(on, { type: 'asked' }, { type: 'responded', found, atMs: 1 }, { type: 'downloaded' });
  expect(nextStatus(ready, { type: 'asked' })).toBe(ready);
  expect(nextStatus(ready, { type: 'failed', error, atMs: 2 })).toBe(ready);
  expect(nextStatus(ready, on)).toBe(ready);
  expect(dueAtMs(ready, 0)).toBeUndefined();
});
