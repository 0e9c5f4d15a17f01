import { describe, expect, test } from 'vitest';
import type { ProxySettings } from '../../contract/preferences.ts';
import { createTestClock } from '../async/testing/clock.ts';
import { createProxyPasswords } from './proxy-passwords.ts';
import { testRoutes } from './testing/routes.ts';

const system: ProxySettings = { mode: 'system', exceptions: [] };
const service = 'https://service.example';
const office = { type: 'http', host: 'office.example', port: 8080 } as const;
const other = { type: 'socks5', host: 'other.example', port: 1080 } as const;

describe('by the environment', () => {
  const routeOf = (origin: string, environment: Readonly<Record<string, string>>) =>
    testRoutes({ settings: () => system, environment }).routeOf(origin);

  test.each([
    [service, { HTTPS_PROXY: 'http://office.example:8080' }, office],
    [service, { https_proxy: 'office.example:8080', HTTPS_PROXY: 'http://ignored.example' }, office],
    [service, { ALL_PROXY: 'socks5h://other.example' }, other],
    [service, { HTTP_PROXY: 'http://office.example:8080' }, 'direct'],
    ['http://127.0.0.1:4000', { HTTP_PROXY: 'http://office.example:8080' }, office],
    ['http://127.0.0.1:4000', { HTTP_PROXY: 'http://office.example:8080', NO_PROXY: 'localhost, 127.0.0.1' }, 'direct'],
    [service, { HTTPS_PROXY: 'http://office.example:8080', NO_PROXY: '*' }, 'direct'],
    [service, { HTTPS_PROXY: ' ' }, 'direct'],
    [service, { HTTPS_PROXY: 'https://[::1]:8443' }, { type: 'https', host: '::1', port: 8443 }],
  ])('%s with %o', async (origin, environment: Record<string, string>, hop) => {
    expect((await routeOf(origin, environment)).hops).toEqual([hop]);
  });

  test('a variable that holds no address is named, and its content is not', async () => {
    const error = await routeOf(service, { HTTPS_PROXY: 'ftp://user:secret@x' }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'network/proxy-address', details: { field: 'HTTPS_PROXY' } });
    expect(JSON.stringify(error) + String(error)).not.toContain('secret');
  });
});

test('only 64 routes of the system are remembered, even if each file is signed for another host', async () => {
  const asked: string[] = [];
  const { routeOf } = testRoutes({
    settings: () => system,
    resolveProxy: async (url) => {
      asked.push(url);
      return 'DIRECT';
    },
    now: () => 0,
  });
  for (const host of [0, 0, ...Array.from({ length: 64 }, (_, no) => no + 1), 0])
    await routeOf(`https://${host}.example`);
  expect(asked.filter((url) => url === 'https://0.example/')).toHaveLength(2);
  expect(asked).toHaveLength(66);
});

describe('by the settings', () => {
  test('a proxy set by hand wins over system and environment, none as well', async () => {
    let settings: ProxySettings = { mode: 'manual', address: 'http://office.example:8080', exceptions: ['files.test'] };
    const routes = testRoutes({
      settings: () => settings,
      environment: { HTTPS_PROXY: 'http://ignored.example' },
      resolveProxy: async () => 'PROXY ignored.example:1',
    });
    expect(await routes.routeOf(service)).toEqual({ hops: [office], source: 'settings' });
    expect(await routes.routeOf('https://files.test')).toEqual({ hops: ['direct'], source: 'settings' });
    settings = { mode: 'none', exceptions: [] };
    expect(await routes.routeOf(service)).toEqual({ hops: ['direct'], source: 'settings' });
  });

  test("the app's own sample service has no proxy", async () => {
    const routes = testRoutes({
      settings: () => ({ mode: 'manual', address: 'http://office.example:8080', exceptions: ['<-loopback>'] }),
      environment: {},
      isOwn: ({ port }) => port === '4000',
    });
    expect((await routes.routeOf('http://127.0.0.1:4000')).hops).toEqual(['direct']);
    expect((await routes.routeOf('http://127.0.0.1:4001')).hops).toEqual([office]);
  });
});

test('B13: the password of an address goes at once only by SOCKS, which asks before; else when the proxy asks for it', async () => {
  const login = { user: 'jo@office', password: 's:cret' };
  const password = 'jo%40office:s%3Acret';
  const routeBy = (address: string) => testRoutes({ settings: () => system, environment: { HTTPS_PROXY: address } });
  const http = routeBy(`http://${password}@office.example:8080`);
  expect((await http.routeOf(service)).hops).toEqual([office]);
  expect(await http.nextLogin('office.example:8080', true)).toEqual(login);
  expect((await http.routeOf(service)).hops).toEqual([{ ...office, login }]);
  http.forget();
  expect((await http.routeOf(service)).hops).toEqual([office]);
  const socks = routeBy(`socks5://${password}@other.example`);
  expect((await socks.routeOf(service)).hops).toEqual([{ ...other, login }]);
});

