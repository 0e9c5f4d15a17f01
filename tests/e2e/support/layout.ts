import type { Page } from '@playwright/test';
import { findLayoutFaults, lengthenWords, restoreWords } from './layout-faults.ts';
import { expect } from './test.ts';

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

/** A usual window, a small one, and the usual one at 200 % zoom, which halves the room that the page has. */
const sizes = [
  { width: 1280, height: 800 },
  { width: 800, height: 600 },
  { width: 640, height: 400 },
];

/** Expects that everything on the page can be read and reached in windows of all sizes, also in a language with longer words. */
export const expectFits = async (page: Page, screen: string): Promise<void> => {
  for (const size of sizes) {
    await page.setViewportSize(size);
    const message = `${screen}, ${size.width} wide`;
    await expect.poll(() => page.evaluate(findLayoutFaults), { message }).toEqual([]);
    const faultsOfLonger = async (): Promise<readonly string[]> => {
      await page.evaluate(lengthenWords);
      const faults = await page.evaluate(findLayoutFaults);
      await page.evaluate(restoreWords);
      return faults;
    };
    await expect.poll(faultsOfLonger, { message: `${message}, longer words` }).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
};
