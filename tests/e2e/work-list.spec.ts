import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { makeFolder } from './support/make-folder.ts';
import { firstRow, openSection, readEverything, shown, signIn, uploadFolder } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

const tab = (page: Page, name: string) => page.getByRole('tablist', { name: 'Work list' }).getByRole('tab', { name });

/** Resolves to the number in the name of a tab, such as "Overdue (12)". */
const countIn = async (page: Page, name: string): Promise<number> =>
  Number(/\((\d+)\)/.exec(await tab(page, name).innerText())?.[1]);

test('shows a day of the calendar alone, the first ten of a longer list, more on request, and exports all; an overdue row leads to its upload; a view of the assignments is saved, three of them are planned, and that is undone', async ({
  desk,
  home,
}) => {
  const { page } = desk;
  await signIn(desk);
  await readEverything(page);
  const month = page.getByRole('region', { name: 'Assignments by day' });
  // Goes to October 2026, because the sample data is around a fixed day in that month.
  for (
    let steps = 0;
    steps < 24 && !(await month.getByRole('heading', { name: 'October 2026' }).isVisible());
    steps += 1
  )
    await month.getByRole('button', { name: steps < 12 ? 'Previous month' : 'Next month' }).click();
  const day = month.getByRole('button', { name: /: [1-9]\d* assignments?$/ }).first();
  await expect(day).toBeVisible();
  const [, date, count] = /^(.+): (\d+) assignments?$/.exec((await day.getAttribute('title')) ?? '') ?? [];
  await day.click();
  await expect(page.getByText(`Starts ${date}`)).toBeVisible();
  await expect(page.getByRole('table', { name: 'Work list' }).locator('[data-row]')).toHaveCount(Number(count));
  await month.getByRole('button', { name: 'Show all days' }).click();
  await expect(tab(page, 'Overdue')).toBeVisible();

  await expect(tab(page, 'Without documents')).toHaveText(/\(\d+\)$/);
  await tab(page, 'Without documents').click();
  const list = page.getByRole('table', { name: 'Work list' });
  await expect(list.locator('[data-row]')).toHaveCount(10);
  const total = await countIn(page, 'Without documents');
  expect(total).toBeGreaterThan(10);
  await list.locator('[data-row="0"]').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Export…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await expect(dialog).toContainText(`All rows (${total})`);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  const more = Math.min(total, 50) - 10;
  await page.getByRole('button', { name: `Show ${more} more` }).click();
  await expect(list.locator('[data-row]')).toHaveCount(10 + more);
  await expect(list.locator('[data-row="10"]').getByRole('button')).toBeFocused();
  await page.getByRole('tab', { name: /^Overdue/ }).click();
  await expect(list.locator('[data-row="10"]')).toBeHidden();

  const works = page.getByRole('region', { name: 'Work list' });
  await expect(tab(page, 'Overdue')).toHaveText(/^Overdue \([1-9]\d*\)$/);
  const overdue = await countIn(page, 'Overdue');

  const row = works.locator('[data-row="0"]');
  const [, city = ''] = /\n(.+) · /.exec(await row.innerText()) ?? [];
  await works.getByRole('combobox', { name: 'City' }).selectOption(city);
  await expect(tab(page, 'Overdue')).not.toHaveText(`Overdue (${overdue})`);
  const here = await countIn(page, 'Overdue');
  for (const text of await works.locator('[data-row]').allInnerTexts()) expect(text).toContain(`${city} ·`);

  await row.click();
  const folder = join(home, 'Photos');
  await makeFolder(folder, 2);
  await uploadFolder(desk, folder);
  await expect(shown(page, '2 uploaded')).toBeVisible();
  await openSection(page, 'Overview');
  await expect(tab(page, 'Overdue')).toHaveText(`Overdue (${here - 1})`);

  const open = async () => {
    await openSection(page, 'Assignments');
    await expect(firstRow(page, 'Assignments')).toBeVisible();
  };
  await open();
  await page.getByRole('combobox', { name: 'City' }).selectOption('Bergen');
  await page.getByRole('columnheader', { name: 'Customer' }).getByRole('button').click();
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save view…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Bergen by customer');
  await page.getByRole('button', { name: 'Save view' }).click();
  await expect(page.getByRole('button', { name: 'Bergen by customer' })).toBeVisible();
  const rows = page.getByRole('grid', { name: 'Assignments' }).locator('[data-row]');
  const saved = await rows.allInnerTexts();
  await page.getByRole('button', { name: 'Bergen by customer' }).click();
  await page.getByRole('menuitemradio', { name: 'Default view' }).click();
  await expect(page.getByRole('combobox', { name: 'City' }).locator('option:checked')).toHaveText('All cities');

  await page.reload();
  await open();
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitemradio', { name: 'Bergen by customer' }).click();
  await expect(page.getByRole('combobox', { name: 'City' }).locator('option:checked')).toHaveText('Bergen');
  await expect(page.getByRole('columnheader', { name: 'Customer' })).toHaveAttribute('aria-sort', 'ascending');
  await expect
    .poll(() => page.getByRole('grid', { name: 'Assignments' }).locator('[data-row]').allInnerTexts())
    .toEqual(saved);
  await page.getByRole('button', { name: 'Bergen by customer' }).click();
  await page.getByRole('menuitemradio', { name: 'Default view' }).click();

  const shows = page.getByRole('combobox', { name: 'Show' });
  const status = page.getByRole('combobox', { name: 'Status' });
  await expect(shows.locator('option:checked')).toHaveText('Open assignments');
  const plan = page.getByRole('button', { name: 'Plan after…' });
  await expect(plan).toBeDisabled();
  await plan.hover();
  await expect(page.getByRole('tooltip', { name: 'Select the assignments first.' })).toBeVisible();
  const known = page.getByText(/^\d+ of \d+ assignments$/);
  await expect(known).toBeVisible();

  // Among the open assignments, none has a closed status, so all assignments are shown.
  await status.selectOption('Completed');
  await expect(shows.locator('option:checked')).toHaveText('All assignments');
  await expect(firstRow(page, 'Assignments')).toContainText('Completed');
  await shows.selectOption('Overdue');
  await expect(status.locator('option:checked')).toHaveText('All statuses');
  await expect(firstRow(page, 'Assignments')).toBeVisible();
  await status.selectOption('Completed');
  await expect(shows.locator('option:checked')).toHaveText('All assignments');

  const search = page.getByRole('searchbox', { name: 'Search assignments' });
  await search.fill('no such street');
  await expect(page.getByText('No assignments match these filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(search).toHaveValue('');
  await expect(page.getByText(/^\d+ assignments known on this computer$/)).toBeVisible();

  // Plans three of the overdue assignments at once, and undoes that.
  await page.getByRole('combobox', { name: 'Show' }).selectOption('Overdue');
  const table = page.getByRole('grid', { name: 'Assignments' });
  await expect(firstRow(page, 'Assignments')).toBeVisible();
  const before = await known.innerText();
  const rowTop = async () => (await firstRow(page, 'Assignments').boundingBox())?.y;
  const top = await rowTop();
  for (const index of [0, 1, 2]) await table.locator(`[data-row="${index}"]`).getByRole('checkbox').check();
  await expect(plan).toHaveText('Plan after… (3)');
  // If the rows had moved, the pointer would be on another row, which the next click would open.
  expect(await rowTop()).toBe(top);
  await plan.click();
  const planning = page.getByRole('dialog', { name: 'Plan-after date for 3 assignments' });
  await planning.getByRole('button', { name: 'Cancel' }).click();
  // The assignments are still selected.
  await plan.click();
  await planning.getByRole('textbox').fill('2099-01-04');
  await planning.getByRole('button', { name: 'Set date' }).click();
  await expect(page.locator('[data-row] input').filter({ visible: true }).and(page.locator(':focus'))).toBeVisible();
  await expect(page.getByText(/3 assignments are planned after .*2099.*8:00/)).toBeVisible();
  // Assignments that are planned for later are not overdue.
  await expect(known).not.toHaveText(before);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('The plan-after dates of 3 assignments were cleared.')).toBeVisible();
  await expect(known).toHaveText(before);
});
