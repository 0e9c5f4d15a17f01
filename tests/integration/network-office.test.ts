/**
 * An office with a proxy that requires a password, and a service behind it whose certificate is from a private
 * authority. Both fail now and then.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { basename } from 'node:path';
import { createServer } from 'node:tls';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { startConnectProxy } from '../../src/main/net/testing/proxies.ts';
import { portOf } from '../../src/main/net/urls.ts';
import type { FaultRule } from '../../src/sandbox/faults/fault-plan.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { createSandboxControl } from '../../src/sandbox/testing/control-client.ts';
import { createAuthority } from './support/certificates.ts';
import { cli, ofType } from './support/cli.ts';
import { createTestKeychain, openSignedIn, quickProbes, withoutBackoff } from './support/desks.ts';
import { makeDirectory, makeFile, makeFolder, manyFiles } from './support/folders.ts';
import { byHand, use, writeSettings } from './support/networks.ts';
import { assignmentsOf, expectStored } from './support/sandbox.ts';

beforeEach(withoutBackoff);

const authority = await createAuthority('Office Ltd');
const files = manyFiles(300);

/** Faults for the first requests of a quarter of the files. Each file meets fewer faults than it has attempts. */
const badDay: readonly FaultRule[] = (
  [
    ['sign-upload', { type: 'status', status: 503, retryAfterS: 0 }],
    ['sign-upload', { type: 'reset', at: 'before-body' }],
    ['storage-put', { type: 'reset', at: 'during-body' }],
    ['storage-put', { type: 'reset', at: 'after-body' }],
    ['storage-put', { type: 'status', status: 500 }],
  ] as const
).flatMap(([route, effect], index) =>
  Object.keys(files)
    .filter((_, number) => number % 20 === index)
    .map((path) => ({ match: { route, contains: basename(path) }, when: { count: 2 }, effect })),
);

/** A service and a storage over TLS, and the proxy that leads to them. */
const useOffice = async () => {
  let port = 0;
  const front = createServer(await authority.sign(), (client) => {
    const onward = connect(port, '127.0.0.1');
    client.on('error', () => onward.destroy()).once('close', () => onward.destroy());
    onward.on('error', () => client.destroy()).once('close', () => client.destroy());
    client.pipe(onward).pipe(client);
  });
  await once(front.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void front.close());
  const secure = `https://127.0.0.1:${portOf(front)}`;
  const sandbox = await startSandbox({ consent: 'auto', storageBaseUrl: secure });
  onTestFinished(() => sandbox.close());
  port = sandbox.port;
  const control = createSandboxControl(sandbox);
  const [assignment = ''] = await assignmentsOf(sandbox);
  await control.faults.add(...badDay);
  const proxy = await use(startConnectProxy({ password: 'jo:s3cret' }));
  // The sign-in does not use the private certificate, because the browser of the test does not know the authority.
  const address = { baseUrl: secure, authUrl: sandbox.authUrl, clientId: sandbox.clientId };
  return { address, control, assignment, proxy, caFile: makeFile(authority.ca), host: new URL(secure).host };
};

test('300 files of the app arrive, each once, though the proxy drops everything now and then', async () => {
  const { address, control, assignment, proxy, caFile, host } = await useOffice();
  const home = makeDirectory();
  writeSettings(home, { network: { ...byHand(`${proxy.name}`), caFile } });
  const keychain = createTestKeychain();
  await keychain.set(`proxy ${proxy.name}`, JSON.stringify({ user: 'jo', password: 's3cret' }));
  const desk = await openSignedIn({ sandbox: address, home, keychain, ...quickProbes });
  const { batchId } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
  for (const count of [60, 120, 180]) {
    await desk.when(batchId, ({ uploaded }) => uploaded >= count);
    proxy.drop();
  }
  expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'finished', uploaded: 300, failed: 0 });
  expect((await control.faults.fired()).length).toBe(2 * badDay.length);
  await expectStored(control, assignment, files);
  expect(proxy.targets).toContain(host);
});

test('300 files of the command line arrive, each once, by the variables of the environment', async () => {
  const { address, control, assignment, proxy, caFile, host } = await useOffice();
  const variable = `http://jo:s3cret@${proxy.name}`;
  const env = { HTTPS_PROXY: variable, HTTP_PROXY: variable, NODE_EXTRA_CA_CERTS: caFile };
  const run = await cli(['upload', makeFolder(files), '--assignment', assignment], {
    sandbox: address,
    home: makeDirectory(),
    env,
  });
  expect(ofType(run, 'summary')).toMatchObject([{ files: 300, uploaded: 300, failed: 0 }]);
  expect(run.exitCode).toBe(0);
  expect((await control.faults.fired()).length).toBe(2 * badDay.length);
  await expectStored(control, assignment, files);
  expect(proxy.targets).toContain(host);
});
