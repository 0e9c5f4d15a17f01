import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBudget, createHeldSlot, createSlots, type Reservation, type Slots } from './slots.ts';

const never = new AbortController().signal;

/**
 * Calls `acquire` `count` times without waiting. Returns a list, to which the function that frees a slot is added once
 * the slot is acquired.
 */
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

const createPlaces = ({ places = 8, slots = 1, parked = 1 } = {}) => {
  const [pause, abort] = [new AbortController(), new AbortController()];
  const all = { places: createSlots(places), slots: createSlots(slots), parked: createSlots(parked) };
  const options = { ...all, waitSignal: AbortSignal.any([pause.signal, abort.signal]), signal: abort.signal };
  const begin = async () => {
    const leave = await all.places.acquire(abort.signal);
    if (!leave) throw new Error('no place');
    return createHeldSlot(options, leave);
  };
  const begun = async (order = 0) => {
    const held = await begin();
    await held.take(order);
    return held;
  };
  return { ...all, pause, abort, begin, begun };
};

test('a slot is taken instead of the place, once', async () => {
  const { places, slots, begin } = createPlaces();
  const held = await begin();
  expect([places.taken(), slots.taken()]).toEqual([1, 0]);
  await held.take(1);
  await held.take(2);
  expect([places.taken(), slots.taken()]).toEqual([0, 1]);
  held.release();
  expect([places.taken(), slots.taken()]).toEqual([0, 0]);
});

test('the lowest order takes the next slot, also when it returns from a wait', async () => {
  const { parked, begin, begun } = createPlaces();
  const taken: string[] = [];
  const waiting = async (name: string, order: number) => {
    const held = await begin();
    await held.take(order).then(() => taken.push(name));
    held.release();
  };
  const first = await begun(1);
  const unpark = first.tryPark();
  const second = await begun(2);
  const rest = [waiting('fifth', 5), waiting('third', 3), waiting('fourth', 3)];
  const back = unpark?.().then(() => taken.push('first'));
  await Promise.resolve();
  expect(first.isParked()).toBe(true);
  second.release();
  await back;
  first.release();
  await Promise.all(rest);
  expect(taken).toEqual(['first', 'third', 'fourth', 'fifth']);
  expect(parked.taken()).toBe(0);
});

test('while a task is parked another one can have its slot, and it waits for a slot afterwards', async () => {
  const { slots, parked, begun } = createPlaces();
  const first = await begun();
  const unpark = first.tryPark();
  expect([slots.taken(), parked.taken()]).toEqual([0, 1]);
  const second = await begun();
  expect(second.tryPark()).toBeUndefined();

  const back = unpark?.();
  second.release();
  await back;
  expect([slots.taken(), parked.taken()]).toEqual([1, 0]);
  first.release();
  first.release();
  expect(slots.taken()).toBe(0);
});

test('a task without a slot is parked the same way: another one has its place meanwhile', async () => {
  const { places, slots, begin } = createPlaces({ places: 1 });
  const first = await begin();
  const unpark = first.tryPark();
  const second = await begin();
  const back = unpark?.();
  second.release();
  await back;
  expect([places.taken(), slots.taken()]).toEqual([1, 0]);
});

test('park works however many are parked', async () => {
  const { slots, begun } = createPlaces({ parked: 0 });
  const first = await begun();
  const back = first.park();
  const second = await begun();
  second.park();
  await back();
  expect(slots.taken()).toBe(1);
});

test('a pause ends the wait for the first slot, but not the wait of a task that had one', async () => {
  const { places, slots, pause, begin, begun } = createPlaces();
  const first = await begun();
  const back = first.tryPark();
  const second = await begun();
  const third = await begin();
  const took = third.take(0);
  const again = back?.();
  pause.abort();
  await expect(took).rejects.toMatchObject({ code: 'app/cancelled' });
  third.release();
  second.release();
  await again;
  expect([places.taken(), slots.taken()]).toEqual([0, 1]);
});

test('a task that ends while it is parked frees nothing twice', async () => {
  const { slots, parked, abort, begun } = createPlaces();
  const slot = await begun();
  const unpark = slot.tryPark();
  abort.abort();
  await expect(unpark?.()).rejects.toMatchObject({ code: 'app/cancelled' });
  slot.release();
  expect([slots.taken(), parked.taken()]).toEqual([0, 0]);
});

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
  expect(await budget.reserve(1, giveUp.signal)).toBeUndefined();
  expect(budget.tryReserve(7)).toBeUndefined();
  expect(budget.tryReserve(6)).toBeDefined();
});
