import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Sample, startTuner, type Tuner, tune } from './tuning.ts';

const bounds = { min: 1, max: 128 };
const sample = (given: Partial<Sample>): Sample => ({
  completed: 0,
  bytes: 0,
  overloaded: 0,
  busy: true,
  elapsedMs: 250,
  ...given,
});

/** The throughput of `limit` concurrent requests, of which only `useful` contribute. */
const through = ({ limit }: Tuner, useful: number) => sample({ completed: 10 * Math.min(limit, useful) });

const run = (tuner: Tuner, samples: number, useful: number): Tuner => {
  let now = tuner;
  for (let index = 0; index < samples; index += 1) now = tune(now, through(now, useful), bounds);
  return now;
};

/** The limits of the last samples of many: it goes on trying a few more and a few less. */
const settled = (tuner: Tuner, useful: number): readonly number[] => {
  const limits: number[] = [];
  let now = run(tuner, 150, useful);
  for (let index = 0; index < 20; index += 1) {
    now = run(now, 1, useful);
    limits.push(now.limit);
  }
  return limits;
};

const anySample = fc.record({
  completed: fc.nat(1000),
  bytes: fc.nat(2 ** 30),
  overloaded: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(5) }),
  busy: fc.boolean(),
  elapsedMs: fc.nat(1000),
});

describe('whatever happens', () => {
  test('it stays within its bounds, and an overload halves it', () =>
    fc.assert(
      fc.property(fc.array(anySample, { maxLength: 100 }), (samples) => {
        let tuner = startTuner(bounds);
        expect(tuner.limit).toBe(12);
        for (const one of samples) {
          const next = tune(tuner, one, bounds);
          expect(next.limit).toBeGreaterThanOrEqual(bounds.min);
          expect(next.limit).toBeLessThanOrEqual(bounds.max);
          expect(Number.isInteger(next.limit)).toBe(true);
          if (one.overloaded > one.completed / 10) expect(next.limit).toBe(Math.max(1, Math.floor(tuner.limit / 2)));
          // It is at most doubled.
          expect(next.limit).toBeLessThanOrEqual(tuner.limit * 2);
          tuner = next;
        }
      }),
    ));

  test('it increases again when more requests increase throughput', () =>
    fc.assert(
      fc.property(fc.array(anySample, { maxLength: 50 }), (samples) => {
        const after = samples.reduce((tuner, one) => tune(tuner, one, bounds), startTuner(bounds));
        expect(Math.max(...settled(after, 200))).toBe(bounds.max);
      }),
    ));
});

test('it doubles while that pays: the maximum is reached in four steps', () => {
  expect(run(startTuner(bounds), 4, 200).limit).toBe(128);
});

test.each([1, 3, 5, 9, 16, 40, 100])('when only %i at once pay, it stays near', (useful) => {
  const limits = settled(startTuner(bounds), useful);
  expect(Math.max(...limits)).toBeLessThanOrEqual(Math.max(5, Math.ceil(useful * 1.6)));
  expect(Math.min(...limits)).toBeGreaterThanOrEqual(Math.floor(useful * 0.75));
});

test('a sample with free slots changes nothing', () => {
  const tuner = startTuner(bounds);
  expect(tune(tuner, sample({ busy: false, completed: 100 }), bounds)).toBe(tuner);
});

test('bounds narrower than the first number apply from the start', () => {
  expect(startTuner({ min: 1, max: 2 }).limit).toBe(2);
  expect(startTuner({ min: 16, max: 32 }).limit).toBe(16);
});
