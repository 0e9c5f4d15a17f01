import { expect, onTestFinished, test } from 'vitest';
import { createApiAgent } from '../net/connector.ts';
import { startTestServer } from '../net/testing/server.ts';
import { tokenSet } from './testing/session.ts';
import { authorizationServer, createNeedsMemory, createTokenEndpoint } from './token-endpoint.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');
const answer = { access_token: 'access', refresh_token: 'refresh', expires_in: 3600 };
const dayMs = 24 * 3600 * 1000;

/** Refreshes a token set at a server that responds with `body`. */
const tokensOf = async (body: object) => {
  const server = await startTestServer((response) => void response.end(JSON.stringify(body)));
  const dispatcher = createApiAgent();
  onTestFinished(async () => {
    await dispatcher.destroy();
    await server.close();
  });
  return createTokenEndpoint({
    server: authorizationServer({ authUrl: server.url, clientId: 'desk' }),
    dispatcher,
    needs: createNeedsMemory(),
    now: () => nowMs,
  }).refresh(tokenSet('0', nowMs));
};

test.each(['Bearer', 'bearer', 'BEARER', undefined])('a token of the type %s is a Bearer token', async (type) => {
  expect(await tokensOf({ ...answer, token_type: type })).toMatchObject({ accessToken: 'access' });
});

test.each([
  ['DPoP', 'DPoP'],
  ['mac', 'mac'],
  ['N_A', 'N_A'],
  ['pop\u001b[31m<b>', 'pop31mb'],
  ['\u202e', 'unknown'],
  ['x'.repeat(60_000), 'x'.repeat(20)],
])('A16: refuses a token of type %j', async (type, shown) => {
  await expect(tokensOf({ ...answer, token_type: type })).rejects.toMatchObject({
    code: 'auth/token-type',
    retry: 'never',
    details: { type: shown },
  });
});

test.each([
  ['access_token', 'with\r\nx-injected: 1', 'characters'],
  ['access_token', 'with\ttab', 'characters'],
  ['access_token', 'with space', 'characters'],
  ['access_token', 'with \u00e9', 'characters'],
  ['access_token', 'a'.repeat(60_000), 'length'],
  ['refresh_token', 'with\nline', 'characters'],
  ['refresh_token', '\u{1f600}', 'characters'],
  ['refresh_token', 'r'.repeat(60_000), 'length'],
])('A16: refuses %s %j when the answer is parsed', async (field, token, problem) => {
  const refusal: unknown = await tokensOf({ ...answer, [field]: token }).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'auth/token-invalid', details: { field, problem } });
  expect(String(refusal)).not.toContain(token);
});

test.each(['mF_9.B5f-4.1JqM', 'eyJ.eyJ.c2ln', 'a+b/c==', '1|opaque:token', 'x'.repeat(16_384)])(
  'accepts an access token like %.20s',
  async (token) => {
    expect((await tokensOf({ ...answer, access_token: token })).accessToken).toBe(token);
  },
);

test.each([
  [3600, 3_600_000],
  [3599.5, 3_599_500],
  ['3599.5', 3_599_500],
  [0, 3_600_000],
  ['0', 3_600_000],
  [undefined, 3_600_000],
  [1e300, 365 * dayMs],
  [Number.MAX_VALUE, 365 * dayMs],
])('A16: expires_in %s lasts %d ms', async (seconds, lifetimeMs) => {
  const { expiresAt, refreshAt } = await tokensOf({ ...answer, expires_in: seconds });
  expect(expiresAt - nowMs).toBe(lifetimeMs);
  expect(refreshAt).toBeLessThanOrEqual(expiresAt);
  expect(refreshAt).toBeGreaterThanOrEqual(nowMs);
});
