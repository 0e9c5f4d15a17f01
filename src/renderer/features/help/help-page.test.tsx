// @vitest-environment happy-dom
import { existsSync } from 'node:fs';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { loadHostWords, loadWindowWords } from '../../../words/languages.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { findParts, GuideBlock, HelpPage, loadGuide } from './help-page.tsx';

speakEnglish();

afterEach(cleanup);

const languages = ['en', 'sv', 'de'] as const;
const guide = await loadGuide('en');

/** Shows `blocks` of the guide, each as lines. Returns the element that has one child for each block. */
const show = (blocks: readonly (readonly string[])[]): HTMLElement =>
  render(blocks.map((lines) => <GuideBlock key={lines.join('\n')} lines={lines} />)).container;

/** Returns all texts of a catalog. */
const textsOf = (words: unknown): readonly string[] =>
  typeof words === 'object' && words !== null ? Object.values(words).flatMap(textsOf) : [String(words)];

/** Returns the HTML of `element` without the attributes of Fluent's styles. */
const plain = (element: HTMLElement): string => element.innerHTML.replaceAll(/ (?!src|alt)[\w-]+="[^"]*"/g, '');

test('shows bold text, code and links of a line', () => {
  const line = 'Press **OK**, then `cli` or [this](#the-end), as [others](https://example.com).';
  expect(plain(show([[line]]))).toBe(
    '<p>Press <strong>OK</strong>, then <code>cli</code> or <button>this</button>, as others.</p>',
  );
});

test('shows paragraphs, lists, tables and pictures', () => {
  expect(plain(show([['one', 'two']]))).toBe('<p>one two</p>');
  cleanup();
  expect(plain(show([['1. a', '   b', '2. c']]))).toBe('<ol><li>a b</li><li>c</li></ol>');
  cleanup();
  expect(plain(show([['- a']]))).toBe('<ul><li>a</li></ul>');
  cleanup();
  expect(plain(show([['| k | v |', '|---|---|', '| **x** | y |']]))).toBe(
    '<table><thead><tr><th>k</th><th>v</th></tr></thead>' +
      '<tbody><tr><td><strong>x</strong></td><td>y</td></tr></tbody></table>',
  );
  cleanup();
  expect(plain(show([['![x](images/en/y.png)']]))).toBe('<img alt="x" src="en/y.png">');
});

describe.each(languages)('the guide in %s', async (language) => {
  const parts = await loadGuide(language);
  const blocks = parts.flatMap((part) => part.blocks);

  test('uses only the Markdown that the app reads, and links to its own headings', () => {
    expect(parts.length).toBeGreaterThan(8);
    const shown = show(blocks);
    for (const code of shown.querySelectorAll('code')) code.remove();
    const texts = [...shown.querySelectorAll('p, li, th, td')].map(({ textContent }) => textContent ?? '');
    expect(texts.filter((text) => /\*\*|`|\]\(|^#|^>|<\w+>|\|/.test(text))).toEqual([]);
    const ids = new Set(parts.map(({ id }) => id));
    const targets = [
      ...blocks
        .flat()
        .join('\n')
        .matchAll(/\]\(#([^)]*)\)/g),
    ].map(([, id = '']) => id);
    expect(targets.filter((id) => !ids.has(id))).toEqual([]);
  });

  test('has the same parts as the English one', () => {
    const shape = (all: typeof parts) =>
      all.map((part) => [...show(part.blocks).children].map(({ tagName }) => tagName));
    expect(shape(parts)).toEqual(shape(guide));
  });

  test('has pictures of the app in its language', () => {
    const pictures = [...show(blocks).querySelectorAll('img')].map((image) => ({
      path: image.getAttribute('src') ?? '',
      alt: image.alt,
    }));
    expect(pictures.length).toBeGreaterThan(20);
    const lost = pictures.filter(({ path, alt }) => alt === '' || !existsSync(`docs/images/${path}`));
    expect(lost).toEqual([]);
    expect(pictures.filter(({ path }) => !path.startsWith(`${language}/`))).toEqual([]);
  });

  test('names buttons and headings as the screens do', async () => {
    const { menu } = (await loadHostWords(language)).words;
    const words = [(await loadWindowWords(language)).words, menu];
    const texts = new Set(textsOf(words).map((text) => text.replaceAll(/\(?\{\{.*?\}\}\)? ?/g, '').trim()));
    const names = [...show(blocks).querySelectorAll('strong')].map(({ textContent }) => textContent ?? '');
    const keys = /^(Ctrl|Strg|⌘|Shift|Skift|Umschalt|F1|\?)/;
    expect(names.filter((name) => !keys.test(name) && !texts.has(name))).toEqual([]);
  });
});

test('is searched by words, with or without their accents', async () => {
  expect(findParts(guide, 'retry failed').map(({ title }) => title)).toContain('When files fail');
  expect(findParts(guide, 'xylophones for zebras')).toEqual([]);
  expect(findParts(guide, '')).toHaveLength(guide.length);
  const german = await loadGuide('de');
  expect(findParts(german, 'loschen')).toEqual(findParts(german, 'löschen'));
  expect(findParts(german, 'löschen')).not.toEqual([]);
});

test('follows a link to a part that the search hides', async () => {
  await act(() => renderPage(<HelpPage />));
  const search = screen.getByRole<HTMLInputElement>('searchbox');
  fireEvent.change(search, { target: { value: 'warns you' } });
  const heading = () => screen.queryByRole('heading', { name: 'Plan the week' });
  expect(heading()).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'open' }));
  expect(heading()).not.toBeNull();
  expect(search.value).toBe('');
});
