/** How the controllers choose the number of requests and the pace, over simulated lines and in simulated time. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type SimulatedLine, simulate } from './testing/simulated-line.ts';

/** Converts megabits per second to bytes per ms. */
const megabits = (count: number): number => count * 125;

const lines = fc.record({
  roundTripMs: fc.integer({ min: 5, max: 150 }),
  megabits: fc.constantFrom(5, 20, 50, 100),
  bufferMs: fc.integer({ min: 150, max: 400 }),
  jitterMs: fc.integer({ min: 0, max: 10 }),
  serviceMs: fc.integer({ min: 0, max: 30 }),
});
type Line = Omit<SimulatedLine, 'bytesPerMs'> & { readonly megabits: number };

const work = fc.constantFrom(20_000, 200_000, 2_000_000, 64_000_000);
const seeds = fc.nat(2 ** 31);

const steady = ({ megabits: count, ...line }: Line): SimulatedLine => ({ ...line, bytesPerMs: () => megabits(count) });

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Returns the share of the line that was used from second `from` up to `to`. */
const used = (bytes: readonly number[], { megabits: count }: Pick<Line, 'megabits'>, from: number, to = bytes.length) =>
  sum(bytes.slice(from, to)) / ((Math.min(to, bytes.length) - from) * 1_000 * megabits(count));

const few = { numRuns: 25 };

describe('on any line', () => {
  test('it stays within its limits, is not stuck at one, fills the line, and keeps the queue short', () =>
    fc.assert(
      fc.property(lines, work, fc.boolean(), seeds, (line, fileBytes, leavesRoom, seed) => {
        const { apps, queueMs } = simulate(steady(line), [{ fileBytes, fromMs: 0, leavesRoom }], {
          forMs: 40_000,
          seed,
        });
        const [app] = apps;
        if (!app) throw new Error('there is no app');
        expect(Math.max(...app.limits)).toBeLessThanOrEqual(128);
        expect(Math.min(...app.limits)).toBeGreaterThanOrEqual(1);
        expect(used(app.bytes, line, 10)).toBeGreaterThanOrEqual(0.9);
        const sorted = queueMs.slice(10).sort((a, b) => a - b);
        expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(150);
      }),
      few,
    ));

  test('after a step of its rate, it uses 90 % of the new one within ten seconds', () =>
    fc.assert(
      fc.property(lines, work, fc.constantFrom(5, 20, 50, 100), seeds, (line, fileBytes, later, seed) => {
        const stepMs = 12_000;
        const bytesPerMs = (atMs: number): number => megabits(atMs < stepMs ? line.megabits : later);
        const { apps } = simulate({ ...steady(line), bytesPerMs }, [{ fileBytes, fromMs: 0 }], { forMs: 40_000, seed });
        // The bytes that were in the buffer when the rate changed are sent first.
        expect(used(apps[0]?.bytes ?? [], { megabits: later }, 22)).toBeGreaterThanOrEqual(0.9);
      }),
      few,
    ));

  // The app that begins later mistakes the queue of the other app for the base delay until the other app empties its
  // queue. Until then, the shares may differ more.
  test.each([
    ['begin together', 0, 0.15],
    ['do not', 5_000, 0.05],
  ])('two that %s share it', (_, fromMs, least) =>
    fc.assert(
      fc.property(lines, work, seeds, (line, fileBytes, seed) => {
        const both = [0, fromMs].map((beginMs) => ({ fileBytes, fromMs: beginMs }));
        const { apps } = simulate(steady(line), both, { forMs: 60_000, seed });
        for (const { bytes } of apps) expect(used(bytes, line, 15)).toBeGreaterThanOrEqual(least);
      }),
      few,
    ),
  );
});

test.each([20_000, 2_000_000])('files of %i bytes leave the line to other traffic, and take it back', (fileBytes) => {
  const line = { roundTripMs: 30, bufferMs: 250, jitterMs: 5, serviceMs: 3, megabits: 50 };
  const options = { forMs: 60_000, greedyMs: [15_000, 35_000] } as const;
  const { apps } = simulate(steady(line), [{ fileBytes, fromMs: 0, leavesRoom: true }], options);
  const { bytes = [] } = apps[0] ?? {};
  expect(used(bytes, line, 5, 15)).toBeGreaterThanOrEqual(0.9);
  expect(used(bytes, line, 20, 35)).toBeLessThanOrEqual(0.2);
  expect(used(bytes, line, 46)).toBeGreaterThanOrEqual(0.9);
});

