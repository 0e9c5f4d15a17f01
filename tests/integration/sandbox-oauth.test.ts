import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import {
  authorize,
  authorizeUrl,
  callWith,
  postToken,
  redeem,
  signIn,
  testRedirectUri,
} from '../../src/sandbox/testing/client.ts';
import { createSandboxControl, type SandboxControl } from '../../src/sandbox/testing/control-client.ts';

const verifier = 'a-verifier-of-at-least-forty-three-characters-0123';
const challenge = createHash('sha256').update(verifier).digest('base64url');
const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
const events = '/contractor/orderable-events';

let sandbox: Sandbox;
let control: SandboxControl;
beforeAll(async () => {
  sandbox = await startSandbox({ consent: 'auto' });
  control = createSandboxControl(sandbox);
});
afterAll(() => sandbox.close());

const code = async (extra: Readonly<Record<string, string>> = {}): Promise<string> =>
  (await authorize(sandbox, extra)).get('code') ?? '';

const failure = async (response: Response): Promise<unknown> => {
  const { error } = (await response.json()) as { error: string };
  return [response.status, error];
};

describe('authorization request', () => {
  test('returns a code and the unchanged state', async () => {
    const callback = await authorize(sandbox, { state: 'a b&c=å' });
    expect([...callback.keys()]).toEqual(['code', 'state']);
    expect(callback.get('state')).toBe('a b&c=å');
  });

  test.each(['com.inspectiondesk.app:/oauth/callback', 'http://127.0.0.1:54321/any?x=1'])(
    'may return to %s',
    async (redirect_uri) => {
      const response = await fetch(authorizeUrl(sandbox, { redirect_uri }), { redirect: 'manual' });
      expect(response.status).toBe(302);
      expect(response.headers.get('location')).toContain(redirect_uri);
    },
  );

  test.each([
    { client_id: 'stranger' },
    { client_id: undefined },
    { redirect_uri: 'https://evil.example/cb' },
    { redirect_uri: undefined },
  ])('with %o shows a page and sends nobody anywhere', async (extra) => {
    const response = await fetch(authorizeUrl(sandbox, extra), { redirect: 'manual' });
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
    expect(response.headers.get('content-type')).toContain('text/html');
  });

  test.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: undefined }, 'invalid_request'],
    [{ code_challenge: challenge, code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: challenge }, 'invalid_request'],
    [{ code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
    [{ code_challenge_method: 'S256' }, 'invalid_request'],
  ])('with %o comes back with %s', async (extra, error) => {
    const callback = await authorize(sandbox, extra);
    expect([callback.get('error'), callback.get('state'), callback.get('code')]).toEqual([error, 'st-1', null]);
  });
});

describe('code exchange', () => {
  test('returns the three fields of the interface, marked no-store', async () => {
    const response = await redeem(sandbox, await code(pkce), { code_verifier: verifier });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refresh_token: expect.any(String),
      expires_in: 3600,
    });
  });

  test('issues an access token with a readable subject', async () => {
    const { access_token } = await signIn(sandbox);
    expect(decodeJwt(access_token)).toMatchObject({ sub: 'user-4711', client_id: sandbox.clientId });
    expect((await callWith(sandbox, access_token)('GET', events)).status).toBe(200);
  });

  test.each([
    ['without the verifier', {}],
    ['with another verifier', { code_verifier: `${verifier}x` }],
  ])('%s is refused', async (_, extra) => {
    expect(await failure(await redeem(sandbox, await code(pkce), extra))).toEqual([400, 'invalid_grant']);
  });

  test('with a verifier that matches no challenge is refused', async () => {
    const response = await redeem(sandbox, await code(), { code_verifier: verifier });
    expect(await failure(response)).toEqual([400, 'invalid_grant']);
  });

  test('with another redirect_uri is refused', async () => {
    const response = await redeem(sandbox, await code(), { redirect_uri: `${testRedirectUri}2` });
    expect(await failure(response)).toEqual([400, 'invalid_grant']);
  });

  test('by an unknown client is refused', async () => {
    const response = await redeem(sandbox, await code(), { client_id: 'stranger' });
    expect(await failure(response)).toEqual([401, 'invalid_client']);
  });

  test('of an expired code is refused', async () => {
    const old = await code();
    await control.advanceClock(60_000);
    expect(await failure(await redeem(sandbox, old))).toEqual([400, 'invalid_grant']);
  });

  test('with a used code is refused and ends the session', async () => {
    const before = (await control.stats()).violations['code-replayed'];
    const used = await code();
    const { access_token } = await (await redeem(sandbox, used)).json();
    expect(await failure(await redeem(sandbox, used))).toEqual([400, 'invalid_grant']);
    expect((await callWith(sandbox, access_token)('GET', events)).status).toBe(401);
    expect((await control.stats()).violations['code-replayed']).toBe(before + 1);
  });
});

