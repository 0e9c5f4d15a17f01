import { firstRow, openSection, readProtocol, signIn } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

test('keys open the guide, refresh the current page, and lead to its search or filters and its rows', async ({
  desk,
  control,
}) => {
  const { page } = desk;
  const { keyboard } = page;

  await test.step('F1 opens the user guide, as does the navigation', async () => {
    // The guide opens before a sign-in, too.
    await page.keyboard.press('F1');
    await expect(page.getByRole('heading', { level: 1, name: 'Help' })).toBeFocused();
    for (const topic of ['Getting started', 'Work offline', 'Upload a folder', 'Keyboard']) {
      await expect(page.getByRole('heading', { level: 2, name: topic })).toBeVisible();
    }
    const contents = page.getByRole('navigation', { name: 'Contents' });
    await contents.getByRole('button', { name: 'Troubleshooting' }).click();
    await expect(page.getByRole('heading', { level: 2, name: 'Troubleshooting' })).toBeFocused();
    await expect(page.getByRole('heading', { level: 2, name: 'Troubleshooting' })).toBeInViewport();
    const picture = page.getByRole('region', { name: 'Troubleshooting' }).getByRole('img').first();
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1280);
    await page.keyboard.press('Control+f');
    await page.keyboard.type('retry selected');
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(['When files fail']);
    await page.keyboard.press('Control+,');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Help' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Help' })).toBeVisible();
    // F1 works in the search dialog, too.
    await openSection(page, 'Settings');
    await page.keyboard.press('Control+k');
    await page.keyboard.press('F1');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(page.getByRole('heading', { level: 1, name: 'Help' })).toBeVisible();
  });

  await test.step('Ctrl+A selects the text of a field, and never that of the whole window', async () => {
    const selected = () => page.evaluate(() => getSelection()?.toString());
    const title = page.getByRole('heading', { level: 1, name: 'Help' });
    await title.click();
    await keyboard.press('Control+a');
    expect(await selected()).toBe('');
    await title.click({ clickCount: 3 });
    expect((await selected())?.trim()).toBe('Help');
    await page.keyboard.press('Control+f');
    await page.keyboard.type('guide');
    await keyboard.press('Control+a');
    await page.keyboard.type('zoom');
    await expect(page.locator(':focus')).toHaveValue('zoom');
    await page.locator(':focus').fill('');
  });

  await test.step('F5 and Ctrl+R refresh the current page', async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Protocols' }).click();
    await signIn(desk);
    await openSection(page, 'Assignments');
    await firstRow(page, 'Assignments').waitFor();
    const requests = async (route: 'list-protocols' | 'list-project-assignments') =>
      (await control.stats()).routes[route].requests;
    for (const key of ['F5', 'Control+r']) {
      const before = await requests('list-project-assignments');
      await page.keyboard.press(key);
      await expect.poll(() => requests('list-project-assignments')).toBeGreaterThan(before);
    }
    await page.keyboard.press('Alt+ArrowLeft');
    const before = await requests('list-protocols');
    await page.keyboard.press('F5');
    await expect.poll(() => requests('list-protocols')).toBeGreaterThan(before);
  });

  await test.step('Ctrl+F goes to the search or filters of each page, and the down arrow to its rows', async () => {
    const search = page.getByRole('searchbox', { name: 'Search protocols' });
    await keyboard.press('Control+f');
    await expect(search).toBeFocused();
    await keyboard.press('ArrowDown');
    await expect(firstRow(page, 'Protocols').getByRole('button')).toBeFocused();
    await keyboard.press('ArrowDown');
    await expect(page.locator('[data-row="1"] button')).toBeFocused();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('textbox', { name: 'City' }).press('ArrowDown');
    await expect(page.locator('[data-row="1"] button')).toBeFocused();

    await readProtocol(page);
    await keyboard.press('Control+f');
    await expect(page.getByRole('searchbox', { name: 'Search in points' })).toBeFocused();
    await keyboard.press('ArrowDown');
    const points = page.getByRole('region', { name: 'Inspection points' });
    await expect(points.getByRole('listitem').first().getByRole('button')).toBeFocused();
    await openSection(page, 'Assignments');
    await keyboard.press('Control+f');
    await expect(page.getByRole('searchbox', { name: 'Search assignments' })).toBeFocused();
    await openSection(page, 'Overview');
    await keyboard.press('Control+f');
    await expect(page.getByRole('combobox', { name: 'City' })).toBeFocused();
    // On a page without a search field, the shortcut opens the search dialog, in which it does nothing more.
    await openSection(page, 'Settings');
    await keyboard.press('Control+f');
    await expect(page.getByRole('dialog', { name: 'Search everywhere' }).getByRole('combobox')).toBeFocused();
    await keyboard.press('Control+f');
    await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  });
});
