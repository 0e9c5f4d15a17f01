/** Measures the review of a new upload with many folders: how fast it scrolls and filters. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSection } from '../../tests/e2e/support/steps.ts';
import type { MeasuredApp } from './app.ts';
import { measureScrolling } from './scrolling.ts';
import { measureTyping } from './typing.ts';

type Reviewing = {
  /** The duration of each frame while all rows are scrolled through, in ms. */
  readonly frames: readonly number[];
  /** The time from a keystroke in the filter to the filtered rows, in ms. */
  readonly keystrokes: readonly number[];
  /** The time from the choice of the folder to the first rows, and until all folders are listed, in ms. */
  readonly firstRowsMs: number;
  readonly wholeMs: number;
};

const FILES_EACH = 10;
const ROWS_A_FRAME = 10;

const streets = ['Mill Lane', 'Harbour Street', 'Station Road', 'Priory Close', 'Foundry Row'];

/**
 * The texts that are typed into the filter. Keystrokes that do not change the first rows have no sample. About forty of
 * these keystrokes have one, so the 95th percentile does not depend on a single slow keystroke.
 */
const texts = [
  ...['station', '4711 priory', 'harbour 12', '8852 foundry', 'lane 63', 'york 417'],
  ...['2090', 'close 77', '513 station', 'mill 9999', 'row 364', 'priory 58'],
];

const writeTree = async (root: string, folders: number): Promise<void> => {
  for (let index = 0; index < folders; index += 1) {
    const folder = join(root, `${index} ${streets[index % streets.length]}, York`);
    await mkdir(folder, { recursive: true });
    for (let file = 0; file < FILES_EACH; file += 1) await writeFile(join(folder, `photo ${file}.jpg`), 'x');
  }
};

/** Reviews `folders` folders with ten files each. They are matched with the assignments of the sandbox. */
export const measureReviewing = async (measured: MeasuredApp, folders: number): Promise<Reviewing> => {
  const { driver, scratch } = measured;
  const page = measured.page();
  const root = join(scratch, 'Jobs');
  await writeTree(root, folders);
  await openSection(page, 'New upload');
  const begun = performance.now();
  await driver.chooseFolder(() => page.getByRole('button', { name: 'Choose folder' }).click(), root);
  await page.locator('[data-row="0"]').filter({ visible: true }).first().waitFor({ timeout: 600_000 });
  const firstRowsMs = performance.now() - begun;
  await page.getByRole('tab', { name: `All (${folders.toLocaleString('en')})` }).waitFor({ timeout: 600_000 });
  const wholeMs = performance.now() - begun;
  await page.getByRole('tab', { name: /^All/ }).click();
  await page.locator('[data-row="0"]').filter({ visible: true }).first().waitFor();
  const frames = await measureScrolling(page, folders, ROWS_A_FRAME);
  const filter = page.getByRole('searchbox', { name: 'Filter folders' });
  const keystrokes = await measureTyping(page, filter, texts);
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard upload' }).click();
  return { frames, keystrokes, firstRowsMs, wholeMs };
};
