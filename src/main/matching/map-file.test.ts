import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseMapFile } from './map-file.ts';
import { idOf } from './testing/sample-targets.ts';

const paths = [
  '.',
  'Bergen',
  'Bergen/Elveveien 97',
  'Bergen/Storgata 12',
  'York',
  'York/109 Station Road',
  'Ängsvägen 33',
];
const [one, two] = [idOf(1), idOf(2)];
const parse = (text: string) => parseMapFile(text, { paths, isKnown: (id) => id === one || id === two });
const assigned = (text: string): Readonly<Record<string, string>> => {
  const map = parse(text);
  return map.ok
    ? Object.fromEntries(map.assignments)
    : { problems: map.problems.map(({ line, kind }) => `${line} ${kind}`).join() };
};

test.each([
  ['a header and a line', `path,assignment\nYork,${one}`],
  ['other names of the columns', `Folder,AssignmentId\nYork,${one}`],
  ['the columns in another order, with others', `note,assignment,path\nx,${one},York`],
  ['semicolons', `path;assignment\r\nYork;${one}\r\n`],
  ['tabs', `path\tassignment\nYork\t${one}`],
  ['a byte order mark, quotes and blank lines', `\uFEFF"path","assignment"\n\n"York","${one}"\n\n`],
  ['an id in capital letters', `path,assignment\nYork,${one.toUpperCase()}`],
  ['a name in another case, with a slash at the end', `path,assignment\n./york/,${one}`],
])('reads %s', (_, text) => {
  expect(assigned(text)).toEqual({ York: one });
});

test('takes slashes either way, and letters in either normal form', () => {
  expect(assigned(`path,assignment\nBergen\\Storgata 12,${one}\nA\u0308ngsva\u0308gen 33,${two}`)).toEqual({
    'Bergen/Storgata 12': one,
    'Ängsvägen 33': two,
  });
});

describe('patterns', () => {
  test.each([
    ['Bergen/*', { 'Bergen/Elveveien 97': one, 'Bergen/Storgata 12': one }],
    ['**/*9*', { 'Bergen/Elveveien 97': one, 'York/109 Station Road': one }],
    ['Y?rk', { York: one }],
    ['York/**', { 'York/109 Station Road': one }],
    ['york/**/**', { 'York/109 Station Road': one }],
    ['ÄNGSV?GEN (33)*', { problems: '2 path-unmatched' }],
    ['ÄNGSV?GEN*', { 'Ängsvägen 33': one }],
    ['B*', { Bergen: one }],
  ])('%s', (pattern, expected) => {
    expect(assigned(`path,assignment\n${pattern},${one}`)).toEqual(expected);
  });

  test('give way to a line that names the folder itself, wherever that stands', () => {
    const expected = { 'Bergen/Elveveien 97': one, 'Bergen/Storgata 12': two };
    expect(assigned(`path,assignment\nBergen/*,${one}\nBergen/Storgata 12,${two}`)).toEqual(expected);
    expect(assigned(`path,assignment\nBergen/Storgata 12,${two}\nBergen/*,${one}`)).toEqual(expected);
  });
});

test('takes the separator that the first line says, as programs write it for Excel', () => {
  expect(assigned(`\uFEFFsep=;\r\npath;assignment\r\nYork;${one}\r\n`)).toEqual(
    assigned(`path,assignment\nYork,${one}`),
  );
  expect(assigned(`sep=,\npath,assignment\nYork,x`)).toEqual({ problems: '3 assignment-unknown' });
});

test('of two folders that differ only in their normal form, means the one that is written', () => {
  const [composed, decomposed] = ['Ängsvägen 33', 'Ängsvägen 33'.normalize('NFD')] as const;
  const text = `path,assignment\n${composed},${one}\n${decomposed},${two}`;
  const map = parseMapFile(text, { paths: [composed, decomposed], isKnown: () => true });
  expect(map).toMatchObject({ ok: true });
  expect(map.ok && [...map.assignments]).toEqual([
    [composed, one],
    [decomposed, two],
  ]);
});

test('the chosen folder itself is "."', () => {
  expect(assigned(`path,assignment\n.,${one}`)).toEqual({ '.': one });
});

