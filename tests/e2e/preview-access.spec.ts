import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { portOf } from '../../src/main/net/urls.ts';
import type { PreviewDriver } from './support/preview-driver.ts';
import { expect, testOnSharedDesk as test } from './support/test.ts';

type Headers = Readonly<Record<string, string>>;

/** Resolves to the status of a request with exactly these headers, some of which `fetch` would not send. */
const statusOf = (address: string, method: string, headers: Headers): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(address, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end(method === 'POST' ? '{}' : undefined);
  });

test('A12: admits one browser by a key that no other port, site or program gets', async ({ desk }) => {
  const { address, page } = desk as PreviewDriver;
  const { origin, host } = new URL(address);
  const call = `${origin}/desk/call/app.snapshot`;
  const key = await page.evaluate(() => sessionStorage.getItem('inspection-desk-key') ?? '');
  const session = { 'x-inspection-desk-key': key };
  // The key is not in a cookie, which the browser would send to every port, nor in the address.
  expect(await page.context().cookies()).toEqual([]);
  expect(page.url()).toBe(`${origin}/`);

  expect(await statusOf(call, 'POST', { ...session, host, origin })).toBe(200);
  expect(await statusOf(call, 'POST', { host, origin })).toBe(403);
  expect(await statusOf(call, 'POST', { ...session, host })).toBe(403);
  expect(await statusOf(call, 'POST', { ...session, host, origin: 'https://example.com' })).toBe(403);
  expect(await statusOf(call, 'POST', { ...session, host, origin: 'http://127.0.0.1:1' })).toBe(403);
  expect(await statusOf(call, 'POST', { ...session, origin, host: 'example.com' })).toBe(403);
  expect(await statusOf(origin, 'GET', { ...session, host: 'example.com' })).toBe(403);
  for (const path of ['events', 'staging', 'staging/1/files', 'staging/1/adopt', 'downloads/1', 'anything']) {
    for (const method of ['GET', 'POST']) {
      expect(await statusOf(`${origin}/desk/${path}`, method, { host, origin }), path).toBe(403);
    }
  }
  // The secret in the address works only once.
  expect(await statusOf(address, 'GET', { host })).toBe(403);
});

test('A12: another page of this machine reaches nothing', async ({ desk }) => {
  const { page } = desk as PreviewDriver;
  const { origin } = new URL(page.url());
  const server = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end('<p>other'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const other = await page.context().newPage();
  await other.goto(`http://127.0.0.1:${portOf(server)}/`);
  const reached = await other.evaluate(async (desk) => {
    const tries = [
      () => fetch(`${desk}/desk/call/app.snapshot`, { method: 'POST', body: '{}', credentials: 'include' }),
      () => fetch(`${desk}/desk/call/app.snapshot`, { method: 'POST', headers: { 'X-Inspection-Desk-Key': 'guess' } }),
      () => fetch(`${desk}/desk/events`, { credentials: 'include' }),
      () => fetch(`${desk}/`, { credentials: 'include' }),
    ];
    return Promise.all(
      tries.map((attempt) =>
        attempt().then(
          ({ status }) => status,
          () => 'refused',
        ),
      ),
    );
  }, origin);
  expect(reached).toEqual(['refused', 'refused', 'refused', 'refused']);
  // The page itself is public. Without the key, it only says what to do.
  await other.goto(origin);
  await expect(other.getByText('Open the address that Inspection Desk printed.')).toBeVisible();
  server.close();
});

test('A12: stays open when its page is reloaded', async ({ desk: { page } }) => {
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('A16: does not report input that is not JSON as a bug', async ({ desk }) => {
  const { page } = desk as PreviewDriver;
  const answers = await page.evaluate(async () => {
    const headers = { 'X-Inspection-Desk-Key': sessionStorage.getItem('inspection-desk-key') ?? '' };
    const bodies = ['', 'x', 'null', '[', '1', '\ud800', `${'['.repeat(100_000)}`];
    const send = (body: string) => fetch('/desk/call/app.dismissNotices', { method: 'POST', headers, body });
    return Promise.all(bodies.map(async (body) => (await send(body)).json()));
  });
  for (const answer of answers) expect(answer).toMatchObject({ ok: false, error: { code: 'input/invalid' } });
});

test('sends the same policy as the desktop', async ({ desk: { page } }) => {
  const policy = await page.evaluate(async () => (await fetch('/')).headers.get('content-security-policy'));
  expect(policy).toContain("default-src 'none'; script-src 'self'");
});
