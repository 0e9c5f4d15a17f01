import { expect, test } from 'vitest';
import { createKeyedLock } from './keyed-lock.ts';

const never = new AbortController().signal;

test('one at a time for a key, in order; other keys do not wait', async () => {
  const lock = createKeyedLock();
  const order: string[] = [];
  const work = async (key: string, name: string) => {
    const unlock = await lock(key, never);
    order.push(`${name} begins`);
    await Promise.resolve();
    order.push(`${name} ends`);
    unlock();
  };
  await Promise.all([work('a', '1'), work('a', '2'), work('a', '3')]);
  expect(order).toEqual(['1 begins', '1 ends', '2 begins', '2 ends', '3 begins', '3 ends']);

  await lock('a', never);
  (await lock('b', never))();
});

test('who gives up waiting lets the next one have its turn, and not before', async () => {
  const lock = createKeyedLock();
  const unlock = await lock('a', never);
  const giveUp = new AbortController();
  const second = lock('a', giveUp.signal);
  let third = false;
  const thirdTurn = lock('a', never).then(() => {
    third = true;
  });
  giveUp.abort();
  await expect(second).rejects.toMatchObject({ code: 'app/cancelled' });
  await Promise.resolve();
  expect(third).toBe(false);
  unlock();
  await thirdTurn;
});
