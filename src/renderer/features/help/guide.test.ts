import { expect, test } from 'vitest';
import markdown from '../../../../docs/user-guide.md?raw';
import { type Block, findParts, type Inline, readGuide, readInline } from './guide.ts';

const guide = readGuide(markdown);

const inlinesOf = (block: Block): readonly Inline[] => {
  if (block.kind === 'paragraph') return block.text;
  return block.kind === 'list' ? block.items.flat() : block.rows.flat(2);
};
const inlines = guide.flatMap(({ blocks }) => blocks.flatMap(inlinesOf));

test('B10: reads bold text, code and links of a line', () => {
  expect(readInline('Press **OK**, then `cli` or [this](#the-end).')).toEqual([
    { kind: 'text', text: 'Press ' },
    { kind: 'strong', text: 'OK' },
    { kind: 'text', text: ', then ' },
    { kind: 'code', text: 'cli' },
    { kind: 'text', text: ' or ' },
    { kind: 'link', text: 'this', id: 'the-end' },
    { kind: 'text', text: '.' },
  ]);
});

test('B10: reads paragraphs, lists and tables, and leaves pictures out', () => {
  const example =
    '# T\n\nabove\n\n## A part\n\none\ntwo\n\n![x](y.png)\n\n1. a\n   b\n2. c\n\n| k | v |\n|---|---|\n| **x** | y |\n';
  expect(readGuide(example)).toMatchObject([
    {
      title: 'A part',
      id: 'a-part',
      blocks: [
        { kind: 'paragraph', text: [{ text: 'one two' }] },
        { kind: 'list', ordered: true, items: [[{ text: 'a b' }], [{ text: 'c' }]] },
        { kind: 'table', header: ['k', 'v'], rows: [[[{ kind: 'strong', text: 'x' }], [{ text: 'y' }]]] },
      ],
    },
  ]);
});

test('B10: understands all that the user guide is written with', () => {
  expect(guide.length).toBeGreaterThan(8);
  expect(guide.filter(({ blocks }) => blocks.length === 0)).toEqual([]);
  const odd = inlines.filter(({ kind, text }) => kind === 'text' && /\*\*|`|\]\(|^#|^>|<\w+>|\|/.test(text));
  expect(odd).toEqual([]);
  const ids = new Set(guide.map(({ id }) => id));
  const lost = inlines.filter((inline) => inline.kind === 'link' && inline.id !== undefined && !ids.has(inline.id));
  expect(lost).toEqual([]);
});

test('B10: is searched by words', () => {
  expect(findParts(guide, 'retry failed').map(({ title }) => title)).toContain('When files fail');
  expect(findParts(guide, 'no such words at all')).toEqual([]);
  expect(findParts(guide, '')).toHaveLength(guide.length);
});
