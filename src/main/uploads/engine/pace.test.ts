import { expect, test } from 'vitest';
import { type Pace, startPace, steer } from './pace.ts';

/** What the line carries, in bytes per second. */
const LINE = 1_000_000;
const BEGUN_MS = 20_000;

const sample = (atMs: number, queueMs: number) => ({ atMs, queueMs, carried: LINE, leavesRoom: false, leastMs: 20 });
/** Limited, with a queue of `queueMs`, and about to empty it at `BEGUN_MS`. */
const limited = (queueMs: number): Pace => {
  const before = steer(startPace(), sample(BEGUN_MS - 10_000, 200));
  return steer(before, sample(BEGUN_MS - 250, queueMs));
};
/** Shares of the line after the samples that begin with the emptying; each has its queue in ms. */
const sharesAfter = (...queuesMs: readonly [number, ...number[]]) => {
  let pace = limited(queuesMs[0]);
  return queuesMs.map((queueMs, index) => {
    pace = steer(pace, sample(BEGUN_MS + index * 250, queueMs));
    return (pace.bytesPerSecond ?? 0) / LINE;
  });
};

test('the queue is emptied by what is in it, so that the line stays full, and once is enough', () => {
  const [emptying, after] = sharesAfter(90, 20);
  expect(emptying).toBeCloseTo(0.7);
  expect(after).toBeGreaterThan(1);
});

test('a queue that others keep long takes a second sample', () => {
  const [emptying, second, after] = sharesAfter(90, 75, 20);
  expect(emptying).toBeCloseTo(0.7);
  expect(second).toBeCloseTo(0.5);
  expect(after).toBeGreaterThan(1);
});

test('a queue that was short does not count as one that others keep long when it grows', () => {
  const [, after] = sharesAfter(10, 45);
  expect(after).toBeGreaterThan(1);
});

test('some of the line is used in any case', () => {
  expect(sharesAfter(290, 290)).toEqual([0.3, 0.3]);
});
