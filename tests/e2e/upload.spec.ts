import { hash, randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Snapshot } from '../../src/contract/app.ts';
import { dropFolder } from './support/drop-folder.ts';
import type { ElectronDriver } from './support/electron-driver.ts';
import { makeFolder } from './support/make-folder.ts';
import { openAssignment, openSection, shown, signIn, startUpload } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

test.describe.configure({ mode: 'parallel' });

/** Clicks "Open folder". Resolves to the path that the file manager is asked to show, without opening it. */
const openedFolder = async ({ app, page }: ElectronDriver): Promise<string> => {
  await app.evaluate(({ shell }) => {
    Reflect.deleteProperty(globalThis, 'revealed');
    shell.showItemInFolder = (path) => void Reflect.set(globalThis, 'revealed', path);
  });
  await page.getByRole('button', { name: 'Open folder' }).click();
  const revealed = () => app.evaluate(() => Reflect.get(globalThis, 'revealed') as string | undefined);
  await expect.poll(revealed).toBeDefined();
  return (await revealed()) ?? '';
};

test('uploads a dropped folder, and verifies its files afterwards', { tag: '@preview' }, async ({
  desk,
  control,
  home,
}) => {
  const { page } = desk;
  const hashes = await makeFolder(join(home, 'Dropped'), 10);
  await signIn(desk);
  await openAssignment(page);
  const customer = await page.getByText('Customer', { exact: true }).locator('+ dd').textContent();
  await dropFolder(page, page.getByRole('heading', { name: 'Plan after' }), join(home, 'Dropped'));
  // The row names the customer, because assignments of one protocol have the same address.
  await expect(page.getByRole('grid', { name: 'Folders' }).locator('[data-row="0"]')).toContainText(`${customer} · `);
  await startUpload(page);
  await expect(page.getByRole('main').getByRole('button', { name: ` · ${customer}` })).toBeVisible();
  await expect(shown(page, '10 uploaded')).toBeVisible();
  expect((await control.objects()).map(({ sha256 }) => sha256).sort()).toEqual(hashes);

  const verify = page.getByRole('button', { name: 'Verify files' });
  const dialog = page.getByRole('dialog', { name: 'Verify the files of “Dropped”' });
  await verify.click();
  await expect(dialog.getByText('All 10 files are unchanged.')).toBeVisible();
  await expect(dialog.getByText(/^Verified .+ A receipt that you save now says so\.$/)).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Save receipt' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(verify).toBeFocused();

  const snapshot = await page.evaluate(() => Reflect.get(window, 'inspectionDesk').calls.app.snapshot());
  if (!snapshot.ok) throw new Error(snapshot.error.message);
  const root = Snapshot.parse(snapshot.value).batches[0]?.root ?? '';
  await writeFile(join(root, 'photo 0.jpg'), 'another picture');
  await rm(join(root, 'floor 1'), { recursive: true });
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('4 of 10 files unchanged. 1 changed, 5 missing.')).toBeVisible();
  const differing = dialog.getByRole('table', { name: 'Files that differ' });
  await expect(differing.getByRole('row').filter({ hasText: 'photo 0.jpg' })).toContainText('Changed');
  await expect(differing.getByRole('cell', { name: 'Missing' })).toHaveCount(5);

  await dialog.getByRole('button', { name: 'Upload changed files…' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'New upload' })).toBeVisible();
  await expect(shown(page, /^1 folder, 1 file, .+ to 1 assignment$/)).toBeVisible();
  await expect(shown(page, '1 name taken, earlier file will be replaced.')).toBeVisible();
});

