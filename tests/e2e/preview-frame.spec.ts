import type { Page } from '@playwright/test';
import { expect, testOnSharedDesk as test } from './support/test.ts';

/** Opens the page as in a desktop window without a title bar of its own. */
const openFramed = async (page: Page, frame: 'mac' | 'windows'): Promise<void> => {
  await page.goto(new URL(`/?frame=${frame}`, page.url()).href);
  await page.getByRole('heading', { level: 1 }).waitFor();
};

test('leaves room above the navigation for the window buttons of macOS', async ({ desk: { page } }) => {
  await openFramed(page, 'mac');
  const first = page.getByRole('navigation', { name: 'Main' }).getByRole('button').first();
  await expect.poll(async () => (await first.boundingBox())?.y).toBeGreaterThanOrEqual(44);
  const search = page.getByRole('button', { name: 'Search everywhere' });
  const searchEnd = async () => {
    const box = await search.boundingBox();
    return box === null ? undefined : box.y + box.height;
  };
  await expect.poll(searchEnd).toBeLessThanOrEqual(44);
});

test('leaves room at the end of the top row for the window buttons of Windows', async ({ desk: { page } }) => {
  await openFramed(page, 'windows');
  const help = page.getByRole('button', { name: 'Keyboard shortcuts' });
  const fromTheRight = () => help.evaluate((button) => innerWidth - button.getBoundingClientRect().right);
  await expect.poll(fromTheRight).toBeGreaterThanOrEqual(138);
});
