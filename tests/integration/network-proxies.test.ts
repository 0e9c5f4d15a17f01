/** Requests through real proxies: which proxy gets them, and which error users see if a proxy refuses them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DoctorReport } from '../../src/contract/doctor.ts';
import { createApiAgent } from '../../src/main/net/connector.ts';
import { exchange } from '../../src/main/net/exchange.ts';
import { startConnectProxy, startSocksProxy } from '../../src/main/net/testing/proxies.ts';
import { testRoutes } from '../../src/main/net/testing/routes.ts';
import { startTestServer, unusedAddress } from '../../src/main/net/testing/server.ts';
import { createTrust } from '../../src/main/net/trust.ts';
import { createHostSpeech } from '../../src/words/speech.ts';
import { createAuthority, startTlsServer } from './support/certificates.ts';
import { cli, ofType } from './support/cli.ts';
import { createTestKeychain, openDesk } from './support/desks.ts';
import { makeDirectory, makeFile, makeFolder, manyFiles } from './support/folders.ts';
import { byHand, use, writeSettings } from './support/networks.ts';
import { useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();

const readLogs = (home: string): string =>
  readdirSync(join(home, 'logs'))
    .map((name) => readFileSync(join(home, 'logs', name), 'utf8'))
    .join('');

/**
 * Prepares requests for `url` with the result `pac` of a PAC script. Returns `ask`, which sends one, and the proxies
 * that were unreachable.
 */
const get = async (url: string, pac: string, caFile?: string) => {
  const unreachable: string[] = [];
  const routes = testRoutes({
    settings: () => ({ mode: 'system', exceptions: [] }),
    resolveProxy: async () => pac,
  });
  const routing = {
    ...routes,
    unreachable: (proxy: string) => {
      unreachable.push(proxy);
      routes.unreachable(proxy);
    },
  };
  const dispatcher = createApiAgent({ routing, trust: createTrust({ caFile }) });
  onTestFinished(() => dispatcher.destroy());
  const ask = () => exchange(dispatcher, { method: 'GET', url: new URL(url), headers: {} });
  return { unreachable, ask };
};

const useServer = async () => {
  const server = await startTestServer((response) => void response.end('here'));
  onTestFinished(server.close);
  return { ...server, host: new URL(server.url).host };
};

const here = () => expect.objectContaining({ status: 200, text: 'here' });

test('HTTP and SOCKS5 proxies pass requests on, several over one connection', async () => {
  for (const [start, kind] of [
    [startConnectProxy, 'PROXY'],
    [startSocksProxy, 'SOCKS5'],
  ] as const) {
    const server = await useServer();
    const proxy = await use(start());
    const { ask } = await get(server.url, `${kind} ${proxy.name}`);
    for (let i = 0; i < 8; i += 1) expect(await ask()).toEqual(here());
    expect(new Set(proxy.targets)).toEqual(new Set([server.host]));
    expect(proxy.targets.length).toBeLessThan(8);
  }
});

test('a TLS service behind a TLS proxy: both are checked against the same authorities', async () => {
  const office = await createAuthority('Office Ltd');
  const server = await startTlsServer(await office.sign());
  const proxy = await use(startConnectProxy({ identity: await office.sign() }));
  const trusting = await get(server.url, `HTTPS ${proxy.name}`, makeFile(office.ca));
  expect(await trusting.ask()).toMatchObject({ status: 200, text: '[]' });
  expect(proxy.targets).toEqual([new URL(server.url).host]);

  const strange = await get(server.url, `HTTPS ${proxy.name}`);
  await expect(strange.ask()).rejects.toMatchObject({
    code: 'service/certificate-untrusted',
    details: { host: proxy.name, issuer: 'Office Ltd' },
  });
  expect(proxy.targets).toHaveLength(1);
});

test('a proxy that opens TLS connections itself is not trusted, and its authority is named', async () => {
  const inspector = await createAuthority('Office Inspection');
  const impostor = await startTlsServer(await inspector.sign());
  const port = Number(new URL(impostor.url).port);
  const proxy = await use(startConnectProxy({ leadsTo: () => ({ host: '127.0.0.1', port }) }));
  const url = 'https://127.0.0.1:4433/secret';
  await expect((await get(url, `PROXY ${proxy.name}`)).ask()).rejects.toMatchObject({
    code: 'service/certificate-untrusted',
    details: { host: '127.0.0.1:4433', issuer: 'Office Inspection' },
  });
  expect(impostor.requests).toEqual([]);
  const { ask } = await get(url, `PROXY ${proxy.name}`, makeFile(inspector.ca));
  expect(await ask()).toMatchObject({ status: 200 });
});

