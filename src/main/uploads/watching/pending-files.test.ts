import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Facts, isSameFile, isSameVersion, observe, type Seen, stillAtMs } from './pending-files.ts';

const settleMs = 10_000;
const facts = (change: Partial<Facts> = {}): Facts => ({
  sizeBytes: 5,
  modifiedMs: 1_000,
  changedMs: 1_000,
  id: '1-1',
  ...change,
});

const observations = fc.array(
  fc.record({
    afterMs: fc.integer({ min: 0, max: 15_000 }),
    facts: fc.record({
      sizeBytes: fc.integer({ min: 1, max: 3 }),
      modifiedMs: fc.integer({ min: 1, max: 2 }),
      changedMs: fc.integer({ min: 1, max: 2 }),
      id: fc.constantFrom('1-1', '1-2'),
    }),
  }),
  { minLength: 1, maxLength: 30 },
);

test('a file is complete exactly if nothing about it changed during the settle time', () => {
  fc.assert(
    fc.property(observations, (steps) => {
      let seen: Seen | undefined;
      let nowMs = 0;
      const looks: { readonly atMs: number; readonly facts: Facts }[] = [];
      for (const step of steps) {
        nowMs += step.afterMs;
        looks.push({ atMs: nowMs, facts: step.facts });
        seen = observe(seen, step.facts, nowMs);
        // By definition: the first look of the longest unchanged row of looks that ends with this one.
        const same = ({ facts: { id: _, ...one } }: (typeof looks)[number]): string => JSON.stringify(one);
        const last = looks.at(-1);
        const firstOfRow = looks.findLastIndex((look) => last && same(look) !== same(last)) + 1;
        expect(seen.sinceMs).toBe(looks[firstOfRow]?.atMs);
        expect(stillAtMs(seen, settleMs) <= nowMs).toBe(nowMs - (looks[firstOfRow]?.atMs ?? 0) >= settleMs);
      }
    }),
  );
});

test('looking more often never makes a file complete earlier or later', () => {
  fc.assert(
    fc.property(observations, fc.integer({ min: 0, max: 20_000 }), (steps, extraMs) => {
      const run = (repeats: boolean): Seen | undefined => {
        let seen: Seen | undefined;
        let nowMs = 0;
        for (const step of steps) {
          nowMs += step.afterMs;
          seen = observe(seen, step.facts, nowMs);
          if (repeats) seen = observe(seen, step.facts, nowMs + Math.min(extraMs, step.afterMs));
        }
        return seen;
      };
      expect(run(true)).toEqual(run(false));
    }),
  );
});

test('a version is known by size, time and ctime; a renumbered drive does not make it a new one', () => {
  expect(isSameVersion(facts(), facts())).toBe(true);
  expect(isSameVersion(facts(), facts({ id: '2-7' }))).toBe(true);
  expect(isSameVersion(facts(), facts({ changedMs: 2_000 }))).toBe(false);
  expect(isSameVersion(facts(), facts({ sizeBytes: 6 }))).toBe(false);
  expect(isSameVersion(facts(), facts({ modifiedMs: 1_001 }))).toBe(false);
});

test('a file that got the number of a deleted one is another file, one with another ctime is not', () => {
  const recorded = facts({ bornMs: 500 });
  expect(isSameFile(recorded, facts({ bornMs: 500, changedMs: 2_000 }))).toBe(true);
  expect(isSameFile(recorded, facts({ bornMs: 1_500, changedMs: 2_000 }))).toBe(false);
  expect(isSameFile(facts({ changedMs: 1_000 }), facts({ bornMs: 900, changedMs: 2_000 }))).toBe(true);
  expect(isSameFile(facts({ changedMs: 1_000 }), facts({ bornMs: 1_500, changedMs: 2_000 }))).toBe(false);
  expect(isSameFile(recorded, facts({ bornMs: 500, id: '2-7' }))).toBe(false);
});
