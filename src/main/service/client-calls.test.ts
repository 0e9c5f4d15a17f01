import { afterAll, describe, expect, test } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import { orCancelled } from '../async/cancel.ts';
import type { Sleep } from '../async/clock.ts';
import { createTestClock } from '../async/testing/clock.ts';
import { createApiAgent } from '../net/connector.ts';
import { createGate } from '../net/gate.ts';
import { type Answering, drip, json, startTestServer } from '../net/testing/server.ts';
import { createServiceClient, type ReachSeen, type TimeLimits, type TokenSource } from './client.ts';

const api = createApiAgent();
afterAll(() => api.destroy());

/**
 * Creates the operation that these tests call. One stands for all, because the others differ only in their requests and
 * responses.
 */
const readingEvents = (options: Parameters<typeof createServiceClient>[0]) =>
  createServiceClient(options).listOrderableEvents;
const usual: TimeLimits = { exchangeMs: 60_000, callMs: 120_000 };
const nothing = { value: [], unreadable: 0 };

const setUp = async (answer: Answering, onReach?: (seen: ReachSeen) => void, timeLimits: TimeLimits = usual) => {
  const server = await startTestServer(answer);
  const clock = createTestClock(Date.parse('2026-03-01T12:00:00Z'));
  const asked: (string | undefined)[] = [];
  const tokens: TokenSource = {
    accessToken: async ({ stale } = {}) => {
      asked.push(stale);
      return stale === undefined ? 'first' : 'second';
    },
  };
  const gate = createGate(clock);
  const call = readingEvents({
    baseUrl: server.url,
    dispatcher: api,
    tokens,
    gate,
    retry: clock,
    isUrgent: true,
    now: clock.now,
    timeLimits,
    ...(onReach && { onReach }),
  });
  return { server, clock, asked, call, [Symbol.asyncDispose]: server.close };
};

test('a call answered with 401 is replayed once with another token', async () => {
  await using given = await setUp((response, { headers }) =>
    json(response, [], headers.authorization === 'Bearer second' ? 200 : 401),
  );
  expect(await given.call()).toEqual(nothing);
  expect(given.asked).toEqual([undefined, 'first']);
});

test('a retried call names the token it started with', async () => {
  await using given = await setUp((response, _, index) => json(response, [], index === 0 ? 503 : 200));
  const formers: (string | undefined)[] = [];
  const tokens: TokenSource = {
    accessToken: async ({ former } = {}) => {
      formers.push(former);
      return 'mine';
    },
  };
  const { clock, server } = given;
  await readingEvents({ baseUrl: server.url, dispatcher: api, tokens, gate: createGate(clock), retry: clock })();
  expect(formers).toEqual([undefined, 'mine']);
});

describe('while a call waits for the end of a pause', () => {
  /**
   * Makes a call as the user with the token `before`. While the call waits, the user with the token `after` signs in.
   * Where a token is undefined, nobody is signed in.
   */
  const callWhile = async (before: string | undefined, after: string | undefined) => {
    const { server, clock, ...given } = await setUp((response) => json(response, []));
    await using _ = given;
    let present = before;
    const formers: (string | undefined)[] = [];
    const tokens: TokenSource = {
      present: () => present,
      accessToken: async ({ former } = {}) => {
        if (present === undefined) throw new DeskError('auth/required', 'nobody is signed in');
        formers.push(former);
        return present;
      },
    };
    const sleep: Sleep = async (ms) => {
      present = after;
      await clock.sleep(ms);
    };
    const gate = createGate({ ...clock, sleep });
    gate.hold(new URL(server.url).host, 5_000, clock.now());
    const call = readingEvents({ baseUrl: server.url, dispatcher: api, tokens, gate, retry: clock, now: clock.now });
    const [result] = await Promise.allSettled([call()]);
    return { result, formers, requests: server.requests.length };
  };
  const refused = { result: { status: 'rejected', reason: { code: 'auth/required' } }, requests: 0 };

  test('it keeps to the user who made it', async () => {
    expect((await callWhile('of anna', 'of bert')).formers).toEqual(['of anna']);
  });

  test('it is not sent once the user has signed out', async () => {
    expect(await callWhile('of anna', undefined)).toMatchObject(refused);
  });

  test('it is not made as the user who signs in, if nobody was signed in before', async () => {
    expect(await callWhile(undefined, 'of bert')).toMatchObject(refused);
  });
});

test('a second 401 means that the session has expired', async () => {
  await using given = await setUp((response) => json(response, [], 401));
  await expect(given.call()).rejects.toMatchObject({ code: 'auth/expired', retry: 'never' });
  expect(given.server.requests).toHaveLength(2);
});

