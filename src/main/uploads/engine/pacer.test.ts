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
