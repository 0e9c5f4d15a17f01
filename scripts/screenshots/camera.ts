import { mkdir, writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { Language } from '../../src/contract/preferences.ts';
import { speakLanguage } from '../../tests/e2e/support/languages.ts';
import { expect } from './patient.ts';
import { toSmallPng } from './small-png.ts';

export type Camera = {
  readonly page: Page;
  /** Takes a picture NAME.png of the window as it is. */
  readonly take: (name: string) => Promise<void>;
};

const images = new URL('../../docs/images/', import.meta.url);
const size = { width: 1280, height: 800 };

/**
 * A camera before `page`, in light colours and without motion. English pictures go to docs/images; those in another language
 * to a folder of its name in `out`. Between two pictures the window speaks English, as the scenes name what they press.
 */
export const createCamera = async (page: Page, language: Language): Promise<Camera> => {
  const folder = language === 'en' ? images : new URL(`../../out/screenshots/${language}/`, import.meta.url);
  await mkdir(folder, { recursive: true });
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  return {
    page,
    take: async (name) => {
      // Neither a tooltip nor the mark of what lies under the pointer.
      await page.mouse.move(size.width / 2, 2);
      await expect(page.getByRole('tooltip').filter({ visible: true })).toHaveCount(0);
      await speakLanguage(page, language);
      const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
      await speakLanguage(page, 'en');
      await writeFile(new URL(`${name}.png`, folder), toSmallPng(picture));
      process.stdout.write(`${name}.png\n`);
    },
  };
};
