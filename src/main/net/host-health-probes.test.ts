import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { sleep } from '../async/clock.ts';
import { createTestClock } from '../async/testing/clock.ts';
import { createNetwork } from './host-health.ts';
import { createJumpDetector } from './machine-changes.ts';

const { signal } = new AbortController();
const origin = 'https://storage.example.com';

/** A host that answers at the `after`th probe. */
const host = (after: number) => {
  const asked: string[] = [];
  const probe = async (at: string) => {
    if (asked.push(at) < after) throw new Error('no route');
  };
  return { asked, probe };
};

describe('an unreachable host', () => {
  it('is probed less and less often until it answers, once for all waiting callers', async () => {
    const { asked, probe } = host(8);
    const clock = createTestClock();
    const network = createNetwork({ probe, ...clock });
    expect(await Promise.all([network.waitFor(origin, signal), network.waitFor(origin, signal)])).toEqual([true, true]);
    expect(asked).toEqual(Array(8).fill(origin));
    expect(clock.slept).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('is given up after the time limit', async () => {
    const network = createNetwork({ ...host(100), ...createTestClock(), patienceMs: 60_000 });
    expect(await network.waitFor(origin, signal)).toBe(false);
  });

  it('is probed at once when the machine wakes up', async () => {
    const { asked, probe } = host(1);
    const asleep = Promise.withResolvers<void>();
    const hour: typeof sleep = (_, until) => {
      asleep.resolve();
      return sleep(3_600_000, until);
    };
    const network = createNetwork({ probe, sleep: hour });
    const back = network.waitFor(origin, signal);
    await asleep.promise;
    expect(asked).toEqual([]);
    network.probeNow();
    expect(await back).toBe(true);
  });

  it('is no longer probed when nobody waits for it', async () => {
    const { asked, probe } = host(100);
    const network = createNetwork({ probe, sleep });
    const controller = new AbortController();
    const back = network.waitFor(origin, controller.signal);
    controller.abort();
    await expect(back).rejects.toMatchObject({ code: 'app/cancelled' });
    network.probeNow();
    await setImmediate();
    expect(asked).toEqual([]);
  });
});

it('treats a clock that jumped ahead as a machine that slept', () => {
  const clock = createTestClock();
  const jumped = createJumpDetector(clock.now, 5_000);
  const after = (ms: number) => {
    clock.advance(ms);
    return jumped();
  };
  expect([after(5_000), after(9_000), after(3_600_000), after(5_000), after(-60_000)]).toEqual([
    false,
    false,
    true,
    false,
    false,
  ]);
});
