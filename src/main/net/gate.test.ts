import { expect, onTestFinished, test, vi } from 'vitest';
import type { DeskError, ErrorDetails } from '../../contract/errors.ts';
import { createTestClock } from '../async/testing/clock.ts';
import { createGate } from './gate.ts';

const urgent = { isUrgent: true };

test('calls to an open host pass at once', async () => {
  const clock = createTestClock();
  await createGate(clock).pass('inspection.example');
  expect(clock.slept).toEqual([]);
});

test('a hold delays calls to its host only, and ends in time', async () => {
  const clock = createTestClock();
  const gate = createGate(clock);
  gate.hold('inspection.example', 5_000, 0);
  await gate.pass('storage.example');
  expect(clock.slept).toEqual([]);
  await gate.pass('inspection.example', urgent);
  await gate.pass('inspection.example', urgent);
  expect(clock.slept).toEqual([5_000]);
});

test('a shorter hold does not shorten a longer one', async () => {
  const clock = createTestClock();
  const gate = createGate(clock);
  gate.hold('inspection.example', 5_000, 0);
  gate.hold('inspection.example', 1_000, 0);
  await gate.pass('inspection.example', urgent);
  expect(clock.slept).toEqual([5_000]);
});

test('a longer hold also delays calls that are already waiting', async () => {
  const clock = createTestClock();
  const gate = createGate({
    now: clock.now,
    sleep: async (ms) => {
      if (clock.slept.length === 0) gate.hold('inspection.example', 8_000, 0);
      await clock.sleep(ms);
    },
  });
  gate.hold('inspection.example', 5_000, 0);
  await gate.pass('inspection.example', urgent);
  expect(clock.slept).toEqual([5_000, 3_000]);
});

test('refuses a wait above the maximum, with the time it would take', async () => {
  const gate = createGate(createTestClock());
  gate.hold('inspection.example', 5_000, 0);
  await expect(gate.pass('inspection.example', { ...urgent, maxWaitMs: 4_999 })).rejects.toMatchObject({
    code: 'service/busy',
    retry: 'later',
    retryAfterMs: 5_000,
  });
});

test('an aborted signal ends a wait, and does not stop a call to an open host', async () => {
  const gate = createGate();
  gate.hold('inspection.example', 60_000, 0);
  const controller = new AbortController();
  const passing = gate.pass('inspection.example', { signal: controller.signal });
  controller.abort();
  await expect(passing).rejects.toMatchObject({ code: 'app/cancelled' });
  await gate.pass('other.example', { signal: controller.signal });
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
  expect(gate.hold('a.example', 5_000, 0)).toMatchObject(reason);
  const told: unknown[] = [];
  await gate.pass('a.example', { ...urgent, onHeld: (error) => told.push(error) });
  expect(told).toMatchObject([reason]);
});

test('a turn of the pace is not reported as a pause that the host asked for', async () => {
  const { clock, gate } = steadyGate();
  const told: (ErrorDetails[string] | undefined)[] = [];
  const onHeld = ({ details }: DeskError) => void told.push(details.paced);
  gate.returned('inspection.example', 10_000);
  await gate.pass('inspection.example', { onHeld });
  gate.hold('inspection.example', 2_000, clock.now());
  await gate.pass('inspection.example', { ...urgent, onHeld });
  expect(told).toEqual([true, undefined]);
});

test.each([-3_600_000, 3_600_000])(
  'a pause takes as long as was asked, though the clock is set by %i ms',
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
    gate.hold('storage.example', 45_000, 0);
    vi.setSystemTime(Date.now() + byMs);
    await gate.pass('storage.example', urgent);
    expect(clock.slept).toEqual([45_000]);
  },
);

test('A7: opening the gate releases all waiting calls', async () => {
  const gate = createGate();
  gate.hold('a.example', 3_600_000, 0);
  const passing = [gate.pass('a.example'), gate.pass('a.example', { signal: new AbortController().signal })];
  gate.open();
  await Promise.all(passing);
  await expect(gate.pass('a.example')).resolves.toEqual(expect.any(Number));
});

test('a single rate limit may be ignored, a series of them holds the host', async () => {
  const clock = createTestClock();
  const gate = createGate({ ...clock, inARow: () => 2 });
  gate.hold('storage.example', 1_000, 0);
  gate.responded('storage.example', 0);
  gate.hold('storage.example', 1_000, 0);
  await gate.pass('storage.example');
  expect(clock.slept).toEqual([]);
  gate.hold('storage.example', 2_000, 0);
  await gate.pass('storage.example', urgent);
  expect(clock.slept).toEqual([2_000]);
});

