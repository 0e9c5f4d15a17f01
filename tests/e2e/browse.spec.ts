import { openAssignment, openSection, signIn } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

test.use({ protocols: 240 });

test('reads protocols and assignments', async ({ desk }) => {
  const { page } = desk;
  await signIn(desk);
  await test.step('browses from a protocol to an assignment', async () => {
    const row = page.getByRole('table', { name: 'Protocols' }).locator('[data-row="0"]');
    const address = (await row.getByRole('button').textContent()) ?? '';
    await openAssignment(page);
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(page.getByRole('heading', { level: 1, name: address })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Inspection points' }).getByRole('listitem').first()).toBeVisible();
    // After a click on a row, the row has the focus.
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(row.getByRole('button')).toBeFocused();
  });

  await test.step('finds a table scrolled as it was left, and at its top after a search', async () => {
    const scroller = page.getByRole('group', { name: 'Protocols' });
    const row = (index: number) =>
      page.getByRole('table', { name: 'Protocols' }).locator(`[data-row="${index}"] button`);
    await expect(row(0)).toBeInViewport();
    await scroller.evaluate((element) => element.scrollTo({ top: 1200 }));
    await row(32).click();
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(row(32)).toBeInViewport();
    await expect(row(0)).not.toBeInViewport();
    await page.getByRole('searchbox', { name: 'Search protocols' }).fill('b');
    await expect(row(0)).toBeInViewport();
    expect(await scroller.evaluate((element) => element.scrollTop)).toBe(0);
  });

  await test.step('searches the protocols, and the projects of a county', async () => {
    await page.getByRole('searchbox', { name: 'Search protocols' }).fill('no such place');
    await expect(page.getByText('No protocols found for “no such place”.')).toBeVisible();

    // The field accepts any name, and offers the counties that were read before.
    await openSection(page, 'Assignments');
    await page.getByRole('checkbox', { name: 'Projects only' }).check();
    const county = page.getByRole('combobox', { name: 'County' });
    const cities = async () =>
      new Set(await page.getByRole('grid', { name: 'Assignments' }).locator('td:nth-child(3)').allInnerTexts());
    await county.click();
    await expect(page.getByRole('option', { name: 'For another county, enter its full name.' })).toBeVisible();
    await county.fill('Atlantis');
    await expect(page.getByText('No assignments match these filters.')).toBeVisible();
    await county.fill('Vestland');
    await expect.poll(cities).toEqual(new Set(['Bergen']));
    await county.fill('');
    await expect.poll(async () => (await cities()).size).toBeGreaterThan(1);
    await county.press('ArrowDown');
    await page.getByRole('option', { name: 'Vestland' }).click();
    await expect.poll(cities).toEqual(new Set(['Bergen']));
  });
});
