/** Sign-in with a certified OpenID provider, which requires and returns what real services do. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSealedVault } from '../../src/main/auth/vault.ts';
import { connectionIdOf } from '../../src/main/settings/resolve-connection.ts';
import { type CliOptions, cli, ofType } from './support/cli.ts';
import { createTestKeychain, openDesk, type TestDeskOptions } from './support/desks.ts';
import { makeDirectory, makeFolder, manyFiles } from './support/folders.ts';
import { type OidcService, startOidcService } from './support/oidc-service.ts';
import { assignmentsOf, storedOn } from './support/sandbox.ts';

let service: OidcService;
beforeAll(async () => {
  service = await startOidcService();
});
afterAll(() => service.close());

/** Opens a desk that is connected to the provider, and its token vault for the test. */
const openAt = async (at: OidcService, options: TestDeskOptions & { readonly scope?: string | undefined } = {}) => {
  const { scope = at.scope, home = makeDirectory(), keychain = createTestKeychain(), host, ...rest } = options;
  const { baseUrl, authUrl, clientId } = at;
  const connection = { baseUrl, authUrl, clientId, ...(scope !== '' && { scope }) };
  const desk = await openDesk({
    ...rest,
    home,
    keychain,
    host: { openExternal: at.person.browse, connectionLayers: [connection], ...host },
  });
  const vault = createSealedVault({ home, keychain, connectionId: connectionIdOf(connection) });
  const refreshToken = async (): Promise<string> => (await vault.load())?.refreshToken ?? '';
  const events = () => desk.handlers.orderableEvents.list({});
  return { ...desk, home, keychain, refreshToken, events };
};

const refreshes = (at: OidcService) => at.exchanges.filter(({ form }) => form.grant_type === 'refresh_token');
const needsIn = (home: string): unknown => JSON.parse(readFileSync(join(home, 'settings.json'), 'utf8')).signInNeeds;

test('OAuth: signs in, reads and uploads', async () => {
  const desk = await openAt(service);
  await desk.signIn();
  expect((await desk.events()).value.length).toBeGreaterThan(0);
  const [assignment = ''] = await assignmentsOf(service.sandbox);
  const batch = await desk.upload(makeFolder(manyFiles(20)), assignment);
  expect(batch).toMatchObject({ state: 'finished', uploaded: 20, failed: 0 });
  expect(await storedOn(service.control, assignment)).toHaveLength(20);
});

test('OAuth: asks for consent when a refresh token needs it, and remembers that for the next sign-in', async () => {
  const addresses: URL[] = [];
  const openExternal = async (url: string): Promise<void> => {
    addresses.push(new URL(url));
    await service.person.browse(url);
  };
  const desk = await openAt(service, { host: { openExternal } });
  await desk.signIn();
  const prompts = () => addresses.map(({ searchParams }) => searchParams.get('prompt'));
  expect(prompts()).toEqual([null, 'consent']);
  expect(new Set(addresses.map(({ searchParams }) => searchParams.get('scope')))).toEqual(new Set([service.scope]));
  expect(Object.values(needsIn(desk.home) as object)).toEqual([{ clientIdOnRefresh: false, consentPrompt: true }]);
  await desk.close();
  const again = await openAt(service, { home: desk.home, keychain: desk.keychain, host: { openExternal } });
  await again.signIn();
  expect(prompts()).toEqual([null, 'consent', 'consent']);
});

test('OAuth: refreshes with client_id once the provider has asked for it, and refresh tokens rotate', async () => {
  const desk = await openAt(service);
  await desk.signIn();
  const before = service.exchanges.length;
  const tokens = [await desk.refreshToken()];
  for (let round = 0; round < 3; round += 1) {
    await desk.events();
    await service.expireAccessTokens();
    await desk.events();
    tokens.push(await desk.refreshToken());
  }
  expect(new Set(tokens).size).toBe(4);
  const asked = service.exchanges.slice(before).map(({ form, status }) => [form.client_id, status]);
  expect(asked).toEqual([
    [undefined, 400],
    ['inspection-desk', 200],
    ['inspection-desk', 200],
    ['inspection-desk', 200],
  ]);
  expect(Object.values(needsIn(desk.home) as object)).toEqual([{ clientIdOnRefresh: true, consentPrompt: true }]);
});

test('OAuth: remembers the provider’s needs after a restart, for this connection', async () => {
  const desk = await openAt(service);
  await desk.signIn();
  await desk.events();
  await service.expireAccessTokens();
  await desk.events();
  await desk.close();
  const again = await openAt(service, { home: desk.home, keychain: desk.keychain });
  await service.expireAccessTokens();
  const before = refreshes(service).length;
  await again.events();
  expect(refreshes(service).slice(before)).toMatchObject([{ form: { client_id: 'inspection-desk' }, status: 200 }]);
});

