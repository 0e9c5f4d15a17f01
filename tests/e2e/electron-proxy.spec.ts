/** A proxy that requires a password, in the desktop app. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startConnectProxy } from '../../src/main/net/testing/proxies.ts';
import { readSettings } from './support/settings-file.ts';
import { openSection, signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test('asks for the password of a proxy, again when it was wrong, and then goes on', async ({ home, launch }) => {
  await using proxy = await startConnectProxy({ password: 'jo:s3cret' });
  const address = `http://${proxy.name}`;
  const network = { proxy: { mode: 'manual', address, exceptions: ['<-loopback>'] } };
  await writeFile(join(home, 'settings.json'), JSON.stringify({ network }));
  const desk = await launch();
  const { page } = desk;
  const dialog = page.getByRole('dialog', { name: 'Proxy sign-in' });
  /** Clicks "Sign in". The browser is opened only once the service can be reached. */
  const begin = () => page.getByRole('button', { name: 'Sign in' }).filter({ visible: true }).click();
  const enter = async (password: string): Promise<void> => {
    await dialog.getByLabel('User name').fill('jo');
    await dialog.getByLabel('Password').fill(password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect(dialog).toBeHidden();
  };
  await begin();
  await expect(dialog.getByText(`The proxy ${proxy.name} requires a user name and a password.`)).toBeVisible();
  // The page behind the dialog also reports the proxy. Its message does not extend beyond the window.
  const message = page.getByText('Try again, and enter your user name and password for the proxy');
  const rightEdge = () => message.evaluate((element) => element.getBoundingClientRect().right);
  await expect.poll(rightEdge).toBeLessThan(await page.evaluate(() => window.innerWidth));
  await enter('wrong');
  await begin();
  await expect(dialog.getByText('rejected the user name and the password')).toBeVisible();
  await enter('s3cret');
  await signIn(desk);

  await openSection(page, 'Settings');
  const section = page.getByRole('region', { name: 'Network' });
  await expect(section.getByLabel('Proxy address')).toHaveValue(address);
  await section.getByLabel('Proxy', { exact: true }).selectOption('No proxy');
  await expect.poll(async () => (await readSettings(home)).network.proxy.mode).toBe('none');
  await desk.close();
});
