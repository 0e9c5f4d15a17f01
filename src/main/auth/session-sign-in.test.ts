import { expect, test } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import { json, type TestServer, unusedAddress } from '../net/testing/server.ts';
import { minuteMs, setUpSession, tokenAnswer, tokenSet } from './testing/session.ts';
import { createMemoryVault } from './vault.ts';

type Browser = NonNullable<Parameters<typeof setUpSession>[1]>;

const allows: Browser = ({ state = '' }, arrive) => void arrive({ code: 'the-code', state });
const waits: Browser = () => {};
const tokenRequests = ({ requests }: TestServer) => requests.filter(({ method }) => method === 'POST');
const grants = (response: Parameters<typeof json>[0]) => json(response, tokenAnswer('1'));

test('the browser gets the interface’s parameters, the token endpoint its fields and no more', async () => {
  let asked: Readonly<Record<string, string>> = {};
  await using given = await setUpSession(grants, (parameters, arrive) => {
    asked = parameters;
    allows(parameters, arrive);
  });
  await given.session.signIn();
  expect(asked).toEqual({
    response_type: 'code',
    client_id: 'desk',
    redirect_uri: 'com.inspectiondesk.app:/oauth/callback',
    state: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  });
  expect(tokenRequests(given.server)).toHaveLength(1);
  const [request] = tokenRequests(given.server);
  expect(request).toMatchObject({ method: 'POST', target: '/oauth/token' });
  expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
    grant_type: 'authorization_code',
    code: 'the-code',
    redirect_uri: 'com.inspectiondesk.app:/oauth/callback',
    client_id: 'desk',
    code_verifier: expect.stringMatching(/^[\w-]{43}$/),
  });
});

test('signed in: status, token and vault say so', async () => {
  await using given = await setUpSession(grants, allows);
  const startMs = given.clock.now();
  expect(await given.session.signIn()).toEqual({ state: 'signed-in' });
  expect(given.statuses).toEqual([{ state: 'waiting', expiresAtMs: startMs + 10 * minuteMs }, { state: 'signed-in' }]);
  expect(await given.session.accessToken()).toBe('access-1');
  expect(await given.vault.load()).toEqual(tokenSet('1', startMs + 60 * minuteMs, startMs + 59 * minuteMs));
  expect(given.redirect.openDoors()).toBe(0);
});

test.each([
  [{ error: 'access_denied' }, 'auth/denied', { error: 'access_denied' }],
  [{ error: 'Server_Error <b>' }, 'auth/failed', { error: 'erver_rrorb' }],
  [{}, 'auth/failed', { error: 'invalid_callback' }],
])('a callback with %j', async (parameters, code, details) => {
  await using given = await setUpSession(grants, ({ state = '' }, arrive) => void arrive({ ...parameters, state }));
  await expect(given.session.signIn()).rejects.toMatchObject({ code, details });
  expect(given.session.status()).toMatchObject({ state: 'signed-out', reason: { code } });
  expect(tokenRequests(given.server)).toEqual([]);
});

test('a refused code', async () => {
  const refuses = (response: Parameters<typeof json>[0]) => json(response, { error: 'invalid_grant' }, 400);
  await using given = await setUpSession(refuses, allows);
  await expect(given.session.signIn()).rejects.toMatchObject({
    code: 'auth/failed',
    details: { error: 'invalid_grant' },
  });
});

test.each([{}, { ...tokenAnswer('1'), access_token: 7 }, { ...tokenAnswer('1'), expires_in: 'soon' }])(
  'an answer that is no token answer: %j',
  async (answer) => {
    await using given = await setUpSession((response) => json(response, answer), allows);
    await expect(given.session.signIn()).rejects.toMatchObject({ code: 'service/malformed' });
  },
);

test('no keychain: said before the browser opens', async () => {
  const missing = new DeskError('keychain/unavailable', 'none');
  const vault = { ...createMemoryVault(), prepare: () => Promise.reject(missing) };
  let opened = false;
  const browser = () => {
    opened = true;
  };
  await using given = await setUpSession(grants, browser, { vault });
  await expect(given.session.signIn()).rejects.toBe(missing);
  expect(opened).toBe(false);
});

test('a browser that does not open', async () => {
  const openExternal = () => Promise.reject(new Error('no browser'));
  await using given = await setUpSession(grants, waits, { openExternal });
  await expect(given.session.signIn()).rejects.toMatchObject({ code: 'auth/browser' });
  expect(given.redirect.openDoors()).toBe(0);
});

test('nobody comes back in time', async () => {
  await using given = await setUpSession(grants, waits, { signInTimeoutMs: 1 });
  await expect(given.session.signIn()).rejects.toMatchObject({ code: 'auth/timeout' });
  expect(given.session.status()).toMatchObject({ state: 'signed-out', reason: { code: 'auth/timeout' } });
});

test('cancelled: an earlier session stands', async () => {
  await using given = await setUpSession(grants, () => void given.session.cancelSignIn());
  await given.restored(tokenSet('0', given.clock.now() + minuteMs));
  await expect(given.session.signIn()).rejects.toMatchObject({ code: 'auth/cancelled' });
  expect(given.session.status()).toEqual({ state: 'signed-in' });
  expect(await given.session.accessToken()).toBe('access-0');
});

