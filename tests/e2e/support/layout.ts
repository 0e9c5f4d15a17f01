import type { Page } from '@playwright/test';
import { expect } from './test.ts';

/** What of the page reaches beyond the window, where nothing scrolls to it, and whatever of a text has become markup. */
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
