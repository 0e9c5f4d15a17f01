import { expect, it } from 'vitest';
import { createRateLimit } from './rate-limit.ts';

/** A clock that only sleeping moves; concurrent sleepers wake in the order of their time. */
const virtualTime = () => {
  let nowMs = 0;
  return {
    now: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += ms;
    },
  };
};

it('lets bytes out at the rate, from the first part on', async () => {
  const time = virtualTime();
  const limit = createRateLimit(() => 1000, time.sleep, time.now);
  for (let part = 0; part < 50; part += 1) await limit.take(100);
  expect(time.now()).toBeCloseTo(4900, 5);
});

it('does not save up what was not used', async () => {
  const time = virtualTime();
  const limit = createRateLimit(() => 1000, time.sleep, time.now);
  await limit.take(1000);
  await time.sleep(60_000);
  await limit.take(1000);
  await limit.take(1000);
  expect(time.now()).toBeCloseTo(61_000, 5);
});

it('cuts parts so that a low rate does not go out in jumps', () => {
  const { sleep, now } = virtualTime();
  expect(createRateLimit(() => 10_000, sleep, now).partBytes()).toBe(1000);
});
