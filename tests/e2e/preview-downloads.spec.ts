import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test('saves a table as a download of the browser', async ({ desk, home }) => {
  const { page } = desk;
  await signIn(desk);
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Save \d+ rows$/ }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Protocols.csv');
  const [header, ...rows] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(header).toContain('"Address","City",');
  expect(rows.length).toBeGreaterThan(0);
  await expect(page.getByText('Protocols.csv')).toBeVisible();
  // The browser may have the last byte before the app knows that it has.
  await expect.poll(() => readdir(join(home, 'preview-downloads'))).toEqual([]);
});