test('OAuth: a refresh token used by someone else ends the session', async () => {
  const desk = await openAt(service);
  await desk.signIn();
  await desk.events();
  const stolen = await desk.refreshToken();
  const form = { grant_type: 'refresh_token', refresh_token: stolen, client_id: service.clientId };
  expect((await service.postToken(form)).status).toBe(200);
  await service.expireAccessTokens();
  await expect(desk.events()).rejects.toMatchObject({ code: 'auth/expired', details: { error: 'invalid_grant' } });
  expect(desk.connected().session.status()).toMatchObject({ state: 'signed-out', reason: { code: 'auth/expired' } });
  expect(await desk.refreshToken()).toBe('');
});

test('OAuth: a revoked session ends, and a new sign-in restores it', async () => {
  const desk = await openAt(service);
  await desk.signIn();
  await desk.events();
  await service.revoke(await desk.refreshToken());
  await service.expireAccessTokens();
  await expect(desk.events()).rejects.toMatchObject({ code: 'auth/expired' });
  await desk.signIn();
  expect((await desk.events()).value.length).toBeGreaterThan(0);
});

test('OAuth: JWT access tokens say who is signed in', async () => {
  const withJwt = await startOidcService({ accessTokens: 'jwt' });
  try {
    const desk = await openAt(withJwt);
    await desk.signIn();
    expect(desk.connected().session.status()).toEqual({ state: 'signed-in', subject: 'ani' });
    expect((await desk.events()).value.length).toBeGreaterThan(0);
    await withJwt.expireAccessTokens();
    expect((await desk.events()).value.length).toBeGreaterThan(0);
    expect(refreshes(withJwt).at(-1)).toMatchObject({ status: 200 });
    await desk.close();
  } finally {
    await withJwt.close();
  }
});

test('OAuth: without offline_access the error says which scope to add', async () => {
  const desk = await openAt(service, { scope: 'openid' });
  await expect(desk.signIn()).rejects.toMatchObject({ code: 'auth/no-refresh-token' });
});

test('OAuth: reports a scope that the client may not have', async () => {
  const desk = await openAt(service, { scope: 'openid offline_access administration' });
  await expect(desk.signIn()).rejects.toMatchObject({ code: 'auth/failed', details: { error: 'invalid_scope' } });
});

test('OAuth: sends no scope when none is set, and reports the refusal', async () => {
  const addresses: URL[] = [];
  const openExternal = async (url: string): Promise<void> => {
    addresses.push(new URL(url));
    await service.person.browse(url);
  };
  const desk = await openAt(service, { scope: '', host: { openExternal } });
  await expect(desk.signIn()).rejects.toMatchObject({ code: 'auth/denied' });
  expect(addresses.map(({ searchParams }) => [...searchParams.keys()].sort())).toEqual([
    ['client_id', 'code_challenge', 'code_challenge_method', 'redirect_uri', 'response_type', 'state'],
  ]);
});

test('OAuth: a cancelled sign-in at the provider is reported as such', async () => {
  const openExternal = async (url: string) => void (await fetch(await service.person.cancelAt(url)));
  const desk = await openAt(service, { host: { openExternal } });
  await expect(desk.signIn()).rejects.toMatchObject({ code: 'auth/denied', details: { error: 'access_denied' } });
});

describe('on the command line', () => {
  const run = (args: readonly string[], options: Partial<CliOptions> = {}) => {
    const browse = (url: string) => void service.person.browse(url).catch(() => {});
    return cli(args, { sandbox: service, home: makeDirectory(), browse, ...options });
  };

  test('OAuth: --scope is used for the sign-in and stored with the connection', async () => {
    const home = makeDirectory();
    const login = await run(['login', '--scope', service.scope], { home });
    expect(login).toMatchObject({
      exitCode: 0,
      lines: [{ connection: { scope: service.scope }, session: { state: 'signed-in' } }],
    });
    const events = await run(['events'], { home });
    expect(events.exitCode).toBe(0);
  });

  test('OAuth: INSPECTION_DESK_SCOPE does the same', async () => {
    const env = { INSPECTION_DESK_SCOPE: service.scope };
    expect(await run(['events'], { env })).toMatchObject({ exitCode: 0 });
  });

  test('OAuth: an upload continues after its access token has expired', async () => {
    const assignment = (await assignmentsOf(service.sandbox)).at(-1) ?? '';
    const root = makeFolder(manyFiles(30));
    let expired = false;
    const upload = await cli(
      ['upload', root, '--assignment', assignment, '--scope', service.scope, '--concurrency', '1'],
      { sandbox: service, home: makeDirectory(), browse: (url) => void service.person.browse(url) },
      ({ type }) => {
        if (type === 'file' && !expired) void service.expireAccessTokens();
        expired ||= type === 'file';
      },
    );
    expect(upload).toMatchObject({ exitCode: 0 });
    expect(ofType(upload, 'summary')).toMatchObject([{ uploaded: 30, failed: 0 }]);
    expect(refreshes(service).at(-1)).toMatchObject({ form: { client_id: service.clientId }, status: 200 });
  });

  test('OAuth: without a scope the error says what to do', async () => {
    const { exitCode, stderr } = await run(['login'], { words: true });
    expect(exitCode).toBe(3);
    expect(stderr).toContain('auth/denied');
    expect(stderr).toContain('--scope');
  });
});
