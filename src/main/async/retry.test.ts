import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DeskError, type DeskErrorOptions } from '../../contract/errors.ts';
import { retryWaitMs, withRetry } from './retry.ts';
import { createTestClock } from './testing/clock.ts';

const failure = (options: DeskErrorOptions) => new DeskError('service/failed', 'failed', options);

/** Creates an operation that fails with each of `errors` in turn, and then returns the number of its attempt. */
const failing = (...errors: readonly unknown[]) => {
  const left = [...errors];
  return async (attempt: number): Promise<number> => {
    if (left.length > 0) throw left.shift();
    return attempt;
  };
};

test('an error that must not be retried is thrown at once', async () => {
  const clock = createTestClock();
  const error = failure({ retry: 'never' });
  await expect(withRetry(failing(error), { attempts: 5, sleep: clock.sleep })).rejects.toBe(error);
  expect(clock.slept).toEqual([]);
});

test('an error that is not a DeskError is a bug and thrown at once', async () => {
  const error = new TypeError('bug');
  await expect(withRetry(failing(error), { attempts: 5 })).rejects.toBe(error);
});

test('the waits follow the policy', async () => {
  const clock = createTestClock();
  const errors = [1, 2, 3].map(() => failure({ retry: 'later' }));
  expect(await withRetry(failing(...errors), { sleep: clock.sleep, random: () => 0.5 })).toBe(4);
  expect(clock.slept).toEqual([50, 200, 800]);
});

test('the last error is thrown when the attempts are used up', async () => {
  const clock = createTestClock();
  const errors = [1, 2, 3].map(() => failure({ retry: 'later' }));
  await expect(withRetry(failing(...errors), { attempts: 3, sleep: clock.sleep })).rejects.toBe(errors[2]);
  expect(clock.slept).toHaveLength(2);
});

test('a wait requested by the server is obeyed exactly, up to the maximum', async () => {
  const clock = createTestClock();
  const options = { attempts: 3, maxRetryAfterMs: 9_000, sleep: clock.sleep };
  const tooLong = failure({ retry: 'later', retryAfterMs: 9_001 });
  await expect(withRetry(failing(failure({ retry: 'later', retryAfterMs: 9_000 }), tooLong), options)).rejects.toBe(
    tooLong,
  );
  expect(clock.slept).toEqual([9_000]);
});

test('A6: a wait longer than the remaining time is not started', async () => {
  const clock = createTestClock();
  const errors = [9_000, 9_000].map((retryAfterMs) => failure({ retry: 'later', retryAfterMs }));
  const leftMs = () => 10_000 - clock.now();
  await expect(withRetry(failing(...errors), { attempts: 3, leftMs, sleep: clock.sleep })).rejects.toBe(errors[1]);
  expect(clock.slept).toEqual([9_000]);
});

test('when restricts what is retried', async () => {
  const error = failure({ retry: 'later' });
  await expect(withRetry(failing(error), { attempts: 3, when: () => false })).rejects.toBe(error);
});

test('a wait ends with the signal', async () => {
  const signal = AbortSignal.abort();
  const operation = failing(failure({ retry: 'later', retryAfterMs: 60_000 }));
  await expect(withRetry(operation, { attempts: 2, signal })).rejects.toMatchObject({ code: 'app/cancelled' });
});

const policies = fc.record({
  attempts: fc.integer({ min: 1, max: 10 }),
  firstMs: fc.integer({ min: 1, max: 10_000 }),
  growth: fc.integer({ min: 1, max: 5 }),
  longestMs: fc.integer({ min: 0, max: 600_000 }),
  jitter: fc.boolean(),
});
const attempts = fc.integer({ min: 1, max: 2_000 });
const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the wait of a policy', () => {
  test('is never negative, within its step and never longer than the longest', () => {
    fc.assert(
      fc.property(policies, attempts, randoms, (policy, attempt, random) => {
        const ms = retryWaitMs(policy, attempt, () => random);
        expect(ms).toBeGreaterThanOrEqual(0);
        expect(ms).toBeLessThanOrEqual(policy.longestMs);
        expect(ms).toBeLessThanOrEqual(policy.firstMs * policy.growth ** (attempt - 1));
      }),
    );
  });

  test('without jitter never becomes shorter, and does not depend on chance', () => {
    fc.assert(
      fc.property(policies, attempts, randoms, (policy, attempt, random) => {
        const fixed = { ...policy, jitter: false };
        const ms = retryWaitMs(fixed, attempt, () => random);
        expect(retryWaitMs(fixed, attempt)).toBe(ms);
        expect(retryWaitMs(fixed, attempt + 1)).toBeGreaterThanOrEqual(ms);
      }),
    );
  });

  test('with jitter is the random part of the wait without it', () => {
    fc.assert(
      fc.property(policies, attempts, randoms, (policy, attempt, random) => {
        const whole = retryWaitMs({ ...policy, jitter: false }, attempt);
        expect(retryWaitMs({ ...policy, jitter: true }, attempt, () => random)).toBe(whole * random);
      }),
    );
  });
});

test('an operation is called as often as its errors and the policy allow', async () => {
  const retry = fc.constantFrom('never' as const, 'later' as const);
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
