/**
 * A hostile sign-in: attacks by the token endpoint, by the callback, and by any program that knows the redirect
 * address.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSealedVault } from '../../src/main/auth/vault.ts';
import { type SeenRequest, startTestServer } from '../../src/main/net/testing/server.ts';
import { connectionIdOf } from '../../src/main/settings/resolve-connection.ts';
import { cli } from '../integration/support/cli.ts';
import { createTestKeychain, openDesk, type TestDeskOptions } from '../integration/support/desks.ts';
import { makeDirectory } from '../integration/support/folders.ts';
import { useHostileService } from './support/hostile-service.ts';
import { type Attack, answerAs, lie, staysHonest } from './support/start-hostile-service.ts';

const service = useHostileService();

const open = async (options: TestDeskOptions = {}) => {
  const [home, keychain] = [makeDirectory(), createTestKeychain()];
  const desk = await openDesk({ sandbox: service.address, home, keychain, ...options });
  const vault = createSealedVault({ home, keychain, connectionId: connectionIdOf(service.address) });
  return { ...desk, home, vault, session: desk.connected().session };
};

const record = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

const withFields = (fields: object): Attack => lie((honest) => ({ ...record(honest), ...fields }));
const answering =
  (body: string, status = 200, type = 'application/json'): Attack =>
  ({ response }) =>
    answerAs(response, { status, headers: { 'content-type': type }, body });

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

const lies: readonly (readonly [string, Attack, string])[] = [
  ['an access token that is a number', withFields({ access_token: 7 }), 'service/malformed'],
  ['an access token that is an object', withFields({ access_token: { toString: 'x' } }), 'service/malformed'],
  ['no access token', withFields({ access_token: undefined }), 'service/malformed'],
  ['an empty access token', withFields({ access_token: '' }), 'service/malformed'],
  ['an access token of 60 kB', withFields({ access_token: 'a'.repeat(60_000) }), 'auth/token-invalid'],
  ['a header in the access token', withFields({ access_token: 'a\r\nx-admin: 1' }), 'auth/token-invalid'],
  ['a refresh token that is a list', withFields({ refresh_token: ['a'] }), 'service/malformed'],
  ['no refresh token', withFields({ refresh_token: undefined }), 'auth/no-refresh-token'],
  ['a lifetime below zero', withFields({ expires_in: -1 }), 'service/malformed'],
  ['a lifetime that is no number', withFields({ expires_in: 'NaN' }), 'service/malformed'],
  ['a lifetime in exponents', withFields({ expires_in: '1e300' }), 'service/malformed'],
  ['a lifetime of a list', withFields({ expires_in: [3600] }), 'service/malformed'],
  ['a token of the type DPoP', withFields({ token_type: 'DPoP' }), 'auth/token-type'],
  ['a token of the type MAC', withFields({ token_type: 'MAC' }), 'auth/token-type'],
  ['a type that is a number', withFields({ token_type: 1 }), 'service/malformed'],
  ['a page', answering('<html><script>alert(1)</script>', 200, 'text/html'), 'network/captive-portal'],
  ['nothing', answering(''), 'service/malformed'],
  ['null', answering('null'), 'service/malformed'],
  ['a hundred thousand lists in each other', answering(deep), 'service/malformed'],
  ['five megabytes', answering(JSON.stringify({ access_token: 'a'.repeat(5_000_000) })), 'service/too-large'],
];

test.each(lies)('OAuth: a code answered with %s: refused, nobody is signed in', async (_what, attack, code) => {
  service.attack('token', attack);
  const desk = await open();
  await expect(desk.session.signIn()).rejects.toMatchObject({ code });
  expect(desk.session.status()).toMatchObject({ state: 'signed-out', reason: { code } });
  expect(await desk.vault.load()).toBeUndefined();
});

test.each(lies.filter(([what]) => what !== 'no refresh token'))(
  'OAuth: a refresh answered with %s: refused, the session stays',
  async (_what, attack, code) => {
    const desk = await open();
    await desk.signIn();
    const before = await desk.vault.load();
    const stop = service.attack('token', attack);
    await service.control.expireAccessTokens();
    const stale = await desk.session.accessToken();
    await expect(desk.session.accessToken({ stale })).rejects.toMatchObject({ code });
    expect(desk.session.status()).toMatchObject({ state: 'signed-in' });
    expect(await desk.vault.load()).toEqual(before);
    stop();
  },
);

test.each([1e300, Number.MAX_SAFE_INTEGER, '9'.repeat(20)])(
  'OAuth: a lifetime of %s is stored and read again',
  async (seconds) => {
    service.attack('token', withFields({ expires_in: seconds }));
    const desk = await open();
    await desk.signIn();
    const stored = await desk.vault.load();
    expect(stored?.expiresAt).toBeLessThan(Date.now() + 367 * 24 * 3600 * 1000);
    // The service alone decides whether a token is valid: when it refuses this one, the app gets another.
    await service.control.expireAccessTokens();
    expect((await desk.handlers.orderableEvents.list({})).value.length).toBeGreaterThan(0);
  },
);

test('OAuth: ignores an id_token, a scope and any other fields', async () => {
  const junk = { id_token: 'not.a.jwt', scope: { a: 1 }, ['__proto__']: { polluted: 1 }, constructor: 'x' };
  service.attack('token', withFields(junk));
  const desk = await open();
  await desk.signIn();
  expect(Object.keys((await desk.vault.load()) ?? {}).sort()).toEqual([
    ...['accessToken', 'expiresAt', 'refreshAt', 'refreshToken'],
  ]);
});

test.each([301, 302, 303, 307, 308])(
  'OAuth: a redirect (%d) of the token endpoint gets neither the code nor the refresh token',
  async (status) => {
    const elsewhere: SeenRequest[] = [];
    await using thief = await startTestServer((response, request) => {
      elsewhere.push(request);
      response.writeHead(200).end('{}');
    });
    const redirect: Attack = ({ response }) =>
      void response.writeHead(status, { location: `${thief.url}/token` }).end();
    const desk = await open();
    const stop = service.attack('token', redirect);
    await expect(desk.session.signIn()).rejects.toMatchObject({ code: 'service/refused', details: { status } });
    stop();
    await desk.signIn();
    service.attack('token', redirect);
    const stale = await desk.session.accessToken();
    await expect(desk.session.accessToken({ stale })).rejects.toMatchObject({ code: 'service/refused' });
    expect(desk.session.status()).toMatchObject({ state: 'signed-in' });
    expect(elsewhere).toEqual([]);
  },
);

test('OAuth: control characters and colours of a refusal reach neither the terminal nor the log', async () => {
  const error = '\u001b[31minvalid_grant\u0007\r\n\u202eevil';
  const description = '\u001b]0;owned\u0007 code=secret-code';
  service.attack('token', answering(JSON.stringify({ error, error_description: description }), 400));
  const home = makeDirectory();
  const { exitCode, stderr } = await cli(['login'], { sandbox: service.address, home, words: true });
  expect(exitCode).toBe(3);
  const log = readdirSync(join(home, 'logs')).map((name) => readFileSync(join(home, 'logs', name), 'utf8'));
  for (const text of [stderr, ...log]) {
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(text).not.toContain('owned');
    expect(text).not.toContain('secret-code');
  }
});

/** A user whose browser returns with the honest callback after `change` has changed it. */
const returning = (change: (callback: URL) => string) => async (url: string) => {
  const { headers } = await fetch(url, { redirect: 'manual' });
  await fetch(change(new URL(headers.get('location') ?? '')));
};

