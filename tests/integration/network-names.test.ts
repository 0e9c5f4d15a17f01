/** Names that do not resolve, and names with an address that does not respond. */
import dns from 'node:dns';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createApiAgent } from '../../src/main/net/connector.ts';
import { exchange } from '../../src/main/net/exchange.ts';
import { startConnectProxy } from '../../src/main/net/testing/proxies.ts';
import { testRoutes } from '../../src/main/net/testing/routes.ts';
import { startTestServer } from '../../src/main/net/testing/server.ts';
import { createHostSpeech } from '../../src/words/speech.ts';
import { use } from './support/networks.ts';

const get = (url: string, pac = 'DIRECT') => {
  const routing = testRoutes({ settings: () => ({ mode: 'system', exceptions: [] }), resolveProxy: async () => pac });
  const dispatcher = createApiAgent({ routing });
  onTestFinished(() => dispatcher.destroy());
  return exchange(dispatcher, { method: 'GET', url: new URL(url), headers: {} });
};

/** Makes every name resolve to these addresses. */
const resolveTo = (...addresses: readonly dns.LookupAddress[]): void => {
  const lookup = (_: string, __: unknown, done: (error: null, found: readonly dns.LookupAddress[]) => void): void =>
    done(null, addresses);
  vi.spyOn(dns, 'lookup').mockImplementation(lookup as never);
  onTestFinished(() => void vi.restoreAllMocks());
};

test('a name that does not resolve is an outage of its host', async () => {
  await expect(get('https://service.invalid/path')).rejects.toMatchObject({
    code: 'service/unreachable',
    retry: 'later',
    details: { phase: 'connect', origin: 'https://service.invalid', cause: expect.stringMatching(/^(ENOTFOUND|EAI_)/) },
  });
});

test('a name that does not resolve is said to be the cause, of a server as of a proxy', async () => {
  const { errorText, fileErrorText } = await createHostSpeech('en');
  const ofHost = await get('https://service.invalid/path').catch((thrown) => thrown);
  expect(errorText(ofHost).title).toBe('The name of the server service.invalid could not be found.');
  expect(fileErrorText(ofHost)).toEqual(errorText(ofHost));
  const ofProxy = await get('https://service.invalid/path', 'PROXY proxy.invalid:8080').catch((thrown) => thrown);
  expect(errorText(ofProxy).title).toBe('The name of the proxy proxy.invalid:8080 could not be found.');
});

test('behind a proxy, names are resolved by the proxy alone, and it says when it cannot', async () => {
  const proxy = await use(startConnectProxy());
  const lookup = vi.spyOn(dns, 'lookup');
  onTestFinished(() => void vi.restoreAllMocks());
  await expect(get('https://service.invalid/path', `PROXY ${proxy.name}`)).rejects.toMatchObject({
    code: 'service/unreachable',
    details: { phase: 'connect', origin: 'https://service.invalid', proxy: proxy.name, status: 502 },
  });
  expect(proxy.targets).toEqual(['service.invalid:443']);
  // The proxy, which runs in this process, made the lookup. The app itself looks up no name.
  expect(lookup.mock.calls.filter(([name]) => name === 'service.invalid')).toHaveLength(1);
});

test('an IPv6 address that does not respond does not keep from the IPv4 address', async () => {
  await using server = await startTestServer((response) => void response.end('by IPv4'));
  const port = Number(new URL(server.url).port);
  const hung = new Worker(new URL('./support/hung-listener.ts', import.meta.url), { workerData: port });
  onTestFinished(async () => void (await hung.terminate()));
  await once(hung, 'message');
  // Fills the queue of the listener, which accepts no connection.
  const waiting: Socket[] = Array.from({ length: 4 }, () => connect({ host: '::1', port }).on('error', () => {}));
  onTestFinished(() => waiting.forEach((socket) => void socket.destroy()));
  await Promise.all(waiting.slice(0, 2).map((socket) => once(socket, 'connect')));
  resolveTo({ address: '::1', family: 6 }, { address: '127.0.0.1', family: 4 });
  expect(await get(`http://two-addresses.test:${port}/`)).toMatchObject({ status: 200, text: 'by IPv4' });
});
