import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { tabTo } from './support/focus.ts';
import { makeFolder } from './support/make-folder.ts';
import { firstRow, shown } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

test('does the whole job by keyboard alone: sign in, find, upload, see it done, report', { tag: '@preview' }, async ({
  desk,
  control,
  documents,
}) => {
  const { page, decideInBrowser, chooseFolder, saveFile } = desk;
  const { keyboard } = page;
  const hashes = await makeFolder(join(documents, 'Documents'), 12);
  const press = async (name: string, within: Page | Locator = page): Promise<void> => {
    await tabTo(page, within.getByRole('button', { name }).filter({ visible: true }));
    await keyboard.press('Enter');
  };

  await decideInBrowser(() => press('Sign in'), 'allow');
  const row = page.getByRole('table', { name: 'Protocols' }).locator('[data-row="2"]');
  const address = await row.getByRole('button').innerText();

  await keyboard.press('Control+k');
  await expect(page.getByRole('combobox')).toBeFocused();
  await keyboard.type(address);
  await expect(page.getByRole('option').first().getByText(address, { exact: true })).toBeVisible();
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: address })).toBeFocused();
  await tabTo(page, firstRow(page, 'Assignments').getByRole('button'));
  await keyboard.press('Enter');

  await chooseFolder(() => press('Choose folder'), join(documents, 'Documents'));
  await expect(shown(page, /^1 folder, 12 files, .+ to 1 assignment$/)).toBeVisible();
  await expect(page.getByRole('grid', { name: 'Folders' }).locator(':focus')).toBeVisible();
  await keyboard.press('Alt+ArrowLeft');
  await expect(page.getByRole('button', { name: 'Choose folder' })).toBeFocused();
  await keyboard.press('Alt+ArrowRight');
  await expect(page.getByRole('grid', { name: 'Folders' }).locator(':focus')).toBeVisible();
  await press('Start upload');
  await expect(page.getByRole('heading', { level: 1, name: 'Documents' })).toBeFocused();
  await expect(shown(page, '12 uploaded')).toBeVisible();
  expect((await control.objects()).map(({ sha256 }) => sha256).sort()).toEqual(hashes);

  await press('Save receipt');
  await expect(page.getByRole('menuitem', { name: 'PDF' })).toBeFocused();
  for (let item = 0; item < 2; item += 1) await keyboard.press('ArrowDown');
  const receipt = await saveFile(() => keyboard.press('Enter'), join(documents, 'receipt.csv'));
  for (const hash of hashes) expect(receipt).toContain(hash);
  await expect(page.getByRole('button', { name: 'Save receipt' })).toBeFocused();
});
