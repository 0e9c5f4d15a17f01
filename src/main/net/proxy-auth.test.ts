import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { withDeadline } from '../async/cancel.ts';
import { createTestClock } from '../async/testing/clock.ts';
import { createConnector } from './connector.ts';
import { type ProxyLogin, parseProxy } from './proxy.ts';
import { challengesIn, createProxyAuth, createSystemAccount, digestHeader, type ProxySignIn } from './proxy-auth.ts';
import { createProxyPasswords } from './proxy-passwords.ts';
import { startScriptedProxy } from './testing/proxies.ts';
import { openTunnel } from './tunnel.ts';

type SystemAccount = ReturnType<typeof createSystemAccount>;

const challenges = (...headers: readonly string[]) =>
  challengesIn({ headers: { 'proxy-authenticate': [...headers] } }).map(({ scheme, token, params }) => ({
    scheme,
    ...(token !== '' && { token }),
    ...Object.fromEntries(params),
  }));

test.each([
  [['Negotiate'], [{ scheme: 'negotiate' }]],
  [['NTLM TlRMTVNTUAACAAAA=='], [{ scheme: 'ntlm', token: 'TlRMTVNTUAACAAAA==' }]],
  [
    ['Negotiate, NTLM,Basic realm="a, b"'],
    [{ scheme: 'negotiate' }, { scheme: 'ntlm' }, { scheme: 'basic', realm: 'a, b' }],
  ],
  [
    ['Basic realm=office, Negotiate oYG2=, Kerberos'],
    [{ scheme: 'basic', realm: 'office' }, { scheme: 'negotiate', token: 'oYG2=' }, { scheme: 'kerberos' }],
  ],
  [
    ['DIGEST Realm="say \\"hi\\"" , nonce = "x,y=" ,qop="auth,auth-int", stale=TRUE'],
    [{ scheme: 'digest', realm: 'say "hi"', nonce: 'x,y=', qop: 'auth,auth-int', stale: 'TRUE' }],
  ],
  [
    ['Digest realm="a", algorithm=MD5, Digest realm="a", algorithm=SHA-256', 'Basic realm="a"'],
    [
      { scheme: 'digest', realm: 'a', algorithm: 'MD5' },
      { scheme: 'digest', realm: 'a', algorithm: 'SHA-256' },
      { scheme: 'basic', realm: 'a' },
    ],
  ],
  [['', ' , ', 'realm="nobody\'s"', '"'], []],
])('reads the challenges of %j', (headers, expected) => {
  expect(challenges(...headers)).toEqual(expected);
});

test('reads a long and broken header in time that grows with its length', () => {
  // Measures processor time, because a busy machine may run other processes meanwhile.
  const before = process.cpuUsage();
  challenges(`Digest realm="${'\\'.repeat(60_000)}`, `Negotiate ${'a='.repeat(30_000)}`, ','.repeat(60_000));
  expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
});

/** Returns the Digest header for the only challenge in `header`. */
const digest = (header: string, options: Parameters<typeof digestHeader>[1], login: ProxyLogin, uri: string) => {
  return digestHeader(challengesIn({ headers: { 'proxy-authenticate': header } }), options)?.(login, uri);
};

// RFC 7616 section 3.9.1.
test.each([
  ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
  ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
])('Digest with %s has the response of the RFC', (algorithm, response) => {
  const rest =
    'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"';
  const header = `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, ${rest}`;
  const cnonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ';
  const login = { user: 'Mufasa', password: 'Circle of Life' };
  expect(digest(header, { method: 'GET', cnonce }, login, '/dir/index.html')).toBe(
    `Digest username="Mufasa", realm="http-auth@example.org", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", uri="/dir/index.html", response="${response}", algorithm=${algorithm}, opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS", cnonce="${cnonce}", qop=auth, nc=00000001`,
  );
});

