import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { fileNameCandidates, fileNameKey, renameReason } from './file-names.ts';

const first = (path: string, count: number, template?: string) =>
  fileNameCandidates(path, template).take(count).toArray();
const best = (path: string, template?: string) => first(path, 1, template)[0];

it('starts with the base name, then adds folders from the inside out, then numbers', () => {
  expect(first('Site A/inside/photo.jpg', 5)).toEqual([
    'photo.jpg',
    'inside - photo.jpg',
    'Site A - inside - photo.jpg',
    'photo (2).jpg',
    'photo (3).jpg',
  ]);
});

it('keeps names without an extension and dot files whole when it adds numbers', () => {
  expect(first('README', 2)).toEqual(['README', 'README (2)']);
  expect(first('.env', 2)).toEqual(['.env', '.env (2)']);
});

it('uses numbers up to 20, then a hash of the path, then one of the path with the folder of the upload', () => {
  const inFolder = (root: string) => fileNameCandidates('a/photo.jpg', '{name}', root).take(26).toArray();
  const [twentieth, ...hashed] = inFolder('/jobs/1').slice(-6);
  const next = hashed.pop();
  expect(twentieth).toBe('photo (20).jpg');
  for (const [index, name] of hashed.entries())
    expect(name).toMatch(index % 2 === 0 ? /^photo \([0-9a-f]{8}\)\.jpg$/ : /^photo \([0-9a-f]{64}\)\.jpg$/);
  expect(next).toBe('photo (21).jpg');
  // For the same path in another folder, only the names with a hash of the path recur. For another path, none of these
  // names recurs.
  expect(hashed.filter((name) => inFolder('/jobs/2').includes(name))).toEqual(hashed.slice(0, 2));
  expect(hashed.filter((name) => first('b/photo.jpg', 26).includes(name))).toEqual([]);
});

describe('a template', () => {
  test.each([
    ['{name}', 'photo.jpg'],
    ['{folder} - {name}', 'inside - photo.jpg'],
    ['{name} ({folder})', 'photo (inside).jpg'],
    ['{path}', 'Site A - inside - photo.jpg'],
    ['Spring {path}', 'Spring Site A - inside - photo.jpg'],
  ])('%s', (template, name) => expect(best('Site A/inside/photo.jpg', template)).toBe(name));

  it('adds more folders if one is not enough', () => {
    const template = '{folder} - {name}';
    expect(first('a/b/c.txt', 4, template)).toEqual(['b - c.txt', 'a - b - c.txt', 'a - b - c.txt', 'b - c (2).txt']);
  });

  it('keeps the name of a file without a folder', () => {
    for (const template of ['{name}', '{folder} - {name}', '{path}']) expect(best('c.txt', template)).toBe('c.txt');
  });

  it('does not expand braces of a path', () => {
    expect(best('{name}/{folder}.txt', '{folder} - {name}')).toBe('{name} - {folder}.txt');
  });
});

describe('names that may be refused', () => {
  test.each([
    ['A\u030angstro\u0308m.pdf', '\u00c5ngstr\u00f6m.pdf', 'composed'],
    ['plan: 1/2 "final"?.pdf', '2 _final__.pdf', 'characters'],
    ['a\\b|c*d<e>f.txt', 'a_b_c_d_e_f.txt', 'characters'],
    ['line\nbreak\u2028and\u0007bell.txt', 'line_break_and_bell.txt', 'characters'],
    ['half \ud83d emoji.txt', 'half \ufffd emoji.txt', 'characters'],
    ['report.pdf. . ', 'report.pdf', 'characters'],
    ['...', '_', 'characters'],
    ['CON', 'CON_', 'reserved'],
    ['nul.txt', 'nul_.txt', 'reserved'],
    ['Com1 .tar.gz', 'Com1_ .tar.gz', 'reserved'],
    ['LPT\u00b9.log', 'LPT\u00b9_.log', 'reserved'],
    ['console.log', 'console.log', undefined],
    ['com10.txt', 'com10.txt', undefined],
    [`${'x'.repeat(251)}.txt`, `${'x'.repeat(251)}.txt`, undefined],
    [`${'x'.repeat(252)}.txt`, `${'x'.repeat(251)}.txt`, 'length'],
    [`${'\u00e5'.repeat(200)}.jpeg`, `${'\u00e5'.repeat(125)}.jpeg`, 'length'],
    [`${'x'.repeat(300)}. `, 'x'.repeat(255), 'length'],
  ])('%j', (path, name, reason) => {
    expect(best(path)).toBe(name);
    expect(renameReason(path, name)).toBe(reason);
  });

  it('are shortened between letters as people see them', () => {
    const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';
    const cut = best(`${family.repeat(20)}.png`) ?? '';
    expect(cut).toBe(`${family.repeat(13)}.png`);
    const accents = `a${'\u0316'.repeat(400)}`;
    expect(best(`${accents}.png`)).toBe(`${accents.slice(0, 126)}.png`);
  });

  it('keep number and extension when they are shortened', () => {
    expect(first(`${'x'.repeat(300)}.txt`, 2)[1]).toBe(`${'x'.repeat(247)} (2).txt`);
  });
});

test('why a file has another name', () => {
  expect(renameReason('a/b.txt', 'b.txt')).toBeUndefined();
  expect(renameReason('a/b.txt', 'a - b.txt')).toBe('taken');
  expect(renameReason('a/b.txt', 'b (2).txt')).toBe('taken');
  expect(renameReason('a/b.txt', 'a - b.txt', '{folder} - {name}')).toBe('template');
  expect(renameReason('a/b.txt', 'a - b (2).txt', '{folder} - {name}')).toBe('taken');
});

test.each([
  ['A\u030aNG.PDF', '\u00e5ng.pdf'],
  ['STRASSE', 'stra\u00dfe'],
  ['\u039f\u0394\u039f\u03a3.txt', '\u03bf\u03b4\u03bf\u03c3.txt'],
])('%s and %s are the same name', (one, other) => expect(fileNameKey(one)).toBe(fileNameKey(other)));

it('never runs out of different names', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.string({ minLength: 1 }).filter((part) => !part.includes('/')),
        { minLength: 1, maxLength: 5 },
      ),
      (parts) => {
        const names = first(parts.join('/'), parts.length + 25);
        expect(new Set(names.slice(-20)).size).toBe(20);
      },
    ),
  );
});
