import { mkdir, open, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openAssignment, openSection, shown, signIn } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

test('a watched folder uploads a file that is written slowly, and the Overview says what waits', async ({
  desk,
  control,
  home,
}) => {
  const { page, chooseFolder } = desk;
  const folder = join(home, 'Scans');
  await mkdir(folder);
  await signIn(desk);
  await openAssignment(page);
  const address = (await page.getByRole('heading', { level: 1 }).filter({ visible: true }).innerText()).trim();

  await openSection(page, 'Uploads');
  await page.getByRole('button', { name: 'Watched folders' }).click();
  await expect(page.getByText('No folders are watched.')).toBeVisible();
  await chooseFolder(() => page.getByRole('button', { name: 'Watch a folder…' }).click(), folder);
  const dialog = page.getByRole('dialog', { name: 'Watch “Scans”' });
  await dialog.getByRole('radio', { name: 'All files to one assignment' }).check();
  await dialog.getByRole('combobox', { name: 'Search for an assignment' }).click();
  await page.keyboard.type(address);
  await page.getByRole('listbox').getByRole('option').first().click();
  await dialog.getByRole('button', { name: 'Watch', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Watched folders' }).getByText('Watching.')).toBeVisible();

  const file = await open(join(folder, 'report.pdf.part'), 'w');
  await file.write('first half, ');
  await file.write('second half');
  await file.close();
  await rename(join(folder, 'report.pdf.part'), join(folder, 'report.pdf'));
  await expect.poll(async () => (await control.objects()).map(({ FileName }) => FileName)).toEqual(['report.pdf']);
  await openSection(page, 'Uploads');
  await expect(shown(page, '1 uploaded').first()).toBeVisible();

  // Files whose names match no assignment wait until the user chooses one.
  await page.getByRole('button', { name: 'Watched folders' }).click();
  await page.getByRole('button', { name: 'Change…: Scans' }).click();
  const change = page.getByRole('dialog', { name: 'Change “Scans”' });
  await change.getByRole('radio', { name: /^Each subfolder/ }).check();
  await change.getByRole('button', { name: 'Save' }).click();
  await mkdir(join(folder, 'Blue house'));
  await writeFile(join(folder, 'Blue house', 'photo.jpg'), 'pixels');
  await openSection(page, 'Overview');
  await expect(page.getByText(/1 file needs an assignment\./)).toBeVisible();
  await page.getByRole('button', { name: 'Choose assignments: Scans' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'New upload' })).toBeVisible();
  await expect(page.getByText('Blue house').filter({ visible: true }).first()).toBeVisible();
  expect(await control.objects()).toHaveLength(1);
});
