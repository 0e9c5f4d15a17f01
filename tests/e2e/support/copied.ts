import type { Page } from '@playwright/test';

/** Has the page keep what it copies: the system's clipboard is shared with whatever else runs on this machine. */
export const keepCopied = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const writeText = async (text: string): Promise<void> => void Reflect.set(window, 'copied', text);
    Object.defineProperty(navigator.clipboard, 'writeText', { value: writeText });
  });

/** What the page has copied last, line by line. */
export const copiedLines = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => String(Reflect.get(window, 'copied')).split('\n'));
