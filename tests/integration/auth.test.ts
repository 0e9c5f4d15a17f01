import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLoopbackRedirect } from '../../src/main/auth/redirect.ts';
import { createSession, type Session } from '../../src/main/auth/session.ts';
import { createSealedVault } from '../../src/main/auth/vault.ts';
import { redirectWords } from '../../src/main/hosts/shared/host-options.ts';
import { createApiAgent } from '../../src/main/net/connector.ts';
import { createGate } from '../../src/main/net/gate.ts';
import { createServiceClient } from '../../src/main/service/client.ts';
import { connectionIdOf } from '../../src/main/settings/resolve-connection.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { createSandboxControl, type SandboxControl } from '../../src/sandbox/testing/control-client.ts';
import { createHostSpeech } from '../../src/words/speech.ts';

let sandbox: Sandbox;
let control: SandboxControl;
let agent: Agent;
let home: string;
let secrets: Map<string, string>;

beforeAll(async () => {
  sandbox = await startSandbox({ consent: 'auto', protocols: 60 });
  control = createSandboxControl(sandbox);
  agent = createApiAgent();
});
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'auth-'));
  secrets = new Map();
});
afterEach(async () => {
  rmSync(home, { recursive: true });
  await control.faults.clear();
  await control.resetStats();
});
afterAll(async () => {
  await agent.destroy();
  await sandbox.close();
});

const english = await createHostSpeech('en');
/**
 * Opens the address of the sign-in as a browser does, follows the redirects, and expects the last page of the sign-in.
 */
const browse = async (url: string): Promise<void> => {
  const page = await fetch(url);
  expect(await page.text()).toContain('Signed in. You can close this window.');
};

/** Opens a session of a new run of the app, with the data that earlier runs have left in `home`. */
const openSession = (openExternal = browse): Session => {
  const { baseUrl, authUrl, clientId } = sandbox;
  const connection = { baseUrl, authUrl, clientId, sample: false };
  const keychain = {
    get: async (account: string) => secrets.get(account) ?? null,
    set: async (account: string, secret: string) => void secrets.set(account, secret),
    delete: async (account: string) => void secrets.delete(account),
  };
  return createSession({
    connection,
    vault: createSealedVault({ home, keychain, connectionId: connectionIdOf(connection) }),
    redirect: createLoopbackRedirect({ words: redirectWords(() => english) }),
    openExternal,
    dispatcher: agent,
  });
};

const clientOf = (tokens: Session) =>
  createServiceClient({ baseUrl: sandbox.baseUrl, dispatcher: agent, tokens, gate: createGate() });

test('signs in over the loopback listener and stays signed in after a restart', async () => {
  const session = openSession();
  await session.signIn();
  const status = session.status();
  expect(status).toEqual({ state: 'signed-in', subject: expect.any(String) });
  expect((await clientOf(session).listOrderableEvents()).unreadable).toBe(0);

  const next = openSession();
  expect(await next.restore()).toEqual(status);
  expect(await next.accessToken()).toBe(await session.accessToken());

  const [file = ''] = readdirSync(join(home, 'tokens'));
  const stored = readFileSync(join(home, 'tokens', file));
  expect(stored.includes(await session.accessToken())).toBe(false);
});

test('stays signed out after a restart', async () => {
  const session = openSession();
  await session.signIn();
  await session.signOut();
  expect(readdirSync(join(home, 'tokens'))).toEqual(['home.id']);
  expect(secrets.size).toBe(0);
  expect(await openSession().restore()).toEqual({ state: 'signed-out' });
});

test('ignores a callback with the wrong state and accepts the right one afterwards', async () => {
  const session = openSession(async (url) => {
    const { redirect_uri } = Object.fromEntries(new URL(url).searchParams);
    expect((await fetch(`${redirect_uri}?code=abc&state=wrong`)).status).toBe(404);
    await browse(url);
  });
  await session.signIn();
  expect(session.status()).toMatchObject({ state: 'signed-in' });
});

test('a verifier of another authorization gets no tokens', async () => {
  const session = openSession((url) => {
    const other = new URL(url);
    other.searchParams.set('code_challenge', 'x'.repeat(43));
    return browse(other.href);
  });
  await expect(session.signIn()).rejects.toMatchObject({
    code: 'auth/failed',
    details: { error: 'invalid_grant' },
  });
});

test('fifty calls with an expired token cause one refresh', async () => {
  const session = openSession();
  await session.signIn();
  await control.expireAccessTokens();
  const client = clientOf(session);
  await Promise.all(Array.from({ length: 50 }, () => client.listOrderableEvents()));
  const { tokenRefreshes, violations } = await control.stats();
  expect(tokenRefreshes).toBe(1);
  expect(violations['refresh-token-replayed']).toBe(0);
});

test('repeated refreshes use each new refresh token in turn', async () => {
  const session = openSession();
  await session.signIn();
  for (let round = 0; round < 3; round += 1) {
    await control.expireAccessTokens();
    await clientOf(session).listOrderableEvents();
  }
  const next = openSession();
  await next.restore();
  await control.expireAccessTokens();
  await clientOf(next).listOrderableEvents();
  expect((await control.stats()).violations['refresh-token-replayed']).toBe(0);
});

test('a reused refresh token ends every session of its grant', async () => {
  const session = openSession();
  await session.signIn();
  const copy = openSession();
  await copy.restore();
  await control.expireAccessTokens();
  await clientOf(session).listOrderableEvents();

  const expired = { code: 'auth/expired', retry: 'never' };
  await expect(clientOf(copy).listOrderableEvents()).rejects.toMatchObject(expired);
  await expect(clientOf(session).listOrderableEvents()).rejects.toMatchObject(expired);
  expect(session.status()).toMatchObject({ state: 'signed-out', reason: { code: 'auth/expired' } });
  expect(readdirSync(join(home, 'tokens'))).toEqual(['home.id']);
});

test('a revoked session ends with a reason', async () => {
  const session = openSession();
  await session.signIn();
  await control.revokeSessions();
  await expect(clientOf(session).listProtocols()).rejects.toMatchObject({ code: 'auth/expired' });
  expect(session.status()).toMatchObject({ state: 'signed-out', reason: { code: 'auth/expired' } });
});

test('a failing token endpoint does not end the session, and calls succeed once it recovers', async () => {
  const session = openSession();
  await session.signIn();
  await control.expireAccessTokens();
  const stale = await session.accessToken();
  for (const effect of [
    { type: 'status', status: 500 },
    { type: 'reset', at: 'before-body' },
  ] as const) {
    await control.faults.add({ match: { route: 'token' }, when: { count: 1 }, effect });
    await expect(session.accessToken({ stale })).rejects.toMatchObject({ retry: 'later' });
    expect(session.status()).toMatchObject({ state: 'signed-in' });
  }
  expect(await session.accessToken({ stale })).not.toBe(stale);
});

test('a lost refresh answer ends the session with a reason', async () => {
  const session = openSession();
  await session.signIn();
  const stale = await session.accessToken();
  await control.faults.add({
    match: { route: 'token' },
    when: { count: 1 },
    effect: { type: 'reset', at: 'after-body' },
  });
  await expect(session.accessToken({ stale })).rejects.toMatchObject({ code: 'service/unreachable' });
  expect(session.status()).toMatchObject({ state: 'signed-in' });
  await expect(session.accessToken({ stale })).rejects.toMatchObject({ code: 'auth/expired' });
  expect(session.status()).toMatchObject({ state: 'signed-out', reason: { code: 'auth/expired' } });
});
