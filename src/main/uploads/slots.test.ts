import { expect, test } from 'vitest';
import { createSlots } from './slots.ts';

const never = new AbortController().signal;

test('no more at once than there are slots, first come first served', async () => {
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

test('who gives up waiting takes no slot from the others', async () => {
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