const withParameters = (callback: URL, parameters: Readonly<Record<string, string>>): string => {
  for (const [name, value] of Object.entries(parameters)) callback.searchParams.set(name, value);
  return callback.href;
};

test('OAuth: any issuer in a callback (RFC 9207) is accepted', async () => {
  for (const iss of [service.address.authUrl, 'https://honest.example', '']) {
    const openExternal = returning((callback) => withParameters(callback, { iss, session_state: 'x' }));
    const desk = await open({ host: { openExternal } });
    await desk.signIn();
    expect(desk.session.status()).toMatchObject({ state: 'signed-in' });
    await desk.close();
  }
});

test('OAuth: reports a hostile error in a callback without its text', async () => {
  const hostile = {
    error: 'access_denied',
    error_description: '<img src=x onerror=alert(1)>\u001b[2J',
    error_uri: 'x:',
  };
  const openExternal = returning((callback) => {
    callback.searchParams.delete('code');
    return withParameters(callback, hostile);
  });
  const desk = await open({ host: { openExternal } });
  const refusal = await desk.session.signIn().catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'auth/denied', details: { error: 'access_denied' } });
  expect(JSON.stringify([refusal, String(refusal), desk.events])).not.toMatch(/onerror|\[2J|error_uri/);
});

test.each<[string, (callback: URL) => string]>([
  ['a wrong state', (callback) => withParameters(callback, { state: 'x'.repeat(43) })],
  ['no state', (callback) => callback.href.replace(/[?&]state=[^&]*/, '')],
  ['the state twice', (callback) => `${callback.href}&state=${callback.searchParams.get('state')}`],
  ['an error and a wrong state', (callback) => withParameters(callback, { state: 'x', error: 'access_denied' })],
])('OAuth: a callback with %s counts for nothing, and the true one afterwards still does', async (_what, forge) => {
  const openExternal = async (url: string): Promise<void> => {
    const { headers } = await fetch(url, { redirect: 'manual' });
    const callback = headers.get('location') ?? '';
    expect((await fetch(forge(new URL(callback)))).status).toBe(404);
    expect((await fetch(callback)).status).toBe(200);
  };
  const desk = await open({ host: { openExternal } });
  await desk.signIn();
  expect(desk.session.status()).toMatchObject({ state: 'signed-in' });
});

test('OAuth: a second callback with someone else’s code changes nothing', async () => {
  let exchanges = 0;
  service.attack('token', async (met) => {
    exchanges += 1;
    await staysHonest(met);
  });
  const openExternal = async (url: string): Promise<void> => {
    const { headers } = await fetch(url, { redirect: 'manual' });
    const callback = new URL(headers.get('location') ?? '');
    const [first, second] = [callback.href, withParameters(new URL(callback), { code: 'of-somebody-else' })];
    const answers = await Promise.all([fetch(first), fetch(second).catch(() => undefined)]);
    expect(answers[0]?.status).toBe(200);
    expect(answers[1]?.status).not.toBe(200);
  };
  const desk = await open({ host: { openExternal } });
  await desk.signIn();
  // The code of the second callback was not exchanged. The service would have refused it.
  expect(exchanges).toBe(1);
  expect(desk.session.status()).toMatchObject({ state: 'signed-in' });
});

test('OAuth: the redirect listener answers only the callback, only on 127.0.0.1', async () => {
  const openExternal = async (url: string): Promise<void> => {
    const { headers } = await fetch(url, { redirect: 'manual' });
    const callback = headers.get('location') ?? '';
    const { port } = new URL(callback);
    expect((await fetch(callback, { method: 'POST' })).status).toBe(404);
    expect((await fetch(callback.replace('/oauth/callback', '/'))).status).toBe(404);
    // The port can be taken on another address of this machine, so the app does not listen there.
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(Number(port), '127.0.0.2', resolve));
    other.close();
    await fetch(callback);
  };
  const desk = await open({ host: { openExternal } });
  await desk.signIn();
});
