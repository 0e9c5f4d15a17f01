import { expect, test } from 'vitest';
import { createPlace } from './place.ts';
import { createSlots } from './slots.ts';

const take = async (
  slots: ReturnType<typeof createSlots>,
  resting: ReturnType<typeof createSlots>,
  signal: AbortSignal,
) => {
  const release = await slots.acquire(signal);
  if (!release) throw new Error('no slot');
  return createPlace(slots, release, resting, signal);
};

test('while a file rests another has its place, and it waits for one after', async () => {
  const { signal } = new AbortController();
  const [slots, resting] = [createSlots(1), createSlots(1)];
  const first = await take(slots, resting, signal);
  const takeUp = first.rest();
  expect([slots.taken(), resting.taken()]).toEqual([0, 1]);
  const second = await take(slots, resting, signal);
  expect(second.rest()).toBeUndefined();

  const back = takeUp?.();
  second.leave();
  await back;
  expect([slots.taken(), resting.taken()]).toEqual([1, 0]);
  first.leave();
  first.leave();
  expect(slots.taken()).toBe(0);
});

test('however many step aside, each gives its place away', async () => {
  const { signal } = new AbortController();
  const [slots, resting] = [createSlots(1), createSlots(0)];
  const first = await take(slots, resting, signal);
  const back = first.stepAside();
  const second = await take(slots, resting, signal);
  second.stepAside();
  await back();
  expect(slots.taken()).toBe(1);
});

test('one that ends while it rests frees nothing twice', async () => {
  const abort = new AbortController();
  const [slots, resting] = [createSlots(1), createSlots(1)];
  const place = await take(slots, resting, abort.signal);
  const takeUp = place.rest();
  abort.abort();
  await expect(takeUp?.()).rejects.toMatchObject({ code: 'app/cancelled' });
  place.leave();
  expect([slots.taken(), resting.taken()]).toEqual([0, 0]);
});
