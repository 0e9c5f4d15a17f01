import type { Page } from '@playwright/test';

/** Makes the page record what it copies: other programs on this machine share the system clipboard. */
export const keepCopied = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const writeText = async (text: string): Promise<void> => void Reflect.set(window, 'copied', text);
    Object.defineProperty(navigator.clipboard, 'writeText', { value: writeText });
  });

/** The text that the page copied last, line by line. */
export const copiedLines = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => String(Reflect.get(window, 'copied')).split('\n'));
