/** The hosts that the app contacts, as recorded by a proxy for all traffic of Chromium and of the app itself. */
import { join } from 'node:path';
import { launchElectron } from './support/electron-driver.ts';
import { makeFolder } from './support/make-folder.ts';
import { startRecordingProxy } from './support/recording-proxy.ts';
import { openAssignment, shown, signIn, uploadFolder } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test('contacts no host but those of its connection, from the first start to the end of an upload', async ({
  home,
  sandbox,
}) => {
  const proxy = await startRecordingProxy();
  const { baseUrl, authUrl, clientId } = sandbox;
  const desk = await launchElectron({
    home,
    env: {
      INSPECTION_DESK_BASE_URL: baseUrl,
      INSPECTION_DESK_AUTH_URL: authUrl,
      INSPECTION_DESK_CLIENT_ID: clientId,
      INSPECTION_DESK_TOKEN_STORE: 'memory',
    },
    // The proxy is set as in the system's settings, and is also used for this computer's own addresses.
    args: [`--proxy-server=${proxy.address}`, '--proxy-bypass-list=<-loopback>'],
  });
  const { page } = desk;
  await makeFolder(join(home, 'Documents'), 12);
  await signIn(desk);
  // Once a text is typed, a spelling checker would contact its host.
  const search = page.getByRole('searchbox').first();
  await search.fill('Mispeled');
  await search.clear();
  await openAssignment(page);
  await uploadFolder(desk, join(home, 'Documents'));
  await expect(shown(page, '12 uploaded')).toBeVisible();
  await desk.close();
  const known = [baseUrl, authUrl].map((address) => new URL(address).host);
  expect(proxy.hosts()).toContain(known[0]);
  expect(proxy.hosts().filter((host) => !known.includes(host))).toEqual([]);
  await proxy.close();
});
