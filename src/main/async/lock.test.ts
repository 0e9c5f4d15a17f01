import { expect, test } from 'vitest';
import { createKeyedLock, createSingleFlight } from './lock.ts';

const never = new AbortController().signal;

test('one at a time for a key, in order; other keys do not wait', async () => {
  const lock = createKeyedLock();
  const order: string[] = [];
  const work = async (key: string, name: string) => {
    const unlock = await lock.take(key, never);
    order.push(`${name} begins`);
    await Promise.resolve();
    order.push(`${name} ends`);
    unlock();
  };
  await Promise.all([work('a', '1'), work('a', '2'), work('a', '3')]);
  expect(order).toEqual(['1 begins', '1 ends', '2 begins', '2 ends', '3 begins', '3 ends']);

  await lock.take('a', never);
  (await lock.take('b', never))();
});

test('a cancelled waiter passes its turn on, but not before it comes', async () => {
  const lock = createKeyedLock();
  const unlock = await lock.take('a', never);
  const giveUp = new AbortController();
  const second = lock.take('a', giveUp.signal);
  let third = false;
  const thirdTurn = lock.take('a', never).then(() => {
    third = true;
  });
  giveUp.abort();
  await expect(second).rejects.toMatchObject({ code: 'app/cancelled' });
  await Promise.resolve();
  expect(third).toBe(false);
  unlock();
  await thirdTurn;
});

test('a key is free until it is taken, and again after its last holder released it', async () => {
  const lock = createKeyedLock();
  const unlock = lock.tryTake('a');
  const waiting = lock.take('a', never);
  expect(lock.tryTake('a')).toBeUndefined();
  unlock?.();
  expect(lock.tryTake('a')).toBeUndefined();
  (await waiting)();
  expect(lock.tryTake('a')).toBeDefined();
});

test('a run that is requested at any moment of another one, even its last, does the work that it was requested for', async () => {
  for (let steps = 0; steps < 20; steps += 1) {
    let requested = 1;
    let done = 0;
    let atOnce = 0;
    const { run, running } = createSingleFlight(async () => {
      atOnce += 1;
      expect(atOnce).toBe(1);
      const seen = requested;
      await Promise.resolve();
      done = seen;
      atOnce -= 1;
      return seen;
    });
    const first = run();
    for (let i = 0; i < steps; i += 1) await Promise.resolve();
    requested = 2;
    expect(await run()).toBe(2);
    expect(done).toBe(2);
    await first;
    expect(running()).toBeUndefined();
  }
});

test('a run that fails rejects every call that shares it, and the next call runs again', async () => {
  let failure: Error | undefined = new Error('no');
  const { run } = createSingleFlight(async () => {
    if (failure) throw failure;
  });
  const calls = [run(), run()];
  for (const call of calls) await expect(call).rejects.toThrow('no');
  failure = undefined;
  await run();
});

test('a run that is requested while another one fails does its work nevertheless', async () => {
  const failing = Promise.withResolvers<void>();
  let runs = 0;
  const { run } = createSingleFlight(async () => {
    runs += 1;
    if (runs === 1) await failing.promise;
    return runs;
  });
  const calls = [run(), run()];
  failing.reject(new Error('no'));
  expect(await Promise.all(calls)).toEqual([2, 2]);
});
