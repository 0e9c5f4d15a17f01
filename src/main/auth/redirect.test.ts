import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { createLoopbackRedirect, type RedirectWords } from './redirect.ts';

const texts = {
  accepted: 'Signed in. You can close this window.',
  refused: 'The sign-in was not completed. You can close this window.',
  unknown: 'This page does not exist.',
};
const words: RedirectWords = (outcome) => ({ locale: 'en', title: outcome, text: texts[outcome] });

const open = async (redirectUri?: string, accept: (url: string) => boolean = () => true) => {
  const door = await createLoopbackRedirect({ redirectUri, words }).open(accept);
  return { ...door, [Symbol.asyncDispose]: door.close };
};

const get = async (address: string, options: { method?: 'GET' | 'POST'; headers?: Record<string, string> } = {}) => {
  const { statusCode, headers, body } = await request(address, options);
  return { status: statusCode, headers, text: await body.text() };
};

test('listens on any free port of 127.0.0.1 only', async () => {
  await using door = await open();
  expect(door.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/oauth\/callback$/);
});

test('passes on the whole callback and answers with a page that loads nothing', async () => {
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

test('does not show a refusal as signed in', async () => {
  await using door = await open();
  expect((await get(`${door.redirectUri}?error=access_denied&state=x`)).text).toContain('not completed');
});

test('answers 404 to a callback that is not accepted', async () => {
  await using door = await open(undefined, () => false);
  expect((await get(`${door.redirectUri}?code=abc`)).status).toBe(404);
});

test('ignores other paths, methods and hosts', async () => {
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

test('uses a configured port and path, and reports a port that is in use', async () => {
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

test.each(['80', '443'])('uses port %s if it is configured, or reports it, as any other', async (port) => {
  const redirectUri = `http://127.0.0.1:${port}/back`;
  // The system may reserve this port for administrators.
  const used = await open(redirectUri).then(
    async (door) => door.close().then(() => door.redirectUri),
    ({ details }) => details,
  );
  expect([redirectUri, { error: 'redirect_unavailable', port: Number(port) }]).toContainEqual(used);
});

test('closing does not wait for idle connections of a browser', async () => {
  const door = await open();
  const { port } = new URL(door.redirectUri);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  await door.close();
  expect(await text(socket)).toBe('');
});

test.each(['https://127.0.0.1/cb', 'http://localhost/cb', 'http://0.0.0.0/cb', 'com.inspectiondesk.app:/cb', 'cb'])(
  'rejects %s as a redirect address',
  (redirectUri) => {
    expect(() => createLoopbackRedirect({ redirectUri, words })).toThrow(
      expect.objectContaining({ code: 'input/invalid', details: { field: 'redirectUri' } }),
    );
  },
);
