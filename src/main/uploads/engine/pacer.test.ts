import { expect, test } from 'vitest';
import { createPacer } from './pacer.ts';

test('the time between two uploads does not count as time in which the line carried little', () => {
  let nowMs = 0;
  const pacer = createPacer(
    () => nowMs,
    () => true,
  );
  const origin = 'https://storage.example';
  pacer.sendTo(origin);
  /** A quarter of a second, with a probe that takes `ms`. */
  const send = (ms: number): void => {
    const answered = pacer.request(origin);
    nowMs += ms;
    answered();
    pacer.moved(250_000);
    nowMs += 250 - ms;
  };
  send(10);
  for (let samples = 0; samples < 12; samples += 1) send(90);
  const before = pacer.rate() ?? 0;
  expect(before).toBeGreaterThan(500_000);
  nowMs += 60_000;
  for (let samples = 0; samples < 3; samples += 1) {
    send(50);
    expect(pacer.rate()).toBeGreaterThan(before / 4);
  }
});

test('the slow start tries a pace only until it asks how long the queue is, and halves what was carried if there is one', () => {
  let nowMs = 0;
  const pacer = createPacer(
    () => nowMs,
    () => false,
  );
  const origin = 'https://storage.example';
  pacer.sendTo(origin);
  const firstAnswer = pacer.request(origin);
  nowMs = 20;
  firstAnswer();
  pacer.beginSlowly();
  expect(pacer.rate()).toBe(2_000_000);
  expect(pacer.needsProbe()).toBe(false);
  nowMs += 20;
  pacer.moved(40_000);
  expect(pacer.needsProbe()).toBe(true);
  const answered = pacer.request(origin);
  expect(pacer.rate()).toBe(1_000_000);
  // 60 ms longer than without a queue: the 40 kB left the line in 80 ms.
  nowMs += 80;
  answered();
  expect(pacer.rate()).toBe(250_000);
  expect(pacer.needsProbe()).toBe(true);
});