test('a redirect is refused, so the token reaches no other host', async () => {
  await using elsewhere = await startTestServer((response) => json(response, []));
  await using given = await setUp((response) => response.writeHead(307, { location: elsewhere.url }).end());
  await expect(given.call()).rejects.toMatchObject({ code: 'service/refused', details: { status: 307 } });
  expect(elsewhere.requests).toEqual([]);
});

test('an error has nothing of a token that the service repeats in it', async () => {
  const token = 'c0ffee0123456789/+0123456789';
  const body = JSON.stringify({ error: 'denied', message: `the key ${token} ended` });
  await using server = await startTestServer((response, _, index) =>
    // PHP escapes slashes in JSON, and .NET escapes other characters, such as the plus sign.
    response.writeHead(403).end(index === 0 ? body : body.replaceAll('/', '\\/').replaceAll('+', '\\u002B')),
  );
  const tokens: TokenSource = { accessToken: async () => token };
  const call = readingEvents({ baseUrl: server.url, dispatcher: api, tokens, gate: createGate() });
  const refused = { code: 'service/forbidden', details: { error: 'denied', message: 'the key [cut] ended' } };
  await expect(call()).rejects.toMatchObject(refused);
  await expect(call()).rejects.toMatchObject(refused);
});

test.each(['4', 'Sun, 01 Mar 2026 12:00:04 GMT'])('Retry-After: %s is obeyed', async (retryAfter) => {
  await using given = await setUp((response, _, index) => {
    if (index === 0)
      response.writeHead(429, { date: 'Sun, 01 Mar 2026 12:00:00 GMT', 'retry-after': retryAfter }).end();
    else json(response, []);
  });
  await given.call();
  expect(given.clock.slept).toEqual([4_000]);
});

test('one Retry-After holds every call to that host', async () => {
  await using given = await setUp((response, _, index) => {
    if (index === 0) response.writeHead(503, { 'retry-after': '90' }).end();
    else json(response, []);
  });
  const busy = { code: 'service/busy', retry: 'later', retryAfterMs: 90_000 };
  await expect(given.call()).rejects.toMatchObject(busy);
  await expect(given.call()).rejects.toMatchObject(busy);
  expect(given.server.requests).toHaveLength(1);
  given.clock.advance(60_000);
  await given.call();
  expect(given.clock.slept).toEqual([30_000]);
});

test('while tokens cannot be had for now, no call asks for one', async () => {
  await using given = await setUp((response) => json(response, []));
  let asked = 0;
  const accessToken = async () => {
    asked += 1;
    throw new DeskError('service/busy', 'later', { retry: 'later', retryAfterMs: 90_000 });
  };
  const call = readingEvents({
    baseUrl: given.server.url,
    dispatcher: api,
    tokens: { accessToken },
    gate: createGate(given.clock),
    retry: { attempts: 1, maxRetryAfterMs: 0 },
  });
  for (let attempt = 0; attempt < 3; attempt += 1)
    await expect(call()).rejects.toMatchObject({ code: 'service/busy', details: { held: true } });
  expect(asked).toBe(1);
  expect(given.server.requests).toEqual([]);
});

test('a token that the service refuses is replaced in the same turn, while calls come back one at a time', async () => {
  await using given = await setUp((response, { headers }) =>
    json(response, [], headers.authorization === 'Bearer second' ? 200 : 401),
  );
  const { clock, server } = given;
  const accessToken: TokenSource['accessToken'] = async ({ stale } = {}) => (stale === undefined ? 'first' : 'second');
  const gate = createGate({ ...clock, random: () => 0.5 });
  const call = readingEvents({
    baseUrl: server.url,
    dispatcher: api,
    tokens: { accessToken },
    gate,
    now: clock.now,
    retry: { ...clock, attempts: 1, maxRetryAfterMs: 0 },
  });
  gate.returned(new URL(server.url).host, 600_000);
  await expect(call()).rejects.toMatchObject({ retryAfterMs: 60_000 });
  clock.advance(60_000);
  expect(await call()).toEqual(nothing);
});

test('a refusal of a token that several calls wait for is one refusal', async () => {
  await using given = await setUp((response) => json(response, []));
  const { server, clock } = given;
  const refused = new DeskError('service/busy', 'later', { retry: 'later' });
  const gate = createGate(clock);
  const call = readingEvents({
    baseUrl: server.url,
    dispatcher: api,
    tokens: { accessToken: () => Promise.reject(refused) },
    gate,
    retry: { attempts: 1, maxRetryAfterMs: 0 },
  });
  const calls = await Promise.allSettled(Array.from({ length: 5 }, () => call()));
  expect(calls).toEqual(calls.map(() => ({ status: 'rejected', reason: refused })));
  expect(await gate.pass(new URL(server.url).host)).toBe(clock.now());
  expect(clock.slept).toEqual([]);
});

