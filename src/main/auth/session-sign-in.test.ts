import { expect, test } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import { type Answering, json, type TestServer, unusedAddress } from '../net/testing/server.ts';
import { minuteMs, setUpSession, tokenAnswer, tokenSet } from './testing/session.ts';
import { createMemoryVault } from './vault.ts';

type Browser = NonNullable<Parameters<typeof setUpSession>[1]>;

const allows: Browser = ({ state = '' }, arrive) => void arrive({ code: 'the-code', state });
const waits: Browser = () => {};
const tokenRequests = ({ requests }: TestServer) => requests.filter(({ method }) => method === 'POST');
const grants = (response: Parameters<typeof json>[0]) => json(response, tokenAnswer('1'));

test('sends the browser the interface’s parameters, and the token endpoint its fields and no others', async () => {
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

test('after signing in, status, token and vault agree', async () => {
  await using given = await setUpSession(grants, allows);
  const startMs = given.clock.now();
  await given.session.signIn();
  expect(given.session.status()).toEqual({ state: 'signed-in' });
  expect(given.statuses).toEqual([{ state: 'waiting', expiresAtMs: startMs + 10 * minuteMs }, { state: 'signed-in' }]);
  expect(await given.session.accessToken()).toBe('access-1');
  expect(await given.vault.load()).toEqual(tokenSet('1', startMs + 60 * minuteMs, startMs + 59 * minuteMs));
  expect(given.redirect.openDoors()).toBe(0);
});

test.each([
  [{ error: 'access_denied' }, 'auth/denied', { error: 'access_denied' }],
  [{ error: 'Server_Error <b>' }, 'auth/failed', { error: 'erver_rrorb' }],
  [{}, 'auth/failed', { error: 'invalid_callback' }],
])('reports a callback with %j', async (parameters, code, details) => {
  await using given = await setUpSession(grants, ({ state = '' }, arrive) => void arrive({ ...parameters, state }));
  await expect(given.session.signIn()).rejects.toMatchObject({ code, details });
  expect(given.session.status()).toMatchObject({ state: 'signed-out', reason: { code } });
  expect(tokenRequests(given.server)).toEqual([]);
});

test('reports a refused code', async () => {
  const refuses = (response: Parameters<typeof json>[0]) => json(response, { error: 'invalid_grant' }, 400);
  await using given = await setUpSession(refuses, allows);
  await expect(given.session.signIn()).rejects.toMatchObject({
    code: 'auth/failed',
    details: { error: 'invalid_grant' },
  });
});

test.each([{}, { ...tokenAnswer('1'), access_token: 7 }, { ...tokenAnswer('1'), expires_in: 'soon' }])(
  'reports an answer that is not a token response: %j',
  async (answer) => {
    await using given = await setUpSession((response) => json(response, answer), allows);
    await expect(given.session.signIn()).rejects.toMatchObject({ code: 'service/malformed' });
  },
);

test('reports a missing keychain before the browser opens', async () => {
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

test('reports a browser that does not open', async () => {
  const openExternal = () => Promise.reject(new Error('no browser'));
  await using given = await setUpSession(grants, waits, { openExternal });
  await expect(given.session.signIn()).rejects.toMatchObject({ code: 'auth/browser' });
  expect(given.redirect.openDoors()).toBe(0);
});

test('ends a sign-in without a callback in time', async () => {
  await using given = await setUpSession(grants, waits, { signInTimeoutMs: 1 });
  await expect(given.session.signIn()).rejects.toMatchObject({ code: 'auth/timeout' });
  expect(given.session.status()).toMatchObject({ state: 'signed-out', reason: { code: 'auth/timeout' } });
});

test.each(['keychain/unavailable', 'vault/unreadable'] as const)(
  'a session that could not be restored (%s) is restored by the sign-in, once it can be read',
  async (code) => {
    let isLocked = true;
    const memory = createMemoryVault();
    const load = async () => (isLocked ? Promise.reject(new DeskError(code, 'locked')) : memory.load());
    let opened = 0;
    const browser: Browser = (parameters, arrive) => {
      opened += 1;
      allows(parameters, arrive);
    };
    await using given = await setUpSession(grants, browser, { vault: { ...memory, load } });
    await given.restored(tokenSet('stored', given.clock.now() + 60 * minuteMs));
    expect(given.session.status()).toMatchObject({ state: 'signed-out', reason: { code } });
    isLocked = false;
    await given.session.signIn();
    expect(given.session.status()).toEqual({ state: 'signed-in' });
    expect(await given.session.accessToken()).toBe('access-stored');
    expect(opened).toBe(0);

    // After signing out, nothing is stored any more.
    await given.session.signOut();
    await given.session.signIn();
    expect(await given.session.accessToken()).toBe('access-1');
  },
);

test('a sign-in waits for a session that is being restored; after a sign-out, none is', async () => {
  const loads: PromiseWithResolvers<void>[] = [];
  const memory = createMemoryVault();
  const load = async () => {
    const loading = Promise.withResolvers<void>();
    const stored = memory.load();
    loads.push(loading);
    await loading.promise;
    return stored;
  };
  await using given = await setUpSession(grants, () => expect.fail('no browser'), { vault: { ...memory, load } });
  await memory.save(tokenSet('stored', given.clock.now() + 60 * minuteMs));
  const restored = given.session.restore();
  const signedIn = given.session.signIn();
  loads[0]?.resolve();
  expect(await restored).toEqual({ state: 'signed-in' });
  await signedIn;
  expect(given.session.status()).toEqual({ state: 'signed-in' });
  expect(await given.session.accessToken()).toBe('access-stored');

  const late = given.session.restore();
  await given.session.signOut();
  loads[1]?.resolve();
  expect(await late).toEqual({ state: 'signed-out' });
  expect(given.session.user()).toEqual({ signedIn: false, subject: undefined });
});

test('a sign-in replaces a session that cannot be read', async () => {
  const vault = { ...createMemoryVault(), load: () => Promise.reject(new DeskError('vault/unreadable', 'locked')) };
  await using given = await setUpSession(grants, allows, { vault });
  await given.session.restore();
  await given.session.signIn();
  expect(given.session.status()).toEqual({ state: 'signed-in' });
  expect(await given.session.accessToken()).toBe('access-1');
});

test('a sign-in that waits for the keychain can be cancelled', async () => {
  const vault = { ...createMemoryVault(), prepare: () => new Promise<never>(() => {}) };
  await using given = await setUpSession(grants, waits, { vault });
  const signingIn = expect(given.session.signIn()).rejects.toMatchObject({ code: 'auth/cancelled' });
  await given.session.cancelSignIn();
  await signingIn;
  expect(given.session.status()).toEqual({ state: 'signed-out' });
});

test('a sign-in can still be cancelled while the keychain prompts before the tokens are stored', async () => {
  const [prompted, responds] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const memory = createMemoryVault();
  let isLocked = false;
  const prepare = async () => {
    if (!isLocked) return;
    prompted.resolve();
    await responds.promise;
  };
  const save: typeof memory.save = async (tokens) => {
    await prepare();
    await memory.save(tokens);
  };
  const locks: typeof grants = (response) => {
    isLocked = true;
    grants(response);
  };
  await using given = await setUpSession(locks, allows, { vault: { ...memory, prepare, save } });
  const signingIn = expect(given.session.signIn()).rejects.toMatchObject({ code: 'auth/cancelled' });
  await prompted.promise;
  const cancelling = given.session.cancelSignIn();
  responds.resolve();
  await cancelling;
  await signingIn;
  expect(given.session.status()).toEqual({ state: 'signed-out' });
  expect(await memory.load()).toBeUndefined();
});

test('a cancelled sign-in leaves an earlier session unchanged', async () => {
  await using given = await setUpSession(grants, () => void given.session.cancelSignIn());
  await given.restored(tokenSet('0', given.clock.now() + minuteMs));
  await expect(given.session.signIn()).rejects.toMatchObject({ code: 'auth/cancelled' });
  expect(given.session.status()).toEqual({ state: 'signed-in' });
  expect(await given.session.accessToken()).toBe('access-0');
});

test('ends when the caller’s signal is aborted', async () => {
  const controller = new AbortController();
  await using given = await setUpSession(grants, () => controller.abort());
  await expect(given.session.signIn(controller.signal)).rejects.toMatchObject({ code: 'auth/cancelled' });
  expect(given.session.status()).toEqual({ state: 'signed-out' });
  await expect(given.session.signIn(controller.signal)).rejects.toMatchObject({ code: 'auth/cancelled' });
});

test('the newest of several sign-ins replaces the others, and only its page counts', async () => {
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
  expect(c.status).toBe('fulfilled');
  expect(given.session.status()).toMatchObject({ state: 'signed-in' });
});

test('a sign-in that is needed waits for one in progress, and begins only if that fails', async () => {
  const pages: (() => unknown)[] = [];
  await using given = await setUpSession(
    grants,
    ({ state = '' }, arrive) => void pages.push(() => arrive({ code: 'the-code', state })),
  );
  const { session } = given;
  const first = session.signIn();
  await expect.poll(() => pages.length).toBe(1);
  const needed = Promise.all([session.ensureSignedIn(), session.ensureSignedIn()]);
  await session.cancelSignIn();
  await expect(first).rejects.toMatchObject({ code: 'auth/cancelled' });
  await expect.poll(() => pages.length).toBe(2);
  pages[1]?.();
  await needed;
  await session.ensureSignedIn();
  expect(pages).toHaveLength(2);
});

test('reports an unreachable service before the browser opens', async () => {
  let opened = false;
  const browser = () => {
    opened = true;
  };
  const url = unusedAddress();
  const connection = { baseUrl: url, authUrl: url, clientId: 'desk', sample: false };
  await using given = await setUpSession(grants, browser, { connection });
  await expect(given.session.signIn()).rejects.toMatchObject({ code: 'service/unreachable' });
  expect(opened).toBe(false);
});

test('signs in although the server shows browsers a page at every address', async () => {
  const page: Answering = (response, { method }) => {
    if (method === 'POST') return grants(response);
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>');
  };
  await using given = await setUpSession(page, allows);
  await given.session.signIn();
  expect(given.session.status()).toEqual({ state: 'signed-in' });
});

test('signing out ends a waiting sign-in', async () => {
  await using given = await setUpSession(grants, () => void given.session.signOut());
  await expect(given.session.signIn()).rejects.toMatchObject({ code: 'auth/cancelled' });
  expect(given.session.status()).toEqual({ state: 'signed-out' });
});

test('the page can be reopened and its address copied only while a sign-in waits', async () => {
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

  // Both pages have the same state, so either of them completes the sign-in.
  given.redirect.arrive({ code: 'the-code', state: new URL(opened[1] ?? '').searchParams.get('state') ?? '' });
  await result;
  expect(session.status()).toEqual({ state: 'signed-in' });
  expect(() => session.signInAddress()).toThrow(expect.objectContaining(none));
});

/**
 * Creates a browser that grants each sign-in, and a token endpoint that issues a refresh token only if the sign-in had
 * `prompt=consent`, as OpenID Connect Core requires (section 11). `asked`: the parameters of each sign-in.
 */
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

test('OAuth: sends a scope unchanged', async () => {
  let scope: string | undefined;
  const browser: Browser = (parameters, arrive) => {
    scope = parameters.scope;
    allows(parameters, arrive);
  };
  await using given = await setUpSession(grants, browser, {}, connectionWith('openid api://desk/.default'));
  await given.session.signIn();
  expect(scope).toBe('openid api://desk/.default');
});

test('OAuth: asks once more, with consent, if offline_access brought no refresh token, and remembers that', async () => {
  const { asked, browser, answer } = certified();
  await using given = await setUpSession(answer, browser, {}, connectionWith('openid offline_access'));
  await given.session.signIn();
  expect(asked.map(({ prompt }) => prompt)).toEqual([undefined, 'consent']);
  expect(asked[0]?.state).not.toBe(asked[1]?.state);
  expect(given.redirect.openDoors()).toBe(0);
  await given.session.signIn();
  expect(asked.map(({ prompt }) => prompt)).toEqual([undefined, 'consent', 'consent']);
});

test('OAuth: without offline_access, asks only once and reports what is missing', async () => {
  const { asked, browser, answer } = certified();
  await using given = await setUpSession(answer, browser, {}, connectionWith('openid'));
  await expect(given.session.signIn()).rejects.toMatchObject({ code: 'auth/no-refresh-token', retry: 'never' });
  expect(asked).toHaveLength(1);
  expect(given.session.status()).toMatchObject({ state: 'signed-out' });
});
