import type { Page } from '@playwright/test';
import { expect, test } from './support/test.ts';

/** Opens the page as a window of the desktop does that has no title bar of its own. */
const openFramed = async (page: Page, frame: 'mac' | 'windows'): Promise<void> => {
  await page.goto(new URL(`/?frame=${frame}`, page.url()).href);
  await page.getByRole('heading', { level: 1 }).waitFor();
};

test('leaves the top row over the navigation to the lights of a Mac', async ({ desk: { page } }) => {
  await openFramed(page, 'mac');
  const first = await page.getByRole('navigation', { name: 'Main' }).getByRole('button').first().boundingBox();
  expect(first?.y).toBeGreaterThanOrEqual(44);
  const search = await page.getByRole('button', { name: 'Search everywhere' }).boundingBox();
  expect((search?.y ?? 0) + (search?.height ?? 0)).toBeLessThanOrEqual(44);
});

test('leaves the end of the top row to the buttons of Windows', async ({ desk: { page } }) => {
  await openFramed(page, 'windows');
  const help = await page.getByRole('button', { name: 'Keyboard shortcuts' }).boundingBox();
  const width = await page.evaluate(() => innerWidth);
  expect((help?.x ?? 0) + (help?.width ?? 0)).toBeLessThanOrEqual(width - 138);
});
