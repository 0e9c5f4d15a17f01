import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test('B28, B29, B32: a search that the service completes, whose rows are copied, and the list saved in full', {
  tag: '@preview',
}, async ({ desk, documents }) => {
  const { page } = desk;
  await signIn(desk);
  const search = page.getByRole('searchbox', { name: 'Search protocols' });
  const table = page.getByRole('table', { name: 'Protocols' });
  await expect(page.getByText('50 of 240 protocols loaded')).toBeVisible();

  // The service looks for the exact text in one field, and knows no “storgata bergen”.
  await search.fill('storgata bergen');
  await expect(page.getByText(/^\d+ protocols$/)).toBeVisible();
  const rows = table.locator('[data-row]');
  const count = await rows.count();
  for (const text of await rows.allInnerTexts()) expect(text).toMatch(/Storgata.*Bergen/s);

  await table.locator('[data-row="0"] button').focus();
  await page.keyboard.press('ControlOrMeta+a');
  await expect(page.getByText(`${count} rows selected`)).toBeVisible();
  expect(await page.evaluate(() => String(getSelection()))).toBe('');
  await page.keyboard.press('ControlOrMeta+c');
  await expect(page.getByText(`Copied ${count} rows`)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('rows selected')).toBeHidden();
  const { text, html } = await pastedInto(page, search);
  const lines = text.trimEnd().split(/\r?\n/);
  expect(lines).toHaveLength(count);
  for (const line of lines) expect(line.split('\t').slice(0, 2).join(' ')).toMatch(/^Storgata \d+\w? Bergen$/);
  expect(html.match(/<tr/g)).toHaveLength(count);

  await search.fill('');
  await expect(page.getByText(/^\d+ of 240 protocols loaded$/)).toBeVisible();
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  await expect(page.getByText(/^Loaded so far: .* The service has 240 protocols\.$/)).toBeVisible();
  const csv = await desk.saveFile(
    () => page.getByRole('button', { name: 'Load all and save' }).click(),
    join(documents, 'all.csv'),
  );
  expect(csv.trim().split('\r\n')).toHaveLength(241);

  // Most of these rows are not in view: they are read once the keys are pressed.
  await table.locator('[data-row="0"] button').focus();
  await page.keyboard.press('ControlOrMeta+a');
  await expect(page.getByText('240 rows selected')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+c');
  await expect(page.getByText('Copied 240 rows')).toBeVisible();
  const all = await pastedInto(page, search);
  expect(all.text.trimEnd().split(/\r?\n/)).toHaveLength(240);
  expect(all.html.match(/<tr/g)).toHaveLength(240);
});

/** What another program would get from the clipboard. */
const pastedInto = async (page: Page, field: Locator): Promise<{ readonly text: string; readonly html: string }> => {
  const pasted = page.evaluate(
    () =>
      new Promise<{ readonly text: string; readonly html: string }>((resolve) => {
        const read = ({ clipboardData }: ClipboardEvent) =>
          resolve({
            text: clipboardData?.getData('text/plain') ?? '',
            html: clipboardData?.getData('text/html') ?? '',
          });
        document.addEventListener('paste', read, { once: true });
      }),
  );
  await field.focus();
  await page.keyboard.press('ControlOrMeta+v');
  return pasted;
};