test('cancelled by the caller’s signal', async () => {
  const controller = new AbortController();
  await using given = await setUpSession(grants, () => controller.abort());
  await expect(given.session.signIn(controller.signal)).rejects.toMatchObject({ code: 'auth/cancelled' });
  expect(given.session.status()).toEqual({ state: 'signed-out' });
  await expect(given.session.signIn(controller.signal)).rejects.toMatchObject({ code: 'auth/cancelled' });
});

test('of several sign-ins the newest goes on, and its page alone counts', async () => {
  const pages: string[] = [];
  const opened = Promise.withResolvers<void>();
  await using given = await setUpSession(grants, ({ state = '' }, arrive) => {
    opened.resolve();
    if (pages.push(state) === 1) return;
    expect(arrive({ code: 'old', state: pages[0] ?? '' })).toEqual([false]);
    expect(arrive({ code: 'new', state })).toEqual([true]);
  });
  const first = given.session.signIn();
  await opened.promise;
  const [a, b, c] = await Promise.allSettled([first, given.session.signIn(), given.session.signIn()]);
  expect([a, b]).toMatchObject([{ reason: { code: 'auth/cancelled' } }, { reason: { code: 'auth/cancelled' } }]);
  expect(c).toMatchObject({ value: { state: 'signed-in' } });
});

test('a service that is not there: said before the browser opens', async () => {
  let opened = false;
  const browser = () => {
    opened = true;
  };
  const url = await unusedAddress();
  const connection = { baseUrl: url, authUrl: url, clientId: 'desk', sample: false };
  await using given = await setUpSession(grants, browser, { connection });
  await expect(given.session.signIn()).rejects.toMatchObject({ code: 'service/unreachable' });
  expect(opened).toBe(false);
});

test('signing out ends a sign-in that waits', async () => {
  await using given = await setUpSession(grants, () => void given.session.signOut());
  await expect(given.session.signIn()).rejects.toMatchObject({ code: 'auth/cancelled' });
  expect(given.session.status()).toEqual({ state: 'signed-out' });
});

test('while a sign-in waits its page can be opened again and its address given to the person, not before or after', async () => {
  const opened: string[] = [];
  await using given = await setUpSession(grants, waits, { openExternal: async (url) => void opened.push(url) });
  const { session } = given;
  const none = { code: 'auth/cancelled' };
  await expect(session.openAgain()).rejects.toMatchObject(none);
  const result = session.signIn();
  await expect.poll(() => session.status().state).toBe('waiting');
  await session.openAgain();
  expect(opened).toHaveLength(2);
  expect(new Set([...opened, session.signInAddress()]).size).toBe(1);
  expect(JSON.stringify(given.statuses)).not.toContain(new URL(session.signInAddress()).searchParams.get('state'));

  // Whichever page is finished, it is the same sign-in.
  given.redirect.arrive({ code: 'the-code', state: new URL(opened[1] ?? '').searchParams.get('state') ?? '' });
  expect(await result).toEqual({ state: 'signed-in' });
  expect(() => session.signInAddress()).toThrow(expect.objectContaining(none));
});

/** A token endpoint that issues a refresh token only after consent was asked for, as OpenID Connect Core has it. */
const certified = () => {
  const asked: Readonly<Record<string, string>>[] = [];
  const browser: Browser = (parameters, arrive) => {
    asked.push(parameters);
    allows(parameters, arrive);
  };
  const { refresh_token: _, ...withoutRefreshToken } = tokenAnswer('1');
  const answer = (response: Parameters<typeof json>[0]) =>
    json(response, asked.at(-1)?.prompt === 'consent' ? tokenAnswer('1') : withoutRefreshToken);
  return { asked, browser, answer };
};

const connectionWith = (scope: string) => (baseUrl: string) => ({
  baseUrl,
  authUrl: `${baseUrl}/oauth`,
  clientId: 'desk',
  sample: false,
  scope,
});

test('OAuth: a scope is sent as it is', async () => {
  let scope: string | undefined;
  const browser: Browser = (parameters, arrive) => {
    scope = parameters.scope;
    allows(parameters, arrive);
  };
  await using given = await setUpSession(grants, browser, {}, connectionWith('openid api://desk/.default'));
  await given.session.signIn();
  expect(scope).toBe('openid api://desk/.default');
});

test('OAuth: offline_access without a refresh token is asked for once more with consent, which is remembered', async () => {
  const { asked, browser, answer } = certified();
  await using given = await setUpSession(answer, browser, {}, connectionWith('openid offline_access'));
  await given.session.signIn();
  expect(asked.map(({ prompt }) => prompt)).toEqual([undefined, 'consent']);
  expect(asked[0]?.state).not.toBe(asked[1]?.state);
  expect(given.redirect.openDoors()).toBe(0);
  await given.session.signIn();
  expect(asked.map(({ prompt }) => prompt)).toEqual([undefined, 'consent', 'consent']);
});

test('OAuth: without offline_access nobody is asked twice, and told what is missing', async () => {
  const { asked, browser, answer } = certified();
  await using given = await setUpSession(answer, browser, {}, connectionWith('openid'));
  await expect(given.session.signIn()).rejects.toMatchObject({ code: 'auth/no-refresh-token', retry: 'never' });
  expect(asked).toHaveLength(1);
  expect(given.session.status()).toMatchObject({ state: 'signed-out' });
});
