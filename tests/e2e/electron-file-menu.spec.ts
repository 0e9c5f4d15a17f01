/** The menus of files and folders, opened with the mouse and with the keyboard. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Driver } from './support/driver.ts';
import type { ElectronDriver } from './support/electron-driver.ts';
import { firstRow, openAssignment, openSection, shown, signIn, uploadFolder } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

/**
 * Chooses the item `label` in every menu. The returned function resolves to the menus, and to the calls that show or
 * open a file.
 */
const chooseInMenus = async (desk: Driver, label: string): Promise<() => Promise<readonly string[]>> => {
  const { app } = desk as ElectronDriver;
  await app.evaluate(({ Menu, shell }, wanted) => {
    const seen: string[] = [];
    Reflect.set(globalThis, 'seen', seen);
    shell.showItemInFolder = (path) => void seen.push(`show ${path}`);
    shell.openPath = async (path) => {
      seen.push(`open ${path}`);
      return '';
    };
    Menu.prototype.popup = function popup() {
      seen.push(this.items.map((item) => item.label).join(', '));
      this.items.find((item) => item.label === wanted)?.click();
    };
  }, label);
  return () => app.evaluate(() => Reflect.get(globalThis, 'seen') as readonly string[]);
};

test('opens a file of an upload, shows it in its folder, and says when it is gone', async ({ desk, home }) => {
  const { page } = desk;
  const folder = join(home, 'Fløy B');
  const file = join(folder, 'roof.jpg');
  await mkdir(folder);
  await writeFile(file, 'pixels');
  await signIn(desk);
  await openAssignment(page);
  await uploadFolder(desk, folder);
  await expect(shown(page, '1 uploaded')).toBeVisible();

  const opened = await chooseInMenus(desk, 'Open');
  const row = page.locator('[data-row="0"]').filter({ visible: true, hasText: 'roof.jpg' });
  await row.click({ button: 'right' });
  await expect.poll(opened).toEqual(['Open, Show in Folder', `open ${file}`]);
  const shownInFolder = await chooseInMenus(desk, 'Show in Folder');
  await row.getByRole('button').press('Shift+F10');
  await expect.poll(shownInFolder).toEqual(['Open, Show in Folder', `show ${file}`]);
  await openSection(page, 'Files');
  await firstRow(page, 'Files').filter({ visible: true }).click({ button: 'right' });
  await expect.poll(async () => (await shownInFolder()).slice(2)).toEqual(['Open, Show in Folder', `show ${file}`]);
  await openSection(page, 'Uploads');
  await page.getByRole('button', { name: 'Fløy B' }).filter({ visible: true }).first().click({ button: 'right' });
  await expect.poll(async () => (await shownInFolder()).slice(4)).toEqual(['Show in Folder', `show ${folder}`]);

  await rm(file);
  await openSection(page, 'Files');
  await firstRow(page, 'Files').filter({ visible: true }).click({ button: 'right' });
  await expect(page.getByText('The file roof.jpg is no longer there.', { exact: true })).toBeVisible();
});
