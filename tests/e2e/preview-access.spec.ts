import { request } from 'node:http';
import type { PreviewDriver } from './support/preview-driver.ts';
import { expect, test } from './support/test.ts';

type Headers = Readonly<Record<string, string>>;

/** The status of a request with exactly these headers, which `fetch` would not send. */
const statusOf = (address: string, method: string, headers: Headers): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(address, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end(method === 'POST' ? '{}' : undefined);
  });

test('lets in one browser, and no other site through it', async ({ desk }) => {
  const { address, page } = desk as PreviewDriver;
  const { origin, host } = new URL(address);
  const call = `${origin}/desk/call/app.snapshot`;
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
  const session = { cookie: `${cookie?.name}=${cookie?.value}` };

  expect(await statusOf(call, 'POST', { ...session, host, origin })).toBe(200);
  expect(await statusOf(call, 'POST', { host, origin })).toBe(403);
  expect(await statusOf(call, 'POST', { ...session, host })).toBe(403);
  expect(await statusOf(call, 'POST', { ...session, host, origin: 'https://example.com' })).toBe(403);
  expect(await statusOf(call, 'POST', { ...session, origin, host: 'example.com' })).toBe(403);
  expect(await statusOf(origin, 'GET', { ...session, host: 'example.com' })).toBe(403);
  // The secret has been used.
  expect(await statusOf(address, 'GET', { host })).toBe(403);
  expect(await statusOf(`${origin}/preview-bridge.js`, 'GET', { host })).toBe(403);
});

test('sends the same policy as the desktop', async ({ desk: { page } }) => {
  const policy = await page.evaluate(async () => (await fetch('/')).headers.get('content-security-policy'));
  expect(policy).toContain("default-src 'none'; script-src 'self'");
});