// RFC 7616 section 3.9.2, with the values of its erratum 4897.
test('Digest with SHA-512-256 hides the user', () => {
  const header =
    'Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=true';
  const cnonce = 'NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v';
  const login = { user: 'Jäsøn Doe', password: 'Secret, or not?' };
  const sent = digest(header, { method: 'GET', cnonce }, login, '/doe.json');
  expect(sent).toContain('username="793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b", userhash=true');
  expect(sent).toContain('response="3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5"');
});

/** Creates an account whose handshake sends these tokens, one in each step. */
const accountOf = (tokens: readonly string[], { isPassword = false } = {}): SystemAccount => ({
  isPassword,
  begin: async () => {
    const [first = '', ...rest] = tokens;
    return { token: first, step: async () => rest.shift() ?? '', user: async () => 'OFFICE\\jo' };
  },
});

/** Creates the account of a system where each handshake fails with this `error`. */
const accountWithout = (error: string): SystemAccount =>
  createSystemAccount({
    platform: 'linux',
    load: () => ({ initializeClient: (_service, _options, done) => done(new Error(error), undefined as never) }),
  });

const refuse = (...schemes: readonly string[]): string =>
  `HTTP/1.1 407 No\r\n${schemes.map((scheme) => `proxy-authenticate: ${scheme}\r\n`).join('')}content-length: 0\r\n\r\n`;

const right = { user: 'jo', password: 'right' };
const target = { host: 'service.example', port: 443, origin: 'https://service.example' };

type Answer = Parameters<typeof startScriptedProxy>[0];

/**
 * Starts a proxy that responds with `answer`. `tunnel` opens a tunnel through it, and resolves to the scheme of the
 * newest sign-in. `login`: the login that the user has entered.
 */
const useProxy = async (answer: Answer, account: SystemAccount, login: ProxyLogin = right) => {
  const proxy = await startScriptedProxy(answer);
  const passwords = createProxyPasswords({ keychain: undefined, onWanted: () => {} });
  await passwords.enter(proxy.name, login);
  const signIns: ProxySignIn[] = [];
  const clock = createTestClock();
  const source = {
    nextLogin: passwords.next,
    trials: passwords.trials,
    onProxySignIn: (_: string, signIn: ProxySignIn) => signIns.push(signIn),
  };
  const auth = createProxyAuth(source, account, clock.now);
  const connector = createConnector();
  const connect = (options: Parameters<typeof connector>[0]) =>
    new Promise<Socket>((resolve, reject) =>
      connector(options, (...[error, socket]) => (error ? reject(error) : resolve(socket))),
    );
  const within: Parameters<typeof openTunnel>[2] = (work) =>
    withDeadline(5_000, undefined, (signal) => work(connect, signal));
  const tunnel = async (): Promise<string | undefined> => {
    const known = passwords.known(proxy.name);
    const server = { ...parseProxy(`http://${proxy.name}`, 'proxy'), ...(known && { login: known }) };
    const socket = await openTunnel(server, target, within, auth);
    onTestFinished(() => void socket.destroy());
    return signIns.at(-1)?.scheme;
  };
  onTestFinished(proxy.close);
  return { ...proxy, tunnel, signIns, passwords, clock };
};

const schemeOf = (login: string | undefined): string | undefined => login?.split(' ', 1)[0];
const noAccount = accountWithout('No Kerberos credentials available');

test.each<[string, SystemAccount, string]>([
  ['Negotiate with a ticket', accountOf(['ticket']), 'Negotiate'],
  ['Digest without one', noAccount, 'Digest'],
  ['Digest, where the ticket has expired', accountWithout('GSS failure: Ticket expired'), 'Digest'],
])('uses %s, in whatever order the proxy names its schemes, and never Basic', async (_, account, scheme) => {
  const offers = ['Basic realm="office"', 'Digest realm="a", nonce="n", qop="auth"', 'Negotiate'];
  for (const offered of [offers, offers.toReversed()]) {
    const proxy = await useProxy((given) => (given?.startsWith(scheme) ? undefined : refuse(...offered)), account);
    expect(await proxy.tunnel()).toBe(scheme);
    expect(await proxy.tunnel()).toBe(scheme);
    expect(proxy.logins.map(schemeOf)).toEqual([undefined, scheme, scheme]);
  }
});

