import { once } from 'node:events';
import { expect, test } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import { drip, json, unusedAddress } from '../net/testing/server.ts';
import { minuteMs, setUpSession, tokenAnswer, tokenSet } from './testing/session.ts';
import { createNeedsMemory } from './token-endpoint.ts';
import { createMemoryVault } from './vault.ts';

type Response = Parameters<typeof json>[0];

const grantsNew = (response: Response) => json(response, tokenAnswer('new'));
const refuses = (response: Response) => json(response, { error: 'invalid_grant' }, 400);
const fails = (response: Response) => json(response, {}, 500);

/**
 * Creates the handler of a token endpoint that does not respond itself. `held` resolves to the response of the first
 * request, which the test then sends.
 */
const createHeld = () => {
  let arrived = (_: Response): void => {};
  const held = new Promise<Response>((resolve) => {
    arrived = resolve;
  });
  return { held, answer: (response: Response) => arrived(response) };
};

const jwt = (claims: object) =>
  ['{"alg":"none"}', JSON.stringify(claims), ''].map((part) => Buffer.from(part).toString('base64url')).join('.');

test('restores the session and its user without a network', async () => {
  await using given = await setUpSession(fails);
  expect(await given.session.restore()).toEqual({ state: 'signed-out' });
  await given.restored({ ...tokenSet('old', 0), accessToken: jwt({ sub: 'ani' }) });
  expect(given.session.status()).toEqual({ state: 'signed-in', subject: 'ani' });
  expect(given.server.requests).toEqual([]);
});

test.each(['vault/unreadable', 'keychain/unavailable'] as const)(
  'is signed out after restoring with %s',
  async (code) => {
    const load = () => Promise.reject(new DeskError(code, 'no'));
    await using given = await setUpSession(fails, undefined, { vault: { ...createMemoryVault(), load } });
    expect(await given.session.restore()).toMatchObject({ state: 'signed-out', reason: { code } });
  },
);

test('has no token when signed out', async () => {
  await using given = await setUpSession(fails);
  await expect(given.session.accessToken()).rejects.toMatchObject({ code: 'auth/required', retry: 'never' });
});

test('fifty callers share one refresh, which sends the interface’s fields and no others', async () => {
  await using given = await setUpSession(grantsNew);
  await given.restored(tokenSet('old', given.clock.now()));
  const tokens = await Promise.all(Array.from({ length: 50 }, () => given.session.accessToken()));
  expect(new Set(tokens)).toEqual(new Set(['access-new']));
  expect(given.server.requests).toHaveLength(1);
  expect(Object.fromEntries(new URLSearchParams(given.server.requests[0]?.body))).toEqual({
    grant_type: 'refresh_token',
    refresh_token: 'refresh-old',
  });
  expect(await given.vault.load()).toMatchObject({ refreshToken: 'refresh-new' });
});

test('a call started by one user never gets another user’s token', async () => {
  await using given = await setUpSession(fails);
  const tokensOf = (sub: string) => ({ ...tokenSet(sub, given.clock.now() + minuteMs), accessToken: jwt({ sub }) });
  await given.restored(tokensOf('ani'));
  const former = await given.session.accessToken();
  expect(await given.session.accessToken({ former })).toBe(former);
  await given.restored(tokensOf('bo'));
  for (const asked of [{ former }, { stale: former }]) {
    await expect(given.session.accessToken(asked)).rejects.toMatchObject({ code: 'auth/required' });
  }
  expect(await given.session.accessToken()).toBe(jwt({ sub: 'bo' }));
});

test('keeps the refresh token if the refresh returns none', async () => {
  const { refresh_token: _, ...answer } = tokenAnswer('new');
  await using given = await setUpSession((response) => json(response, answer));
  await given.restored(tokenSet('old', given.clock.now()));
  await given.session.accessToken();
  expect(await given.vault.load()).toMatchObject({ accessToken: 'access-new', refreshToken: 'refresh-old' });
});