test('an error of the token source fails the call', async () => {
  await using given = await setUp((response) => json(response, []));
  const tokens: TokenSource = { accessToken: () => Promise.reject(new TypeError('bug')) };
  const call = readingEvents({ baseUrl: given.server.url, dispatcher: api, tokens, gate: createGate() });
  await expect(call()).rejects.toThrow(TypeError);
  expect(given.server.requests).toEqual([]);
});

test('a cancelled call is not retried', async () => {
  const controller = new AbortController();
  await using given = await setUp(() => controller.abort());
  await expect(given.call({ signal: controller.signal })).rejects.toMatchObject({
    code: 'app/cancelled',
  });
  expect(given.server.requests).toHaveLength(1);
});

test('keeps the path of the base address and drops its query', async () => {
  await using given = await setUp((response) => json(response, []));
  const options = { dispatcher: api, tokens: { accessToken: async () => 't' }, gate: createGate() };
  await readingEvents({ baseUrl: `${given.server.url}/v/1//?a=b`, ...options })();
  expect(given.server.requests[0]?.target).toBe('/v/1/contractor/orderable-events');
});

test('A6: an answer that arrives byte by byte is retried, and the call ends', async () => {
  await using given = await setUp((response) => drip(response), undefined, { exchangeMs: 50, callMs: 60_000 });
  await expect(given.call()).rejects.toMatchObject({ code: 'service/timeout', details: { afterMs: 50 } });
  // Counts the waits and not the requests that arrived: a busy machine may take longer than a deadline to send a
  // request.
  expect(given.clock.slept).toHaveLength(3);
});

test('A6: a call ends by its deadline, whatever its attempts wait for', async () => {
  const timeLimits = { exchangeMs: 60_000, callMs: 50 };
  await using given = await setUp((response) => drip(response), undefined, timeLimits);
  await expect(given.call()).rejects.toMatchObject({ code: 'service/timeout', details: { afterMs: 50 } });
  const tokens: TokenSource = { accessToken: ({ signal } = {}) => orCancelled(new Promise(() => {}), signal) };
  const waiting = readingEvents({ baseUrl: given.server.url, dispatcher: api, tokens, gate: createGate(), timeLimits });
  await expect(waiting()).rejects.toMatchObject({ code: 'service/timeout' });
});

test('A6: a pause that outlasts the call is reported as a pause', async () => {
  await using given = await setUp((response) => response.writeHead(503, { 'retry-after': '40' }).end());
  const busy = { code: 'service/busy', retryAfterMs: 40_000 };
  await expect(given.call()).rejects.toMatchObject(busy);
  expect(given.clock.slept).toEqual([40_000, 40_000]);
});

test('a call that times out is an outage only if no other call was answered meanwhile', async () => {
  const seen: ReachSeen['type'][] = [];
  const slowAsked = Promise.withResolvers<void>();
  let isSlow = true;
  await using given = await setUp(
    (response) => (isSlow ? slowAsked.resolve() : json(response, [])),
    ({ type }) => void seen.push(type),
    { exchangeMs: 60_000, callMs: 1_000 },
  );
  const timeout = { code: 'service/timeout' };
  const asking = given.call();
  asking.catch(() => {});
  await slowAsked.promise;
  isSlow = false;
  await given.call();
  isSlow = true;
  await expect(asking).rejects.toMatchObject(timeout);
  expect(seen).toEqual(['responded']);

  await expect(given.call()).rejects.toMatchObject(timeout);
  expect(seen).toEqual(['responded', 'lost']);
});

test('a service that is busy again and again is not reported as held, because it asked for no pause', async () => {
  const seen: ReachSeen['type'][] = [];
  await using given = await setUp(
    (response) => json(response, [], 503),
    ({ type }) => void seen.push(type),
  );
  await expect(given.call()).rejects.toMatchObject({ code: 'service/busy' });
  expect(new Set(seen)).toEqual(new Set(['responded']));
});

test('a sign-in that times out is an outage, even if the service answers meanwhile', async () => {
  const seen: ReachSeen['type'][] = [];
  await using given = await setUp((response) => json(response, []));
  const tokens = [new Promise<string>(() => {}), Promise.resolve('mine')].values();
  const call = readingEvents({
    baseUrl: given.server.url,
    dispatcher: api,
    tokens: { accessToken: ({ signal } = {}) => orCancelled(tokens.next().value ?? expect.unreachable(), signal) },
    gate: createGate(),
    onReach: ({ type }) => void seen.push(type),
    timeLimits: { exchangeMs: 60_000, callMs: 1_000 },
  });
  const waiting = call();
  waiting.catch(() => {});
  await call();
  await expect(waiting).rejects.toMatchObject({ code: 'service/timeout' });
  expect(seen).toEqual(['responded', 'lost']);
});
