import { join } from 'node:path';
import { copiedLines, keepCopied } from './support/copied.ts';
import { makeFolder } from './support/make-folder.ts';
import { firstRow, openAssignment, shown, signIn, uploadFolder } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

test('removes selected files, and those of a folder of an upload, with one question each and a receipt', async ({
  desk,
  home,
  control,
}) => {
  const { page } = desk;
  await makeFolder(join(home, 'Fløy B'), 12);
  await signIn(desk);
  await openAssignment(page);
  await uploadFolder(desk, join(home, 'Fløy B'));
  await expect(shown(page, '12 uploaded')).toBeVisible();

  const remove = page.getByRole('button', { name: 'Remove files' });
  const which = page.getByRole('dialog', { name: 'Remove files' });
  await remove.press('Enter');
  await expect(which.getByRole('combobox')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(which).toBeHidden();
  await expect(remove).toBeFocused();
  await remove.click();
  await which.getByRole('combobox', { name: 'Which files' }).selectOption({ index: 2 });
  // There is only one question: its dialog lets the user choose the files, and explains the removal.
  await expect(which).toContainText('3 files in total');
  await expect(which).toContainText('The files on your computer are not deleted.');
  await which.getByRole('button', { name: 'Remove 3 files' }).click();
  await expect(which).toBeHidden();
  await expect(shown(page, '3 files removed')).toBeVisible();
  // The open page is updated: its outcome, its lists and their counts.
  await expect(shown(page, '12 uploaded, 3 removed later')).toBeVisible();
  const uploaded = page.getByRole('table', { name: 'Files', exact: true });
  await page.getByRole('tab', { name: 'Done (9)' }).click();
  await expect(uploaded.getByText('Uploaded', { exact: true }).first()).toBeVisible();
  await expect(uploaded.getByText('Removed', { exact: true })).toHaveCount(0);
  await page.getByRole('tab', { name: 'Removed (3)' }).click();
  await expect(uploaded.getByText('Removed', { exact: true })).toHaveCount(3);
  await expect(uploaded.getByText(/^Removed .*\d/)).toHaveCount(3);
  await expect(uploaded.getByText('Uploaded', { exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Dismiss', exact: true }).filter({ visible: true }).click();
  await expect(shown(page, '3 files removed')).toBeHidden();
  expect(await control.objects()).toHaveLength(9);

  await page.keyboard.press('Alt+ArrowLeft');
  const files = page.getByRole('grid', { name: 'Files on this assignment' });
  // Copies the key of a file, for example for a support request.
  await keepCopied(page);
  await files
    .getByRole('button', { name: /^Copy object key of / })
    .first()
    .click();
  await expect(files.getByText('Copied', { exact: true })).toBeVisible();
  expect((await control.objects()).map(({ Key }) => [Key])).toContainEqual(await copiedLines(page));
  await files.getByRole('checkbox').nth(1).check();
  await files.getByRole('checkbox').nth(2).check();
  await page.getByRole('button', { name: 'Remove selected' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove 2 files' }).click();
  await expect(shown(page, '2 files removed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save receipt' }).filter({ visible: true })).toBeVisible();
  await expect(shown(page, '0 selected')).toBeVisible();
  expect(await control.objects()).toHaveLength(7);
  await expect(firstRow(page, 'Uploads from this computer')).toBeVisible();
});
