import { expectNoBarriers } from './support/barriers.ts';
import { allowSignIn, shown, signIn } from './support/steps.ts';
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

test('connects to a service, and says which value is wrong', async ({ desk, sandbox }) => {
  const { page } = desk;
  await expectNoBarriers(page, 'welcome');
  await page.getByRole('button', { name: 'Connect to a service' }).click();
  const form = { service: page.getByLabel('Service address'), signIn: page.getByLabel('Sign-in address') };
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText('Enter the whole address of the service, starting with https://.')).toBeVisible();
  await expect(form.service).toBeFocused();
  await expectNoBarriers(page, 'form');

  await form.service.fill('http://service.example');
  await form.signIn.fill(sandbox.authUrl);
  await page.getByLabel('Client ID').fill(sandbox.clientId);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(shown(page, 'The address of the service is not secure.')).toBeVisible();

  await form.service.fill(sandbox.baseUrl);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  await allowSignIn(desk);
  await expect(page.getByRole('table', { name: 'Protocols' })).toBeVisible();
});
