import { expect, onTestFinished, test, vi } from 'vitest';
import { createTestClock } from '../async/testing/clock.ts';
import { createGate } from './gate.ts';

test('calls to an open host pass at once', async () => {
  const clock = createTestClock();
  await createGate(clock).pass('inspection.example');
  expect(clock.slept).toEqual([]);
});

test('a hold delays calls to its host only, and ends in time', async () => {
  const clock = createTestClock();
  const gate = createGate(clock);
  gate.hold('inspection.example', 5_000);
  await gate.pass('storage.example');
  expect(clock.slept).toEqual([]);
  await gate.pass('inspection.example');
  await gate.pass('inspection.example');
  expect(clock.slept).toEqual([5_000]);
});

test('a shorter hold does not shorten a longer one', async () => {
  const clock = createTestClock();
  const gate = createGate(clock);
  gate.hold('inspection.example', 5_000);
  gate.hold('inspection.example', 1_000);
  await gate.pass('inspection.example');
  expect(clock.slept).toEqual([5_000]);
});

test('a longer hold also delays calls that are already waiting', async () => {
  const clock = createTestClock();
  const gate = createGate({
    now: clock.now,
    sleep: async (ms) => {
      if (clock.slept.length === 0) gate.hold('inspection.example', 8_000);
      await clock.sleep(ms);
    },
  });
  gate.hold('inspection.example', 5_000);
  await gate.pass('inspection.example');
  expect(clock.slept).toEqual([5_000, 3_000]);
});

test('refuses a wait above the maximum, with the time it would take', async () => {
  const gate = createGate(createTestClock());
  gate.hold('inspection.example', 5_000);
  await expect(gate.pass('inspection.example', undefined, 4_999)).rejects.toMatchObject({
    code: 'service/busy',
    retry: 'later',
    retryAfterMs: 5_000,
  });
});

test('an aborted signal ends a wait, and does not stop a call to an open host', async () => {
  const gate = createGate();
  gate.hold('inspection.example', 60_000);
  const controller = new AbortController();
  const passing = gate.pass('inspection.example', controller.signal);
  controller.abort();
  await expect(passing).rejects.toMatchObject({ code: 'app/cancelled' });
  await gate.pass('other.example', controller.signal);
});

test('A7: reports which host is held, and until when', async () => {
  const clock = createTestClock();
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000 });
  onTestFinished(() => void vi.useRealTimers());
  const gate = createGate(clock);
  const reason = {
    code: 'service/busy',
    retryAfterMs: 5_000,
    details: { host: 'a.example', until: 6_000, held: true },
  };
  expect(gate.hold('a.example', 5_000)).toMatchObject(reason);
  const told: unknown[] = [];
  await gate.pass('a.example', undefined, undefined, (error) => told.push(error));
  expect(told).toMatchObject([reason]);
});

test.each([-3_600_000, 3_600_000])(
  'B10: a pause takes as long as was asked, though the clock is set by %i ms',
  async (byMs) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const clock = createTestClock();
    const gate = createGate({
      now: clock.now,
      sleep: async (ms) => {
        vi.setSystemTime(Date.now() + byMs);
        await clock.sleep(ms);
      },
    });
    gate.hold('storage.example', 45_000);
    vi.setSystemTime(Date.now() + byMs);
    await gate.pass('storage.example');
    expect(clock.slept).toEqual([45_000]);
  },
);

test('A7: opening the gate releases all waiting calls', async () => {
  const gate = createGate();
  gate.hold('a.example', 3_600_000);
  const passing = [gate.pass('a.example'), gate.pass('a.example', new AbortController().signal)];
  gate.open();
  await Promise.all(passing);
  await expect(gate.pass('a.example')).resolves.toBeUndefined();
});

test('a single rate limit may be ignored, a series of them holds the host', async () => {
  const clock = createTestClock();
  const gate = createGate({ ...clock, inARow: () => 2 });
  gate.hold('storage.example', 1_000);
  gate.answered('storage.example');
  gate.hold('storage.example', 1_000);
  await gate.pass('storage.example');
  expect(clock.slept).toEqual([]);
  gate.hold('storage.example', 2_000);
  await gate.pass('storage.example');
  expect(clock.slept).toEqual([2_000]);
});
