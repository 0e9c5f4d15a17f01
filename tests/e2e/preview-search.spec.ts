import { openSection, signIn } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

test('opens the result for the complete text, even if Enter comes before the results', async ({ desk }) => {
  const { page } = desk;
  await signIn(desk);
  const [first = '', ...others] = await page.locator('[data-row] button').allInnerTexts();
  const firstWord = (address: string): string => address.split(' ')[0] ?? '';
  const other = others.find((address) => !address.startsWith(firstWord(first).slice(0, 1))) ?? '';
  await openSection(page, 'Overview');
  await page.keyboard.press('Control+k');
  const field = page.getByRole('dialog').getByRole('combobox');
  await field.fill(firstWord(first));
  await expect(page.getByRole('option').first()).toContainText(firstWord(first));
  const held = Promise.withResolvers<void>();
  await page.route(/search\.find/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await field.fill(other);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('option').first()).toContainText(firstWord(first));
  held.resolve();
  await expect(page.getByRole('heading', { level: 1, name: other, exact: true })).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
