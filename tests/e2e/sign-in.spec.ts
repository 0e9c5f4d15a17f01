import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { findElectron } from '../../scripts/electron-binary.mjs';
import type { Driver } from './support/driver.ts';
import type { ElectronDriver } from './support/electron-driver.ts';
import { decideOverHttp } from './support/person.ts';
import { firstRow, openSection, shown, signIn, signInButton } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test.use({ redirect: 'scheme' });

const copyAddress = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Copy address' }).click();
  await expect(page.getByText('Address copied. Paste it into the browser you want to use.')).toBeVisible();
};

/** Reopens the sign-in and copies its address, which the window never sees. */
const copyInDesktop = async ({ app, page, opened }: ElectronDriver): Promise<void> => {
  await page.getByRole('button', { name: 'Reopen browser' }).click();
  await expect.poll(async () => new Set((await opened()).slice(-2)).size).toBe(1);
  const address = (await opened()).at(-1) ?? '';
  // Another test may use the clipboard in the meantime.
  await expect(async () => {
    await copyAddress(page);
    expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe(address);
  }).toPass();
  const state = new URL(address).searchParams.get('state') ?? '';
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

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Starts the program again, as the operating system does for a link. Resolves when the new process has exited. */
const startAgain = async (home: string, args: readonly string[]): Promise<void> => {
  const executable = findElectron()?.path ?? '';
  await promisify(execFile)(executable, ['--no-sandbox', root, '--home', home, ...args]);
};

/** Begins a sign-in. Resolves to the callback that the browser would open for it. */
const beginSignIn = async ({ page, opened }: ElectronDriver): Promise<string> => {
  const { length: before } = await opened();
  await signInButton(page).click();
  await expect.poll(async () => (await opened()).length).toBeGreaterThan(before);
  return decideOverHttp((await opened()).at(-1) ?? '', 'allow');
};

/** Starts the program again with arguments that contain no callback, or none that the app accepts. */
const passOthers = async ({ page }: Driver, home: string): Promise<void> => {
  const other = join(home, 'other');
  // Tries only a few command lines, because each start takes a second. src/main/hosts/shared/host-options.test.ts tests
  // how command lines are parsed.
  await test.step('A13: opens no other data directory for a link, and takes no option from one that breaks out of its quotes', async () => {
    await startAgain(home, ['--', 'com.inspectiondesk.app:/x" --inspect=9229 --hidden "']);
    const link = 'COM.INSPECTIONDESK.APP:/x --proxy-server=203.0.113.1:80 --base-url=https://example.com';
    const options = ['--inspect=9229', '--hidden', '--sample', `--home=${other}`, '--home', other];
    await startAgain(home, [link, ...options, 'uploads', 'list']);
    expect(existsSync(other)).toBe(false);
    expect(await page.evaluate(() => Reflect.get(window, 'inspectionDesk').calls.app.snapshot())).toMatchObject({
      ok: true,
      value: { connection: { baseUrl: expect.stringContaining('127.0.0.1') } },
    });
  });

  await test.step('A16: survives a callback of any length', async () => {
    await startAgain(home, [`com.inspectiondesk.app:/oauth/callback?code=${'x'.repeat(120_000)}`]);
    await startAgain(home, ['com.inspectiondesk.app:/x', ...new Array(2_000).fill('a line of many arguments')]);
  });
};

test('signs in once the browser has allowed it, says why not before, signs out, lets a new sign-in be cancelled, and takes nothing but callbacks from links', async ({
  desk,
  home,
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
  if (host === 'electron') await passOthers(desk, home);
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
  if (host !== 'electron') return;
  await test.step('A13: accepts the callback in any case of its scheme, and after the redirect address itself', async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Protocols' }).click();
    const callback = await beginSignIn(desk as ElectronDriver);
    const inCapitals = callback.replace('com.inspectiondesk.app', 'COM.INSPECTIONDESK.APP');
    await startAgain(home, ['--redirect-uri', 'com.inspectiondesk.app:/oauth/callback', inCapitals]);
    await expect(firstRow(page, 'Protocols')).toBeVisible();
  });
});