describe('token endpoint', () => {
  test.each([
    [{}, 'invalid_request'],
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
    [{ grant_type: 'authorization_code', client_id: 'inspection-desk' }, 'invalid_request'],
    [{ grant_type: 'refresh_token' }, 'invalid_request'],
    [{ grant_type: 'refresh_token', refresh_token: 'unknown' }, 'invalid_grant'],
  ])('refuses %o with %s', async (form, error) => {
    expect(await failure(await postToken(sandbox, form))).toEqual([400, error]);
  });

  test('accepts only forms, with each parameter once', async () => {
    const url = `${sandbox.authUrl}/token`;
    const json = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    expect(await failure(json)).toEqual([415, 'invalid_request']);
    const twice = new URLSearchParams('grant_type=refresh_token&refresh_token=a&refresh_token=b');
    expect(await failure(await fetch(url, { method: 'POST', body: twice }))).toEqual([400, 'invalid_request']);
    expect((await fetch(url)).status).toBe(405);
  });
});

describe('refresh', () => {
  const refresh = (refresh_token: string, extra: Readonly<Record<string, string>> = {}): Promise<Response> =>
    postToken(sandbox, { grant_type: 'refresh_token', refresh_token, ...extra });

  test('rotates the refresh token; the earlier access token stays valid', async () => {
    const first = await signIn(sandbox);
    const second = await (await refresh(first.refresh_token)).json();
    const third = await (await refresh(second.refresh_token, { client_id: sandbox.clientId })).json();
    expect(new Set([first, second, third].map(({ refresh_token }) => refresh_token)).size).toBe(3);
    for (const { access_token } of [first, second, third]) {
      expect((await callWith(sandbox, access_token)('GET', events)).status).toBe(200);
    }
  });

  test('with a used token ends every session of the grant', async () => {
    const first = await signIn(sandbox);
    const second = await (await refresh(first.refresh_token)).json();
    expect(await failure(await refresh(first.refresh_token))).toEqual([400, 'invalid_grant']);
    expect(await failure(await refresh(second.refresh_token))).toEqual([400, 'invalid_grant']);
    expect((await callWith(sandbox, second.access_token)('GET', events)).status).toBe(401);
    expect((await control.stats()).violations['refresh-token-replayed']).toBe(1);
  });

  test('leaves other sessions alone and refuses another client', async () => {
    const { refresh_token } = await signIn(sandbox);
    expect(await failure(await refresh(refresh_token, { client_id: 'stranger' }))).toEqual([400, 'invalid_grant']);
    expect((await refresh(refresh_token)).status).toBe(200);
  });

  test('works after the access token has expired, but not after the refresh token has', async () => {
    const { access_token, refresh_token } = await signIn(sandbox);
    await control.advanceClock(3600_000);
    const refused = await callWith(sandbox, access_token)('GET', events);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    const renewed = await (await refresh(refresh_token)).json();
    await control.advanceClock(30 * 24 * 3600_000);
    expect(await failure(await refresh(renewed.refresh_token))).toEqual([400, 'invalid_grant']);
  });
});

describe('consent page', () => {
  let asking: Sandbox;
  beforeAll(async () => {
    asking = await startSandbox({ consent: 'page' });
  });
  afterAll(() => asking.close());

  const decide = (request: string, decision: string): Promise<Response> =>
    fetch(`${asking.authUrl}/consent`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ request, decision }),
    });

  const ask = async (): Promise<{ html: string; request: string; policy: string }> => {
    const response = await fetch(authorizeUrl(asking, pkce));
    const html = await response.text();
    const request = /name="request" value="([^"]+)"/.exec(html)?.[1] ?? '';
    return { html, request, policy: response.headers.get('content-security-policy') ?? '' };
  };

  test('names the user, and its policy allows the redirect', async () => {
    const { html, policy } = await ask();
    expect(html).toContain('Sign in to Sample Inspection Service');
    expect(html).toContain('Kari Nordmann');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self' http://127.0.0.1:1;");
  });

  test.each([
    ['sv-SE,sv;q=0.9,en;q=0.8', 'sv', 'Tillåt'],
    ['de', 'de', 'Zulassen'],
    ['fi', 'en', 'Allow'],
  ])('speaks the language of a browser that accepts %s', async (accepted, language, allow) => {
    const headers = { 'accept-language': accepted };
    const page = await (await fetch(authorizeUrl(asking, pkce), { headers })).text();
    expect(page).toContain(`<html lang="${language}">`);
    expect(page).toContain(`value="allow">${allow}<`);
  });

  test('returns a code once when allowed', async () => {
    const { request } = await ask();
    const allowed = await decide(request, 'allow');
    expect(allowed.status).toBe(303);
    const callback = new URL(allowed.headers.get('location') ?? '').searchParams;
    expect(callback.get('state')).toBe('st-1');
    expect((await redeem(asking, callback.get('code') ?? '', { code_verifier: verifier })).status).toBe(200);
    expect((await decide(request, 'allow')).status).toBe(400);
  });

  test('returns access_denied when denied', async () => {
    const denied = await decide((await ask()).request, 'deny');
    expect(denied.headers.get('location')).toBe(`${testRedirectUri}?error=access_denied&state=st-1`);
  });

  test('ignores decisions on unknown requests', async () => {
    expect((await decide('invented', 'allow')).status).toBe(400);
  });
});
