/** The desktop app with the sign-in of a certified OpenID provider. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type OidcService, startOidcService } from '../integration/support/oidc-service.ts';
import type { ElectronDriver } from './support/electron-driver.ts';
import { makeFolder } from './support/make-folder.ts';
import { openAssignment, openSection, uploadFolder } from './support/steps.ts';
import { test as base, expect } from './support/test.ts';

const test = base.extend<{ readonly service: OidcService }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
  service: async ({}, use) => {
    const service = await startOidcService();
    await use(service);
    await service.close();
  },
});

test.use({ connected: false, redirect: 'scheme' });

/** Does what the provider's pages ask for whenever the app opens the browser, until `done` resolves. */
const signInAtProvider = async (desk: ElectronDriver, service: OidcService, done: () => Promise<void>) => {
  let answered = (await desk.opened()).length;
  let over = false;
  const browse = async (): Promise<void> => {
    while (!over) {
      await expect.poll(async () => over || (await desk.opened()).length > answered).toBe(true);
      const address = (await desk.opened())[answered];
      if (address === undefined) return;
      answered += 1;
      await desk.comeBack(await service.person.signInAt(address));
    }
  };
  const browsing = browse();
  await desk.page.getByRole('button', { name: 'Sign in' }).filter({ visible: true }).click();
  await done();
  over = true;
  await browsing;
};

test('OAuth: signs in with a scope by the scheme of an installed app, reads, uploads, refreshes its tokens, and says when the session has ended', async ({
  launch,
  home,
  service,
}) => {
  const { baseUrl, authUrl, clientId, scope } = service;
  await writeFile(join(home, 'settings.json'), JSON.stringify({ connection: { baseUrl, authUrl, clientId, scope } }));
  const electron = (await launch()) as ElectronDriver;
  const { page } = electron;
  const table = page.getByRole('table', { name: 'Protocols' });
  await signInAtProvider(electron, service, () => expect(table).toBeVisible());
  const sent = (await electron.opened()).map((address) => new URL(address).searchParams);
  expect(sent.map((values) => values.get('prompt'))).toEqual([null, 'consent']);
  for (const values of sent) expect(values.get('redirect_uri')).toBe('com.inspectiondesk.app:/oauth/callback');

  await service.expireAccessTokens();
  await openAssignment(page);
  expect(service.exchanges.at(-1)).toMatchObject({
    form: { grant_type: 'refresh_token', client_id: service.clientId },
    status: 200,
  });

  await makeFolder(join(home, 'Documents'), 5);
  await uploadFolder(electron, join(home, 'Documents'));
  await expect.poll(async () => (await service.control.objects()).length).toBe(5);

  await service.expireAccessTokens();
  await service.endSessions();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Inspections to order' }).click();
  await expect(page.getByText('Your sign-in has expired.').filter({ visible: true })).toBeVisible();
  await signInAtProvider(electron, service, () => openSection(page, 'Inspections to order'));
  await expect(page.getByRole('table', { name: 'Inspections to order' })).toBeVisible();
  await electron.close();
});