test('after the limit of the user is lifted, an upload uses as much of a busy line as one without a limit', () => {
  const line = { roundTripMs: 30, bufferMs: 250, jitterMs: 5, serviceMs: 3, megabits: 50 };
  const usedLater = (limit: (atMs: number) => number | undefined) => {
    const app = { fileBytes: 2_000_000, fromMs: 0, leavesRoom: true, limit };
    const { apps } = simulate(steady(line), [app], { forMs: 60_000, greedyMs: [5_000, 60_000] });
    return used(apps[0]?.bytes ?? [], line, 30);
  };
  const unlimited = usedLater(() => undefined);
  const lifted = usedLater((atMs) => (atMs < 20_000 ? 10_000 : undefined));
  expect(lifted / unlimited).toBeGreaterThan(0.5);
  expect(lifted / unlimited).toBeLessThan(2);
});

test('a program that filled the line before keeps a part of it, and the upload takes the line once it ends', () => {
  const line = { roundTripMs: 30, bufferMs: 250, jitterMs: 2, serviceMs: 3, megabits: 50 };
  const options = { forMs: 45_000, greedyMs: [0, 14_000] } as const;
  const app = { fileBytes: 2_000_000, fromMs: 2_000, leavesRoom: true };
  const { apps } = simulate(steady(line), [app], options);
  const { bytes = [] } = apps[0] ?? {};
  expect(used(bytes, line, 4, 14)).toBeGreaterThanOrEqual(0.25);
  expect(used(bytes, line, 4, 14)).toBeLessThanOrEqual(0.6);
  expect(used(bytes, line, 25)).toBeGreaterThanOrEqual(0.9);
});

test('a storage that is far away is not taken for a full line any more once there is a queue', () => {
  const line = { roundTripMs: 230, bufferMs: 250, jitterMs: 2, serviceMs: 3, megabits: 50 };
  const app = { fileBytes: 2_000_000, fromMs: 0, leavesRoom: true };
  const { apps } = simulate(steady(line), [app], { forMs: 45_000 });
  expect(used(apps[0]?.bytes ?? [], line, 25)).toBeGreaterThanOrEqual(0.9);
});

test('a fast line to a storage that is far away is filled in the end, also where room is left', () => {
  const line = { roundTripMs: 230, bufferMs: 250, jitterMs: 2, serviceMs: 3, megabits: 1_000 };
  const { apps } = simulate(steady(line), [{ fileBytes: 2_000_000, fromMs: 0, leavesRoom: true }], { forMs: 80_000 });
  expect(used(apps[0]?.bytes ?? [], line, 60)).toBeGreaterThanOrEqual(0.9);
});

test('large files do not fill the buffer when they begin, and a fast line soon has no limit', () => {
  const begin = (count: number, roundTripMs: number) => {
    const line = { roundTripMs, bufferMs: 4_000, jitterMs: 1, serviceMs: 3, megabits: count };
    return simulate(steady(line), [{ fileBytes: 2_000_000, fromMs: 0 }], { forMs: 4_500 });
  };
  expect(Math.max(...begin(50, 30).queueMs)).toBeLessThanOrEqual(120);
  expect(Math.max(...begin(100, 60).queueMs)).toBeLessThanOrEqual(120);
  expect(begin(2_000, 1).apps[0]?.bytes[1]).toBeGreaterThanOrEqual(megabits(2_000) * 1_000 * 0.5);
});

test('an upload of seconds fills its line from the beginning', () => {
  const line = { roundTripMs: 60, bufferMs: 250, jitterMs: 3, serviceMs: 3, megabits: 100 };
  const { apps } = simulate(steady(line), [{ fileBytes: 20_000, fromMs: 0 }], { forMs: 3_000 });
  expect(used(apps[0]?.bytes ?? [], line, 1, 3)).toBeGreaterThanOrEqual(0.95);
});

test('a storage that answers requests above a number with 503 is used as far as it permits', () => {
  const line = { roundTripMs: 60, bufferMs: 250, jitterMs: 5, serviceMs: 40, megabits: 100 };
  const { apps } = simulate({ ...steady(line), atOnce: 30 }, [{ fileBytes: 20_000, fromMs: 0 }], { forMs: 60_000 });
  const [{ bytes, rejected, limits } = { bytes: [], rejected: 0, limits: [] }] = apps;
  const best = (30 / (line.roundTripMs + line.serviceMs)) * 20_000 * 1_000;
  expect(sum(bytes.slice(5)) / (bytes.length - 5)).toBeGreaterThanOrEqual(best * 0.5);
  expect(rejected).toBeLessThanOrEqual((sum(bytes) / 20_000) * 0.1);
  expect(Math.min(...limits)).toBeGreaterThan(1);
});

test('requests that take long, and not because of the line, are sent many at once', () => {
  const line = { roundTripMs: 5, bufferMs: 250, jitterMs: 0, serviceMs: 150, megabits: 1_000 };
  const { apps } = simulate(steady(line), [{ fileBytes: 20_000, fromMs: 0 }], { forMs: 5_000 });
  expect(Math.max(...(apps[0]?.limits ?? []))).toBe(128);
});