test('uses the strongest hash of Digest, and skips what it does not know', async () => {
  const offered = ['MD5', 'SHA-1', 'SHA-256', 'SHA-256-sess'].map(
    (name) => `Digest realm="a", nonce="${name}", algorithm=${name}`,
  );
  const unknown = 'Digest realm="a", nonce="int", algorithm=SHA-256, qop="auth-int"';
  const proxy = await useProxy((given) => (given ? undefined : refuse(unknown, ...offered)), noAccount);
  await proxy.tunnel();
  expect(proxy.logins[1]).toContain('nonce="SHA-256", uri="service.example:443"');
});

test('Basic is used where nothing stronger is possible on this computer', async () => {
  const offered = ['Negotiate', 'NTLM', 'Digest realm="a", algorithm=SHA-1', 'Basic realm="office"'];
  const withoutModule = createSystemAccount({
    platform: 'linux',
    load: () => {
      throw new Error('not found');
    },
  });
  for (const account of [noAccount, withoutModule]) {
    const proxy = await useProxy((given) => (given ? undefined : refuse(...offered)), account);
    expect(await proxy.tunnel()).toBe('Basic');
  }
});

test.each([
  ['whose ticket has expired', accountWithout('GSS failure: Ticket expired'), 'Ticket expired'],
  ['that the proxy rejects', accountOf(['ticket']), 'proxyRejected'],
])('Basic is not used instead of an account %s', async (_, account, reason) => {
  const proxy = await useProxy(
    (given) => (given?.startsWith('Basic') ? undefined : refuse('Negotiate', 'Basic realm="a"')),
    account,
  );
  const details = { proxy: proxy.name, origin: target.origin, schemes: 'Negotiate, Basic', reason };
  await expect(proxy.tunnel()).rejects.toMatchObject({ code: 'network/proxy-account', details });
  expect(proxy.logins.map(schemeOf)).not.toContain('Basic');
  await expect.poll(proxy.open).toBe(0);
});

test('a stronger scheme that was of no use is tried again after some minutes', async () => {
  let account = noAccount;
  const changing: SystemAccount = { isPassword: false, begin: (...args) => account.begin(...args) };
  const proxy = await useProxy(
    (given) => (given ? undefined : refuse('Negotiate', 'Digest realm="a", nonce="n"')),
    changing,
  );
  expect(await proxy.tunnel()).toBe('Digest');
  account = accountOf(['ticket']);
  expect(await proxy.tunnel()).toBe('Digest');
  proxy.clock.advance(6 * 60_000);
  expect(await proxy.tunnel()).toBe('Negotiate');
  expect(proxy.logins.map(schemeOf)).toEqual([undefined, 'Digest', 'Digest', undefined, 'Negotiate']);
});

test('B13: a password that was entered for Digest is not sent by Basic before the user enters it for that', async () => {
  let offer = 'Digest realm="a", nonce="n", qop="auth"';
  const entered = { ...right, inClear: false };
  const proxy = await useProxy(
    (given) => (schemeOf(given) === schemeOf(offer) ? undefined : refuse(offer)),
    noAccount,
    entered,
  );
  expect(await proxy.tunnel()).toBe('Digest');
  offer = 'Basic realm="a"';
  await expect(proxy.tunnel()).rejects.toMatchObject({ code: 'network/proxy-password' });
  proxy.passwords.withholdAll();
  await expect(proxy.tunnel()).rejects.toMatchObject({ code: 'network/proxy-password' });
  expect(proxy.logins.map(schemeOf)).not.toContain('Basic');
  await proxy.passwords.enter(proxy.name, { ...right, inClear: true });
  expect(await proxy.tunnel()).toBe('Basic');
});

// Digest.

const nonceIn = (login = ''): string | undefined => /nonce="([^"]*)"/.exec(login)?.[1];
const countIn = (login = ''): string | undefined => /nc=(\w+)/.exec(login)?.[1];

