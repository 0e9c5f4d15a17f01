/** Archives and mails in the desktop app: dropped, looked into, uploaded, and named in the receipt. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jpeg } from '../../src/main/data/testing/pictures.ts';
import { emlOf, msgOf, zipOf } from '../integration/support/archives.ts';
import { writeTree } from '../integration/support/folders.ts';
import { dropFolder } from './support/drop-folder.ts';
import { openAssignment, shown, signIn, startUpload } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

test('archives and mails are folders, from the drop to the receipt', async ({ desk, documents, control }) => {
  const { page, saveFile } = desk;
  const root = join(documents, 'Drawings');
  writeTree(root, {
    'notes.txt': 'notes',
    'Offer.zip': zipOf({ 'Photos/1.jpg': jpeg(64, 48), 'offer.pdf': 'offer' }),
    '1234.eml': emlOf({ subject: 'Plan of the cellar' }, { 'plan.pdf': 'plan' }),
    'Report.msg': msgOf({ subject: 'Report' }, { 'report.pdf': 'report' }),
    'Secret.zip': 'no zip at all',
  });
  await signIn(desk);
  await openAssignment(page);
  await dropFolder(page, page.getByRole('heading', { level: 1 }), root);
  await expect(page.getByRole('heading', { level: 1, name: 'New upload' })).toBeVisible();
  await page.locator('[data-row="0"]').getByText('Drawings').first().click();
  await page.getByRole('tab', { name: /^Files/ }).click();
  const files = page.getByRole('region', { name: 'Files' });
  await expect(files.getByText('Offer.zip › Photos/1.jpg')).toBeVisible();
  await expect(files.getByText('The archive itself')).toBeVisible();
  await expect(files.getByText('Not opened: damaged')).toBeVisible();
  await files.getByText('Offer.zip › Photos/1.jpg').click({ force: true });
  await expect(page.getByRole('dialog').getByRole('img', { name: 'Offer.zip › Photos/1.jpg' })).toBeVisible();
  await page.keyboard.press('Escape');

  await startUpload(page);
  await expect(shown(page, '8 uploaded')).toBeVisible();
  const stored = (await control.objects()).map(({ FileName }) => FileName).sort();
  expect(stored).toEqual([
    '1.jpg',
    '1234.eml',
    'Report.msg',
    'Secret.zip',
    'notes.txt',
    'offer.pdf',
    'plan.pdf',
    'report.pdf',
  ]);
  const receipt = join(documents, 'receipt.csv');
  await page.getByRole('button', { name: 'Save receipt' }).click();
  await saveFile(() => page.getByRole('menuitem', { name: 'CSV' }).click(), receipt);
  await expect(page.getByText(`Saved to ${receipt}`)).toBeVisible();
  for (const path of ['Offer.zip › Photos/1.jpg', '1234.eml › plan.pdf', 'Report.msg › report.pdf'])
    expect((await readFile(receipt)).toString()).toContain(path);
});
