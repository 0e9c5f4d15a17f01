/** Receipts that users save in the window: in each format, at a chosen place or next to the folder. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { makeFolder } from './support/make-folder.ts';
import { pdfPages } from './support/pdf-text.ts';
import { openAssignment, shown, signIn, startUpload } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test('saves a receipt as PDF, Excel and CSV, and a report over a period under the letterhead of the office', async ({
  desk,
  documents,
}) => {
  const { page, chooseFolder, saveFile } = desk;
  const root = join(documents, 'Drawings');
  const hashes = await makeFolder(root, 30);
  await signIn(desk);
  await openAssignment(page);
  const address = await page.getByRole('heading', { level: 1 }).innerText();
  await chooseFolder(() => page.getByRole('button', { name: 'Choose folder' }).click(), root);
  await startUpload(page);
  await expect(shown(page, '30 uploaded')).toBeVisible();

  const save = async (format: string, name: string) => {
    const path = join(documents, name);
    await page.getByRole('button', { name: 'Save receipt' }).click();
    await saveFile(() => page.getByRole('menuitem', { name: format }).click(), path);
    await expect(page.getByText(`Saved to ${path}`)).toBeVisible();
    return readFile(path);
  };
  const text = (pdf: Buffer) => pdfPages(pdf).map((page) => page.replaceAll(/\s/g, ''));
  const short = text(await save('PDF', 'short.pdf'));
  expect(short).toHaveLength(1);
  expect(short[0]).toContain(address.replaceAll(/\s/g, ''));
  for (const hash of hashes) expect(short[0]).not.toContain(hash);

  await page.getByRole('button', { name: 'Save receipt' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'List all files (PDF)' }).click();
  await page.keyboard.press('Escape');
  const pdf = await save('PDF', 'receipt.pdf');
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  const pages = text(pdf);
  expect(pages[0]).toContain(address.replaceAll(/\s/g, ''));
  expect(pages.at(-1)).toContain(`Page${pages.length}of${pages.length}`);
  for (const hash of hashes) expect(pages.join('')).toContain(hash);
  // The fonts of a system may lack some characters.
  const drawn = (name: string) =>
    name.replaceAll(/[\s\p{Extended_Pictographic}]/gu, (one) => (/\d/.test(one) ? one : ''));
  for (const file of await readdir(root)) expect(pages.join('')).toContain(drawn(file));

  const sheets = unzipSync(await save('Excel', 'receipt.xlsx'));
  expect(strFromU8(sheets['xl/worksheets/sheet1.xml'] ?? new Uint8Array())).toContain(address);
  expect(strFromU8(sheets['xl/worksheets/sheet2.xml'] ?? new Uint8Array()).match(/<row /g)).toHaveLength(31);
  expect((await save('CSV', 'receipt.csv')).toString()).toContain(address);

  await page.getByRole('button', { name: 'Save receipt' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Save beside the folder' }).click();
  await page.getByRole('menuitem', { name: 'PDF' }).click();
  await expect(page.getByText(/Saved to .*Drawings receipt \d{4}-\d\d-\d\d\.pdf/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Show in folder' })).toBeVisible();
  expect((await readdir(documents)).filter((name) => /^Drawings receipt .*\.pdf$/.test(name))).toHaveLength(1);

  const goTo = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name }).click();
  await goTo('Settings');
  await page.getByRole('textbox', { name: 'Your name' }).fill('Kari Nilsen');
  await page.getByRole('textbox', { name: 'Office' }).fill('Nord & Co');
  const notALogo = join(documents, 'logo.svg');
  await writeFile(notALogo, '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await chooseFolder(() => page.getByRole('button', { name: 'Choose logo' }).click(), notALogo);
  await expect(page.getByText(/The logo cannot be used/).first()).toBeVisible();
  await chooseFolder(
    () => page.getByRole('button', { name: 'Choose logo' }).click(),
    join(import.meta.dirname, '../../build/icon.png'),
  );
  await expect(page.getByRole('img', { name: 'Logo' })).toHaveAttribute('src', /^data:image\/png;base64,/);

  await goTo('Uploads');
  await page.getByRole('button', { name: 'Save report' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload report' });
  await expect(dialog.getByText('No uploads in this period.')).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Started' }).selectOption('This month');
  await expect(dialog.getByText('1 upload: 30 uploaded.')).toBeVisible();
  await dialog.getByLabel('One line for each').selectOption('Person');
  const path = join(documents, 'report.pdf');
  await saveFile(() => dialog.getByRole('button', { name: 'Save report' }).click(), path);
  await expect(dialog.getByText(`Saved to ${path}`)).toBeVisible();
  const report = text(await readFile(path));
  expect(report).toHaveLength(1);
  for (const words of ['Nord&Co', 'Uploadreport', 'KariNilsen']) expect(report[0]).toContain(words);
  expect((await readFile(path)).toString('latin1')).toContain('/Subtype /Image');
});
