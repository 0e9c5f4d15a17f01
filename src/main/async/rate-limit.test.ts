import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LimitPeriod, UploadLimit } from '../../contract/hours.ts';
import { createRateLimit, limitAt } from './rate-limit.ts';

const { signal } = new AbortController();

/** Creates a clock that moves only by `sleep`. The times of concurrent sleeps add up. */
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
  for (let part = 0; part < 50; part += 1) await limit.take(100, signal);
  expect(time.now()).toBeCloseTo(4900, 5);
});

it('does not accumulate unused bytes', async () => {
  const time = virtualTime();
  const limit = createRateLimit(() => 1000, time.sleep, time.now);
  await limit.take(1000, signal);
  await time.sleep(60_000);
  await limit.take(1000, signal);
  await limit.take(1000, signal);
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
      await limit.take(part, signal);
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
  await limit.take(60_000, signal);
  await limit.take(60_000, signal);
  expect(time.now()).toBeCloseTo(expectedMs, 5);
});

const by = (...schedule: readonly LimitPeriod[]): UploadLimit => ({ bytesPerSecond: 9_000, schedule });
/** In January 2026 the 5th is a Monday. */
const on = (limit: UploadLimit, moment: string) => limitAt(limit, new Date(moment));

it('is the fixed limit, or none, without a schedule', () => {
  expect(on(by(), '2026-01-05T10:00')).toBe(9_000);
  expect(on({ schedule: [] }, '2026-01-05T10:00')).toBeUndefined();
});

it('is that of the period, including its first minute and excluding its last', () => {
  const limit = by({ from: '08:00', to: '17:30', bytesPerSecond: 1_000 });
  const at = ['07:59:59', '08:00:00', '17:29:59', '17:30:00'].map((time) => on(limit, `2026-01-05T${time}`));
  expect(at).toEqual([9_000, 1_000, 1_000, 9_000]);
});

it('is that of the first matching period', () => {
  const limit = by(
    { from: '12:00', to: '13:00', bytesPerSecond: 5_000 },
    { from: '08:00', to: '17:00', bytesPerSecond: 1_000 },
  );
  expect(['11:59', '12:00', '13:00'].map((time) => on(limit, `2026-01-05T${time}`))).toEqual([1_000, 5_000, 1_000]);
});

it('continues after midnight for periods that began the day before', () => {
  const limit = by({ from: '22:00', to: '06:00', days: [5], bytesPerSecond: 1_000 });
  expect(on(limit, '2026-01-09T21:59')).toBe(9_000);
  expect(on(limit, '2026-01-09T22:00')).toBe(1_000); // Friday
  expect(on(limit, '2026-01-10T05:59')).toBe(1_000); // Saturday morning
  expect(on(limit, '2026-01-10T06:00')).toBe(9_000);
  expect(on(limit, '2026-01-10T22:00')).toBe(9_000);
  expect(on(limit, '2026-01-09T05:00')).toBe(9_000); // the Friday morning belongs to Thursday
});

it('continues from Saturday to Sunday, across the end of the week', () => {
  const limit = by({ from: '22:00', to: '06:00', days: [6], bytesPerSecond: 1_000 });
  expect(on(limit, '2026-01-11T05:00')).toBe(1_000);
});

it('applies to the whole day if both times are equal', () => {
  const limit = by({ from: '08:00', to: '08:00', bytesPerSecond: 1_000 });
  for (const time of ['00:00', '07:59', '08:00', '23:59']) expect(on(limit, `2026-01-05T${time}`)).toBe(1_000);
});

describe('on a day on which the clock is changed', () => {
  const before = process.env.TZ;
  beforeAll(() => {
    process.env.TZ = 'Europe/Copenhagen';
  });
  afterAll(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });
  const limit = by({ from: '02:30', to: '06:00', bytesPerSecond: 1_000 });

  it('ahead: begins when the clock is past its time, even if it never showed it', () => {
    // 29 March 2026: 01:59 is followed by 03:00.
    expect(on(limit, '2026-03-29T00:59:59Z')).toBe(9_000);
    expect(on(limit, '2026-03-29T01:00:00Z')).toBe(1_000);
    expect(on(limit, '2026-03-29T03:59:59Z')).toBe(1_000);
    expect(on(limit, '2026-03-29T04:00:00Z')).toBe(9_000);
  });

  it('back: applies both times when the clock shows its times', () => {
    // 25 October 2026: 02:59 is followed by 02:00.
    expect(on(limit, '2026-10-25T00:30:00Z')).toBe(1_000);
    expect(on(limit, '2026-10-25T01:00:00Z')).toBe(9_000);
    expect(on(limit, '2026-10-25T01:30:00Z')).toBe(1_000);
    expect(on(limit, '2026-10-25T05:00:00Z')).toBe(9_000);
  });
});
