import { openAssignment, signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test('browses from a protocol to an assignment', async ({ desk }) => {
  const { page } = desk;
  await signIn(desk);
  const address = (await page.locator('[data-row="0"] button').first().textContent()) ?? '';
  await openAssignment(page);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('heading', { level: 1, name: address })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Inspection points' }).getByRole('listitem').first()).toBeVisible();
});

test('searches the protocols', async ({ desk }) => {
  const { page } = desk;
  await signIn(desk);
  await page.getByRole('searchbox', { name: 'Search protocols' }).fill('no such place');
  await expect(page.getByText('No protocol matches “no such place”.')).toBeVisible();
});
