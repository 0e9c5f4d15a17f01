import { join } from 'node:path';
import { sampleProtocol } from '../../src/sandbox/sample/sample-data.ts';
import { openExport, signIn } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

test.use({ protocols: 240 });

test('sorts, filters, searches and exports the protocols while their pages are loading, says that only the loaded ones are sorted, and sorts everything once all are loaded', async ({
  desk,
  documents,
}) => {
  const { page } = desk;
  await signIn(desk);
  const table = page.getByRole('table', { name: 'Protocols' });
  const shownCities = () => table.locator('[data-row] td:nth-child(2)').allTextContents();
  const note = page.getByText('Only the protocols loaded so far are sorted.');
  await expect(page.getByText('50 of 240 protocols loaded')).toBeVisible();
  await expect(note).toBeHidden();

  // Only the loaded protocols are sorted. Further scrolling loads the next page, whose rows appear in their places.
  // A click anywhere in the heading sorts, not only one on its text.
  await table.getByRole('columnheader', { name: 'City' }).click();
  await expect(table.getByRole('columnheader', { name: 'City' })).toHaveAttribute('aria-sort', 'ascending');
  await expect.poll(async () => new Set((await shownCities()).slice(0, 5)).size).toBe(1);
  const firstCity = (await shownCities())[0] ?? '';
  await expect(note).toBeVisible();
  const beginPart = await openExport(page, 'part');
  await expect(page.getByText('50 rows are loaded so far. The service has 240.')).toBeVisible();
  const part = await desk.saveFile(() => beginPart.click(), join(documents, 'part.csv'));
  expect(part.trim().split('\r\n')).toHaveLength(51);

  // The note is also shown for a search with more matches than are loaded.
  const search = page.getByRole('searchbox', { name: 'Search protocols' });
  await search.fill('a');
  await expect(page.getByText(/^\d+ of \d+ protocols loaded$/)).toBeVisible();
  await expect(note).toBeVisible();
  await search.fill('');
  await expect(page.getByText('50 of 240 protocols loaded')).toBeVisible();
  await table.locator('[data-row="0"] button').focus();
  await page.keyboard.press('End');
  await expect(page.getByText(/^100 of [\d,]+ protocols loaded$/)).toBeVisible();

  // Filters apply to the loaded protocols, and the remaining ones can be loaded.
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('textbox', { name: 'City' }).fill(firstCity);
  await expect(page.getByText(/^Filters cover the 100 of [\d,]+ protocols loaded so far\.$/)).toBeVisible();
  await expect.poll(async () => [...new Set(await shownCities())]).toEqual([firstCity]);
  await page.getByRole('button', { name: 'Load all' }).click();
  await expect(page.getByText(/loaded so far/)).toBeHidden();
  await page.getByLabel('Inspected to').fill('2000-01-01');
  await expect(page.getByText('No protocols match these filters.')).toBeVisible();
  await expect(page.getByText(/^Filters match the beginnings of words/)).toBeVisible();
  // A text that is not a date is reported when its field is left. The message must not move the button that the user is
  // about to click.
  const clear = page.getByRole('button', { name: 'Clear filters' });
  const place = await clear.boundingBox();
  await page.getByLabel('Inspected from').fill('soon');
  await page.getByLabel('Inspected from').press('Tab');
  await expect(page.getByText(/^Enter a date such as /)).toBeVisible();
  expect(await clear.boundingBox()).toEqual(place);
  await clear.click();

  await expect(page.getByText('240 protocols', { exact: true })).toBeVisible();
  await expect(note).toBeHidden();
  const points = Array.from({ length: 240 }, (_, index) => sampleProtocol(1, index, 240).Points);
  const firstPoints = async () => Number(await table.locator('[data-row="0"] td:nth-child(6)').textContent());
  await table.getByRole('columnheader', { name: 'Points' }).click();
  await expect.poll(firstPoints).toBe(Math.min(...points));
  await table.getByRole('columnheader', { name: 'Points' }).click();
  await expect.poll(firstPoints).toBe(Math.max(...points));

  await search.fill('york');
  await expect.poll(async () => [...new Set(await shownCities())]).toEqual(['York']);
  await expect(page.getByText(/^\d+ protocols?$/)).toBeVisible();
  const begin = await openExport(page);
  const csv = await desk.saveFile(() => begin.click(), join(documents, 'p.csv'));
  const [header, ...lines] = csv.trim().split('\r\n');
  expect(header).toContain('"Address","City",');
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => !line.includes('","York","'))).toEqual([]);

  // The service searches within words, this computer only at their beginnings. The table shows the results of both.
  await search.fill(firstCity.slice(1));
  await expect.poll(shownCities).toContain(firstCity);
});
