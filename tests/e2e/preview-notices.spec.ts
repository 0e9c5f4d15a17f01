import { openSection } from './support/steps.ts';
import { expect, testOnSharedDesk as test } from './support/test.ts';

// A browser cannot open a folder of this machine; on the desktop it opens.
test('shows a notification about a failure until it is dismissed', async ({ desk }) => {
  const { page } = desk;
  await openSection(page, 'Settings');
  await page.getByRole('button', { name: 'Open log folder' }).click();
  const dismiss = page.getByRole('button', { name: 'Dismiss' });
  await expect(dismiss).toBeVisible();
  await dismiss.click();
  await expect(dismiss).toBeHidden();
});
