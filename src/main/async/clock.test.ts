import { expect, onTestFinished, test, vi } from 'vitest';
import { createNudge, createSleep, createSteadyClock, sleep, steadyNow, steadyWallNow } from './clock.ts';
import { createTestClock } from './testing/clock.ts';

/** Creates a steady clock on the clocks of a machine, of which `sinceBoot` counts only whole seconds, as on macOS. */
const useMachine = () => {
  let [runningMs, sleptMs] = [400, 0];
  const now = createSteadyClock({
    running: () => runningMs,
    sinceBoot: () => Math.floor((runningMs + sleptMs + 77_700) / 1_000) * 1_000,
  });
  const run = (ms: number): number => {
    runningMs += ms;
    return now();
  };
  return {
    now,
    run,
    sleep: (ms: number) => {
      sleptMs += ms;
    },
  };
};

test('the steady clock counts exactly while the machine runs, and never backwards', () => {
  const { now, run } = useMachine();
  const startMs = now();
  for (let ms = 0; ms < 50_000; ms += 130) expect(run(130)).toBe(startMs + ms + 130);
});

test('the steady clock counts the time that the machine slept, to a second', () => {
  const { now, run, sleep } = useMachine();
  const startMs = now();
  for (const hours of [8, 1]) {
    const beforeMs = now();
    sleep(hours * 3_600_000);
    const sleptMs = run(60) - beforeMs;
    expect(Math.abs(sleptMs - hours * 3_600_000)).toBeLessThanOrEqual(2_060);
  }
  expect(now() - startMs).toBeGreaterThan(8.9 * 3_600_000);
});

test('neither clock for waits follows the wall clock', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const [steadyMs, wallMs] = [steadyNow(), steadyWallNow()];
  for (const byMs of [-3_600_000, 7_200_000]) {
    vi.setSystemTime(Date.now() + byMs);
    expect(Math.abs(steadyNow() - steadyMs)).toBeLessThan(1_800_000);
    expect(Math.abs(steadyWallNow() - wallMs)).toBeLessThan(1_800_000);
  }
});

test('a wait that the machine slept through is over once it looks again', async () => {
  const clock = createTestClock();
  let looks = 0;
  const sleep = createSleep(() => {
    looks += 1;
    if (looks === 3) clock.advance(8 * 3_600_000);
    return clock.now();
  }, 1);
  await sleep(15 * 60_000);
  expect(looks).toBe(3);
});

test('A7: a nudge ends all current waits, but no later one', async () => {
  const nudge = createNudge(sleep);
  const waits = [nudge.sleep(3_600_000), nudge.sleep(3_600_000, new AbortController().signal)];
  nudge.now();
  await Promise.all(waits);
  const controller = new AbortController();
  const later = nudge.sleep(3_600_000, controller.signal);
  controller.abort();
  await expect(later).rejects.toMatchObject({ code: 'app/cancelled' });
});

test('A7: a cancelled wait rejects with the cancellation, not as a timeout', async () => {
  const nudge = createNudge(sleep);
  const controller = new AbortController();
  const wait = nudge.sleep(3_600_000, controller.signal);
  controller.abort();
  nudge.now();
  await expect(wait).rejects.toMatchObject({ code: 'app/cancelled' });
});