test('replaces a refused token, but not one refused before the last refresh', async () => {
  await using given = await setUpSession(grantsNew);
  await given.restored(tokenSet('old', given.clock.now() + minuteMs));
  expect(await given.session.accessToken()).toBe('access-old');
  expect(await given.session.accessToken({ stale: 'access-old' })).toBe('access-new');
  expect(await given.session.accessToken({ stale: 'access-old' })).toBe('access-new');
  expect(given.server.requests).toHaveLength(1);
});

test('a refused refresh ends the session and erases the tokens', async () => {
  await using given = await setUpSession(refuses);
  await given.restored(tokenSet('old', given.clock.now()));
  const expired = { code: 'auth/expired', details: { error: 'invalid_grant' } };
  await expect(given.session.accessToken()).rejects.toMatchObject(expired);
  expect(given.session.status()).toMatchObject({ state: 'signed-out', reason: expired });
  // The next call rejects with the same error.
  await expect(given.session.accessToken()).rejects.toMatchObject(expired);
  expect(await given.vault.load()).toBeUndefined();
});

test('a cancelled sign-in leaves the reason why the session has ended, also if it ended meanwhile', async () => {
  const expired = { state: 'signed-out', reason: { code: 'auth/expired' } };
  let ended = 0;
  const browser = async () => {
    if (ended === 0) await Promise.allSettled([given.session.accessToken()]);
    await given.session.cancelSignIn();
  };
  await using given = await setUpSession(refuses, browser, { onExpired: () => (ended += 1) });
  await given.restored(tokenSet('old', given.clock.now()));
  for (let time = 1; time <= 2; time += 1) {
    await expect(given.session.signIn()).rejects.toMatchObject({ code: 'auth/cancelled' });
    expect(given.session.status()).toMatchObject(expired);
    await expect(given.session.accessToken()).rejects.toMatchObject({ code: 'auth/expired' });
  }
  expect(ended).toBe(1);
});

