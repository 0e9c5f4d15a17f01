import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { firstRow, openExport, signIn } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

test.use({ protocols: 240 });

test('arranges the columns of a table, finds a row by its name, copies what a search finds, and saves the list in full', async ({
  desk,
  documents,
}) => {
  const { page } = desk;
  await signIn(desk);
  const name = 'Protocols';
  const headings = page.getByRole('table', { name }).getByRole('columnheader');
  await expect(firstRow(page, name)).toBeVisible();
  const usual = await headings.allInnerTexts();
  expect(usual.slice(0, 4)).toEqual(['Address', 'City', 'Postcode', 'Facility']);

  const options = page.getByRole('button', { name: /^Table options/ }).filter({ visible: true });
  await options.click();
  const dialog = page.getByRole('dialog', { name: 'Table options' });
  await dialog.getByRole('button', { name: 'Move Facility up' }).click();
  await expect(dialog.getByRole('button', { name: 'Move Facility up' })).toBeFocused();
  await dialog.getByRole('checkbox', { name: 'Points' }).uncheck();
  await dialog.getByRole('checkbox', { name: /ID$/ }).check();
  // Finds the row without its role, because everything outside of the open options is hidden from screen readers.
  const height = async () => (await page.locator('[data-row="0"]').first().boundingBox())?.height ?? 0;
  const comfortable = await height();
  await dialog.getByRole('checkbox', { name: 'Compact rows' }).check();
  await expect.poll(height).toBe(comfortable - 12);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /Hidden columns: Points$/ })).toBeFocused();
  await expect(headings).toHaveText([/Address/, 'City', 'Facility', 'Postcode', 'Inspected', /./, /ID$/]);

  // In a narrow window, the table scrolls sideways. Its first column and the options stay in view.
  await page.setViewportSize({ width: 700, height: 700 });
  const scroller = page.getByRole('group', { name });
  await scroller.evaluate((element) => element.scrollTo({ left: 1000 }));
  await expect.poll(() => scroller.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
  await expect(firstRow(page, name).getByRole('cell').first()).toBeInViewport({ ratio: 1 });
  await expect(options).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 800 });

  // The headings and the rows are one tab stop each: Arrow Up leads from the rows to the headings, and Arrow Down back.
  const names = await page.getByRole('table', { name }).locator('tbody tr[data-row] td:first-child').allInnerTexts();
  const wanted = names.findIndex((text, at) => at > 2 && names.indexOf(text) === at);
  await firstRow(page, name).getByRole('button').focus();
  await page.keyboard.press('ArrowUp');
  await expect(headings.first().getByRole('button')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(firstRow(page, name).getByRole('button')).toBeFocused();
  await page.keyboard.type(names[wanted] ?? '');
  const found = page.getByRole('table', { name }).locator(`[data-row="${wanted}"]`);
  await expect(found.getByRole('button')).toBeFocused();

  await found.click({ button: 'right' });
  await expect(page.getByRole('menuitem')).toHaveText(['Open', 'Copy', 'Select all', 'Export…']);
  await page.getByRole('menuitem', { name: 'Copy' }).click();
  await expect(page.getByText('Copied 1 row')).toBeVisible();
  await found.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Open' }).click();
  await expect(page.getByRole('heading', { level: 1, name: names[wanted] ?? '' })).toBeVisible();

  await page.getByRole('button', { name: 'Back' }).click();
  const search = page.getByRole('searchbox', { name: 'Search protocols' });
  const table = page.getByRole('table', { name: 'Protocols' });
  await expect(page.getByText('50 of 240 protocols loaded')).toBeVisible();

  // The service looks for the exact text in one field, and finds nothing for “storgata bergen”.
  await search.fill('storgata bergen');
  await expect(page.getByText(/^\d+ protocols$/)).toBeVisible();
  const rows = table.locator('[data-row]');
  const count = await rows.count();
  for (const text of await rows.allInnerTexts()) expect(text).toMatch(/Storgata.*Bergen/s);

  /** Selects, copies and pastes all `total` rows; again if another test has used the clipboard in the meantime. */
  const expectCopied = (total: number, line: RegExp) =>
    expect(async () => {
      await table.locator('[data-row="0"] button').focus();
      await page.keyboard.press('ControlOrMeta+a');
      await expect(page.getByText(`${total} rows selected`)).toBeVisible();
      expect(await page.evaluate(() => String(getSelection()))).toBe('');
      await page.keyboard.press('ControlOrMeta+c');
      await expect(page.getByText(`Copied ${total} rows`)).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByText('rows selected')).toBeHidden();
      const { text, html } = await pastedInto(page, search);
      const lines = text.trimEnd().split(/\r?\n/);
      expect(lines).toHaveLength(total);
      for (const pasted of lines) expect(pasted.split('\t').slice(0, 2).join(' ')).toMatch(line);
      expect(html.match(/<tr/g)).toHaveLength(total);
    }).toPass();
  await expectCopied(count, /^Storgata \d+\w? Bergen$/);

  await search.fill('');
  await expect(page.getByText(/^\d+ of 240 protocols loaded$/)).toBeVisible();
  const begin = await openExport(page);
  await expect(page.getByText(/^\d+ rows are loaded so far\. The service has 240\.$/)).toBeVisible();
  const csv = await desk.saveFile(() => begin.click(), join(documents, 'all.csv'));
  await expect(page.getByText(/^Saved to /)).toBeVisible();
  expect(csv.trim().split('\r\n')).toHaveLength(241);

  // Most of these rows are not in view. They are read when the keys are pressed.
  await expectCopied(240, /./);
});

/** Resolves to the text and the HTML that another program would get from the clipboard. */
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
