import { join } from 'node:path';
import { makeFolder } from './support/make-folder.ts';
import { openAssignment, openSection, shown, signIn, uploadFolder } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test('finds protocols, assignments and uploads of this computer, each by its own words', async ({ desk, home }) => {
  const { page } = desk;
  await makeFolder(join(home, 'Søknad 2026'), 1);
  await signIn(desk);
  const address = await page.locator('[data-row="0"] button').first().innerText();
  await openAssignment(page);
  await uploadFolder(desk, join(home, 'Søknad 2026'));
  await expect(shown(page, '1 uploaded')).toBeVisible();
  await openSection(page, 'Projects');
  const customer = page.getByRole('table', { name: 'Assignments for projects' }).locator('[data-row="0"]');
  const [firstName = '', lastName = ''] = (await customer.getByRole('cell').nth(2).innerText()).split(' ');

  const find = async (text: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill(text);
    return page.getByRole('listbox');
  };
  await expect((await find('nothing like this')).getByRole('option')).toHaveCount(0);
  await expect(page.getByText('Nothing on this computer matches “nothing like this”.')).toBeVisible();
  // The service looks inside of words, too: it is one key away.
  await find('rottninggat');
  await expect(page.getByText('Nothing on this computer matches “rottninggat”.')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('searchbox', { name: 'Search protocols' })).toHaveValue('rottninggat');
  await expect(page.getByRole('table', { name: 'Protocols' }).locator('[data-row="0"]')).toContainText(
    'Drottninggatan',
  );

  const uploads = (await find('søknad')).getByRole('option', { name: /Søknad 2026/ });
  await uploads.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Søknad 2026' })).toBeVisible();

  await expect((await find(`${firstName} ${lastName}`)).getByRole('option').first()).toContainText(lastName);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Upload documents' })).toBeVisible();

  await (await find(address)).getByRole('option', { name: address }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: address })).toBeVisible();
});
