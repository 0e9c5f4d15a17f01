import { writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { toSmallPng } from './small-png.ts';

export type Camera = {
  readonly page: Page;
  /** Takes docs/images/NAME.png of the window as it is. */
  readonly take: (name: string) => Promise<void>;
};

const images = new URL('../../docs/images/', import.meta.url);
const size = { width: 1280, height: 800 };

/** A camera before `page`, in light colours and without motion. */
export const createCamera = async (page: Page): Promise<Camera> => {
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  return {
    page,
    take: async (name) => {
      // Neither a tooltip nor the mark of what lies under the pointer.
      await page.mouse.move(size.width / 2, 2);
      const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
      await writeFile(new URL(`${name}.png`, images), toSmallPng(picture));
      process.stdout.write(`${name}.png\n`);
    },
  };
};
