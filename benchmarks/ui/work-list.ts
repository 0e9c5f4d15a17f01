/** Measures the work list of the overview: how fast it opens, and how fast its groups are shown. */
import type { Page } from '@playwright/test';
import { WorkGroup } from '../../src/contract/assignments.ts';
import { openSection } from '../../tests/e2e/support/steps.ts';
import { rowsAfterClick } from './first-rows.ts';
import { measureKeys } from './typing.ts';

type WorkListTimes = {
  /** The time from the click on the overview to the frame with the first rows, in ms. */
  readonly opened: readonly number[];
  /** The time from the choice of a group to the last change of the rows, in ms. */
  readonly filtered: readonly number[];
};

/** Opens the overview `times` times, each time in a newly loaded window, and chooses every group of its work list. */
export const measureWorkList = async (page: Page, times: number): Promise<WorkListTimes> => {
  const opened: number[] = [];
  const filtered: number[] = [];
  for (let time = 0; time < times; time += 1) {
    await openSection(page, 'Protocols');
    await page.reload();
    await page.locator('[data-row="0"]').filter({ visible: true }).first().waitFor();
    opened.push(await rowsAfterClick(page.getByRole('button', { name: 'Overview' })));
    await page.getByRole('tab', { selected: true }).filter({ visible: true }).focus();
    const keys = WorkGroup.options.flatMap(() => ['ArrowRight', 'Enter']);
    filtered.push(...(await measureKeys(page, keys)));
  }
  return { opened, filtered };
};