test.each([
  ['says so', ', stale=true'],
  ['has only forgotten it', ''],
])('a nonce that has become stale is replaced, not the password, where the proxy %s', async (_, stale) => {
  let nonce = 1;
  const challenge = (): string => refuse(`Digest realm="a", qop="auth", nonce="${nonce}"${nonce > 1 ? stale : ''}`);
  const proxy = await useProxy((given) => (nonceIn(given) === String(nonce) ? undefined : challenge()), noAccount);
  await proxy.tunnel();
  await proxy.tunnel();
  nonce = 2;
  await proxy.tunnel();
  await proxy.tunnel();
  const sent = proxy.logins.slice(1).map((login) => [nonceIn(login), countIn(login)]);
  expect(sent).toEqual([
    ['1', '00000001'],
    ['1', '00000002'],
    ['1', '00000003'],
    ['2', '00000001'],
    ['2', '00000002'],
  ]);
});

test.each(['Digest realm="a", nonce="n", qop="auth"', 'Basic realm="a"'])(
  'a wrong password is sent once: %s',
  async (offer) => {
    const proxy = await useProxy(() => refuse(offer), noAccount);
    const tries = await Promise.allSettled(Array.from({ length: 8 }, proxy.tunnel));
    for (const one of tries) expect(one).toMatchObject({ reason: { code: 'network/proxy-password-wrong' } });
    await expect(proxy.tunnel()).rejects.toMatchObject({ code: 'network/proxy-password-wrong' });
    expect(proxy.logins.filter((login) => login !== undefined)).toHaveLength(1);
    await expect.poll(proxy.open).toBe(0);
  },
);

test('a proxy that calls every nonce stale ends the tries', async () => {
  const proxy = await useProxy(() => refuse('Digest realm="a", nonce="n", stale=true'), noAccount);
  await expect(proxy.tunnel()).rejects.toMatchObject({ code: 'network/proxy-password-wrong' });
  expect(proxy.logins.length).toBeLessThan(10);
});

test('a user name beyond ASCII is encoded', async () => {
  const login = { user: "Jäsøn 'Doe'", password: 'right' };
  const proxy = await useProxy(
    (given) => (given ? undefined : refuse('Digest realm="a", nonce="n"')),
    noAccount,
    login,
  );
  await proxy.tunnel();
  expect(proxy.logins[1]).toContain("Digest username*=UTF-8''J%C3%A4s%C3%B8n%20%27Doe%27, ");
});

// NTLM and Negotiate in several steps.

/**
 * Creates the responses of a proxy that requires three steps of NTLM on one connection. Each refusal has this `body`.
 */
const ntlmProxy =
  (body: string, headers = `content-length: ${body.length}`): Answer =>
  (given, step) => {
    if (step === 2 && given === 'NTLM third') return undefined;
    const offer = given === 'NTLM first' && step === 1 ? 'NTLM second' : 'NTLM';
    return `HTTP/1.1 407 No\r\nproxy-authenticate: ${offer}\r\n${headers}\r\n\r\n${body}`;
  };

test.each(['', '<html>'.repeat(10_000)])(
  'NTLM takes its three steps on one connection, after the body of each response',
  async (body) => {
    const proxy = await useProxy(ntlmProxy(body), accountOf(['first', 'third']));
    expect(await proxy.tunnel()).toBe('NTLM');
    expect(await proxy.signIns[0]?.user()).toBe('OFFICE\\jo');
    expect(await proxy.tunnel()).toBe('NTLM');
    expect(proxy.logins).toEqual([undefined, 'NTLM first', 'NTLM third', 'NTLM first', 'NTLM third']);
    await expect.poll(proxy.open).toBe(2);
  },
);

test.each(['content-length: 2\r\nconnection: close', 'transfer-encoding: chunked', 'content-length: 300000'])(
  'a handshake on a connection that is not kept ends: %s',
  async (headers) => {
    const proxy = await useProxy(ntlmProxy('no', headers), accountOf(['first', 'third']));
    const details = { reason: 'proxyCloses', schemes: 'NTLM' };
    await expect(proxy.tunnel()).rejects.toMatchObject({ code: 'network/proxy-account', details });
    await expect.poll(proxy.open).toBe(0);
  },
);

