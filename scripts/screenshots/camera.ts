import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { Language } from '../../src/contract/preferences.ts';
import { speakLanguage } from '../../tests/e2e/support/languages.ts';
import { expect } from './patient.ts';
import { takeSmallPng } from './small-png.ts';

export type Camera = {
  readonly page: Page;
  /** Saves the window as NAME.png in each language, if the user guide shows that picture or all looks are wanted. */
  readonly take: (name: string) => Promise<void>;
};

const images = new URL('../../docs/images/', import.meta.url);
const size = { width: 1280, height: 800 };

const usual = { colorScheme: 'light', forcedColors: 'none' } as const;

/**
 * Other sizes and colours for the review of screens: a small window, the usual one at 400 % zoom, dark, and forced
 * colours.
 */
const looks = {
  small: { size: { width: 1024, height: 768 } },
  zoomed: { size: { width: 320, height: 200 } },
  dark: { colorScheme: 'dark' },
  forced: { forcedColors: 'active' },
} as const satisfies Readonly<Record<string, Look>>;

type Look = {
  readonly size?: typeof size;
  readonly colorScheme?: 'dark';
  readonly forcedColors?: 'active';
};

/**
 * Creates a camera for `page`, in light colours and without motion. Pictures that the user guide shows are saved in
 * docs/images, in a folder for each language. With `everyLook`, all pictures are saved in `out`, in all looks. Between
 * two pictures the window is in English, because the scenes find buttons by their English names.
 */
export const createCamera = async (page: Page, languages: readonly Language[], everyLook = false): Promise<Camera> => {
  const guide = await readFile(new URL('../user-guide.md', images), 'utf8');
  const folder = everyLook ? new URL('../../out/screenshots/', import.meta.url) : images;
  for (const language of languages) await mkdir(new URL(`${language}/`, folder), { recursive: true });
  const shoot = async (name: string): Promise<void> =>
    writeFile(new URL(`${name}.png`, folder), await takeSmallPng(page));
  const speak = async (language: Language): Promise<void> => {
    await page.evaluate(
      (formats) => Reflect.get(window, 'inspectionDesk').calls.preferences.set({ formats }),
      language,
    );
    await speakLanguage(page, language);
  };
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  return {
    page,
    take: async (name) => {
      if (!everyLook && !guide.includes(`(images/en/${name}.png)`)) return;
      // Moves the pointer away, so that the picture has neither a tooltip nor a highlight.
      await page.mouse.move(size.width / 2, 2);
      await expect(page.getByRole('tooltip').filter({ visible: true })).toHaveCount(0);
      await expect(page.locator('.fui-Skeleton').filter({ visible: true })).toHaveCount(0);
      for (const language of languages) {
        await speak(language);
        await shoot(`${language}/${name}`);
        for (const [look, change] of everyLook ? Object.entries<Look>(looks) : []) {
          await page.setViewportSize(change.size ?? size);
          await page.emulateMedia({ ...usual, ...change });
          await shoot(`${language}/${name}-${look}`);
          await page.emulateMedia(usual);
          await page.setViewportSize(size);
        }
      }
      await speak('en');
      process.stdout.write(`${name}.png\n`);
    },
  };
};
