/** Measures the page of an upload of very many files: how fast it opens, filters and scrolls. */
import { openSection } from '../../tests/e2e/support/steps.ts';
import { SAMPLE_FOLDER } from '../support/sample-batch.ts';
import type { MeasuredApp } from './app.ts';
import { rowsAfterClick } from './first-rows.ts';
import { measureScrolling } from './scrolling.ts';

type BatchPage = {
  /** The time from the click on the upload, or on a filter, to the frame with the first rows, in ms. */
  readonly opened: readonly number[];
  readonly filtered: readonly number[];
  /** The duration of each frame while all files are scrolled through, in ms. */
  readonly frames: readonly number[];
};

const FRAMES = 1_000;
const FILTERS = ['Failed', 'Done', 'All'];

/**
 * Opens the page of the sample upload `times` times, each time in a newly loaded window. The upload has `files` files.
 */
export const measureBatchPage = async (measured: MeasuredApp, files: number, times: number): Promise<BatchPage> => {
  const page = measured.page();
  const opened: number[] = [];
  const filtered: number[] = [];
  for (let time = 0; time < times; time += 1) {
    await page.reload();
    await openSection(page, 'Uploads');
    opened.push(await rowsAfterClick(page.getByRole('button', { name: SAMPLE_FOLDER }).filter({ visible: true })));
    for (const filter of FILTERS)
      filtered.push(await rowsAfterClick(page.getByRole('tab', { name: filter }).filter({ visible: true })));
  }
  return { opened, filtered, frames: await measureScrolling(page, files, Math.ceil(files / FRAMES)) };
};
