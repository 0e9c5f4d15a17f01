import { expect, test } from 'vitest';
import { createHeldSlot } from './held-slot.ts';
import { createSlots } from './slots.ts';

const take = async (
  slots: ReturnType<typeof createSlots>,
  parked: ReturnType<typeof createSlots>,
  signal: AbortSignal,
) => {
  const release = await slots.acquire(signal);
  if (!release) throw new Error('no slot');
  return createHeldSlot(slots, release, parked, signal);
};

test('while a task is parked another one can have its slot, and it waits for a slot afterwards', async () => {
  const { signal } = new AbortController();
  const [slots, parked] = [createSlots(1), createSlots(1)];
  const first = await take(slots, parked, signal);
  const unpark = first.tryPark();
  expect([slots.taken(), parked.taken()]).toEqual([0, 1]);
  const second = await take(slots, parked, signal);
  expect(second.tryPark()).toBeUndefined();

  const back = unpark?.();
  second.release();
  await back;
  expect([slots.taken(), parked.taken()]).toEqual([1, 0]);
  first.release();
  first.release();
  expect(slots.taken()).toBe(0);
});

test('park works however many are parked', async () => {
  const { signal } = new AbortController();
  const [slots, parked] = [createSlots(1), createSlots(0)];
  const first = await take(slots, parked, signal);
  const back = first.park();
  const second = await take(slots, parked, signal);
  second.park();
  await back();
  expect(slots.taken()).toBe(1);
});

test('a task that ends while it is parked frees nothing twice', async () => {
  const abort = new AbortController();
  const [slots, parked] = [createSlots(1), createSlots(1)];
  const slot = await take(slots, parked, abort.signal);
  const unpark = slot.tryPark();
  abort.abort();
  await expect(unpark?.()).rejects.toMatchObject({ code: 'app/cancelled' });
  slot.release();
  expect([slots.taken(), parked.taken()]).toEqual([0, 0]);
});
