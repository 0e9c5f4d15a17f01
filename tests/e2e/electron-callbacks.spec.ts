/** What other programs hand to the program of the app's scheme: callbacks, and lines that only look like them. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findElectron } from '../../scripts/electron-binary.mjs';
import type { ElectronDriver } from './support/electron-driver.ts';
import { decideOverHttp } from './support/person.ts';
import { allowSignIn, firstRow } from './support/steps.ts';
import { expect, test } from './support/test.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test.use({ redirect: 'scheme' });

/** Starts the program once more, as the operating system does for a link; resolves when that start has ended. */
const startAgain = async (home: string, args: readonly string[]): Promise<void> => {
  const executable = findElectron()?.path ?? '';
  await promisify(execFile)(executable, ['--no-sandbox', root, '--home', home, ...args]);
};

/** Begins a sign-in and answers the callback that the browser would open for it. */
const beginSignIn = async ({ page, opened }: ElectronDriver): Promise<string> => {
  await page.getByRole('button', { name: 'Sign in' }).filter({ visible: true }).click();
  await expect.poll(async () => (await opened()).length).toBeGreaterThan(0);
  return decideOverHttp((await opened()).at(-1) ?? '', 'allow');
};

test('A13: accepts the callback in any case of its scheme', async ({ desk, home }) => {
  const callback = await beginSignIn(desk as ElectronDriver);
  await startAgain(home, ['--', callback.replace('com.inspectiondesk.app', 'COM.INSPECTIONDESK.APP')]);
  await expect(firstRow(desk.page, 'Protocols')).toBeVisible();
});

test('A13: accepts the callback after the redirect address itself', async ({ desk, home }) => {
  const callback = await beginSignIn(desk as ElectronDriver);
  await startAgain(home, ['--redirect-uri', 'com.inspectiondesk.app:/oauth/callback', callback]);
  await expect(firstRow(desk.page, 'Protocols')).toBeVisible();
});

test('A13: opens no other data directory for a link', async ({ desk, home }) => {
  const other = join(home, 'other');
  await startAgain(home, ['COM.INSPECTIONDESK.APP:/x', `--home=${other}`]);
  await startAgain(home, ['Com.InspectionDesk.App:/x', '--home', other, 'uploads', 'list']);
  expect(existsSync(other)).toBe(false);
  await allowSignIn(desk);
  await expect(firstRow(desk.page, 'Protocols')).toBeVisible();
});

test('A16: survives a callback of any length, and accepts the next one', async ({ desk, home }) => {
  for (const length of [9_000, 31_000, 60_000, 120_000]) {
    await startAgain(home, [`com.inspectiondesk.app:/oauth/callback?code=${'x'.repeat(length)}`]);
  }
  await startAgain(home, ['com.inspectiondesk.app:/x', ...new Array(2_000).fill('a line of many arguments')]);
  await allowSignIn(desk);
  await expect(firstRow(desk.page, 'Protocols')).toBeVisible();
});

test('A13: takes no option from a link that breaks out of its quotes', async ({ desk, home }) => {
  const hostile = [
    'com.inspectiondesk.app:/x" --inspect=9229 --hidden "',
    'com.inspectiondesk.app:/x --proxy-server=203.0.113.1:80 --base-url=https://example.com',
  ];
  for (const link of hostile) {
    await startAgain(home, ['--', link]);
    await startAgain(home, [link, '--inspect=9229', '--hidden', '--sample', `--home=${join(home, 'other')}`]);
  }
  expect(existsSync(join(home, 'other'))).toBe(false);
  expect(await desk.page.evaluate(() => Reflect.get(window, 'inspectionDesk').calls.app.snapshot())).toMatchObject({
    ok: true,
    value: { connection: { baseUrl: expect.stringContaining('127.0.0.1') } },
  });
  await allowSignIn(desk);
  await expect(firstRow(desk.page, 'Protocols')).toBeVisible();
});
