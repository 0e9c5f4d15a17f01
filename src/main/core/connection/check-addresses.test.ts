import { afterEach, beforeEach, expect, test } from 'vitest';
import { createApiAgent } from '../../net/connector.ts';
import { type Answering, json, startTestServer, unusedAddress } from '../../net/testing/server.ts';
import { checkAddresses } from './check-addresses.ts';

let agent: ReturnType<typeof createApiAgent>;
beforeEach(() => {
  agent = createApiAgent();
});
afterEach(() => agent.destroy());

const isToken = (target: string) => target.endsWith('/token');

/** The responses of a service and a sign-in that refuse each request in their own ways. */
const honest: Answering = (response, { target }) =>
  isToken(target) ? json(response, { error: 'invalid_request' }, 400) : json(response, { message: 'who?' }, 401);

const checkAt = async (answer: Answering, path = '') => {
  await using server = await startTestServer(answer);
  const found = await checkAddresses({ baseUrl: `${server.url}${path}`, authUrl: `${server.url}${path}/` }, agent);
  return { found, requests: server.requests };
};

test('a service and its sign-in are known by how they refuse; no token and no client id is sent', async () => {
  const { found, requests } = await checkAt(honest, '/api/v1');
  expect(found).toEqual({});
  expect(requests.map(({ method, target }) => `${method} ${target}`).sort()).toEqual([
    'GET /api/v1/contractor/orderable-events',
    'POST /api/v1/token',
  ]);
  for (const { headers, body } of requests) {
    expect(headers).not.toHaveProperty('authorization');
    expect(body).toBe('');
  }
});

test.each<[string, Answering, string]>([
  ['a page', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'), 'HTTP 200'],
  ['a firewall', (response) => response.writeHead(403).end('Blocked'), 'HTTP 403'],
  ['nothing there', (response) => response.writeHead(404).end(), 'HTTP 404'],
  ['a redirect', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), 'HTTP 302'],
  ['a large page', (response) => response.writeHead(200).end('x'.repeat(1_000_000)), 'largePage'],
])('%s is something else', async (_what, answer, told) => {
  const { found, requests } = await checkAt(answer);
  expect(found).toMatchObject({
    baseUrl: { code: 'connection/unexpected', details: { field: 'baseUrl', answer: told } },
    authUrl: { code: 'connection/unexpected', details: { field: 'authUrl', answer: told } },
  });
  expect(requests).toHaveLength(2);
});

test('each address is judged by itself', async () => {
  await using server = await startTestServer(honest);
  const found = await checkAddresses({ baseUrl: server.url, authUrl: unusedAddress() }, agent);
  expect(found).toMatchObject({ authUrl: { code: 'service/unreachable', details: { field: 'authUrl' } } });
  expect(found.baseUrl).toBeUndefined();
});

test('addresses that are refused are not asked', async () => {
  const found = await checkAddresses(
    { baseUrl: 'http://service.example', authUrl: 'https://a:b@login.example' },
    agent,
  );
  expect(found).toMatchObject({ baseUrl: { code: 'connection/insecure' }, authUrl: { code: 'connection/address' } });
});