test('a PAC answer is tried in order, and a proxy that cannot be reached is tried last from then on', async () => {
  const server = await useServer();
  const proxy = await use(startConnectProxy());
  const dead = new URL(unusedAddress()).host;
  const { ask, unreachable } = await get(server.url, `PROXY ${dead}; PROXY ${proxy.name}; DIRECT`);
  expect(await ask()).toEqual(here());
  expect(unreachable).toEqual([dead]);
  await proxy.close();
  // A request may fail at first, because the open connection has ended with its proxy.
  await expect.poll(() => ask().catch(() => undefined)).toEqual(here());
  expect(unreachable).toEqual([dead, proxy.name]);
});

test('a proxy that cannot be reached is an outage that names it', async () => {
  const server = await useServer();
  const dead = new URL(unusedAddress()).host;
  const { ask } = await get(server.url, `PROXY ${dead}`);
  const error = await ask().catch((thrown) => thrown);
  expect(error).toMatchObject({
    code: 'network/proxy-unreachable',
    retry: 'later',
    details: { proxy: dead, origin: server.url, phase: 'connect', cause: 'ECONNREFUSED' },
  });
  expect((await createHostSpeech('en')).errorText(error).title).toBe(`The proxy ${dead} cannot be reached.`);
});

test('the proxy is named where the server cannot be reached without it either', async () => {
  const [dead, server] = [new URL(unusedAddress()).host, unusedAddress()];
  const { ask } = await get(server, `PROXY ${dead}; DIRECT`);
  const atProxy = { code: 'network/proxy-unreachable', details: { proxy: dead, origin: server } };
  await expect(ask()).rejects.toMatchObject(atProxy);
  // The proxy is now tried last, but the error still names it.
  await expect(ask()).rejects.toMatchObject(atProxy);
});

test('an upload that waits for a proxy says so, and goes on when that is back', async () => {
  let proxy = await use(startConnectProxy());
  const assignment = sandbox.newAssignment();
  const waits: unknown[] = [];
  const env = { HTTP_PROXY: `http://${proxy.name}` };
  const args = ['upload', makeFolder(manyFiles(30)), '--assignment', assignment, '--concurrency', '1'];
  const { name } = proxy;
  let isClosed = false;
  const run = await cli(args, { sandbox: sandbox.address, home: makeDirectory(), env }, ({ type, waitsFor }) => {
    if (type === 'file' && !isClosed) {
      isClosed = true;
      void proxy.close();
    }
    if (waitsFor === undefined || waits.push(waitsFor) > 1) return;
    use(startConnectProxy({ port: Number(name.split(':')[1]) })).then((back) => {
      proxy = back;
    });
  });
  expect(waits[0]).toMatchObject({ code: 'network/proxy-unreachable', proxy: name });
  expect(ofType(run, 'summary')).toMatchObject([{ uploaded: 30, failed: 0 }]);
});

test('B18: a pool that is destroyed ends what it was opening', async () => {
  const proxy = await use(startConnectProxy({ drips: true }));
  const closing = new AbortController();
  const routing = testRoutes({
    settings: () => ({ mode: 'system', exceptions: [] }),
    resolveProxy: async () => `PROXY ${proxy.name}`,
  });
  const dispatcher = createApiAgent({ routing, closing: closing.signal });
  const asking = exchange(dispatcher, { method: 'GET', url: new URL('https://service.invalid'), headers: {} });
  await expect.poll(() => proxy.targets).toHaveLength(1);
  closing.abort();
  await expect(asking).rejects.toMatchObject({ code: 'app/cancelled' });
  await dispatcher.destroy();
  await expect.poll(proxy.open).toBe(0);
});

const office = { password: 'jo:s3cret' };

test.each([
  ['no password', startConnectProxy(office), (name: string) => `http://${name}`, 'network/proxy-password'],
  [
    'a wrong password',
    startConnectProxy(office),
    (name: string) => `http://jo:wrong@${name}`,
    'network/proxy-password-wrong',
  ],
  ['no password, by SOCKS5', startSocksProxy(office), (name: string) => `socks5://${name}`, 'network/proxy-password'],
  [
    'a wrong password, by SOCKS5',
    startSocksProxy(office),
    (name: string) => `socks5://jo:wrong@${name}`,
    'network/proxy-password-wrong',
  ],
  [
    'a password, but only NTLM will do',
    startConnectProxy({ ...office, schemes: ['NTLM'] }),
    (name: string) => `http://jo:s3cret1@${name}`,
    'network/proxy-scheme',
  ],
  ['no permission', startConnectProxy({ status: 403 }), (name: string) => `http://${name}`, 'network/proxy-refused'],
])('the command line at a proxy that was given %s', async (_, starting, address, code) => {
  const proxy = await use(starting);
  const env = { HTTP_PROXY: address(proxy.name) };
  const run = await cli(['protocols'], { sandbox: sandbox.address, home: makeDirectory(), env });
  expect(run).toMatchObject({ exitCode: 4 });
  const said = run.stdout + run.stderr;
  expect(said).toContain(code);
  expect(said).toContain(proxy.name);
  expect(said).not.toMatch(/s3cret|wrong@/);
});

