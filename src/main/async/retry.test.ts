import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DeskError, type DeskErrorOptions } from '../../contract/errors.ts';
import { backoffMs, withRetry } from './retry.ts';
import { createTestClock } from './testing/clock.ts';

const failure = (options: DeskErrorOptions) => new DeskError('service/failed', 'failed', options);

/** An operation that fails with each of `errors` in turn, then answers the number of its attempt. */
const failing = (...errors: readonly unknown[]) => {
  const left = [...errors];
  return async (attempt: number): Promise<number> => {
    if (left.length > 0) throw left.shift();
    return attempt;
  };
};

test('an error that says never is thrown at once', async () => {
  const clock = createTestClock();
  const error = failure({ retry: 'never' });
  await expect(withRetry(failing(error), { attempts: 5, sleep: clock.sleep })).rejects.toBe(error);
  expect(clock.slept).toEqual([]);
});

test('an error that is no DeskError is a bug and thrown at once', async () => {
  const error = new TypeError('bug');
  await expect(withRetry(failing(error), { attempts: 5 })).rejects.toBe(error);
});

test('now waits not at all, later waits a backoff', async () => {
  const clock = createTestClock();
  const operation = failing(failure({ retry: 'now' }), failure({ retry: 'later' }));
  expect(await withRetry(operation, { attempts: 3, sleep: clock.sleep, random: () => 0.5 })).toBe(3);
  expect(clock.slept).toEqual([200]);
});

test('the last error is thrown when the attempts are used up', async () => {
  const clock = createTestClock();
  const errors = [1, 2, 3].map(() => failure({ retry: 'later' }));
  await expect(withRetry(failing(...errors), { attempts: 3, sleep: clock.sleep })).rejects.toBe(errors[2]);
  expect(clock.slept).toHaveLength(2);
});

test('a server that names a time gets exactly that, up to the maximum', async () => {
  const clock = createTestClock();
  const options = { attempts: 3, maxRetryAfterMs: 9_000, sleep: clock.sleep };
  const tooLong = failure({ retry: 'later', retryAfterMs: 9_001 });
  await expect(withRetry(failing(failure({ retry: 'later', retryAfterMs: 9_000 }), tooLong), options)).rejects.toBe(
    tooLong,
  );
  expect(clock.slept).toEqual([9_000]);
});

test('A6: a wait longer than what is left of the time is not begun', async () => {
  const clock = createTestClock();
  const errors = [9_000, 9_000].map((retryAfterMs) => failure({ retry: 'later', retryAfterMs }));
  const leftMs = () => 10_000 - clock.now();
  await expect(withRetry(failing(...errors), { attempts: 3, leftMs, sleep: clock.sleep })).rejects.toBe(errors[1]);
  expect(clock.slept).toEqual([9_000]);
});

test('when narrows what is repeated', async () => {
  const error = failure({ retry: 'later' });
  await expect(withRetry(failing(error), { attempts: 3, when: () => false })).rejects.toBe(error);
});

test('a wait ends with the signal', async () => {
  const signal = AbortSignal.abort();
  const operation = failing(failure({ retry: 'later', retryAfterMs: 60_000 }));
  await expect(withRetry(operation, { attempts: 2, signal })).rejects.toMatchObject({ code: 'app/cancelled' });
});

test('a backoff is never negative, within its step, and at most 30 s', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2_000 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (n, r) => {
        const ms = backoffMs(n, () => r);
        expect(ms).toBeGreaterThanOrEqual(0);
        expect(ms).toBeLessThanOrEqual(Math.min(30_000, 100 * 4 ** (n - 1)));
      },
    ),
  );
});

test('an operation is called as often as its errors and the attempts allow, never more', async () => {
  const retry = fc.constantFrom('never' as const, 'later' as const, 'now' as const);
  await fc.assert(
    fc.asyncProperty(fc.array(retry, { maxLength: 8 }), fc.integer({ min: 1, max: 8 }), async (kinds, attempts) => {
      let calls = 0;
      const operation = failing(...kinds.map((kind) => failure({ retry: kind })));
      const counted = async (attempt: number) => {
        calls += 1;
        return operation(attempt);
      };
      await withRetry(counted, { attempts, sleep: async () => {} }).catch(() => {});
      const final = kinds.indexOf('never');
      expect(calls).toBe(Math.min(attempts, final === -1 ? kinds.length + 1 : final + 1));
    }),
  );
});
