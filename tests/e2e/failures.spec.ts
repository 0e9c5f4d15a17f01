import { signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test('says that the sign-in was refused, and lets people try again', async ({ desk }) => {
  const { page, decideInBrowser } = desk;
  await decideInBrowser(() => page.getByRole('button', { name: 'Sign in' }).click(), 'deny');
  await expect(page.getByText('The sign-in was refused.')).toBeVisible();
  await signIn(desk);
});

test('says that the service cannot be reached', async ({ desk, sandbox }, info) => {
  const { page } = desk;
  await signIn(desk);
  await sandbox.close();
  await page.getByRole('button', { name: 'Orderable events' }).click();
  await expect(page.getByText('The service cannot be reached.')).toBeVisible();
  await page.screenshot({ path: info.outputPath('unreachable.png') });
});
