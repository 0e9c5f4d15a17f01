import { afterAll, expect, test } from 'vitest';
import { createApiAgent } from './connector.ts';
import { exchange, isPortal } from './exchange.ts';
import { type Answering, startTestServer, unusedAddress } from './testing/server.ts';

const api = createApiAgent();
afterAll(() => api.destroy());

const get = async (address: string, options: { signal?: AbortSignal; maxBytes?: number } = {}) =>
  exchange(api, { method: 'GET', url: new URL(address), headers: {}, signal: options.signal }, options.maxBytes);

const against = async (answer: Answering, options?: { signal?: AbortSignal; maxBytes?: number }) => {
  await using server = await startTestServer(answer);
  return await get(server.url, options);
};

test('answers any status with its headers and its whole body', async () => {
  const answer = await against((response) => response.writeHead(418, { 'X-Tea': 'Pot' }).end('zażółć'));
  expect(answer).toMatchObject({ status: 418, headers: { 'x-tea': 'Pot' }, text: 'zażółć' });
});

test('answers a redirect without following it', async () => {
  await using server = await startTestServer((response) => response.writeHead(302, { location: '/elsewhere' }).end());
  expect((await get(server.url)).status).toBe(302);
  expect(server.requests).toHaveLength(1);
});

test('reports an address where nobody listens', async () => {
  await expect(get(unusedAddress())).rejects.toMatchObject({
    code: 'service/unreachable',
    details: { phase: 'connect', cause: 'ECONNREFUSED' },
  });
});

test('reports a connection that is reset before the answer', async () => {
  const responded = against((response) => response.socket?.resetAndDestroy());
  await expect(responded).rejects.toMatchObject({ code: 'service/unreachable', details: { phase: 'exchange' } });
});

test('reports a connection that ends in the middle of the answer', async () => {
  const responded = against((response) => {
    response.writeHead(200, { 'content-length': 100 }).write('{"Items":');
    setImmediate(() => response.socket?.destroy());
  });
  await expect(responded).rejects.toMatchObject({ code: 'service/unreachable', details: { phase: 'exchange' } });
});

test('rejects, and leaves no other rejection, if the request cannot be dispatched', async () => {
  const broken = api.compose(() => () => {
    throw new Error('no connection can be made');
  });
  const request = { method: 'GET', url: new URL(unusedAddress()), headers: {} } as const;
  await expect(exchange(broken, request)).rejects.toMatchObject({ code: 'service/unreachable' });
});

test('aborts an endless answer', async () => {
  const responded = against(
    (response) => {
      const more = () => {
        while (response.write('x'.repeat(1024))) if (response.destroyed) return;
        response.once('drain', more);
      };
      more();
    },
    { maxBytes: 10_000 },
  );
  await expect(responded).rejects.toMatchObject({
    code: 'service/too-large',
    retry: 'never',
    details: { maxBytes: 10_000 },
  });
});

test('can be aborted while it waits for the answer', async () => {
  const controller = new AbortController();
  const responded = against(() => controller.abort(), { signal: controller.signal });
  await expect(responded).rejects.toMatchObject({ code: 'app/cancelled' });
});

test('ends with the signal of a timeout', async () => {
  const responded = against(() => {}, { signal: AbortSignal.timeout(1) });
  await expect(responded).rejects.toMatchObject({ code: 'service/timeout', retry: 'later' });
});

const html = 'text/html; charset=utf-8';
const page = '\uFEFF\n<!DOCTYPE html>\n<html>';

test.each([
  ['a page', 200, html, page, true],
  ['a page without a doctype', 200, html, '<HTML lang=en>', true],
  ['a request to sign in at the network', 511, undefined, '', true],
  ['an empty answer that is announced as HTML', 200, html, '', false],
  ['JSON that is announced as HTML', 200, html, '[]', false],
  ['XML', 200, 'application/xml', '<html></html>', false],
  ['HTML that is not announced', 200, undefined, page, false],
  ["a server's own error page", 500, html, page, false],
])('%s', (_, status, type, text, is) => {
  expect(isPortal({ status, headers: { 'content-type': type }, text })).toBe(is);
});
