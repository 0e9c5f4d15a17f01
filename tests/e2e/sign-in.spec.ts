import type { Page } from '@playwright/test';
import type { ElectronDriver } from './support/electron-driver.ts';
import { openSection, shown, signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test.use({ redirect: 'scheme' });

const copyAddress = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Copy address' }).click();
  await expect(page.getByText('Address copied. Paste it into the browser you want to use.')).toBeVisible();
};

/** Reopens the sign-in and copies its address, which the window never sees. */
const copyInDesktop = async ({ app, page, opened }: ElectronDriver): Promise<void> => {
  await app.evaluate(({ clipboard }) => clipboard.clear());
  await page.getByRole('button', { name: 'Reopen browser' }).click();
  await copyAddress(page);
  const copied = await app.evaluate(({ clipboard }) => clipboard.readText());
  await expect.poll(async () => (await opened()).slice(-2)).toEqual([copied, copied]);
  const state = new URL(copied).searchParams.get('state') ?? '';
  expect(state).not.toBe('');
  expect(await page.content()).not.toContain(state);
  const call = `window.inspectionDesk.calls.app.snapshot().then(JSON.stringify)`;
  expect(await page.evaluate(call)).not.toContain(state);
};

const copyInBrowser = async (page: Page, authUrl: string): Promise<void> => {
  await copyAddress(page);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(authUrl);
};

test('signs in once the browser has allowed it, says why not before, signs out, and lets a new sign-in be cancelled', async ({
  desk,
  host,
  control,
  sandbox,
}) => {
  const { page, decideInBrowser } = desk;
  const told: string[] = [];
  page.on('console', (message) => told.push(message.text()));
  await decideInBrowser(() => page.getByRole('button', { name: 'Sign in' }).click(), 'deny');
  await expect(page.getByText('The sign-in was refused.')).toBeVisible();
  await control.faults.add({ match: { route: 'token' }, effect: { type: 'status', status: 400, body: '{}' } });
  await decideInBrowser(async () => {
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByText('Waiting for your browser…')).toBeVisible();
    if (host === 'preview') await copyInBrowser(page, sandbox.authUrl);
    else await copyInDesktop(desk as ElectronDriver);
  }, 'allow');
  await expect(page.getByText('The sign-in failed.')).toBeVisible();
  await control.faults.clear();
  await signIn(desk);
  expect(told.join()).not.toContain('state=');

  await openSection(page, 'Settings');
  await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Sign out?' });
  await dialog.getByRole('checkbox', { name: /^Clear offline data/ }).check();
  await dialog.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByText('You are not signed in.')).toBeVisible();
  await expect(page.getByText('Signed out', { exact: true })).toBeVisible();
  for (const section of ['Overview', 'Protocols', 'Assignments', 'Inspections to order']) {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: section }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  }
  const again = page.getByRole('button', { name: 'Sign in' }).filter({ visible: true });
  await again.click();
  await page.getByRole('button', { name: 'Cancel' }).filter({ visible: true }).click();
  await expect(again).toBeVisible();
  await openSection(page, 'Uploads');
  await expect(shown(page, 'No uploads yet.')).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('york');
  await expect(page.getByText('No results for “york”.')).toBeVisible();
});