test.each([403, 404, 429, 500, 503])('a refresh answered with %d does not end the session', async (status) => {
  await using given = await setUpSession((response) => json(response, {}, status));
  await given.restored(tokenSet('old', given.clock.now()));
  await expect(given.session.accessToken()).rejects.toMatchObject({ code: expect.stringMatching(/^service\//) });
  expect(given.session.status()).toEqual({ state: 'signed-in' });
  expect(await given.vault.load()).toMatchObject({ refreshToken: 'refresh-old' });
});

test('a refresh without a network does not end the session', async () => {
  const address = unusedAddress();
  const connection = { baseUrl: address, authUrl: address, clientId: 'desk', sample: false };
  await using given = await setUpSession(fails, undefined, { connection });
  await given.restored(tokenSet('old', given.clock.now()));
  await expect(given.session.accessToken()).rejects.toMatchObject({ code: 'service/unreachable', retry: 'later' });
  expect(given.session.status()).toEqual({ state: 'signed-in' });
});

test('keeps the current token when an early refresh fails', async () => {
  await using given = await setUpSession(fails);
  const expiresAt = given.clock.now() + minuteMs;
  await given.restored(tokenSet('old', expiresAt, given.clock.now()));
  expect(await given.session.accessToken()).toBe('access-old');
  given.clock.advance(minuteMs);
  await expect(given.session.accessToken()).rejects.toMatchObject({ code: 'service/failed' });
});

test('a refresh that completes after signing out does not restore the session', async () => {
  const { held, answer } = createHeld();
  await using given = await setUpSession(answer);
  await given.restored(tokenSet('old', given.clock.now()));
  const asking = given.session.accessToken();
  const response = await held;
  await given.session.signOut();
  response.once('error', () => {});
  grantsNew(response);
  await expect(asking).rejects.toMatchObject({ code: 'auth/required' });
  expect(given.session.status()).toEqual({ state: 'signed-out' });
  expect(await given.vault.load()).toBeUndefined();
});

test('signing out while a refresh is being stored leaves nothing stored', async () => {
  const memory = createMemoryVault();
  const vault = {
    ...memory,
    save: async (tokens: Parameters<typeof memory.save>[0]) => {
      if (tokens.accessToken === 'access-new') void given.session.signOut();
      await memory.save(tokens);
    },
  };
  await using given = await setUpSession(grantsNew, undefined, { vault });
  await given.restored(tokenSet('old', given.clock.now()));
  await expect(given.session.accessToken()).rejects.toMatchObject({ code: 'auth/required' });
  await given.session.signOut();
  expect(await memory.load()).toBeUndefined();
});

test('a cancelled caller does not stop the refresh for the others', async () => {
  const { held, answer } = createHeld();
  await using given = await setUpSession(answer);
  await given.restored(tokenSet('old', given.clock.now()));
  const controller = new AbortController();
  const leaving = given.session.accessToken({ signal: controller.signal });
  const staying = given.session.accessToken();
  const response = await held;
  controller.abort();
  await expect(leaving).rejects.toMatchObject({ code: 'app/cancelled' });
  grantsNew(response);
  expect(await staying).toBe('access-new');
});

test('uses tokens that cannot be stored, and reports it', async () => {
  const unwritable = new DeskError('data/unwritable', 'full');
  const memory = createMemoryVault();
  const vault = { ...memory, save: () => Promise.reject(unwritable) };
  await memory.save(tokenSet('old', 0));
  await using given = await setUpSession(grantsNew, undefined, { vault });
  await given.session.restore();
  expect(await given.session.accessToken()).toBe('access-new');
  expect(given.notices).toEqual([unwritable]);
});

test('closing lets a running refresh store its tokens', async () => {
  const { held, answer } = createHeld();
  await using given = await setUpSession(answer);
  await given.restored(tokenSet('old', given.clock.now()));
  const asking = given.session.accessToken();
  const response = await held;
  const closing = given.session.close();
  grantsNew(response);
  await closing;
  expect(await given.vault.load()).toMatchObject({ refreshToken: 'refresh-new' });
  expect(await asking).toBe('access-new');
});

test('a closed session gives out no token, and does not renew its own', async () => {
  await using given = await setUpSession(grantsNew);
  await given.restored(tokenSet('old', given.clock.now()));
  await given.session.close();
  // Meanwhile, another session of this connection signs out.
  await given.vault.erase();
  await expect(given.session.accessToken()).rejects.toMatchObject({ code: 'app/cancelled' });
  expect(given.server.requests).toEqual([]);
  expect(await given.vault.load()).toBeUndefined();
});

test('A6: a dripping refresh fails with a reason for all waiting calls, and the next one starts at once', async () => {
  let drips = true;
  const answer = (response: Response) => (drips ? drip(response) : grantsNew(response));
  await using given = await setUpSession(answer, undefined, { tokenTimeoutMs: 1_000 });
  await given.restored(tokenSet('old', given.clock.now()));
  const waiting = await Promise.allSettled([given.session.accessToken(), given.session.accessToken()]);
  const timeout = { status: 'rejected', reason: { code: 'service/timeout', retry: 'later' } };
  expect(waiting).toMatchObject([timeout, timeout]);
  expect(given.server.requests).toHaveLength(1);
  drips = false;
  expect(await given.session.accessToken()).toBe('access-new');
});

test('A6: signing out aborts a refresh', async () => {
  const { held, answer } = createHeld();
  await using given = await setUpSession(answer);
  await given.restored(tokenSet('old', given.clock.now()));
  const asking = given.session.accessToken();
  const response = await held;
  const broken = once(response, 'close');
  await given.session.signOut();
  await expect(asking).rejects.toMatchObject({ code: 'auth/required' });
  await broken;
});

test.each(['a\r\nX-Admin: 1', 'a\u0000', 'żeton'])(
  'A16: reports the token %j as one that cannot be sent, and keeps the session',
  async (token) => {
    await using given = await setUpSession((response) =>
      json(response, { ...tokenAnswer('new'), access_token: token }),
    );
    await given.restored(tokenSet('old', given.clock.now()));
    await expect(given.session.accessToken()).rejects.toMatchObject({ code: 'auth/token-invalid' });
    expect(await given.vault.load()).toMatchObject({ accessToken: 'access-old' });
  },
);

/**
 * Creates a token endpoint that refuses a refresh without a client id with `error`, as that of public clients may (RFC
 * 6749 section 3.2.1). `asked`: the client id of each request.
 */
const wantsClientId = (error: string) => {
  const asked: (string | null)[] = [];
  const answer: Parameters<typeof setUpSession>[0] = (response, { body }) => {
    asked.push(new URLSearchParams(body).get('client_id'));
    if (asked.at(-1) === null) json(response, { error }, 400);
    else json(response, tokenAnswer(`new-${asked.length}`));
  };
  return { asked, answer };
};

test.each(['invalid_request', 'invalid_client'])(
  'OAuth: retries a refresh refused with %s once with client_id, and remembers that',
  async (error) => {
    const { asked, answer } = wantsClientId(error);
    const learned: unknown[] = [];
    const needs = createNeedsMemory({}, (known) => learned.push(known));
    await using given = await setUpSession(answer, undefined, { needs });
    await given.restored(tokenSet('old', given.clock.now()));
    expect(await given.session.accessToken()).toBe('access-new-2');
    expect(await given.session.accessToken({ stale: 'access-new-2' })).toBe('access-new-3');
    expect(asked).toEqual([null, 'desk', 'desk']);
    expect(learned).toEqual([{ clientIdOnRefresh: true, consentPrompt: false }]);
  },
);

test('OAuth: uses what was remembered about the service at once', async () => {
  const { asked, answer } = wantsClientId('invalid_request');
  const needs = createNeedsMemory({ clientIdOnRefresh: true });
  await using given = await setUpSession(answer, undefined, { needs });
  await given.restored(tokenSet('old', given.clock.now()));
  await given.session.accessToken();
  expect(asked).toEqual(['desk']);
});

test.each([
  ['invalid_request', 2],
  ['invalid_client', 2],
  ['unauthorized_client', 1],
  ['invalid_scope', 1],
  ['temporarily_unavailable', 1],
  ['', 1],
])('OAuth: a refresh refused with "%s" does not end the session', async (error, requests) => {
  let learned = false;
  const needs = createNeedsMemory({}, () => {
    learned = true;
  });
  await using given = await setUpSession((response) => json(response, { error }, 400), undefined, { needs });
  await given.restored(tokenSet('old', given.clock.now()));
  await expect(given.session.accessToken()).rejects.toMatchObject({
    code: 'auth/refresh-refused',
    details: error === '' ? {} : { error },
  });
  expect(given.server.requests).toHaveLength(requests);
  expect(given.session.status()).toEqual({ state: 'signed-in' });
  expect(await given.vault.load()).toMatchObject({ refreshToken: 'refresh-old' });
  expect(learned).toBe(false);
});

test('OAuth: keeps the current token when an early refresh is refused', async () => {
  await using given = await setUpSession((response) => json(response, { error: 'unauthorized_client' }, 400));
  await given.restored(tokenSet('old', given.clock.now() + minuteMs, given.clock.now()));
  expect(await given.session.accessToken()).toBe('access-old');
});

test('OAuth: invalid_grant at the second attempt ends the session', async () => {
  await using given = await setUpSession((response, { body }) =>
    json(response, { error: new URLSearchParams(body).has('client_id') ? 'invalid_grant' : 'invalid_request' }, 400),
  );
  await given.restored(tokenSet('old', given.clock.now()));
  await expect(given.session.accessToken()).rejects.toMatchObject({ code: 'auth/expired' });
  expect(given.session.status()).toMatchObject({ state: 'signed-out' });
  expect(await given.vault.load()).toBeUndefined();
});
