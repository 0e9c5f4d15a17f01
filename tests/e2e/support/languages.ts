/** Changes the language of the app during a walk, as a user does in the settings. */
import { expect, type Page } from '@playwright/test';
import type { Spoken } from '../../../src/words/languages.ts';

const choose = (page: Page, language: string): Promise<unknown> =>
  page.evaluate(
    (chosen) => Reflect.get(window, 'inspectionDesk').calls.preferences.set({ language: chosen }),
    language,
  );

/** Loads the page in English, with the pseudo-language in place of the system's. */
export const beginInEnglish = async (page: Page): Promise<void> => {
  await choose(page, 'en');
  await page.evaluate(() => {
    const address = new URL(location.href);
    address.searchParams.set('language', 'pseudo');
    history.replaceState(history.state, '', address);
  });
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
};

/** Changes the language of the page that `beginInEnglish` has loaded. */
export const speakLanguage = async (page: Page, language: Spoken): Promise<void> => {
  await choose(page, language === 'pseudo' ? 'system' : language);
  await expect(page.locator('html')).toHaveAttribute('lang', language === 'pseudo' ? 'en-XA' : language);
};
