/**
 * Servers whose certificate is not accepted. The app sends them nothing, and says what is wrong with the certificate.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createApiAgent } from '../../src/main/net/connector.ts';
import { exchange } from '../../src/main/net/exchange.ts';
import { startConnectProxy } from '../../src/main/net/testing/proxies.ts';
import { testRoutes } from '../../src/main/net/testing/routes.ts';
import { startTestServer } from '../../src/main/net/testing/server.ts';
import { createTrust } from '../../src/main/net/trust.ts';
import { startEngine } from '../../src/main/uploads/engine/start-engine.ts';
import { createHostSpeech } from '../../src/words/speech.ts';
import { createAuthority, outdatedTls, type Shown, startTlsServer } from './support/certificates.ts';
import { cli, spawnCli } from './support/cli.ts';
import { openDesk } from './support/desks.ts';
import { makeDirectory, makeFolder, manyFiles } from './support/folders.ts';

const authority = await createAuthority('Office Proxy Ltd');
const stranger = await createAuthority('Somebody Else');

const get = async (url: string, ca: string, pac = 'DIRECT') => {
  const caFile = join(makeDirectory(), 'office.pem');
  writeFileSync(caFile, ca);
  const dispatcher = createApiAgent({
    routing: testRoutes({ settings: () => ({ mode: 'system', exceptions: [] }), resolveProxy: async () => pac }),
    trust: createTrust({ caFile }),
  });
  onTestFinished(() => dispatcher.destroy());
  return exchange(dispatcher, { method: 'GET', url: new URL(`${url}/path?secret`), headers: {} });
};

test('accepts a certificate from a trusted authority', async () => {
  const server = await startTlsServer(await authority.sign());
  expect(await get(server.url, authority.ca)).toMatchObject({ status: 200 });
});

test.each([
  ['untrusted', {}, stranger],
  ['expired', { from: -30, to: -2 }, authority],
  ['not-yet-valid', { from: 2, to: 30 }, authority],
  ['wrong-name', { address: '192.0.2.7' }, authority],
] as const)('one that is %s ends the connection before anything is sent', async (what, shown: Shown, by) => {
  const server = await startTlsServer(await by.sign(shown));
  const issuer = by === authority ? 'Office Proxy Ltd' : 'Somebody Else';
  const error = await get(server.url, authority.ca).then(
    () => undefined,
    (thrown) => thrown,
  );
  const { host } = new URL(server.url);
  expect(error).toMatchObject({ code: `service/certificate-${what}`, retry: 'never', details: { host, issuer } });
  const { title, todo } = (await createHostSpeech('en')).errorText(error);
  expect(title).toContain(host);
  expect(todo).toContain(`It was issued by ${issuer}.`);
  const day = (fromNow: number) => new Date(Date.now() + fromNow * 24 * 3_600_000).toISOString().slice(0, 10);
  const { from, to } = { from: -1, to: 1, ...shown };
  const validity = `It is valid from ${day(from)} to ${day(to)}; the clock of this computer says ${day(0)}.`;
  expect(todo.includes(validity)).toBe(what === 'expired' || what === 'not-yet-valid');
  expect(JSON.stringify(error.details)).not.toContain('secret');
  expect(server.requests).toEqual([]);
});

test('B9: a variable that is set while the app runs does not turn the checks off', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => void vi.unstubAllEnvs());
  const server = await startTlsServer(await stranger.sign());
  await expect(get(server.url, authority.ca)).rejects.toMatchObject({ code: 'service/certificate-untrusted' });
  const proxy = await startConnectProxy({ identity: await stranger.sign() });
  onTestFinished(proxy.close);
  const pac = `HTTPS ${proxy.name}`;
  await expect(get(server.url, authority.ca, pac)).rejects.toMatchObject({ details: { host: proxy.name } });
  expect([server.requests, proxy.targets]).toEqual([[], []]);
});

test('B9: the variable is taken away before a thread or a library could follow it', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => void vi.unstubAllEnvs());
  const desk = await openDesk({ host: { environment: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } } });
  expect(process.env.NODE_TLS_REJECT_UNAUTHORIZED).toBeUndefined();
  const { checks } = await desk.doctor.run(new AbortController().signal);
  expect(checks).toContainEqual(expect.objectContaining({ check: 'certificate checks', state: 'warning', ok: true }));
});

test.each([
  ['outdated', 'a server that offers TLS 1.0 only', outdatedTls],
  [
    'outdated',
    'a server without a cipher in common',
    { maxVersion: 'TLSv1.2', ciphers: 'PSK-AES128-CBC-SHA' } as const,
  ],
])('service/tls-%s: %s', async (code, _, tls) => {
  const server = await startTlsServer(await authority.sign(), tls);
  const error = await get(server.url, authority.ca).catch((thrown) => thrown);
  const { host } = new URL(server.url);
  expect(error).toMatchObject({ code: `service/tls-${code}`, retry: 'never', details: { host, phase: 'connect' } });
  expect((await createHostSpeech('en')).errorText(error).title).toBe(
    `The server ${host} offers only outdated encryption.`,
  );
});

test('a server without TLS is called that, and so is a proxy', async () => {
  const server = await startTestServer((response) => void response.end());
  onTestFinished(server.close);
  const { host } = new URL(server.url);
  const missing = { code: 'service/tls-missing', details: { host } };
  await expect(get(`https://${host}`, authority.ca)).rejects.toMatchObject(missing);
  await expect(get('https://service.invalid', authority.ca, `HTTPS ${host}`)).rejects.toMatchObject(missing);
});

test('B9: no option of Node lowers the least version of TLS', async () => {
  const server = await startTlsServer(await authority.sign(), outdatedTls);
  const { stdout } = await spawnCli(['doctor'], {
    sandbox: { baseUrl: server.url, authUrl: server.url, clientId: 'desk' },
    home: makeDirectory(),
    env: { NODE_OPTIONS: '--tls-min-v1.0' },
  });
  expect(stdout).toContain('service/tls-outdated');
});

test('a sign-in at such a service reports the certificate, and so does the session state', async () => {
  const server = await startTlsServer(await stranger.sign());
  const address = { baseUrl: `${server.url}/api`, authUrl: `${server.url}/oauth`, clientId: 'desk' };
  const desk = await openDesk({ sandbox: address });
  await expect(desk.signIn()).rejects.toMatchObject({ code: 'service/certificate-untrusted' });
  expect(server.requests).toEqual([]);
});

test('doctor names the certificate and its issuer', async () => {
  const server = await startTlsServer(await stranger.sign());
  const sandbox = { baseUrl: `${server.url}/api`, authUrl: `${server.url}/oauth`, clientId: 'desk' };
  const { stdout, stderr } = await cli(['doctor'], { sandbox, home: makeDirectory(), words: true });
  expect(stdout).toContain('service/certificate-untrusted');
  expect(stderr).toContain('It was issued by Somebody Else.');
});

test('an upload to such a storage pauses with the reason, and no file fails', async () => {
  const server = await startTlsServer(await stranger.sign());
  const home = makeDirectory();
  const module = (path: string): string => new URL(`../../src/main/uploads/${path}`, import.meta.url).href;
  const engine = await startEngine({
    worker: new URL('./support/worker-without-backoff.ts', import.meta.url),
    settings: {
      ledgerPath: `${home}/ledger.sqlite`,
      readWorker: module('source/read-worker.ts'),
      concurrency: 4,
      reportFiles: false,
    },
    routing: testRoutes(),
    onBug: (error) => expect.unreachable(String(error)),
    onDown: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(() => engine.close());
  const uploads = await engine.connect({
    connectionId: 'connection',
    baseUrl: server.url,
    session: { signedIn: true },
    service: {
      signUpload: async ({ AssignmentId, FileName }) => ({
        AssignmentId,
        Key: FileName,
        Url: `${server.url}/${FileName}`,
      }),
      removeFile: async () => undefined,
    },
    beingRemoved: () => [],
    onBatches: () => {},
    onFile: () => {},
    onSeen: () => {},
    onExit: () => {},
    probe: async () => false,
  });
  const { batchId } = await uploads.start({ root: makeFolder(manyFiles(30)), assignmentId: 'a' });
  expect(await uploads.ended(batchId)).toMatchObject({
    state: 'paused',
    failed: 0,
    reason: { code: 'service/certificate-untrusted', details: { issuer: 'Somebody Else' } },
  });
  expect(server.requests).toEqual([]);
});