test('a wrong password is sent once, however many connections need it, and each of them says so', async () => {
  const proxy = await use(startConnectProxy(office));
  const env = { HTTP_PROXY: `http://jo:wrong@${proxy.name}` };
  const run = await cli(['doctor', '--json'], { sandbox: sandbox.address, home: makeDirectory(), env });
  expect(run.exitCode).toBe(1);
  expect(proxy.logins.filter((login) => login !== undefined)).toHaveLength(1);
  const codes = DoctorReport.parse(JSON.parse(run.stdout)).checks.flatMap(({ error }) => error?.code ?? []);
  expect(new Set(codes)).toEqual(new Set(['network/proxy-password-wrong']));
  expect(run.stderr.match(/proxy-password-wrong/g)).toHaveLength(1);
});

test('a wrong address of a proxy names the variable in every check', async () => {
  const run = await cli(['doctor'], {
    sandbox: sandbox.address,
    home: makeDirectory(),
    env: { HTTP_PROXY: 'ftp://x' },
  });
  expect(run.exitCode).toBe(1);
  expect(run.stderr.trim().split('\n')).toEqual([expect.stringContaining('not valid: HTTP_PROXY.')]);
});

test('sign-in, service and storage: an upload of the command line goes through the proxy of the environment', async () => {
  const proxy = await use(startConnectProxy(office));
  const tree = manyFiles(20);
  const root = makeFolder(tree);
  const env = { HTTP_PROXY: `http://jo:s3cret@${proxy.name}` };
  const args = ['upload', root, '--assignment', sandbox.newAssignment()];
  const run = await cli(args, { sandbox: sandbox.address, home: makeDirectory(), env });
  expect(run.exitCode).toBe(0);
  expect(ofType(run, 'summary')).toMatchObject([{ files: 20, uploaded: 20 }]);
  const { host } = new URL(sandbox.address.baseUrl);
  expect(new Set(proxy.targets)).toEqual(new Set([host]));
  expect(proxy.receivedBytes()).toBeGreaterThan(Object.values(tree).join('').length);
});

test('the app asks for the password of a proxy once; with it, what waited goes on', async () => {
  const proxy = await use(startConnectProxy(office));
  const keychain = createTestKeychain();
  const home = makeDirectory();
  writeSettings(home, { network: byHand(proxy.name) });
  const desk = await openDesk({ sandbox: sandbox.address, home, keychain });
  await expect(desk.signIn()).rejects.toMatchObject({ code: 'network/proxy-password' });
  const wanted = async () => (await desk.handlers.app.snapshot(undefined)).wantedPassword;
  expect(await wanted()).toEqual({ proxy: proxy.name, wrong: false, inClear: true });
  const enter = (password: string) =>
    desk.handlers.network.enterProxyPassword({ proxy: proxy.name, inClear: true, user: 'jo', password });
  await enter('wrong');
  await expect(desk.signIn()).rejects.toMatchObject({ code: 'network/proxy-password-wrong' });
  expect(await wanted()).toEqual({ proxy: proxy.name, wrong: true, inClear: true });
  await enter('s3cret');
  expect(await wanted()).toBeUndefined();
  await desk.signIn();
  const root = makeFolder(manyFiles(3));
  expect(await desk.upload(root, sandbox.newAssignment())).toMatchObject({ state: 'finished', uploaded: 3 });
  await desk.close();
  expect(readFileSync(join(home, 'settings.json'), 'utf8') + readLogs(home)).not.toMatch(/s3cret|am86czNjcmV0/);

  const later = await openDesk({ sandbox: sandbox.address, home, keychain });
  expect((await later.handlers.app.snapshot(undefined)).session).toMatchObject({ state: 'signed-in' });
  await later.connected().service.listOrderableEvents();
});

test('an upload that stopped at a proxy without its password goes on by itself once that is entered', async () => {
  const open = await use(startConnectProxy());
  const home = makeDirectory();
  writeSettings(home, { network: byHand(open.name) });
  const desk = await openDesk({ sandbox: sandbox.address, home });
  await desk.signIn();
  const closed = await use(startConnectProxy(office));
  await desk.handlers.preferences.set({ network: byHand(closed.name) });
  const { batchId } = await desk.uploads.start({
    root: makeFolder(manyFiles(3)),
    assignmentId: sandbox.newAssignment(),
  });
  expect(await desk.uploads.ended(batchId)).toMatchObject({
    state: 'paused',
    failed: 0,
    reason: { code: 'network/proxy-password', details: { proxy: closed.name } },
  });
  await desk.handlers.network.enterProxyPassword({ proxy: closed.name, inClear: true, user: 'jo', password: 's3cret' });
  expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'finished', uploaded: 3 });
  expect(closed.targets.length).toBeGreaterThan(0);
});
