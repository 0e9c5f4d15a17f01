import { openSection } from './support/steps.ts';
import { expect, testOnSharedDesk as test } from './support/test.ts';

// A browser cannot open a folder of this machine; on the desktop it opens.
test('says in a corner what did not work, until it is dismissed', async ({ desk }) => {
  const { page } = desk;
  await openSection(page, 'Settings');
  await page.getByRole('button', { name: 'Open log folder' }).click();
  const dismiss = page.getByRole('button', { name: 'Dismiss' });
  await expect(dismiss).toBeVisible();
  await dismiss.click();
  await expect(dismiss).toBeHidden();
});
