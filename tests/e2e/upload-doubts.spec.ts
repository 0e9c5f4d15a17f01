import { join } from 'node:path';
import { expectNoBarriers } from './support/barriers.ts';
import { beginInEnglish } from './support/languages.ts';
import { expectFits } from './support/layout.ts';
import { makeFolder } from './support/make-folder.ts';
import { firstRow, openSection, shown, signIn } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

test('shows the status, and asks before an upload to a completed assignment from a folder of another address', async ({
  desk,
  home,
  control,
}) => {
  const { page, chooseFolder } = desk;
  await beginInEnglish(page);
  await signIn(desk);
  await openSection(page, 'Assignments');
  const status = page.getByRole('combobox', { name: 'Status' });
  await status.selectOption('Pending');
  const row = page.getByRole('grid', { name: 'Assignments' }).getByRole('row');
  const other = (
    await row
      .filter({ hasText: /\d+ \p{L}{4,}/u })
      .first()
      .getByRole('gridcell')
      .nth(1)
      .innerText()
  ).trim();
  await status.selectOption('Completed');
  await firstRow(page, 'Assignments').click();
  await expect(page.getByRole('heading', { name: 'Upload documents' })).toBeVisible();

  const folder = join(home, `${other} photos`);
  await makeFolder(folder, 2);
  await chooseFolder(() => page.getByRole('button', { name: 'Choose folder' }).click(), folder);
  const doubts = page.getByRole('alert');
  await expect(page.getByRole('grid', { name: 'Folders' }).locator('[data-row="0"]')).toContainText('· Completed');
  await expect(doubts.getByText('The status of this assignment is “Completed”.')).toBeVisible();
  await expect(doubts.getByText(`“${other} photos” may belong to another assignment.`)).toBeVisible();
  await expect(doubts.getByText(`Its name contains ${other}, which belongs to ${other}, `)).toBeVisible();
  await expectNoBarriers(page, 'upload with doubts');
  await expectFits(page, 'upload with doubts');
  expect(await control.objects()).toEqual([]);
  await page.getByRole('button', { name: 'Upload anyway' }).click();
  await expect(shown(page, '2 uploaded')).toBeVisible();
});
