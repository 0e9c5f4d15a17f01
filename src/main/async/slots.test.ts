import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSlots, type Slots } from './slots.ts';

const never = new AbortController().signal;

/** Acquires this many slots; answers which of the callers have one. */
const queue = (slots: Slots, count: number) => {
  const releases: (() => void)[] = [];
  for (let index = 0; index < count; index += 1) {
    void slots.acquire(never).then((release) => release && releases.push(release));
  }
  return releases;
};
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('runs no more at once than there are slots, first come first served', async () => {
  const slots = createSlots(2);
  const [first, second] = [await slots.acquire(never), await slots.acquire(never)];
  const order: string[] = [];
  const third = slots.acquire(never).then(() => order.push('third'));
  const fourth = slots.acquire(never).then(() => order.push('fourth'));
  await Promise.resolve();
  expect(order).toEqual([]);
  first?.();
  await third;
  second?.();
  await fourth;
  expect(order).toEqual(['third', 'fourth']);
});

test('a cancelled waiter takes no slot from the others', async () => {
  const slots = createSlots(1);
  const release = await slots.acquire(never);
  const giveUp = new AbortController();
  const gaveUp = slots.acquire(giveUp.signal);
  const next = slots.acquire(never);
  giveUp.abort();
  expect(await gaveUp).toBeUndefined();
  release?.();
  expect(await next).toBeTypeOf('function');
  expect(await slots.acquire(giveUp.signal)).toBeUndefined();
});

test('the limit may change at any time: slots in use stay in use, and never too many are given out', () =>
  fc.assert(
    fc.asyncProperty(
      fc.nat(5),
      fc.array(fc.oneof(fc.record({ limit: fc.nat(6) }), fc.constant('release' as const)), { maxLength: 20 }),
      async (first, steps) => {
        const slots = createSlots(first);
        const releases = queue(slots, 30);
        let limit = first;
        let given = limit;
        for (const step of steps) {
          if (step === 'release') {
            const release = releases.shift();
            release?.();
            if (release) given = Math.max(given - 1, Math.min(given, limit));
          } else {
            limit = step.limit;
            slots.setLimit(limit);
            given = Math.max(given, limit);
          }
          await settled();
          expect(releases).toHaveLength(given);
          expect(slots.taken()).toBe(given);
        }
      },
    ),
  ));
