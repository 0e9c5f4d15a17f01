import type { Locator } from '@playwright/test';
import { firstRow, readProtocol, signIn } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

test('shows what a protocol leaves to do first, the worst on top, and remembers that all points were chosen', async ({
  desk,
}) => {
  const { page } = desk;
  await signIn(desk);
  await readProtocol(page);
  const points = page.getByRole('region', { name: 'Inspection points' });
  const toDo = points.getByRole('tab', { name: /^To do \(\d+\)$/ });
  const all = points.getByRole('tab', { name: /^All points \(\d+\)$/ });
  const rows = points.getByRole('listitem');
  const countOf = async (tab: Locator) => Number((await tab.textContent())?.match(/\d+/)?.[0]);
  await expect(toDo).toHaveAttribute('aria-selected', 'true');
  await expect(rows).toHaveCount(await countOf(toDo));
  await expect(rows.filter({ hasNotText: 'Remark' })).toHaveCount(0);
  const worstFirst = ['Critical', 'High', 'Medium', 'Low'];
  const headings = (await points.getByRole('heading', { level: 3 }).allTextContents()).map(
    (text) => text.split(' (')[0],
  );
  expect(headings).toEqual(worstFirst.filter((name) => headings.includes(name)));
  await expect(points.getByRole('status').first()).toHaveText(
    `${await countOf(toDo)} of ${await countOf(all)} inspection points`,
  );

  await toDo.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(all).toHaveAttribute('aria-selected', 'true');
  await expect(rows).toHaveCount(await countOf(all));
  expect(await rows.filter({ hasNotText: 'Remark' }).count()).toBe((await countOf(all)) - (await countOf(toDo)));

  // It is so for the next protocol.
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('table', { name: 'Protocols' }).locator('[data-row="1"]').click();
  await expect(rows.first()).toBeVisible();
  await expect(all).toHaveAttribute('aria-selected', 'true');
});

test('says that there is nothing to do in a protocol without remarks', async ({ desk, control }) => {
  const { page } = desk;
  const point = {
    ProtocolInspectionPointId: 'P1',
    InspectionPointName: 'Escape route is clear',
    ProductType: 'Fire door',
    Category: 'Fire safety',
    Answer: 'OK',
    SpecificReference: 'FS 1.1',
    Severity: 'INFO',
    Description: '',
    HasImage: false,
  };
  await control.faults.add({
    match: { route: 'list-inspection-points' },
    effect: { type: 'status', status: 200, body: JSON.stringify([point]) },
  });
  await signIn(desk);
  await firstRow(page, 'Protocols').click();
  const points = page.getByRole('region', { name: 'Inspection points' });
  await expect(points.getByText('Nothing to do', { exact: true })).toBeVisible();
  await expect(points.getByRole('listitem')).toHaveCount(0);
  await points.getByRole('tab', { name: 'All points (1)' }).click();
  await expect(points.getByRole('listitem')).toHaveText(/Escape route is clear/);
  await expect(points.getByText('Nothing to do', { exact: true })).toBeHidden();
});