test('no part of a login is taken for the host, and a user name can have the domain of Windows', async () => {
  const routeBy = (address: string) => testRoutes({ settings: () => system, environment: { HTTPS_PROXY: address } });
  const ofDomain = routeBy('http://OFFICE\\jo:secret@office.example:8080');
  expect((await ofDomain.routeOf(service)).hops).toEqual([office]);
  expect(await ofDomain.nextLogin('office.example:8080', true)).toEqual({ user: 'OFFICE\\jo', password: 'secret' });
  const unescaped = routeBy('http://jo:12/34@office.example:8080');
  await expect(unescaped.routeOf(service)).rejects.toMatchObject({ code: 'network/proxy-address' });
});

test('the password of one variable is not lost where another one names the same proxy without it', async () => {
  const environment = { HTTPS_PROXY: 'http://jo:right@office.example:8080', HTTP_PROXY: 'http://office.example:8080' };
  const routes = testRoutes({ settings: () => system, environment });
  await routes.routeOf(service);
  await routes.routeOf('http://plain.example');
  expect(await routes.nextLogin('office.example:8080', true)).toEqual({ user: 'jo', password: 'right' });
});

describe('by the system', () => {
  const environment = { HTTPS_PROXY: 'http://environment.example:1' };

  test('tries the entries of a PAC answer in order, a proxy that failed last for a while', async () => {
    const clock = createTestClock();
    const resolveProxy = async () => 'PROXY office.example:8080; QUIC odd.example:1; SOCKS5 other.example; DIRECT';
    const routes = testRoutes({ settings: () => system, environment, resolveProxy, now: clock.now });
    const hops = async () => (await routes.routeOf(service)).hops;
    expect(await routes.routeOf(service)).toEqual({ hops: [office, other, 'direct'], source: 'system' });
    routes.unreachable('office.example:8080');
    expect(await hops()).toEqual([other, 'direct', office]);
    clock.advance(5 * 60_000);
    expect(await hops()).toEqual([office, other, 'direct']);
    routes.unreachable('office.example:8080');
    routes.forget();
    expect(await hops()).toEqual([office, other, 'direct']);
  });

  test('is asked again after a while, and when the network changes', async () => {
    const clock = createTestClock();
    const asked: string[] = [];
    const resolveProxy = async (url: string) => {
      asked.push(url);
      return 'PROXY office.example:8080';
    };
    const routes = testRoutes({ settings: () => system, environment, resolveProxy, now: clock.now });
    await routes.routeOf(service);
    await routes.routeOf(service);
    expect(asked).toEqual([`${service}/`]);
    routes.forget();
    await routes.routeOf(service);
    clock.advance(30_000);
    await routes.routeOf(service);
    expect(asked).toHaveLength(3);
  });

  test.each([
    ['PROXY office.example:8080', 'http://jo:pw@office.example:8080', 'environment HTTPS_PROXY', [office]],
    ['PROXY office.example:8080', 'office.example:8080', 'environment HTTPS_PROXY', [office]],
    ['PROXY else.example:1', 'http://jo:pw@office.example:8080', 'environment HTTPS_PROXY', [office]],
    ['PROXY office.example:8080; DIRECT', 'else.example:1', 'system', [office, 'direct']],
    ['PROXY office.example:8080', 'ftp://no', 'system', [office]],
    ['SOCKS5; PROXY office.example:8080', 'ftp://no', 'system', [office]],
  ])('where it answers %j, the variable %j leads to %s', async (answer, HTTPS_PROXY, source, hops) => {
    const resolveProxy = async () => answer;
    const routes = testRoutes({ settings: () => system, environment: { HTTPS_PROXY }, resolveProxy });
    expect(await routes.routeOf(service)).toEqual({ hops, source });
    const excepted = { HTTPS_PROXY, NO_PROXY: 'service.example' };
    const without = testRoutes({ settings: () => system, environment: excepted, resolveProxy });
    expect(await without.routeOf(service)).toMatchObject({ source: 'system' });
  });

  test('a proxy that the policy sets has the policy as its source', async () => {
    for (const mode of ['manual', 'none'] as const) {
      const settings = () => ({ mode, address: 'http://office.example:8080', exceptions: [] });
      expect(await testRoutes({ settings, isManaged: true }).routeOf(service)).toMatchObject({ source: 'policy' });
      expect(await testRoutes({ settings }).routeOf(service)).toMatchObject({ source: 'settings' });
    }
  });

  test.each([['DIRECT'], ['']])('the environment decides where it answers %j', async (answer) => {
    const routes = testRoutes({ settings: () => system, environment, resolveProxy: async () => answer });
    expect(await routes.routeOf(service)).toMatchObject({ source: 'environment HTTPS_PROXY' });
    const without = testRoutes({ settings: () => system, environment: {}, resolveProxy: async () => answer });
    expect(await without.routeOf(service)).toEqual({ hops: ['direct'], source: 'system' });
  });
});

test('a password that is known for a proxy goes with it', async () => {
  const passwords = createProxyPasswords({ keychain: undefined, onWanted: () => {} });
  await passwords.enter('office.example:8080', { user: 'jo', password: 'pass' });
  const routes = testRoutes({
    settings: () => ({ mode: 'manual', address: 'http://office.example:8080', exceptions: [] }),
    passwords,
  });
  expect((await routes.routeOf(service)).hops).toEqual([{ ...office, login: { user: 'jo', password: 'pass' } }]);
});
