import { expect, testAtNewService as test } from './support/test.ts';

test('leaves room for the window buttons of macOS above the navigation, and for those of Windows at the end of the top row', async ({
  desk: { page },
}) => {
  /** Opens the page as in a desktop window without a title bar of its own. */
  const openPage = async (query: string): Promise<void> => {
    await page.goto(new URL(`/${query}`, page.url()).href);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  await openPage('?frame=mac');
  const first = page.getByRole('navigation', { name: 'Main' }).getByRole('button').first();
  await expect.poll(async () => (await first.boundingBox())?.y).toBeGreaterThanOrEqual(44);
  const search = page.getByRole('button', { name: 'Search everywhere' });
  const searchEnd = async () => {
    const box = await search.boundingBox();
    return box === null ? undefined : box.y + box.height;
  };
  await expect.poll(searchEnd).toBeLessThanOrEqual(44);

  await openPage('?frame=windows');
  const help = page.getByRole('button', { name: 'Keyboard shortcuts' });
  const fromTheRight = () => help.evaluate((button) => innerWidth - button.getBoundingClientRect().right);
  await expect.poll(fromTheRight).toBeGreaterThanOrEqual(138);
  // Opens the page without a frame again, because the next test uses the same app.
  await openPage('');
});
