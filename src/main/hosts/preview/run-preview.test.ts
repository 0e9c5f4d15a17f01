import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDownloads, createSessionGate } from './run-preview.ts';

const origin = 'http://127.0.0.1:4321';
const host = '127.0.0.1:4321';
const keyHeader = 'X-Inspection-Desk-Key';

let secret: string;
let app: Hono;
beforeEach(() => {
  const gate = createSessionGate(origin);
  secret = gate.secret;
  app = new Hono()
    .use(gate.door)
    .use('/desk/*', gate.guard)
    .all('/*', (c) => c.text('inside'));
});

const open = (query = `?secret=${secret}`) => app.request(`${origin}/${query}`, { headers: { host } });

/** Opens the printed address, and returns the key from the redirect. */
const letIn = async () => (await open()).headers.get('location')?.slice('/#'.length) ?? '';

const call = (headers: Record<string, string>, method = 'POST') =>
  app.request(`${origin}/desk/call/app.snapshot`, { method, headers });

test('A12: exchanges the secret for a key that only requests of the page contain', async () => {
  const response = await open();
  expect(response.status).toBe(302);
  expect(response.headers.get('location')).toMatch(/^\/#[\w-]{43}$/);
  expect(response.headers.get('location')).not.toContain(secret);
  expect(response.headers.get('set-cookie')).toBeNull();
});

test('exchanges the secret only once', async () => {
  await letIn();
  expect((await open()).status).toBe(403);
});

test.each(['?secret=', '?secret=guess', `?secret=${'ø'.repeat(43)}`])('refuses %j in its place', async (query) => {
  expect((await open(query)).status).toBe(403);
  expect((await open()).status).toBe(302);
});

test('accepts the secret only at the root, never for a call', async () => {
  const at = (path: string) => app.request(`${origin}${path}`, { headers: { host, [keyHeader]: secret } });
  expect((await at(`/desk/events?secret=${secret}`)).status).toBe(403);
  expect((await at(`/index.html?secret=${secret}`)).status).toBe(403);
  expect((await at('/desk/events')).status).toBe(403);
});

test.each(['GET', 'POST'])('A12: refuses %s without the key', async (method) => {
  const key = await letIn();
  const own = { host, origin };
  expect((await call(own, method)).status).toBe(403);
  expect((await call({ ...own, [keyHeader]: '' }, method)).status).toBe(403);
  expect((await call({ ...own, [keyHeader]: `${key}x` }, method)).status).toBe(403);
  expect((await call({ ...own, cookie: `key=${key}; ${keyHeader}=${key}` }, method)).status).toBe(403);
  expect((await call({ ...own, [keyHeader]: key }, method)).status).toBe(200);
});

test.each([
  ['reads its own pages', 'GET', { host }, 200],
  ['sends from its own page', 'POST', { host, origin }, 200],
  ['sends from its own page, as browsers say', 'POST', { host, origin, 'sec-fetch-site': 'same-origin' }, 200],
  ['a request without its sender', 'POST', { host }, 403],
  ['another site that sends', 'POST', { host, origin: 'https://example.com' }, 403],
  ['another site that reads', 'GET', { host, origin: 'https://example.com' }, 403],
  ['another site that reads without saying so', 'GET', { host, 'sec-fetch-site': 'cross-site' }, 403],
  ['another port of this machine', 'POST', { host, origin: 'http://127.0.0.1:4322' }, 403],
  ['another port that reads without saying so', 'GET', { host, 'sec-fetch-site': 'same-site' }, 403],
  ['a name that was bound to this address', 'GET', { host: 'example.com:4321' }, 403],
])('A12: %s: %s', async (_what, method, headers, status) => {
  const key = await letIn();
  expect((await call({ ...headers, [keyHeader]: key }, method)).status).toBe(status);
});

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'downloads-'));
});
afterEach(() => rm(root, { recursive: true }));

test('hands out a file once, and then removes it', async () => {
  const downloads = createDownloads(root);
  const path = await downloads.place('Protocols å.csv');
  await writeFile(path, 'City');
  const id = downloads.offer(path);
  const taken = await downloads.take(id);
  expect(taken?.name).toBe('Protocols å.csv');
  expect(Buffer.from(taken?.bytes ?? []).toString()).toBe('City');
  expect(await downloads.take(id)).toBeUndefined();
  expect(await readdir(root)).toEqual([]);
});

test('hands out a file that could not be read, once it can be', async () => {
  const downloads = createDownloads(root);
  const path = await downloads.place('Protocols.csv');
  const id = downloads.offer(path);
  await expect(downloads.take(id)).rejects.toMatchObject({ code: 'ENOENT' });
  await writeFile(path, 'City');
  expect(await downloads.take(id)).toMatchObject({ name: 'Protocols.csv' });
});

test('hands out only what was offered', async () => {
  const downloads = createDownloads(root);
  await writeFile(await downloads.place('secret.csv'), 'x');
  for (const id of ['', '..', 'secret.csv', ...(await readdir(root))]) expect(await downloads.take(id)).toBeUndefined();
});

test('stays below its root, whatever the name is', async () => {
  expect((await createDownloads(root).place('../../x.csv')).startsWith(root)).toBe(true);
});
