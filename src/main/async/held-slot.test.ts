import { expect, test } from 'vitest';
import { createHeldSlot } from './held-slot.ts';
import { createSlots } from './slots.ts';

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
