import type { ElectronDriver } from './support/electron-driver.ts';
import { expect, test } from './support/test.ts';

test.use({ redirect: 'scheme' });

test('reopens the sign-in and copies its address, which the window never sees', async ({ desk }) => {
  const { app, page, opened, decideInBrowser } = desk as ElectronDriver;
  await app.evaluate(({ clipboard }) => clipboard.clear());
  const told: string[] = [];
  page.on('console', (message) => told.push(message.text()));
  await decideInBrowser(async () => {
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Reopen browser' }).click();
    await page.getByRole('button', { name: 'Copy address' }).click();
    await expect(page.getByText('Address copied. Paste it into the browser you want to use.')).toBeVisible();
    const copied = await app.evaluate(({ clipboard }) => clipboard.readText());
    await expect.poll(opened).toEqual([copied, copied]);
    const state = new URL(copied).searchParams.get('state') ?? '';
    expect(state).not.toBe('');
    expect(await page.content()).not.toContain(state);
    const call = `window.inspectionDesk.calls.app.snapshot().then(JSON.stringify)`;
    expect(await page.evaluate(call)).not.toContain(state);
  }, 'allow');
  await expect(page.getByRole('table', { name: 'Protocols' })).toBeVisible();
  expect(told.join()).not.toContain('state=');
});
