import { openSection, signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test('sorts, filters and searches the protocols while they are read page by page', async ({ desk }) => {
  const { page } = desk;
  await signIn(desk);
  const table = page.getByRole('table', { name: 'Protocols' });
  const shownCities = () => table.locator('[data-row] td:nth-child(2)').allTextContents();
  await expect(page.getByText(/^50 of [\d,]+ protocols loaded$/)).toBeVisible();

  // Sorted over what is here; scrolling on reads the next page into its place.
  await table.getByRole('columnheader', { name: 'City' }).getByRole('button').click();
  await expect(table.getByRole('columnheader', { name: 'City' })).toHaveAttribute('aria-sort', 'ascending');
  await expect.poll(async () => new Set((await shownCities()).slice(0, 5)).size).toBe(1);
  const firstCity = (await shownCities())[0] ?? '';
  await table.locator('[data-row="0"] button').focus();
  await page.keyboard.press('End');
  await expect(page.getByText(/^100 of [\d,]+ protocols loaded$/)).toBeVisible();

  // Filters leave a part of what was read, and the rest can be looked through, too.
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('textbox', { name: 'City' }).fill(firstCity);
  await expect(page.getByText(/^Among 100 of [\d,]+ protocols read so far\.$/)).toBeVisible();
  await expect.poll(async () => [...new Set(await shownCities())]).toEqual([firstCity]);
  await page.getByRole('button', { name: 'Read all' }).click();
  await expect(page.getByText(/read so far/)).toBeHidden();
  await page.getByLabel('Inspected to').fill('2000-01-01');
  await expect(page.getByText('No protocol matches these filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();

  // The service looks inside of words, this computer at their beginnings: both belong to the table.
  await page.getByRole('searchbox', { name: 'Search protocols' }).fill(firstCity.slice(1));
  await expect.poll(shownCities).toContain(firstCity);
});

test('leads from the severities of the overview to the points', async ({ desk }) => {
  const { page } = desk;
  await signIn(desk);
  // What was opened once is counted.
  await page.getByRole('table', { name: 'Protocols' }).locator('[data-row="0"]').click();
  await expect(page.getByRole('region', { name: 'Inspection points' }).getByRole('listitem').first()).toBeVisible();
  const protocol = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
  await openSection(page, 'Overview');
  const severities = page.getByRole('list', { name: /severity/i });
  const bar = severities.getByRole('button').first();
  const [severity = '', count = ''] = (await bar.locator('> span').allTextContents()).map((text) => text.trim());
  await bar.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText(`With points of severity “${severity}”`)).toBeVisible();
  await page.getByRole('table', { name: 'Protocols' }).getByRole('button', { name: protocol }).click();
  const points = page.getByRole('region', { name: 'Inspection points' });
  await expect(points.getByRole('combobox', { name: 'Severity' }).locator('option:checked')).toHaveText(severity);
  await expect(points.getByRole('status').first()).toContainText(`${count} of`);
});
