import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { oddTexts } from '../../src/sandbox/faults/effects.ts';
import { expectWhole } from './support/layout.ts';
import { makeFolder } from './support/make-folder.ts';
import { openAssignment, openSection, shown, signIn, startUpload } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

/** Expects the note below a list with an unreadable record. */
const expectUnreadable = (page: Page) =>
  expect(page.getByText(/1 item could not be read/).filter({ visible: true })).toBeVisible();

test('shows odd records as plain text in their places, counts those it cannot read, finds them, says when the answer to a change cannot be understood, and uploads', async ({
  desk,
  control,
  home,
}) => {
  const { page } = desk;
  await control.faults.add({ match: { route: 'any' }, effect: { type: 'odd-records' } });
  await signIn(desk);
  const table = page.getByRole('table', { name: 'Protocols' });
  await expect(table.getByText(oddTexts.html).first()).toBeVisible();
  await expect(table.getByText(oddTexts.rightToLeft).first()).toBeVisible();
  await expectUnreadable(page);
  await expectWhole(page, 'protocols');

  for (const [section, text] of [
    ['Assignments', oddTexts.html],
    ['Inspections to order', oddTexts.emoji],
  ] as const) {
    await openSection(page, section);
    await expect(shown(page, text).first()).toBeVisible();
    await expectUnreadable(page);
    await expectWhole(page, section);
  }
  await openSection(page, 'Overview');
  await expect(page.getByRole('region', { name: 'Work list' })).toBeVisible();
  await expectWhole(page, 'overview');

  await page.keyboard.press('Control+k');
  const search = page.getByRole('combobox', { name: 'Search protocols, assignments, uploads and files' });
  for (const text of ['xxxx', 'img', 'ירושלים']) {
    await search.fill(text);
    await expect(page.getByRole('option').first()).toBeVisible();
    await expectWhole(page, `search for ${text}`);
  }
  await page.keyboard.press('Escape');

  await openSection(page, 'Protocols');
  // The texts of the first protocol are 10,000 characters long; those of the second are markup.
  for (const row of [0, 1]) {
    await page.getByRole('table', { name: 'Protocols' }).locator(`[data-row="${row}"]`).click();
    const points = page.getByRole('region', { name: 'Inspection points' });
    await points.getByRole('tab', { name: /^All points/ }).click();
    await expect(points.getByRole('button', { name: oddTexts.html })).toBeVisible();
    // A severity that does not fit ends in an ellipsis, and its tooltip has the whole text.
    const severity = points.getByRole('listitem').first().getByTitle(oddTexts.long);
    const text = severity.getByText(oddTexts.long);
    await expect.poll(() => text.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true);
    await expect(text).toHaveCSS('text-overflow', 'ellipsis');
    await expectWhole(page, `protocol ${row}`);
    for (const point of [0, 1]) {
      await points.getByRole('listitem').nth(point).click();
      await expect(page.getByRole('button', { name: 'Close details' })).toBeVisible();
      await expectWhole(page, `protocol ${row}, details ${point}`);
    }
    await openSection(page, 'Protocols');
  }
  await openAssignment(page);
  await expectWhole(page, 'assignment');

  const part = page.getByRole('region', { name: 'Plan after' });
  await part.getByLabel('Date and time').fill('2027-03-01T08:00');
  await part.getByRole('button', { name: 'Save date' }).click();
  await expect(part.getByRole('alert')).toContainText('The service sent an unexpected response.');
  await expectWhole(page, 'assignment');

  // The long name of the assignment does not break the layout of the review.
  await makeFolder(join(home, 'Documents'), 3);
  await desk.chooseFolder(() => page.getByRole('button', { name: 'Choose folder' }).click(), join(home, 'Documents'));
  await expect(page.getByRole('combobox', { name: 'Search for an assignment' })).toHaveValue(
    new RegExp(`^${oddTexts.long}`),
  );
  await expect(page.getByRole('button', { name: 'Start upload' })).toBeInViewport();
  await expectWhole(page, 'new upload');
  await startUpload(page);
  await expect(page.getByRole('tab', { name: 'All (3)' })).toBeInViewport();
  await expectWhole(page, 'batch');
  await openSection(page, 'Uploads');
  await expect(
    page.getByRole('list', { name: 'Uploads' }).getByRole('progressbar').or(shown(page, 'Finished')),
  ).toBeInViewport();
  await expectWhole(page, 'Uploads');
});
