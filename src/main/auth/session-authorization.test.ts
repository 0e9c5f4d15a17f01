import { expect, test } from 'vitest';
import { createTestClock } from '../async/testing/clock.ts';
import { beginAuthorization } from './session.ts';
import { parametersOf } from './testing/session.ts';
import { authorizationServer } from './token-endpoint.ts';

const server = authorizationServer({ authUrl: 'https://login.example/oauth/', clientId: 'desk' });

const begin = async (redirectUri: string) => {
  const clock = createTestClock();
  const pending = await beginAuthorization({ server, redirectUri, lifetimeMs: 600_000, now: clock.now });
  const { state = '' } = parametersOf(pending.url);
  return { clock, pending, state };
};

const scheme = 'com.inspectiondesk.app:/oauth/callback';
const loopback = 'http://127.0.0.1:4000/oauth/callback';

test('builds the authorization URL of the interface', async () => {
  const { pending } = await begin(scheme);
  expect(pending.url).toMatch(/^https:\/\/login\.example\/oauth\/authorize\?/);
});

test.each([scheme, loopback])('%s is accepted with its state, once', async (redirectUri) => {
  const { pending, state } = await begin(redirectUri);
  const callback = `${redirectUri}?code=abc&state=${state}`;
  expect(pending.accept(callback)).toBe(true);
  expect(pending.accept(callback)).toBe(false);
  expect((await pending.callback).href).toBe(callback);
});

test.each([
  [scheme, 'com.inspectiondesk.app:/oauth/other'],
  [scheme, 'com.inspectiondesk.app://oauth/callback'],
  [scheme, 'com.other.app:/oauth/callback'],
  [scheme, 'https://inspectiondesk.app/oauth/callback'],
  [loopback, 'http://127.0.0.1:4001/oauth/callback'],
  [loopback, 'https://127.0.0.1:4000/oauth/callback'],
  [loopback, 'http://localhost:4000/oauth/callback'],
  [loopback, 'http://127.0.0.1:4000/oauth/callback/'],
])('waiting at %s, %s is ignored', async (redirectUri, other) => {
  const { pending, state } = await begin(redirectUri);
  expect(pending.accept(`${other}?code=abc&state=${state}`)).toBe(false);
  expect(pending.accept(`${redirectUri}?code=abc&state=${state}`)).toBe(true);
});

test.each([
  'no address',
  `${scheme}`,
  `${scheme}?code=abc`,
  `${scheme}?code=abc&state=`,
  `${scheme}?code=abc&state=${'x'.repeat(43)}`,
  `${scheme}?code=abc&state=${'é'.repeat(43)}`,
  `${scheme}?error=access_denied`,
])('ignores %s', async (callback) => {
  const { pending } = await begin(scheme);
  expect(pending.accept(callback)).toBe(false);
});

test('ignores a callback with the state given twice', async () => {
  const { pending, state } = await begin(scheme);
  expect(pending.accept(`${scheme}?code=abc&state=${state}&state=${state}`)).toBe(false);
});

test('accepts no callback after the time limit', async () => {
  const { clock, pending, state } = await begin(scheme);
  clock.advance(600_000);
  expect(pending.accept(`${scheme}?code=abc&state=${state}`)).toBe(false);
});

test('two authorizations have no parameters in common', async () => {
  const [a, b] = [parametersOf((await begin(scheme)).pending.url), parametersOf((await begin(scheme)).pending.url)];
  expect(a.state).not.toBe(b.state);
  expect(a.code_challenge).not.toBe(b.code_challenge);
});

test.each(['http://login.example', 'ws://127.0.0.1'])('no authorization at %s', (authUrl) => {
  expect(() => authorizationServer({ authUrl, clientId: 'desk' })).toThrow(
    expect.objectContaining({ code: 'connection/insecure' }),
  );
});
