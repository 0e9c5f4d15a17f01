import { Hono } from 'hono';
import { beforeEach, expect, test } from 'vitest';
import { createSessionGate } from './session-gate.ts';

const origin = 'http://127.0.0.1:4321';
const host = '127.0.0.1:4321';

let secret: string;
let app: Hono;
beforeEach(() => {
  const gate = createSessionGate(origin);
  secret = gate.secret;
  app = new Hono().use(gate.middleware).all('/*', (c) => c.text('inside'));
});

const open = (query = `?secret=${secret}`) => app.request(`${origin}/${query}`, { headers: { host } });

/** The cookie of the browser that was let in. */
const letIn = async () => (await open()).headers.get('set-cookie')?.split(';')[0] ?? '';

test('exchanges the secret for a session that scripts and other sites cannot use', async () => {
  const response = await open();
  expect(response.status).toBe(302);
  expect(response.headers.get('location')).toBe('/');
  expect(response.headers.get('set-cookie')).toMatch(
    /^inspection-desk-4321=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
  );
});

test('exchanges it once', async () => {
  await letIn();
  expect((await open()).status).toBe(403);
});

test.each(['', '?secret=', '?secret=guess', `?secret=${'ø'.repeat(43)}`])('refuses %j in its place', async (query) => {
  expect((await open(query)).status).toBe(403);
  expect((await open()).status).toBe(302);
});

test('takes the secret at the root only', async () => {
  const response = await app.request(`${origin}/desk/events?secret=${secret}`, { headers: { host } });
  expect(response.status).toBe(403);
});

test.each([
  ['reads its own pages', 'GET', { host }, 200],
  ['sends from its own page', 'POST', { host, origin }, 200],
  ['a request without its sender', 'POST', { host }, 403],
  ['another site that sends', 'POST', { host, origin: 'https://example.com' }, 403],
  ['another site that reads', 'GET', { host, origin: 'https://example.com' }, 403],
  ['another port of this machine', 'POST', { host, origin: 'http://127.0.0.1:4322' }, 403],
  ['a name that was bound to this address', 'GET', { host: 'example.com:4321' }, 403],
])('%s: %s', async (_what, method, headers, status) => {
  const cookie = await letIn();
  const response = await app.request(`${origin}/`, { method, headers: { ...headers, cookie } });
  expect(response.status).toBe(status);
});
