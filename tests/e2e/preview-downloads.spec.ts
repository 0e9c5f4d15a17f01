import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openExport, signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test.use({ protocols: 240 });

test('saves a table as a download of the browser', async ({ desk, home }) => {
  const { page } = desk;
  await signIn(desk);
  const begin = await openExport(page, 'part');
  const [download] = await Promise.all([page.waitForEvent('download'), begin.click()]);
  expect(download.suggestedFilename()).toBe('Protocols.csv');
  const [header, ...rows] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(header).toContain('"Address","City",');
  expect(rows.length).toBeGreaterThan(0);
  await expect(page.getByText('Protocols.csv')).toBeVisible();
  // The browser may have the last byte before the app notices that the download has ended.
  await expect.poll(() => readdir(join(home, 'preview-downloads'))).toEqual([]);
});
