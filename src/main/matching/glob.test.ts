import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMapFile } from './map-file.ts';

/**
 * Translates a map file's pattern into a regular expression. Only for tests, because some of these expressions would
 * backtrack for years.
 */
const expressionOf = (pattern: string): RegExp => {
  const names = pattern.split('/');
  const source = names.map((name, at) => {
    const isLast = at === names.length - 1;
    if (name === '**') return isLast ? '.+' : '(?:[^/]+/)*';
    return name.replaceAll('*', '[^/]*').replaceAll('?', '[^/]') + (isLast ? '' : '/');
  });
  return new RegExp(`^${source.join('')}$`, 'u');
};

const joined = (names: readonly (readonly string[])[]): string =>
  names.map((characters) => characters.join('')).join('/');
const nameOf = (...characters: readonly string[]) =>
  fc.array(fc.constantFrom(...characters), { minLength: 1, maxLength: 5 });
/** Returns the paths that a map file with only this pattern matches; undefined if the pattern takes too long. */
const find = (paths: readonly string[], pattern: string): readonly string[] | undefined => {
  const map = parseMapFile(`path,assignment\n${pattern},a`, { paths, isKnown: () => true });
  if (map.ok) return [...map.assignments.keys()];
  return map.problems.some(({ kind }) => kind === 'patterns-much') ? undefined : [];
};

test('matches what the same regular expression matches', () => {
  const pattern = fc
    .array(fc.oneof(nameOf('a', 'b', '*', '?', '🏠'), fc.constant(['**'])), { minLength: 1, maxLength: 5 })
    .map(joined);
  const path = fc.array(nameOf('a', 'b', '🏠'), { minLength: 1, maxLength: 6 }).map(joined);
  fc.assert(
    fc.property(pattern, fc.uniqueArray(path, { maxLength: 20 }), (one, paths) => {
      expect(new Set(find(paths, one))).toEqual(new Set(paths.filter((each) => expressionOf(one).test(each))));
    }),
    { numRuns: 2_000 },
  );
});

test('all paths of one key are found', () => {
  expect(find(['York', 'york', 'Leeds'], 'YOR?')).toEqual(['York', 'york']);
});

test('B11: ends soon, whatever the pattern', () => {
  const deep = Array.from({ length: 1_000 }, () => 'a'.repeat(200)).join('/');
  expect(find([deep], `${'**/'.repeat(400)}b`)).toEqual([]);
  expect(find([deep], `**/${'*a'.repeat(60)}*b`)).toEqual([]);
  expect(find([deep], `**/${'*?'.repeat(100)}`)).toEqual([deep]);
  expect(find(['a'.repeat(200)], '*'.repeat(4_000))).toHaveLength(1);
  expect(find(['a'.repeat(200)], `${'*a'.repeat(2_000)}`)).toEqual([]);
  // A glob library that backtracks would take years for these names.
  const names = Array.from({ length: 2_000 }, (_, at) => `${'a'.repeat(250)}${at}`);
  expect(find(names, `${'a*'.repeat(100)}b`)).toEqual([]);
  expect(find(names, `${'*a'.repeat(100)}*7`)).toHaveLength(200);
});

test('B11: a pattern that would take too long finds nothing, and says so', () => {
  const paths = Array.from({ length: 5_000 }, (_, at) => `${'a'.repeat(250)}${at}/b`);
  expect(find(paths, `${'a*'.repeat(2_000)}b/b`)).toBeUndefined();
});
