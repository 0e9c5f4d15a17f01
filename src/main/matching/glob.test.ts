import fc from 'fast-check';
import { expect, test } from 'vitest';
import { globTest } from './glob.ts';

/** The same pattern as a regular expression, which takes years for some of them. */
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

test('matches what the same regular expression matches', () => {
  const patterns = fc.array(fc.oneof(nameOf('a', 'b', '*', '?', '🏠'), fc.constant(['**'])), {
    minLength: 1,
    maxLength: 5,
  });
  const paths = fc.array(nameOf('a', 'b', '🏠'), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(patterns, paths, (pattern, path) => {
      const text = joined(path);
      expect(globTest(joined(pattern))(text.split('/'))).toBe(expressionOf(joined(pattern)).test(text));
    }),
    { numRuns: 2_000 },
  );
});

test('ends soon, whatever the pattern', () => {
  const deep = Array.from({ length: 1_000 }, () => 'a'.repeat(200));
  expect(globTest(`${'**/'.repeat(400)}b`)(deep)).toBe(false);
  expect(globTest(`**/${'*a'.repeat(60)}*b`)(deep)).toBe(false);
  expect(globTest(`**/${'*?'.repeat(100)}`)(deep)).toBe(true);
  expect(globTest('*'.repeat(100_000))(deep.slice(0, 1))).toBe(true);
});
