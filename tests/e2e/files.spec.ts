import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dropFolder } from './support/drop-folder.ts';
import { makeFolder } from './support/make-folder.ts';
import { firstRow, openAssignment, openSection, shown, signIn, uploadFolder } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

test('finds any file of any upload, and tells whether a dropped one was sent, where and when', async ({
  desk,
  home,
  control,
}) => {
  const { page } = desk;
  const folder = join(home, 'Fløy B');
  await makeFolder(folder, 12);
  await mkdir(join(folder, 'roof'));
  await writeFile(join(folder, 'roof', 'IMG_0123.jpg'), 'the roof');
  await control.faults.add({
    match: { route: 'storage-put', contains: 'rapport' },
    effect: { type: 'status', status: 413 },
  });
  await signIn(desk);
  await openAssignment(page);
  const target = await page.getByRole('heading', { level: 1 }).innerText();
  await uploadFolder(desk, folder);
  await expect(shown(page, /^\d+ uploaded, \d failed$/)).toBeVisible();

  await openSection(page, 'Files');
  await expect(shown(page, '13 files')).toBeVisible();
  const search = page.getByRole('searchbox', { name: 'Search files' });
  const count = async (text: string, files: string) => {
    await search.fill(text);
    await expect(shown(page, files)).toBeVisible();
  };
  await count('floy roof 0123', '1 file');
  await expect(firstRow(page, 'Files')).toContainText('IMG_0123.jpg');
  await expect(firstRow(page, 'Files')).toContainText(target);
  await expect(firstRow(page, 'Files')).toContainText('Uploaded');
  await count(createHash('sha256').update('the roof').digest('hex'), '1 file');
  await count('nothing like this', '0 files');
  await expect(shown(page, 'No files match.')).toBeVisible();
  await count('', '13 files');
  await page.getByRole('button', { name: 'Filter', exact: true }).filter({ visible: true }).click();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Failed');
  await expect(firstRow(page, 'Files')).toContainText('rapport');

  // A file with the same content under another name, and a file with the same name and other content.
  const others = join(home, 'others');
  await mkdir(others);
  await writeFile(join(others, 'copy.jpg'), 'the roof');
  await writeFile(join(others, 'IMG_0123.jpg'), 'another roof');
  await dropFolder(page, search, join(others, 'copy.jpg'));
  await expect(shown(page, '“copy.jpg” was uploaded.')).toBeVisible();

  // Only the two rejected reports of the whole folder were not uploaded.
  await dropFolder(page, search, folder);
  await expect(shown(page, /^2 of 13 files were never sent\.$/)).toBeVisible();
  await expect(page.getByRole('list', { name: 'Files that were never sent' })).toContainText('rapport');
  await dropFolder(page, search, join(folder, 'roof'));
  await expect(shown(page, /^The file was sent on .*\.$/)).toBeVisible();

  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog');
  await dropFolder(page, dialog, join(others, 'IMG_0123.jpg'));
  await expect(dialog.getByText('“IMG_0123.jpg” was not uploaded from this computer.')).toBeVisible();
  await expect(dialog.getByText('Other files with this name:')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();

  await dialog.getByRole('combobox').fill('jpg');
  await expect(dialog.getByRole('group', { name: 'Files' }).getByRole('option')).toHaveCount(7);
  await dialog.getByRole('option', { name: 'Show all 13 files' }).click();
  await expect(shown(page, '13 files')).toBeVisible();
  await search.filter({ visible: true }).fill('0123');
  await firstRow(page, 'Files').filter({ visible: true }).getByRole('button').click();
  await expect(page.getByRole('heading', { level: 1, name: target })).toBeVisible();
  await page.getByRole('button', { name: 'Search these files' }).click();
  await expect(shown(page, '13 files')).toBeVisible();
});
