import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { escapeRegExp } from 'es-toolkit';
import { expect, test } from 'vitest';

const sources = globSync('{*,{benchmarks,build,docs,scripts,src,tests}/**}').map((path) => path.replaceAll('\\', '/'));
const pages = sources.filter((path) => path.endsWith('.md'));
/**
 * The pages that may name only existing files. Decision records and the changelog may also name files of their time.
 */
const current = pages.filter((path) => !path.startsWith('docs/adr/') && path !== 'CHANGELOG.md');

/** Returns the files that a page means by the end of their path, such as `csv.ts` or `service/client.ts`. */
const named = (end: string) => sources.filter((path) => `/${path}`.endsWith(`/${end}`));

/** Returns the anchors of a page's headings, as GitHub creates them. */
const anchorsOf = (page: string): readonly string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

test.each(pages)('the links of %s lead to files and headings', (page) => {
  const links = [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?/g)];
  const targets = links.map(([, file, anchor]) => ({
    path: file ? posix.join(posix.dirname(page), file).replace(/\/$/, '') : page,
    anchor,
  }));
  const isThere = ({ path, anchor }: (typeof targets)[number]): boolean =>
    sources.includes(path) && (anchor === undefined || !path.endsWith('.md') || anchorsOf(path).includes(anchor));
  expect(targets.filter((target) => !isThere(target))).toEqual([]);
});

test.each(current)('the files that %s names exist', (page) => {
  const names = [...readFileSync(page, 'utf8').matchAll(/`([\w./-]+\.(?:ts|tsx|mjs|grit|svg))`/g)];
  expect(names.map(([, name = '']) => name).filter((name) => named(name).length === 0)).toEqual([]);
});

test.each(['docs/security.md', 'docs/reliability.md'])('the tests that %s quotes exist', (page) => {
  const missing: string[] = [];
  // In a row, quotations before the first name of a test file are texts of the app; those after it are titles of its
  // tests.
  for (const row of readFileSync(page, 'utf8').split('\n')) {
    let texts: readonly string[] = [];
    for (const [, file, title] of row.matchAll(/`([\w./-]+\.ts)`|["“]([^"”`]+)["”]/g)) {
      if (file !== undefined) {
        texts = /\.(test|spec)\.ts$/.test(file) ? named(file).map((path) => readFileSync(path, 'utf8')) : [];
      } else if (title !== undefined && texts.length > 0) {
        // An ellipsis stands for any text.
        const pattern = new RegExp(
          title
            .split('…')
            .map((part) => escapeRegExp(part.trim()))
            .join('.*'),
        );
        if (!texts.some((text) => pattern.test(text))) missing.push(title);
      }
    }
  }
  expect(missing).toEqual([]);
});

test('the numbers of attacks in the names of tests are those of docs/security.md', () => {
  const known = new Set(readFileSync('docs/security.md', 'utf8').match(/\b[AB]\d+\b/g));
  const tests = sources.filter((path) => /\.(test|spec)\.tsx?$/.test(path));
  const used = tests.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/['`]([AB]\d+): /g)]);
  expect(used.map(([, number = '']) => number).filter((number) => !known.has(number))).toEqual([]);
});