test('a handshake that the system cannot go on with leaves no connection open', async () => {
  const begin = async () => ({ token: 'first', step: () => Promise.reject(new Error('no')), user: async () => '' });
  const proxy = await useProxy(ntlmProxy(''), { isPassword: false, begin });
  await expect(proxy.tunnel()).rejects.toThrow('no');
  await expect.poll(proxy.open).toBe(0);
});

test('an account whose password may be wrong is tried by one connection, and again when the user says so', async () => {
  const proxy = await useProxy(() => refuse('NTLM'), accountOf(['first'], { isPassword: true }));
  const tries = await Promise.allSettled(Array.from({ length: 8 }, proxy.tunnel));
  for (const one of tries) expect(one).toMatchObject({ reason: { details: { reason: 'proxyRejected' } } });
  const sent = (): number => proxy.logins.filter((login) => login !== undefined).length;
  expect(sent()).toBe(1);
  proxy.passwords.askAgain();
  await expect(proxy.tunnel()).rejects.toMatchObject({ code: 'network/proxy-account' });
  expect(sent()).toBe(2);
});

// The account of the system.

/**
 * Creates a module that replies with these tokens, like that of Windows. `asked`: the services and options of its
 * calls.
 */
const useModule = (tokens: readonly string[], username: string | null = null) => {
  const asked: unknown[] = [];
  const left = [...tokens];
  const client = {
    username,
    step: (_: string, done: (error: null, token: string) => void) => done(null, left.shift() ?? ''),
  };
  const load = () => ({
    initializeClient: (service: string, options: object, done: (error: null, of: typeof client) => void) => {
      asked.push([service, options]);
      done(null, client);
    },
  });
  return { load, asked };
};

const NTLM_FIRST = 'TlRMTVNTUAABAAAA';

test('on Windows, SSPI gets the name of the service, and says who is signed in', async () => {
  const environment = { USERDOMAIN: 'OFFICE', USERNAME: 'jo' };
  const { load, asked } = useModule(['ticket', 'reply']);
  const account = createSystemAccount({ platform: 'win32', load, environment });
  const { token, step, user } = await account.begin('negotiate', 'proxy.example');
  expect([account.isPassword, token, await step('theirs'), await user()]).toEqual([
    true,
    'ticket',
    'reply',
    'OFFICE\\jo',
  ]);
  expect(asked).toEqual([['HTTP/proxy.example', { mechOID: 6, flags: 0 }]]);
});

test('on Windows, NTLM is what SSPI does without a service', async () => {
  const { load, asked } = useModule([NTLM_FIRST], 'OFFICE\\jo');
  const { token, user } = await createSystemAccount({ platform: 'win32', load, environment: {} }).begin(
    'ntlm',
    'proxy.example',
  );
  expect([token, await user()]).toEqual([NTLM_FIRST, 'OFFICE\\jo']);
  expect(asked).toEqual([['', { mechOID: 6, flags: 0 }]]);
  const other = createSystemAccount({ platform: 'win32', load: useModule(['YIIG']).load });
  await expect(other.begin('ntlm', 'proxy.example')).rejects.toMatchObject({ details: { reason: 'noSspi' } });
});

test('elsewhere, GSSAPI says whose ticket it is, and there is no NTLM', async () => {
  const { load, asked } = useModule(['ticket', 'again'], 'jo@OFFICE.TEST');
  const account = createSystemAccount({ platform: 'darwin', load });
  const { token, user } = await account.begin('negotiate', 'proxy.example');
  expect([account.isPassword, token, await user()]).toEqual([false, 'ticket', 'jo@OFFICE.TEST']);
  expect(asked).toEqual([['HTTP@proxy.example', { mechOID: 6, flags: 0 }]]);
  await expect(account.begin('ntlm', 'proxy.example')).rejects.toMatchObject({ details: { reason: 'noSspi' } });
});
