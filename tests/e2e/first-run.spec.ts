import { signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test.use({ connected: false });

test('explores with sample data on the first run', async ({ desk }) => {
  const { page } = desk;
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome to Inspection Desk');
  await page.getByRole('button', { name: 'Explore with sample data' }).click();
  await signIn(desk);
  await expect(page.getByText('Sample data')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: '240 protocols' })).toBeVisible();
});
