import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBudget, type Reservation } from './budget.ts';

const never = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('never reserves more than there is, first come first served, and never leaves a task waiting that fits', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.record({ reserve: fc.integer({ min: 1, max: 10 }) }),
          fc.record({ reduce: fc.nat(9), to: fc.double({ min: 0, max: 1, noNaN: true }) }),
        ),
        { maxLength: 40 },
      ),
      async (steps) => {
        const budget = createBudget(10);
        const asked: number[] = [];
        const given: { index: number; reservation: Reservation; amount: number }[] = [];
        for (const step of steps) {
          if ('reserve' in step) {
            const index = asked.push(step.reserve) - 1;
            void budget
              .reserve(step.reserve, never)
              .then((reservation) => reservation && given.push({ index, reservation, amount: step.reserve }));
          } else {
            const one = given[step.reduce % Math.max(1, given.length)];
            if (one) {
              one.amount = Math.floor(one.amount * step.to);
              one.reservation.reduceTo(one.amount);
            }
          }
          await settled();
          const reserved = given.reduce((sum, { amount }) => sum + amount, 0);
          expect(budget.reserved()).toBe(reserved);
          expect(reserved).toBeLessThanOrEqual(10);
          expect(given.map(({ index }) => index)).toEqual(given.map((_, index) => index));
          const next = asked[given.length];
          if (next !== undefined) expect(reserved + next).toBeGreaterThan(10);
        }
      },
    ),
  ));

test('a cancelled wait holds nobody up', async () => {
  const budget = createBudget(10);
  const first = await budget.reserve(6, never);
  const giveUp = new AbortController();
  const gaveUp = budget.reserve(8, giveUp.signal);
  const next = budget.reserve(4, never);
  giveUp.abort();
  expect(await gaveUp).toBeUndefined();
  expect(await next).toBeDefined();
  first?.reduceTo(0);
  expect(budget.reserved()).toBe(4);
  expect(await budget.reserve(1, giveUp.signal)).toBeUndefined();
});
