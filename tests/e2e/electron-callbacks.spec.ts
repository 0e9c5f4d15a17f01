/**
 * Command lines with which other programs start the app: callbacks of a sign-in, and lines that only look like them.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findElectron } from '../../scripts/electron-binary.mjs';
import type { ElectronDriver } from './support/electron-driver.ts';
import { decideOverHttp } from './support/person.ts';
import { allowSignIn, firstRow, signOut } from './support/steps.ts';
import { expect, test } from './support/test.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test.use({ redirect: 'scheme' });

/** Starts the program again, as the operating system does for a link. Resolves when the new process has exited. */
const startAgain = async (home: string, args: readonly string[]): Promise<void> => {
  const executable = findElectron()?.path ?? '';
  await promisify(execFile)(executable, ['--no-sandbox', root, '--home', home, ...args]);
};

/** Begins a sign-in. Resolves to the callback that the browser would open for it. */
const beginSignIn = async ({ page, opened }: ElectronDriver): Promise<string> => {
  const { length: before } = await opened();
  await page.getByRole('button', { name: 'Sign in' }).filter({ visible: true }).click();
  await expect.poll(async () => (await opened()).length).toBeGreaterThan(before);
  return decideOverHttp((await opened()).at(-1) ?? '', 'allow');
};

test('takes nothing but callbacks from links, and those however they are written', async ({ desk, home }) => {
  const { page } = desk;
  const other = join(home, 'other');
  const expectSignedIn = () => expect(firstRow(page, 'Protocols')).toBeVisible();

  // src/main/hosts/shared/host-options.test.ts tests how command lines are parsed. Here, each start takes a second.
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

  await test.step('A16: survives a callback of any length, and accepts the next one', async () => {
    await startAgain(home, [`com.inspectiondesk.app:/oauth/callback?code=${'x'.repeat(120_000)}`]);
    await startAgain(home, ['com.inspectiondesk.app:/x', ...new Array(2_000).fill('a line of many arguments')]);
    await allowSignIn(desk);
    await expectSignedIn();
  });

  await test.step('A13: accepts the callback in any case of its scheme, and after the redirect address itself', async () => {
    await signOut(page);
    const callback = await beginSignIn(desk as ElectronDriver);
    const inCapitals = callback.replace('com.inspectiondesk.app', 'COM.INSPECTIONDESK.APP');
    await startAgain(home, ['--redirect-uri', 'com.inspectiondesk.app:/oauth/callback', inCapitals]);
    await expectSignedIn();
  });
});
