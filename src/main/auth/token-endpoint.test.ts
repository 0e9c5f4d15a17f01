import { expect, test } from 'vitest';
import { readTokenResponse, tokenSetOf } from './token-endpoint.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');
const answer = { access_token: 'access', refresh_token: 'refresh', expires_in: 3600 };
const dayMs = 24 * 3600 * 1000;

test.each(['Bearer', 'bearer', 'BEARER', undefined])('a token of the type %s is a Bearer token', (type) => {
  expect(readTokenResponse(JSON.stringify({ ...answer, token_type: type })).token_type).toBe(type ?? 'bearer');
});

test.each([
  ['DPoP', 'DPoP'],
  ['mac', 'mac'],
  ['N_A', 'N_A'],
  ['pop\u001b[31m<b>', 'pop31mb'],
  ['\u202e', 'unknown'],
  ['x'.repeat(60_000), 'x'.repeat(20)],
])('A16: refuses a token of type %j', (type, shown) => {
  expect(() => readTokenResponse(JSON.stringify({ ...answer, token_type: type }))).toThrow(
    expect.objectContaining({ code: 'auth/token-type', retry: 'never', details: { type: shown } }),
  );
});

test.each([
  ['access_token', 'with\r\nx-injected: 1', 'characters'],
  ['access_token', 'with\ttab', 'characters'],
  ['access_token', 'with space', 'characters'],
  ['access_token', 'with \u00e9', 'characters'],
  ['access_token', 'a'.repeat(60_000), 'length'],
  ['access_token', '', 'characters'],
  ['refresh_token', 'with\nline', 'characters'],
  ['refresh_token', '\u{1f600}', 'characters'],
  ['refresh_token', 'r'.repeat(60_000), 'length'],
])('A16: refuses %s %j when the answer is parsed', (field, token, problem) => {
  let refusal: unknown;
  try {
    tokenSetOf({ ...answer, [field]: token }, nowMs);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toMatchObject({ code: 'auth/token-invalid', details: { field, problem } });
  if (token !== '') expect(String(refusal)).not.toContain(token);
});

test.each(['mF_9.B5f-4.1JqM', 'eyJ.eyJ.c2ln', 'a+b/c==', '1|opaque:token', 'x'.repeat(16_384)])(
  'accepts an access token like %.20s',
  (token) => {
    expect(tokenSetOf({ ...answer, access_token: token }, nowMs).accessToken).toBe(token);
  },
);

test.each([
  [3600, 3_600_000],
  [0, 0],
  [undefined, 3_600_000],
  [1e300, 365 * dayMs],
  [Number.MAX_VALUE, 365 * dayMs],
])('A16: expires_in %s lasts %d ms', (seconds, lifetimeMs) => {
  const { expiresAt, refreshAt } = tokenSetOf({ ...answer, expires_in: seconds }, nowMs);
  expect(expiresAt - nowMs).toBe(lifetimeMs);
  expect(refreshAt).toBeLessThanOrEqual(expiresAt);
  expect(refreshAt).toBeGreaterThanOrEqual(nowMs);
});

test('refuses an answer without a refresh token if there was none before', () => {
  const { refresh_token: _, ...without } = answer;
  expect(() => tokenSetOf(without, nowMs)).toThrow(expect.objectContaining({ code: 'auth/no-refresh-token' }));
});