test.each([
  ['no such columns', `name,id\nYork,${one}`, '1 columns'],
  ['nothing', '', '1 columns'],
  ['an empty cell', `path,assignment\nYork,\n,${one}`, '2 columns,3 columns'],
  ['more cells than columns', `path,assignment\nYork,${one},x`, '2 columns'],
  ['unknown assignments', `path,assignment\nYork,x\nBergen,${idOf(3)}`, '2 assignment-unknown,3 assignment-unknown'],
  [
    'paths outside',
    `path,assignment\n../York,${one}\n/York,${one}\nC:\\York,${one}\nBergen/../York,${one}`,
    '2 path-outside,3 path-outside,4 path-outside,5 path-outside',
  ],
  ['paths that are not there', `path,assignment\nLeeds,${one}\nYork/x*,${one}`, '2 path-unmatched,3 path-unmatched'],
  ['a folder twice', `path,assignment\nYork,${one}\nyork,${two}`, '3 folder-twice'],
  ['two patterns for one folder', `path,assignment\nYor*,${one}\n*rk,${two}`, '3 folder-twice'],
  [
    'every mistake, in order',
    `path,assignment\nYork,x\n\nLeeds,${one}\n../a,${one}`,
    '2 assignment-unknown,4 path-unmatched,5 path-outside',
  ],
])('refuses %s', (_, text, problems) => {
  expect(assigned(text)).toEqual({ problems });
});

test('a quoted path may have separators, quotes and line breaks', () => {
  const odd = 'A, "b"\nc';
  const map = parseMapFile(`path,assignment\n"A, ""b""\nc",${one}\nYork,x`, {
    paths: [odd, 'York'],
    isKnown: (id) => id === one,
  });
  expect(map).toEqual({ ok: false, problems: [{ line: 4, kind: 'assignment-unknown', text: 'x' }] });
});

test('names what is wrong in a few words, even where a quote was never closed', () => {
  const map = parse(`path,assignment\n"York,${one}\n${`Bergen,${one}\n`.repeat(1_000)}`);
  expect(map).toEqual({
    ok: false,
    problems: [{ line: 2, kind: 'quote', text: expect.stringMatching(/^"York.{150,200}…$/s) }],
  });
});

describe('B11: a map file with no end in sight is refused with its line', () => {
  const head = `path,assignment\nYork,${one}\n`;
  test.each([
    ['a cell of 5,000 characters', `${'x'.repeat(5_000)},${one}`, '3 cell-long'],
    ['a cell of 12 MB', `${'x'.repeat(12_000_000)},${one}`, '3 cell-long'],
    ['a quotation mark that is never closed', `"${`Bergen,${one}\n`.repeat(300_000)}`, '3 quote'],
    ['four million misplaced quotation marks', '"x'.repeat(4_000_000), '3 quote'],
    ['four million doubled quotation marks', `"${'""'.repeat(4_000_000)}`, '3 quote'],
    ['a misplaced quotation mark', `"York"x,${one}\n`, '3 quote'],
    ['a million cells', 'x,'.repeat(1_000_000), '3 columns'],
    ['too many lines', `York,${one}\n`.repeat(100_001), '1001 folder-twice'],
    ['too many empty lines', `${'\n'.repeat(200_000)}York,${one}\n`, '100001 lines-many'],
  ])('%s', (_, text, problem) => {
    const map = parse(head + text);
    const problems = map.ok ? [] : map.problems;
    expect(problems.map(({ line, kind }) => `${line} ${kind}`)).toContain(problem);
    expect(problems.length).toBeLessThanOrEqual(1_001);
    for (const { text: shown } of problems) expect(shown.length).toBeLessThan(210);
  });
});

test('B11: five thousand patterns for two thousand folders with fifty files each', () => {
  const folders = Array.from({ length: 2_000 }, (_, at) => `Jobs/${at} Elm Street`);
  const files = folders.flatMap((folder) => Array.from({ length: 50 }, (_, at) => `${folder}/photo ${at}.jpg`));
  const context = { paths: ['Jobs', ...folders, ...files], isKnown: () => true };
  const read = (pattern: (at: number) => string) =>
    parseMapFile(
      `path,assignment\n${Array.from({ length: 5_000 }, (_, at) => `${pattern(at)},${one}\n`).join('')}`,
      context,
    );
  const found = read((at) => `Jobs/${at % 2_000} *`);
  expect(found.ok && found.assignments.size).toBe(2_000);
  // Each of these patterns has to be compared with all names.
  const problems = read((at) => `*/**/*${at % 50}${'0'.repeat(300)}*`);
  expect(problems.ok || problems.problems.map(({ kind }) => kind)).toContain('patterns-much');
});

test('never fails on any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect([true, false]).toContain(parse(`path,assignment\n${text}`).ok);
    }),
  );
});
