import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadHostWords, loadWindowWords } from '../../../words/languages.ts';
import { findParts, loadGuide, readGuide } from './help-page.tsx';

type Block = ReturnType<typeof readGuide>[number]['blocks'][number];
type Inline = Extract<Block, { readonly kind: 'paragraph' }>['text'][number];

const languages = ['en', 'sv', 'de'] as const;
const guide = await loadGuide('en');

const inlinesOf = (block: Block): readonly Inline[] => {
  if (block.kind === 'paragraph') return block.text;
  if (block.kind === 'picture') return [];
  return block.kind === 'list' ? block.items.flat() : block.rows.flat(2);
};

/** Returns all texts of a catalog. */
const textsOf = (words: unknown): readonly string[] =>
  typeof words === 'object' && words !== null ? Object.values(words).flatMap(textsOf) : [String(words)];

test('reads bold text, code and links of a line', () => {
  const [part] = readGuide('## A part\n\nPress **OK**, then `cli` or [this](#the-end).');
  expect(part?.blocks.flatMap(inlinesOf)).toEqual([
    { kind: 'text', text: 'Press ' },
    { kind: 'strong', text: 'OK' },
    { kind: 'text', text: ', then ' },
    { kind: 'code', text: 'cli' },
    { kind: 'text', text: ' or ' },
    { kind: 'link', text: 'this', id: 'the-end' },
    { kind: 'text', text: '.' },
  ]);
});

test('reads paragraphs, lists, tables and pictures', () => {
  const example =
    '# T\n\nabove\n\n## A part\n\none\ntwo\n\n![x](images/en/y.png)\n\n1. a\n   b\n2. c\n\n| k | v |\n|---|---|\n| **x** | y |\n';
  expect(readGuide(example)).toMatchObject([
    {
      title: 'A part',
      id: 'a-part',
      blocks: [
        { kind: 'paragraph', text: [{ text: 'one two' }] },
        { kind: 'picture', path: 'en/y.png', alt: 'x' },
        { kind: 'list', ordered: true, items: [[{ text: 'a b' }], [{ text: 'c' }]] },
        { kind: 'table', header: ['k', 'v'], rows: [[[{ kind: 'strong', text: 'x' }], [{ text: 'y' }]]] },
      ],
    },
  ]);
});

describe.each(languages)('the guide in %s', async (language) => {
  const parts = await loadGuide(language);
  const inlines = parts.flatMap(({ blocks }) => blocks.flatMap(inlinesOf));

  test('uses only the Markdown that the app reads, and links to its own headings', () => {
    expect(parts.length).toBeGreaterThan(8);
    const odd = inlines.filter(({ kind, text }) => kind === 'text' && /\*\*|`|\]\(|^#|^>|<\w+>|\|/.test(text));
    expect(odd).toEqual([]);
    const ids = new Set(parts.map(({ id }) => id));
    const lost = inlines.filter((inline) => inline.kind === 'link' && inline.id !== undefined && !ids.has(inline.id));
    expect(lost).toEqual([]);
  });

  test('has the same parts as the English one', () => {
    const shape = (all: typeof parts) => all.map(({ blocks }) => blocks.map(({ kind }) => kind));
    expect(shape(parts)).toEqual(shape(guide));
  });

  test('has pictures of the app in its language', () => {
    const pictures = parts.flatMap(({ blocks }) => blocks.filter((block) => block.kind === 'picture'));
    expect(pictures.length).toBeGreaterThan(20);
    const lost = pictures.filter(({ path, alt }) => alt === '' || !existsSync(`docs/images/${path}`));
    expect(lost).toEqual([]);
    expect(pictures.filter(({ path }) => !path.startsWith(`${language}/`))).toEqual([]);
  });

  test('names buttons and headings as the screens do', async () => {
    const { menu } = (await loadHostWords(language)).words;
    const words = [(await loadWindowWords(language)).words, menu];
    const texts = new Set(textsOf(words).map((text) => text.replaceAll(/\(?\{\{.*?\}\}\)? ?/g, '').trim()));
    const names = inlines.filter(({ kind }) => kind === 'strong').map(({ text }) => text);
    const keys = /^(Ctrl|Strg|⌘|Shift|Skift|Umschalt|F1|\?)/;
    expect(names.filter((name) => !keys.test(name) && !texts.has(name))).toEqual([]);
  });
});

test('is searched by words', () => {
  expect(findParts(guide, 'retry failed').map(({ title }) => title)).toContain('When files fail');
  expect(findParts(guide, 'xylophones for zebras')).toEqual([]);
  expect(findParts(guide, '')).toHaveLength(guide.length);
});