/** Creates a gate whose intervals do not vary at random: each has the average length. */
const steadyGate = () => {
  const clock = createTestClock();
  return { clock, gate: createGate({ ...clock, random: () => 0.5 }) };
};

test('after an outage, calls come back one at a time, closer together with each answer, until they no longer wait', async () => {
  const { clock, gate } = steadyGate();
  gate.returned('inspection.example', 10_000);
  for (let call = 0; call < 40; call += 1) gate.responded('inspection.example', await gate.pass('inspection.example'));
  expect(clock.slept.slice(0, 3)).toEqual([1_000, 1_000, 850]);
  expect(clock.slept.length).toBeLessThan(30);
  expect(clock.now()).toBeLessThan(10_000);
});

test('an outage that is long over does not slow down later calls', async () => {
  const clock = createTestClock();
  const gate = createGate({ ...clock, random: () => 0.5 });
  gate.returned('inspection.example', 3_600_000);
  for (let call = 0; call < 2; call += 1) gate.responded('inspection.example', await gate.pass('inspection.example'));
  const before = clock.slept.length;
  clock.advance(3_600_000);
  for (let call = 0; call < 10; call += 1) gate.responded('inspection.example', await gate.pass('inspection.example'));
  expect(clock.slept).toHaveLength(before);
});

test('after the longest outage, the first calls are two minutes apart', async () => {
  const { clock, gate } = steadyGate();
  gate.returned('inspection.example', 24 * 3_600_000);
  await gate.pass('inspection.example');
  await gate.pass('inspection.example');
  expect(clock.slept).toEqual([120_000, 120_000]);
});

test('a call that a person waits for is not held back by the pace, but by a pause', async () => {
  const { clock, gate } = steadyGate();
  gate.returned('inspection.example', 60_000);
  await gate.pass('inspection.example', urgent);
  expect(clock.slept).toEqual([]);
  gate.hold('inspection.example', 2_000, clock.now());
  await gate.pass('inspection.example', urgent);
  expect(clock.slept).toEqual([2_000]);
});

test('a refusal slows calls down once, however many were on their way', async () => {
  const { clock, gate } = steadyGate();
  gate.returned('inspection.example', 10_000);
  const calledMs = await gate.pass('inspection.example');
  for (let call = 0; call < 5; call += 1) gate.hold('inspection.example', undefined, calledMs);
  gate.responded('inspection.example', calledMs);
  await gate.pass('inspection.example');
  await gate.pass('inspection.example');
  // 1,100 ms are a tenth of the eleven seconds since the outage began.
  expect(clock.slept).toEqual([1_000, 1_100, 1_100]);
});

test('refusals in a row slow calls down no further than a tenth of the time they take', async () => {
  const { clock, gate } = steadyGate();
  for (let call = 0; call < 12; call += 1) gate.hold('storage.example', 2_000, await gate.pass('storage.example'));
  const troubleMs = clock.now();
  expect(troubleMs).toBeLessThan(60_000);
  for (let call = 0; call < 60; call += 1) gate.responded('storage.example', await gate.pass('storage.example'));
  expect(clock.now() - troubleMs).toBeLessThan(troubleMs);
});

test('a host that is too busy three times in a row is given a pace, though it names no time', async () => {
  const { clock, gate } = steadyGate();
  expect(gate.hold('inspection.example', undefined, 0)).toBeUndefined();
  expect(gate.hold('inspection.example', undefined, 0)).toBeUndefined();
  await gate.pass('inspection.example');
  expect(clock.slept).toEqual([]);
  expect(gate.hold('inspection.example', undefined, 0)).toMatchObject({ code: 'service/busy', retryAfterMs: 1_000 });
  await gate.pass('inspection.example');
  expect(clock.slept).toEqual([1_000]);
});

test('urgent answers bring a host to full speed for the calls that wait as well, and one refusal is no pause then', async () => {
  let nowMs = 0;
  const gate = createGate({
    now: () => nowMs,
    random: () => 0.5,
    sleep: (_, signal) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('nudged')));
      }),
  });
  gate.returned('inspection.example', 1_200_000);
  const waiting = gate.pass('inspection.example');
  for (let call = 0; call < 60; call += 1) {
    nowMs += 100;
    gate.responded('inspection.example', await gate.pass('inspection.example', urgent));
  }
  expect(await waiting).toBe(5_700);
  expect(gate.hold('inspection.example', undefined, nowMs)).toBeUndefined();
});
