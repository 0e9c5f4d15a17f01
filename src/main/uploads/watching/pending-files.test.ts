import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPendingFiles, type Facts, isSameFile, isSameVersion } from './pending-files.ts';

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

/** Watches one file. `look` sees it with `facts`, and returns when it will be complete if it does not change. */
const watchOne = () => {
  let nowMs = 0;
  const files = createPendingFiles({
    settleMs,
    nowMs: () => nowMs,
    factsOf: async () => undefined,
    canOpen: async () => true,
  });
  return (atMs: number, seen: Facts): number | undefined => {
    nowMs = atMs;
    files.see({ path: 'a', facts: seen });
    return files.nextAtMs();
  };
};

test('a file is complete exactly if nothing about it changed during the settle time', () => {
  fc.assert(
    fc.property(observations, (steps) => {
      const look = watchOne();
      let nowMs = 0;
      const looks: { readonly atMs: number; readonly facts: Facts }[] = [];
      for (const step of steps) {
        nowMs += step.afterMs;
        looks.push({ atMs: nowMs, facts: step.facts });
        // By definition: the first look of the longest unchanged row of looks that ends with this one.
        const same = ({ facts: { id: _, ...one } }: (typeof looks)[number]): string => JSON.stringify(one);
        const last = looks.at(-1);
        const firstOfRow = looks.findLastIndex((one) => last && same(one) !== same(last)) + 1;
        expect(look(nowMs, step.facts)).toBe((looks[firstOfRow]?.atMs ?? 0) + settleMs);
      }
    }),
  );
});

test('looking more often never makes a file complete earlier or later', () => {
  fc.assert(
    fc.property(observations, fc.integer({ min: 0, max: 20_000 }), (steps, extraMs) => {
      const run = (repeats: boolean): number | undefined => {
        const look = watchOne();
        let nowMs = 0;
        let completeAtMs: number | undefined;
        for (const step of steps) {
          nowMs += step.afterMs;
          completeAtMs = look(nowMs, step.facts);
          if (repeats) completeAtMs = look(nowMs + Math.min(extraMs, step.afterMs), step.facts);
        }
        return completeAtMs;
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
