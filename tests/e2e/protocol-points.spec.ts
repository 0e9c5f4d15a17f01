import type { Locator } from '@playwright/test';
import { readProtocol, signIn } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

test('shows what a protocol leaves to do first, filters and prints its points, and remembers that all were chosen', async ({
  desk,
  control,
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

  const protocol = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
  await points.getByRole('combobox', { name: 'Severity' }).selectOption({ index: 1 });
  await expect(points.getByRole('status').first()).toContainText(/^\d+ of/);

  await points.getByRole('button', { name: 'Clear filters' }).click();
  await expect(points.getByRole('searchbox')).toBeFocused();
  await points.getByRole('combobox', { name: 'Answer' }).selectOption('Remark');
  await points.getByRole('checkbox', { name: 'With a picture' }).check();
  for (const text of ['Has a picture', 'Remark']) await expect(rows.filter({ hasNotText: text })).toHaveCount(0);
  await rows.first().click();
  const details = page.getByRole('complementary', { name: 'Details of the inspection point' });
  await expect(details.getByText('Inspection point ID')).toBeVisible();
  await details.getByRole('button', { name: 'Close details' }).click();
  await expect(rows.first().getByRole('button')).toBeFocused();
  // A click next to the name moves the focus to the button, too.
  await rows.first().getByText('Remark').click();
  await expect(rows.first().getByRole('button')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(details).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(details).toBeVisible();

  // The printed page has only the protocol.
  await page.evaluate(() => {
    window.print = () => Reflect.set(window, 'printed', true);
  });
  await page.getByRole('button', { name: 'Print' }).click();
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'printed'))).toBe(true);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { level: 1, name: protocol })).toBeVisible();
  await expect(rows.first()).toBeVisible();
  for (const away of [
    page.getByRole('navigation', { name: 'Main' }),
    details,
    page.getByRole('button', { name: 'Print' }),
  ])
    await expect(away).toBeHidden();
  await page.emulateMedia({ media: null });

  // The choice of all points is kept for the next protocol.
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('table', { name: 'Protocols' }).locator('[data-row="1"]').click();
  await expect(rows.first()).toBeVisible();
  await expect(all).toHaveAttribute('aria-selected', 'true');

  // A protocol without remarks shows all its points.
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
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('table', { name: 'Protocols' }).locator('[data-row="2"]').click();
  await expect(rows).toHaveText(/Escape route is clear/);
  await expect(points.getByText('Nothing to do', { exact: true })).toBeHidden();
  await points.getByRole('tab', { name: 'To do (0)' }).click();
  await expect(points.getByText('Nothing to do', { exact: true })).toBeVisible();
  await expect(rows).toHaveCount(0);
});
