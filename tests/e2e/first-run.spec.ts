import type { Page } from '@playwright/test';
import { expectNoBarriers } from './support/barriers.ts';
import { walkFirstStart } from './support/every-screen.ts';
import { beginInEnglish } from './support/languages.ts';
import { expectUsable, expectWhole } from './support/layout.ts';
import { readSettings } from './support/settings-file.ts';
import { openSection, shown, signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test.describe.configure({ mode: 'parallel' });

test.use({ connected: false });

test('explores with sample data on the first run', async ({ desk }) => {
  const { page } = desk;
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome to Inspection Desk');
  await page.getByRole('button', { name: 'Explore with sample data' }).click();
  await signIn(desk);
  await expect(page.getByText('Sample data')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: '240 protocols' })).toBeVisible();
});

const formIn = (page: Page) => {
  const field = (name: string) => page.getByRole('textbox', { name });
  return {
    service: field('Service address'),
    signIn: field('Sign-in address'),
    clientId: field('Client ID'),
    connect: () => page.getByRole('button', { name: 'Connect', exact: true }).click(),
  };
};

/** Errors that do not belong to a field would be shown in a toast. */
const expectNoToast = (page: Page) => expect(page.locator('.fui-Toast')).toHaveCount(0);

test('connects to a service by a usable form: says which value is wrong and nowhere else, tries both addresses, says what it found at each, and saves them anyway when asked to', async ({
  desk,
  sandbox,
  home,
}) => {
  const { page } = desk;
  // Two screens are measured in four sizes, and examined by axe three times.
  test.slow();
  await beginInEnglish(page);
  await walkFirstStart(desk, expectUsable(page));
  await page.getByText('Advanced').click();
  const form = formIn(page);
  await form.connect();
  await expect(page.getByText('Enter the full address of the service, starting with https://.')).toBeVisible();
  await expect(form.service).toBeFocused();

  await form.signIn.fill('http://127.0.0.1:1/oauth');
  await form.clientId.fill(sandbox.clientId);
  for (const [address, words] of [
    ['http://service.example', 'The address for “Service address” is not secure.'],
    ['https://user:secret@service.example', '“Service address” must not contain a user name or password.'],
    ['https://service.example/?a=1', '“Service address” must not contain a query.'],
  ] as const) {
    await form.service.fill(address);
    await form.connect();
    await expect(page.getByText(words)).toBeVisible();
    await expect(form.service).toHaveAttribute('aria-invalid', 'true');
    await expect(form.service).toBeFocused();
    await expectNoToast(page);
  }
  await form.service.fill(`${sandbox.baseUrl}/nothing-here`);
  // A field with an error is shown even if its section was collapsed.
  const scope = page.getByRole('textbox', { name: 'Scope' });
  await expect(scope).toBeHidden();
  await page.getByText('Advanced').click();
  await scope.fill('open"id');
  await page.getByText('Advanced').click();
  await form.connect();
  await expect(scope).toBeFocused();
  await expect(scope).toHaveAttribute('aria-invalid', 'true');
  await scope.fill('openid offline_access');
  await form.connect();
  await expect(page.getByText('The server at this address does not respond as expected: HTTP 404.')).toBeVisible();
  await expect(page.getByText('The server refused the connection.')).toBeVisible();
  await expect(form.service).toBeFocused();
  await expectNoBarriers(page, 'findings');
  await expectWhole(page, 'findings');

  await form.service.fill(sandbox.baseUrl);
  await expect(page.getByRole('button', { name: 'Save anyway' })).toBeHidden();
  await form.connect();
  await expect(page.getByText('The service responds at this address.')).toBeVisible();
  await page.getByRole('button', { name: 'Save anyway' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  await expectNoToast(page);

  await openSection(page, 'Settings');
  await expect(shown(page, 'openid offline_access')).toBeVisible();
  expect((await readSettings(home)).connection).toMatchObject({ scope: 'openid offline_access' });
  await page.getByRole('button', { name: 'Change connection' }).click();
  await expect(scope).toHaveValue('openid offline_access');
});
