import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FileFacts, isOtherVersion } from '../source/file-identity.ts';
import { createPendingFiles, isSameFile } from './pending-files.ts';

const settleMs = 10_000;
type Change = Partial<Omit<FileFacts, 'identity'> & NonNullable<FileFacts['identity']>>;
const facts = ({ sizeBytes = 5, modifiedMs = 1_000, ...identity } = {} as Change): FileFacts => ({
  sizeBytes,
  modifiedMs,
  identity: { id: '1-1', changedMs: 1_000, ...identity },
});

const observations = fc.array(
  fc.record({
    afterMs: fc.integer({ min: 0, max: 15_000 }),
    facts: fc.record({
      sizeBytes: fc.integer({ min: 1, max: 3 }),
      modifiedMs: fc.integer({ min: 1, max: 2 }),
      identity: fc.record({
        changedMs: fc.integer({ min: 1, max: 2 }),
        id: fc.constantFrom('1-1', '1-2'),
      }),
    }),
  }),
  { minLength: 1, maxLength: 30 },
);

/**
 * Creates a function that sees one file with the facts `seen` at `atMs`, and returns when the file will be complete if
 * it does not change.
 */
const watchOne = () => {
  let nowMs = 0;
  const files = createPendingFiles({
    settleMs,
    nowMs: () => nowMs,
    look: async () => undefined,
    canOpen: async () => true,
  });
  return (atMs: number, seen: FileFacts): number | undefined => {
    nowMs = atMs;
    files.see({ path: 'a', ...seen });
    return files.nextAtMs();
  };
};

test('a file is complete exactly if nothing about it changed during the settle time', () => {
  fc.assert(
    fc.property(observations, (steps) => {
      const look = watchOne();
      let nowMs = 0;
      const looks: { readonly atMs: number; readonly facts: FileFacts }[] = [];
      for (const step of steps) {
        nowMs += step.afterMs;
        looks.push({ atMs: nowMs, facts: step.facts });
        // All looks from the one at `firstOfRow` to the last one saw the same facts.
        const same = ({ facts: { identity, ...one } }: (typeof looks)[number]): string =>
          JSON.stringify([one, identity?.changedMs]);
        const last = looks.at(-1);
        const firstOfRow = looks.findLastIndex((one) => last && same(one) !== same(last)) + 1;
        expect(look(nowMs, step.facts)).toBe((looks[firstOfRow]?.atMs ?? 0) + settleMs);
      }
    }),
  );
});

test('a file that is not complete can be read, unless another program has locked it', async () => {
  let nowMs = 0;
  const isFree = new Map([
    ['free', true],
    ['locked', false],
  ]);
  const files = createPendingFiles({
    settleMs,
    nowMs: () => nowMs,
    look: async () => facts(),
    canOpen: async (path) => isFree.get(path) ?? true,
  });
  const readable = () => files.readable().map(({ path }) => path);
  for (const path of isFree.keys()) files.see({ path, ...facts() });
  nowMs = settleMs;
  await files.settle(new AbortController().signal);
  files.see({ path: 'new', ...facts() });
  expect(readable()).toEqual(['free', 'new']);
  isFree.set('locked', true);
  nowMs += settleMs;
  await files.settle(new AbortController().signal);
  expect(readable().toSorted()).toEqual(['free', 'locked', 'new']);
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
  expect(isOtherVersion(facts(), facts())).toBe(false);
  expect(isOtherVersion(facts(), facts({ id: '2-7' }))).toBe(false);
  expect(isOtherVersion(facts(), facts({ changedMs: 2_000 }))).toBe(true);
  expect(isOtherVersion(facts(), facts({ sizeBytes: 6 }))).toBe(true);
  expect(isOtherVersion(facts(), facts({ modifiedMs: 1_001 }))).toBe(true);
});

test('a file that got the number of a deleted one is another file, one with another ctime is not', () => {
  const recorded = facts({ bornMs: 500 });
  expect(isSameFile(recorded, facts({ bornMs: 500, changedMs: 2_000 }))).toBe(true);
  expect(isSameFile(recorded, facts({ bornMs: 1_500, changedMs: 2_000 }))).toBe(false);
  expect(isSameFile(facts({ changedMs: 1_000 }), facts({ bornMs: 900, changedMs: 2_000 }))).toBe(true);
  expect(isSameFile(facts({ changedMs: 1_000 }), facts({ bornMs: 1_500, changedMs: 2_000 }))).toBe(false);
  expect(isSameFile(recorded, facts({ bornMs: 500, id: '2-7' }))).toBe(false);
});
