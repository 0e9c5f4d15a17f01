import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import { sleep } from '../async/clock.ts';
import { createTestClock } from '../async/testing/clock.ts';
import { createHostHealth, PROBES } from './host-health.ts';
import { createJumpDetector } from './machine-changes.ts';

const { signal } = new AbortController();
const origin = 'https://storage.example.com';
const reason = new DeskError('service/unreachable', 'gone', { retry: 'later' });

/** Creates a host that responds to the probe with the number `after`, and to later ones. */
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
    const { waitFor } = createHostHealth({
      probe,
      sleep: clock.sleep,
      steady: clock.now,
      probes: { ...PROBES, jitter: false },
    });
    expect(await Promise.all([waitFor(origin, reason, signal), waitFor(origin, reason, signal)])).toEqual([true, true]);
    expect(asked).toEqual(Array(8).fill(origin));
    expect(clock.slept).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000]);
  });

  it('is given up after the time limit', async () => {
    const { sleep, now: steady } = createTestClock();
    const health = createHostHealth({ ...host(100), sleep, steady, patienceMs: 60_000 });
    expect(await health.waitFor(origin, reason, signal)).toBe(false);
    expect(steady()).toBe(60_000);
    expect(health.state().storage.state).toBe('unknown');
  });

  it('is probed at once when the machine wakes up', async () => {
    const { asked, probe } = host(1);
    const asleep = Promise.withResolvers<void>();
    const hour: typeof sleep = (_, until) => {
      asleep.resolve();
      return sleep(3_600_000, until);
    };
    const health = createHostHealth({ probe, sleep: hour });
    const back = health.waitFor(origin, reason, signal);
    expect(health.state().storage.state).toBe('unreachable');
    await asleep.promise;
    expect(asked).toEqual([]);
    health.probeNow();
    expect(await back).toBe(true);
    expect(health.state().storage.state).toBe('online');
  });

  it('is probed at once if the machine wakes up while a probe fails', async () => {
    const { asked, probe } = host(2);
    const probing = Promise.withResolvers<void>();
    const failing = Promise.withResolvers<void>();
    const slept: number[] = [];
    const health = createHostHealth({
      probe: async (at) => {
        if (asked.length === 0) {
          probing.resolve();
          await failing.promise;
        }
        await probe(at);
      },
      sleep: (ms, until) => (slept.push(ms) === 1 ? Promise.resolve() : sleep(3_600_000, until)),
    });
    const back = health.waitFor(origin, reason, signal);
    await probing.promise;
    health.probeNow();
    failing.resolve();
    expect(await back).toBe(true);
    expect(asked).toHaveLength(2);
  });

  it('is no longer probed when nobody waits for it', async () => {
    const { asked, probe } = host(100);
    const health = createHostHealth({ probe, sleep });
    const controller = new AbortController();
    const back = health.waitFor(origin, reason, controller.signal);
    controller.abort();
    await expect(back).rejects.toMatchObject({ code: 'app/cancelled' });
    health.probeNow();
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
