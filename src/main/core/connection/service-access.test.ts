/**
 * The access to a service that was unreachable or limits its rate: the results of probes, and the calls that are held
 * back.
 */
import { afterAll, expect, test } from 'vitest';
import { createApiAgent } from '../../net/connector.ts';
import { type Answering, startTestServer } from '../../net/testing/server.ts';
import { createServiceAccess } from './connections.ts';

const dispatcher = createApiAgent();
afterAll(() => dispatcher.destroy());

const id = '8d3f5c1e-0b5a-4f3e-9a5e-1f2d3c4b5a69';
const probes = { attempts: Number.POSITIVE_INFINITY, firstMs: 1, growth: 1, longestMs: 1, jitter: false };

/**
 * Opens the access to a test server. `back` reports that the service is unreachable, and resolves once a probe has
 * reached it.
 */
const open = async (answer: Answering, probing = probes) => {
  const server = await startTestServer(answer);
  const { host, origin } = new URL(server.url);
  let token = 'first';
  const accessToken = async ({ stale }: { readonly stale?: string } = {}): Promise<string> => {
    if (stale === token) token = 'second';
    return token;
  };
  const found = Promise.withResolvers<void>();
  const access = createServiceAccess(
    { dispatchers: { dispatcher, uploadDispatcher: dispatcher }, deadlines: undefined, probes: probing },
    server.url,
    { accessToken, user: () => ({ signedIn: true }) },
    ({ service }) => service.state !== 'unreachable' && found.resolve(),
  );
  const back = async (): Promise<void> => {
    const details = { phase: 'connect', cause: 'ECONNREFUSED', origin };
    const reason = { code: 'service/unreachable', message: '', retry: 'later', details } as const;
    access.observeStorage({ side: 'storage', type: 'unreachable', host, origin, atMs: 0, reason });
    await found.promise;
  };
  const close = async (): Promise<void> => {
    await access.close();
    await server.close();
  };
  return { ...server, access, origin, back, token: () => token, [Symbol.asyncDispose]: close };
};

const sign = { AssignmentId: id, FileName: 'f' };
const { signal } = new AbortController();

/**
 * Returns the responses of a server that sends the head of a response immediately, with the status for the request's
 * token, and the body a little later.
 */
const inParts =
  (status: (token: string | undefined) => number, headers = {}): Answering =>
  (response, request) => {
    response.writeHead(status(request.headers.authorization), { 'content-type': 'application/json', ...headers });
    response.flushHeaders();
    setTimeout(() => response.end('[]'), 10);
  };

test('a probe replaces a token that the service refuses', async () => {
  await using given = await open(inParts((token) => (token === 'Bearer second' ? 200 : 401)));
  await given.back();
  expect(given.token()).toBe('second');
});

test('a change while the service is unreachable makes the next probe due', async () => {
  const inAnHour = { ...probes, firstMs: 3_600_000, longestMs: 3_600_000 };
  await using given = await open(
    inParts(() => 200),
    inAnHour,
  );
  expect(given.access.isUnreachable()).toBe(false);
  const back = given.back();
  expect(given.access.isUnreachable()).toBe(true);
  await back;
  expect(given.access.isUnreachable()).toBe(false);
});

test('a pause that the response to a probe requests is kept', async () => {
  await using given = await open(inParts(() => 503, { 'retry-after': '600' }));
  await given.back();
  await expect(given.access.once.signUpload(sign, undefined, signal)).rejects.toMatchObject({
    details: { held: true },
  });
  expect(given.requests).toHaveLength(1);
});

test('a probe that a pause holds back proves nothing', async () => {
  await using given = await open((response) => response.writeHead(429, { 'retry-after': '600' }).end());
  await given.access.once.signUpload(sign, undefined, signal).catch(() => {});
  await expect(given.access.probe(given.origin, signal)).rejects.toMatchObject({ code: 'service/busy' });
  expect(given.requests).toHaveLength(1);
});

test('removals by the engine come back one at a time, those by a person at once', async () => {
  await using given = await open((response) => response.writeHead(503).end());
  const { once } = given.access;
  for (let call = 0; call < 3; call += 1) await once.signUpload(sign, undefined, signal).catch(() => {});
  const removal = { AssignmentId: id, Key: id, isUrgent: false };
  await expect(once.removeFile(removal, undefined, signal)).rejects.toMatchObject({ details: { held: true } });
  expect(given.requests).toHaveLength(3);
  await once.removeFile({ ...removal, isUrgent: true }, undefined, signal).catch(() => {});
  expect(given.requests).toHaveLength(4);
});
