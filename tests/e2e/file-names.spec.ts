import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { openAssignment, shown, signIn, uploadFolder } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

const beginning = 'Inspection of the northern stairwell of building C between the second and the third floor, photo';
const names = ['0001', '0002', '0003'].map((number) => `${beginning} ${number}.jpeg`);
/** A name that fits. All but a few of its letters belong to the part that is shortened last. */
const shortName = 'rapport 1 0004.jpeg';

/**
 * Whether the whole text of `element` is in its box. Text that overflows at the start does not count for `scrollWidth`.
 */
const showsAll = (element: Element): boolean => {
  const text = document.createRange();
  text.selectNodeContents(element);
  const [inner, outer] = [text.getBoundingClientRect(), element.getBoundingClientRect()];
  return inner.left > outer.left - 1 && inner.right < outer.right + 1;
};

/** Expects that `table` shows the end of each of `names`, and has the whole name for screen readers. */
const expectApart = async (table: Locator): Promise<void> => {
  for (const name of names) {
    const cells = table.getByRole('cell').or(table.getByRole('gridcell'));
    const cell = cells.filter({ has: table.page().getByText(name, { exact: true }) });
    const end = cell.getByText(name.slice(-'photo 0001.jpeg'.length), { exact: true });
    await expect(end).toBeVisible();
    const isWhole = await end.evaluate((element) => {
      const { left, right } = element.getBoundingClientRect();
      const within = element.closest('td')?.getBoundingClientRect();
      return (
        element.scrollWidth <= element.clientWidth &&
        within !== undefined &&
        left > within.left &&
        right <= within.right
      );
    });
    expect(isWhole, name).toBe(true);
    expect(await end.evaluate(showsAll), name).toBe(true);
  }
  const parts = table.getByTitle(shortName).locator('[aria-hidden]').filter({ hasText: /./ });
  await expect(parts).toHaveText(['rapp', 'ort 1 0004.jpeg']);
  for (const part of await parts.all())
    expect(await part.evaluate(showsAll), `“${await part.textContent()}” of ${shortName}`).toBe(true);
};

test('cuts long file names in the middle, and gives them the room of a column without content', async ({
  desk,
  home,
}) => {
  const { page } = desk;
  const folder = join(home, 'Documents');
  await mkdir(folder);
  for (const name of [...names, shortName]) await writeFile(join(folder, name), name);
  await page.setViewportSize({ width: 800, height: 600 });
  await signIn(desk);
  await openAssignment(page);
  await uploadFolder(desk, folder);
  await expect(shown(page, '4 uploaded')).toBeVisible();
  const files = page.getByRole('table', { name: 'Files', exact: true });
  await expectApart(files);
  await expect(files.getByRole('columnheader')).toHaveText(['File', 'Size', 'Status']);
  await page.getByRole('button', { name: 'Back' }).click();
  await expectApart(page.getByRole('region', { name: 'Files on this assignment' }).getByRole('grid'));
});
