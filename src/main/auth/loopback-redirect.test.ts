import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { createLoopbackRedirect } from './loopback-redirect.ts';

const open = async (redirectUri?: string, accept: (url: string) => boolean = () => true) => {
  const door = await createLoopbackRedirect({ redirectUri }).open(accept);
  return { ...door, [Symbol.asyncDispose]: door.close };
};

const get = async (address: string, options: { method?: 'GET' | 'POST'; headers?: Record<string, string> } = {}) => {
  const { statusCode, headers, body } = await request(address, options);
  return { status: statusCode, headers, text: await body.text() };
};

test('any free port, 127.0.0.1 only', async () => {
  await using door = await open();
  expect(door.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/oauth\/callback$/);
});

test('the callback is handed on whole and answered with a page that keeps to itself', async () => {
  const arrived: string[] = [];
  await using door = await open(undefined, (url) => arrived.push(url) > 0);
  const page = await get(`${door.redirectUri}?code=abc&state=x%20y`);
  expect(arrived).toEqual([`${door.redirectUri}?code=abc&state=x%20y`]);
  expect(page).toMatchObject({
    status: 200,
    headers: {
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    },
    text: expect.stringContaining('Signed in. You can close this window.'),
  });
  expect(page.text).not.toContain('abc');
});

test('a refusal is not called signed in', async () => {
  await using door = await open();
  expect((await get(`${door.redirectUri}?error=access_denied&state=x`)).text).toContain('not completed');
});

test('what is not accepted is not found', async () => {
  await using door = await open(undefined, () => false);
  expect((await get(`${door.redirectUri}?code=abc`)).status).toBe(404);
});

test('other paths, methods and hosts are not even looked at', async () => {
  let looked = 0;
  await using door = await open(undefined, () => {
    looked += 1;
    return true;
  });
  const { origin } = new URL(door.redirectUri);
  expect((await get(`${origin}/favicon.ico`)).status).toBe(404);
  expect((await get(door.redirectUri, { method: 'POST' })).status).toBe(404);
  expect((await get(door.redirectUri, { headers: { host: 'evil.example' } })).status).toBe(404);
  expect(looked).toBe(0);
});

test('a configured port and path; a taken port is said so', async () => {
  await using first = await open('http://127.0.0.1/back');
  expect(first.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/back$/);
  const port = Number(new URL(first.redirectUri).port);
  await expect(open(first.redirectUri)).rejects.toMatchObject({
    code: 'auth/failed',
    details: { error: 'redirect_unavailable', port },
  });
  await first.close();
  await using second = await open(`http://127.0.0.1:${port}/back`);
  expect(second.redirectUri).toBe(`http://127.0.0.1:${port}/back`);
  expect((await get(`${second.redirectUri}?code=1`)).status).toBe(200);
});

test('closing does not wait for connections a browser opened in advance', async () => {
  const door = await open();
  const { port } = new URL(door.redirectUri);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  await door.close();
  expect(await text(socket)).toBe('');
});

test.each(['https://127.0.0.1/cb', 'http://localhost/cb', 'http://0.0.0.0/cb', 'com.inspectiondesk.app:/cb', 'cb'])(
  '%s is no redirect of this kind',
  (redirectUri) => {
    expect(() => createLoopbackRedirect({ redirectUri })).toThrow(
      expect.objectContaining({ code: 'input/invalid', details: { field: 'redirectUri' } }),
    );
  },
);
