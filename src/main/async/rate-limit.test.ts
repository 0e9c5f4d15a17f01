import { expect, it } from 'vitest';
import { createRateLimit } from './rate-limit.ts';

/** A clock that moves only by sleeping; concurrent sleepers wake in the order of their times. */
const virtualTime = () => {
  let nowMs = 0;
  return {
    now: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += ms;
    },
  };
};

it('sends bytes at the rate, from the first part on', async () => {
  const time = virtualTime();
  const limit = createRateLimit(() => 1000, time.sleep, time.now);
  for (let part = 0; part < 50; part += 1) await limit.take(100);
  expect(time.now()).toBeCloseTo(4900, 5);
});

it('does not accumulate unused bytes', async () => {
  const time = virtualTime();
  const limit = createRateLimit(() => 1000, time.sleep, time.now);
  await limit.take(1000);
  await time.sleep(60_000);
  await limit.take(1000);
  await limit.take(1000);
  expect(time.now()).toBeCloseTo(61_000, 5);
});

it('makes parts small enough for a low rate to be even', () => {
  const { sleep, now } = virtualTime();
  expect(createRateLimit(() => 10_000, sleep, now).partBytes()).toBe(1000);
});

it('follows a change of the limit within a part', async () => {
  const time = virtualTime();
  let rate: number | undefined = 1_000;
  const limit = createRateLimit(() => rate, time.sleep, time.now);
  const send = async (bytes: number) => {
    for (let left = bytes; left > 0; ) {
      const part = Math.min(left, limit.partBytes());
      await limit.take(part);
      left -= part;
    }
  };
  await send(10_000);
  expect(Math.abs(time.now() - 10_000)).toBeLessThanOrEqual(500);
  const changedMs = time.now();
  rate = 100_000;
  await send(1_000_000);
  expect(Math.abs(time.now() - changedMs - 10_000)).toBeLessThanOrEqual(500);
  const liftedMs = time.now();
  rate = undefined;
  expect(limit.partBytes()).toBe(Number.POSITIVE_INFINITY);
  await send(1_000_000);
  expect(time.now()).toBe(liftedMs);
});

it.each([
  ['rises', 100_000, 1_590],
  ['falls', 500, 119_000],
  ['is lifted', undefined, 1_000],
])('a part that waits for long follows a limit that %s meanwhile', async (_, later, expectedMs) => {
  const time = virtualTime();
  const limit = createRateLimit(() => (time.now() < 1_000 ? 1_000 : later), time.sleep, time.now);
  await limit.take(60_000);
  await limit.take(60_000);
  expect(time.now()).toBeCloseTo(expectedMs, 5);
});