test('adds a folder that is dropped on an assignment to the upload under review, whose choices stay', async ({
  desk,
  home,
}) => {
  const { page } = desk;
  for (const job of ['Holiday photos', 'Price lists']) await makeFolder(join(home, 'Jobs', job), 1);
  await makeFolder(join(home, 'Dropped'), 3);
  await signIn(desk);
  await dropFolder(page, page.getByRole('heading', { level: 1 }), join(home, 'Jobs'));
  await page.getByRole('checkbox', { name: 'Upload Holiday photos' }).click();
  await expect(page.getByRole('tab', { name: 'Left out (1)' })).toBeVisible();

  await openSection(page, 'Protocols');
  await openAssignment(page);
  const customer = await page.getByText('Customer', { exact: true }).locator('+ dd').textContent();
  const plan = page.getByRole('heading', { name: 'Plan after' });
  await dropFolder(page, plan, join(home, 'Dropped'));
  const dialog = page.getByRole('dialog', { name: 'Another upload is being prepared' });
  await dialog.getByRole('button', { name: 'Add to it' }).click();
  const rows = page.getByRole('grid', { name: 'Folders' }).getByRole('row');
  await expect(rows.filter({ hasText: 'Dropped' })).toContainText(`${customer} · `);
  await expect(page.getByRole('tab', { name: 'Left out (1)' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Choose assignment (1)' })).toBeVisible();

  // The folder that is already in the review gets this assignment, too, when it is dropped here.
  await page.keyboard.press('Alt+ArrowLeft');
  await dropFolder(page, plan, join(home, 'Jobs', 'Price lists'));
  await expect(dialog.getByRole('button', { name: 'Add to it' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(rows.filter({ hasText: 'Price lists' })).toContainText(`${customer} · `);
  await expect(shown(page, /^2 folders, 4 files, .+ to 1 assignment$/)).toBeVisible();
});

test('uploads individually chosen files, also one too large to be read in one part, and restores the focus of the page that was left', async ({
  desk,
  control,
  home,
  host,
}) => {
  const { page } = desk;
  await makeFolder(join(home, 'Documents'), 5);
  const plan = randomBytes(5_000_000);
  await writeFile(join(home, 'Documents', 'plan.pdf'), plan);
  await signIn(desk);
  await openAssignment(page);
  const choose = page.getByRole('button', { name: 'Choose files' });
  // Simulates the system's picker, which the button would open.
  const input = page.locator('input[type="file"]');
  await input.evaluate((element) => element.addEventListener('click', (click) => click.preventDefault()));
  const chosen = ['photo 0.jpg', 'plan.pdf', 'Überblick 4.jpg'].map((name) => join(home, 'Documents', name));
  await choose.click();
  await input.setInputFiles(chosen);
  await expect(shown(page, /^1 folder, 3 files, .+ to 1 assignment$/)).toBeVisible();
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(choose).toBeFocused();
  await choose.click();
  await input.setInputFiles(chosen);
  await page.getByRole('dialog').getByRole('button', { name: 'Replace with new folders' }).click();
  await startUpload(page);
  await expect(shown(page, '3 uploaded')).toBeVisible();
  if (host === 'electron') expect(await openedFolder(desk as ElectronDriver)).toBe(join(home, 'Documents'));
  const objects = await control.objects();
  expect(objects.map(({ FileName }) => FileName).sort()).toEqual(['photo 0.jpg', 'plan.pdf', 'Überblick 4.jpg']);
  expect(objects.find(({ FileName }) => FileName === 'plan.pdf')?.sha256).toBe(hash('sha256', plan));
});

test('shows what will be sent, and under which names, before it starts, also of every file that will be renamed, however many there are', async ({
  desk,
  control,
  home,
}) => {
  const { page, chooseFolder } = desk;
  const folder = join(home, 'Documents');
  for (const [path, content] of [
    ['a/photo.jpg', 'one'],
    ['b/Photo.jpg', 'two'],
    ['b/plan? draft.pdf', 'three'],
    ['.hidden', ''],
  ] as const) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  await signIn(desk);
  await openAssignment(page);
  await chooseFolder(() => page.getByRole('button', { name: 'Choose folder' }).click(), folder);
  await expect(shown(page, '1 folder, 3 files, 11 bytes to 1 assignment')).toBeVisible();
  await expect(shown(page, /Always left out: 1 hidden file\.$/)).toBeVisible();
  await expect(shown(page, '2 files will be renamed.')).toBeVisible();
  const show = page.getByRole('button', { name: 'Show new names' });
  await show.click();
  const dialog = page.getByRole('dialog', { name: 'Files to be renamed' });
  const renames = dialog.getByRole('table', { name: 'Files to be renamed' });
  await expect(renames.getByRole('row').nth(1)).toHaveText(/b\/Photo\.jpg\s*b - Photo\.jpg\s*Name taken/);
  await expect(renames.getByRole('row').nth(2)).toHaveText(/plan_ draft\.pdf/);
  await page.setViewportSize({ width: 800, height: 600 });
  const scrollsSideways = () =>
    renames.evaluate((table) => {
      const scroller = table.parentElement;
      return scroller && scroller.scrollWidth > scroller.clientWidth;
    });
  await expect.poll(scrollsSideways).toBe(false);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(show).toBeFocused();
  await page.getByLabel('File names').selectOption('Folder and name');
  await expect(shown(page, '3 files will be renamed.')).toBeVisible();
  await startUpload(page);
  await expect(shown(page, '3 uploaded')).toBeVisible();
  const names = (await control.objects()).map(({ FileName }) => FileName).sort();
  expect(names).toEqual(['a - photo.jpg', 'b - Photo.jpg', 'b - plan_ draft.pdf']);

  const plans = join(home, 'Plans');
  await mkdir(plans);
  for (let file = 0; file < 400; file += 1)
    await writeFile(join(plans, `plan? ${String(file).padStart(3, '0')}`), 'plan');
  await page.getByRole('button', { name: 'Back' }).click();
  await chooseFolder(() => page.getByRole('button', { name: 'Choose folder' }).click(), plans);
  await show.click();
  const all = dialog.getByRole('group', { name: 'Files to be renamed' });
  await expect(all.getByRole('cell', { name: 'plan_ 000', exact: true })).toBeVisible();
  await all.focus();
  await page.keyboard.press('End');
  await expect(all.getByRole('cell', { name: 'plan_ 399', exact: true })).toBeVisible();
});
