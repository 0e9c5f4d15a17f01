import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { windowWords } from '../../../src/words/en/window.ts';
import { speakLanguage } from './languages.ts';
import { findLayoutFaults } from './layout-faults.ts';
import { expect } from './test.ts';
import { findUntranslated } from './untranslated.ts';

/** Parts of the page that are outside the window and cannot be scrolled to, and texts that became markup. */
const broken = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const scrolls = (element: Element): boolean => {
      const parent = element.parentElement;
      if (parent === null) return false;
      return /auto|scroll/.test(getComputedStyle(parent).overflowX) || scrolls(parent);
    };
    const isOutside = (element: Element): boolean => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 0 && (left < -1 || right > innerWidth + 1) && !scrolls(element);
    };
    const root = document.documentElement;
    return [
      ...(root.scrollWidth > root.clientWidth ? ['the page scrolls sideways'] : []),
      ...[...document.querySelectorAll('h1, button, input, [role="combobox"]')]
        .filter(isOutside)
        .map((element) => `outside: ${element.outerHTML.slice(0, 200)}`),
      ...(Reflect.get(window, 'injected') === undefined ? [] : ['a script of the service ran']),
      ...[...document.querySelectorAll('#root img, #root b, #root script')].map(({ outerHTML }) => outerHTML),
    ];
  });

/** Expects that the page is of one piece in a small window and in a usual one. */
export const expectWhole = async (page: Page, screen: string): Promise<void> => {
  for (const size of [
    { width: 800, height: 600 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(size);
    await expect.poll(() => broken(page), { message: `${screen}, ${size.width} wide` }).toEqual([]);
  }
};

/** A walk goes on past a fault, and reports them all. */
const softly = expect.configure({ soft: true, timeout: 5_000 });

const usual = { width: 1280, height: 800 };

const small = { width: 800, height: 600 };
/** The usual window at 200 % and at 400 % zoom, which leave the page a half and a quarter of the room (WCAG 2.2, 1.4.10). */
const zoomed = { width: 640, height: 400 };
const zoomedMost = { width: 320, height: 200 };
/** In an order in which each is another one: an open popover moves when the window's size changes, not when texts do. */
const sizes = [small, zoomed, zoomedMost, usual];

/** The texts below `words` in which nothing is filled in. */
const plainTexts = (words: unknown): readonly string[] => {
  if (typeof words === 'string') return words.includes('{{') ? [] : [words];
  return typeof words === 'object' && words !== null ? Object.values(words).flatMap(plainTexts) : [];
};
const english = plainTexts(windowWords);

const faultsIn = async (page: Page): Promise<readonly string[]> => [
  ...(await page.evaluate(findLayoutFaults)),
  ...(await page.evaluate(findUntranslated, english)),
];

/**
 * Expects that everything on the page can be read and reached in windows of all sizes, and that all words are translated: in the
 * pseudo-language, in which no text is shorter than in any other. SCREENS_DIR: a folder that also gets a picture of each. Needs
 * `beginInEnglish` first, and ends in English.
 */
export const expectFits = async (page: Page, screen: string): Promise<void> => {
  const { SCREENS_DIR: pictures } = process.env;
  await speakLanguage(page, 'pseudo');
  for (const size of sizes) {
    await page.setViewportSize(size);
    await softly.poll(() => faultsIn(page), { message: `${screen}, ${size.width} wide` }).toEqual([]);
    if (pictures !== undefined)
      await page.screenshot({ path: join(pictures, `${size.width}-${screen.replaceAll(' ', '-')}.png`) });
  }
  await speakLanguage(page, 'en');
};
