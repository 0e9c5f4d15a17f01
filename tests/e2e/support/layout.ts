import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { windowWords } from '../../../src/words/en/window.ts';
import { expectNoBarriers } from './barriers.ts';
import type { Look } from './every-screen.ts';
import { speakLanguage } from './languages.ts';
import { findLayoutFaults } from './layout-faults.ts';
import { expect } from './test.ts';
import { findUntranslated } from './untranslated.ts';

/**
 * The parts of the page that are outside of the window and cannot be scrolled into view, and texts that became markup.
 */
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

/** Expects that no part of the page is out of reach in a small window and in one of the default size. */
export const expectWhole = async (page: Page, screen: string): Promise<void> => {
  for (const size of [
    { width: 800, height: 600 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(size);
    await expect.poll(() => broken(page), { message: `${screen}, ${size.width} wide` }).toEqual([]);
  }
};

/** A walk continues after a fault, and reports all faults at its end. */
const softly = expect.configure({ soft: true, timeout: 5_000 });

const usual = { width: 1280, height: 800 };

const small = { width: 800, height: 600 };
/**
 * The default window at 200 % and 400 % zoom, which leave the page half and a quarter of the width (WCAG 2.2, 1.4.10).
 */
const zoomed = { width: 640, height: 400 };
const zoomedMost = { width: 320, height: 200 };
/** Consecutive sizes differ: an open popover moves when the size of the window changes, but not when texts change. */
const sizes = [small, zoomed, zoomedMost, usual];

/** The texts below `words` that have no placeholders. */
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
 * Expects that everything on the page can be read and reached in windows of all sizes, and that all words are
 * translated. Checks it in the pseudo-language, whose texts are at least as long as those of any other language.
 * SCREENS_DIR: a folder for pictures of each screen. Call `beginInEnglish` first; the page is in English at the end.
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

/** Returns a `Look` that expects that axe finds no barriers on a screen, and that it fits (`expectFits`). */
export const expectUsable =
  (page: Page): Look =>
  async (screen, only) => {
    if (only !== 'layout') await expectNoBarriers(page, screen);
    await page.emulateMedia({ colorScheme: null, forcedColors: null, reducedMotion: null });
    if (only !== 'barriers') await expectFits(page, screen);
  };
