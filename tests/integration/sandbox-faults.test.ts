import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AssignmentSummary } from '../../src/contract/resources.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import {
  anyAssignmentId,
  type Call,
  callWith,
  postToken,
  put,
  sign,
  signIn,
} from '../../src/sandbox/testing/client.ts';
import { createSandboxControl, type SandboxControl } from '../../src/sandbox/testing/control-client.ts';

const events = '/contractor/orderable-events';
const match = { route: 'list-orderable-events' } as const;
const upload = { route: 'storage-put' } as const;
const large = new Uint8Array(2_000_000);

let sandbox: Sandbox;
let control: SandboxControl;
let call: Call;
let assignmentId: string;
beforeAll(async () => {
  sandbox = await startSandbox({ consent: 'auto' });
  control = createSandboxControl(sandbox);
  call = callWith(sandbox, (await signIn(sandbox)).access_token);
  assignmentId = await anyAssignmentId(call);
});
beforeEach(() => control.faults.clear());
afterAll(() => sandbox.close());

const putsOf = async (key: string): Promise<number> =>
  (await control.objects()).find(({ Key }) => Key === key)?.puts ?? 0;

/** Resolves to the code of the socket's error, which is the cause of `fetch`'s error. */
const brokenBy = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => 'responded',
    (error: Error) => (error.cause as { code?: string } | undefined)?.code,
  );

describe('status', () => {
  test('answers instead of the service, with Retry-After in seconds', async () => {
    const effect = { type: 'status', status: 503, retryAfterS: 7, body: 'busy' } as const;
    await control.faults.add({ match, when: { count: 1 }, effect });
    const response = await call('GET', events);
    expect([response.status, response.headers.get('retry-after'), await response.text()]).toEqual([503, '7', 'busy']);
    expect((await call('GET', events)).status).toBe(200);
    expect(await control.faults.list()).toMatchObject([{ matched: 2, fired: 1 }]);
  });

  test('writes Retry-After as a date', async () => {
    const effect = { type: 'status', status: 429, retryAfterS: 60, retryAfterAs: 'date' } as const;
    await control.faults.add({ match, effect });
    const value = (await call('GET', events)).headers.get('retry-after') ?? '';
    expect(value).toMatch(/ GMT$/);
    expect(Date.parse(value)).toBeGreaterThan(Date.now());
  });

  test('after the body, the object is stored anyway', async () => {
    const { Key, Url } = await sign(call, assignmentId, 'a.txt');
    await control.faults.add({ match: upload, effect: { type: 'status', status: 504, at: 'after-body' } });
    expect((await put(Url, 'x')).status).toBe(504);
    expect(await putsOf(Key)).toBe(1);
  });
});

describe('reset', () => {
  test.each(['before-body', 'during-body'] as const)('%s stores nothing', async (at) => {
    const { Key, Url } = await sign(call, assignmentId, 'a.bin');
    await control.faults.add({ match: upload, when: { count: 1 }, effect: { type: 'reset', at } });
    expect(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']).toContain(await brokenBy(put(Url, large)));
    expect(await putsOf(Key)).toBe(0);
    expect((await put(Url, large)).status).toBe(200);
  });

  test('after-body stores the object without an answer', async () => {
    const { Key, Url } = await sign(call, assignmentId, 'a.bin');
    await control.faults.add({ match: upload, effect: { type: 'reset', at: 'after-body' } });
    expect(await brokenBy(put(Url, large))).toBe('ECONNRESET');
    expect(await putsOf(Key)).toBe(1);
  });

  test.each(['before-body', 'during-body', 'after-body'] as const)('%s breaks an operation', async (at) => {
    await control.faults.add({ match, effect: { type: 'reset', at } });
    expect(await brokenBy(call('GET', events))).toBe('ECONNRESET');
  });
});

describe('silence', () => {
  const delayMs = 30;
  const long = 3_600_000;
  const fired = () => expect.poll(async () => (await control.faults.list())[0]?.fired).toBe(1);

  test('after a delay or stall the request continues', async () => {
    await control.faults.add(
      { match, when: { count: 1 }, effect: { type: 'delay', delayMs } },
      { match, when: { count: 1 }, effect: { type: 'stall', forMs: delayMs } },
      { match, when: { count: 1 }, effect: { type: 'stall', in: 'answer', afterBytes: 10, forMs: delayMs } },
    );
    for (let index = 0; index < 3; index += 1) expect(await (await call('GET', events)).json()).toHaveLength(12);
    expect((await control.faults.list()).map(({ fired }) => fired)).toEqual([1, 1, 1]);
  });

  test.each([0, 500_000])('an upload stalled after %i bytes is still stored', async (afterBytes) => {
    const { Key, Url } = await sign(call, assignmentId, 'a.bin');
    await control.faults.add({ match: upload, effect: { type: 'stall', afterBytes, forMs: delayMs } });
    expect((await put(Url, large)).status).toBe(200);
    expect(await putsOf(Key)).toBe(1);
  });

  test.each([
    { type: 'delay', delayMs: long },
    { type: 'stall', forMs: long },
    { type: 'stall', in: 'answer', afterBytes: 10, forMs: long },
  ] as const)('%o ends when it is released, and the rule with it', async (effect) => {
    await control.faults.add({ match, effect });
    const waiting = call('GET', events);
    await fired();
    await control.faults.release();
    expect(await (await waiting).json()).toHaveLength(12);
    expect(await (await call('GET', events)).json()).toHaveLength(12);
  });

  test.each([
    { type: 'stall', forMs: long },
    { type: 'store-late', delayMs: long },
  ] as const)('an upload held up by %o is stored when it is released', async (effect) => {
    const { Key, Url } = await sign(call, assignmentId, 'a.bin');
    await control.faults.add({ match: upload, effect });
    const waiting = put(Url, large);
    await fired();
    expect(await putsOf(Key)).toBe(0);
    await control.faults.release();
    expect((await waiting).status).toBe(200);
    expect(await putsOf(Key)).toBe(1);
  });

  test.each(['request', 'answer'] as const)('a client may give up a stalled %s', async (side) => {
    await control.faults.add({ match, when: { count: 1 }, effect: { type: 'stall', in: side, forMs: long } });
    const client = new AbortController();
    const attempt = fetch(`${sandbox.baseUrl}${events}`, { signal: client.signal }).then((response) => response.text());
    attempt.catch(() => {});
    await fired();
    client.abort();
    await expect(attempt).rejects.toThrow(/abort/);
    expect((await call('GET', events)).status).toBe(200);
  });

  test('an upload aborted during a stall stores nothing', async () => {
    const { Key, Url } = await sign(call, assignmentId, 'a.bin');
    await control.faults.add({ match: upload, when: { count: 1 }, effect: { type: 'stall', forMs: long } });
    const client = new AbortController();
    const attempt = fetch(Url, { method: 'PUT', body: large, signal: client.signal });
    attempt.catch(() => {});
    await fired();
    client.abort();
    await expect(attempt).rejects.toThrow(/abort/);
    expect(await putsOf(Key)).toBe(0);
  });

  test('closing the sandbox does not wait for stalls', async () => {
    const other = await startSandbox({
      consent: 'auto',
      faults: [{ match: { route: 'any' }, effect: { type: 'stall', forMs: long } }],
    });
    const attempt = brokenBy(postToken(other, {}));
    await expect.poll(async () => (await createSandboxControl(other).stats()).routes.token.requests).toBe(1);
    await other.close();
    expect(await attempt).not.toBe('responded');
  });
});

describe('bad answers', () => {
  test('a truncated answer ends before its length', async () => {
    await control.faults.add({ match, effect: { type: 'truncate' } });
    const response = await call('GET', events);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  });

  test('an empty answer can be truncated as well', async () => {
    const { Key, Url } = await sign(call, assignmentId, 'a.txt');
    await control.faults.add({ match: upload, effect: { type: 'truncate' } });
    await expect(put(Url, 'x').then((response) => response.text())).rejects.toThrow();
    expect(await putsOf(Key)).toBe(1);
  });

  test('malformed JSON is a complete answer that cannot be parsed', async () => {
    await control.faults.add({ match, effect: { type: 'malformed-json' } });
    const response = await call('GET', events);
    expect(response.headers.get('content-type')).toContain('application/json');
    await expect(response.json()).rejects.toThrow(SyntaxError);
  });
});

describe('expiry', () => {
  test('a Url declared expired works again after the fault', async () => {
    const { Key, Url } = await sign(call, assignmentId, 'a.txt');
    await control.faults.add({ match: upload, when: { count: 1 }, effect: { type: 'expired-url' } });
    const refused = await put(Url, 'x');
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('Request has expired')]);
    expect((await put(Url, 'x')).status).toBe(200);
    expect(await putsOf(Key)).toBe(1);
  });

  test('a token declared expired stays expired', async () => {
    const { access_token, refresh_token } = await signIn(sandbox);
    const own = callWith(sandbox, access_token);
    await control.faults.add({ match, when: { count: 1 }, effect: { type: 'expired-token' } });
    expect((await own('GET', events)).status).toBe(401);
    expect((await own('GET', events)).status).toBe(401);
    expect((await postToken(sandbox, { grant_type: 'refresh_token', refresh_token })).status).toBe(200);
    expect((await call('GET', events)).status).toBe(200);
  });
});

describe('matching', () => {
  const effect = { type: 'status', status: 500 } as const;

  test('replaced rules no longer apply', async () => {
    await control.faults.add({ match, effect });
    await control.faults.replace({ match: upload, effect });
    expect((await control.faults.list()).map(({ rule }) => rule.match)).toEqual([upload]);
    expect((await call('GET', events)).status).toBe(200);
  });

  test('contains matches the FileName of a signature and of an upload', async () => {
    await control.faults.add({ match: { route: 'any', contains: 'å.jpg' }, effect });
    const path = `/contractor/assignments/${assignmentId}/files/sign-upload`;
    expect((await call('POST', path, { FileName: 'å.jpg' })).status).toBe(500);
    await control.faults.clear();
    const { Url } = await sign(call, assignmentId, 'å.jpg');
    const other = await sign(call, assignmentId, 'b.jpg');
    await control.faults.add({ match: { route: 'any', contains: 'å.jpg' }, effect });
    expect((await put(Url, 'x')).status).toBe(500);
    expect((await put(other.Url, 'x')).status).toBe(200);
  });

  test('contains matches paths and the Key of a removal', async () => {
    const { Key } = await sign(call, assignmentId, 'a.jpg');
    const remove = (): Promise<Response> => call('DELETE', `/contractor/assignments/${assignmentId}/files`, { Key });
    await control.faults.add({ match: { route: 'any', contains: Key }, effect });
    expect((await remove()).status).toBe(500);
    await control.faults.clear();
    await control.faults.add({ match: { route: 'remove-file', contains: assignmentId }, effect });
    expect((await remove()).status).toBe(500);
  });
});

test('odd records: complete answers whose first records have unexpected values, under their own ids', async () => {
  const projects = '/contractor/assignments/projects';
  const asked = async () =>
    ((await (await call('GET', projects)).json()) as { readonly Items: readonly unknown[] }).Items;
  const plain = z.array(AssignmentSummary).parse(await asked());
  await control.faults.add({ match: { route: 'any' }, effect: { type: 'odd-records' } });
  const odd = (await asked()).map((item) => AssignmentSummary.safeParse(item));
  expect(odd.flatMap(({ success }, index) => (success ? [] : [index]))).toEqual([6]);
  for (const [index, { data }] of odd.entries()) {
    if (data !== undefined) expect(data.AssignmentId).toBe(plain[index]?.AssignmentId);
  }
  expect(odd[0]?.data?.City).toHaveLength(10_000);
  expect(odd[1]?.data?.City).toContain('<script>');
  expect(odd[5]?.data?.City).toBe('');
  expect(odd.slice(9).map(({ data }) => data)).toEqual(plain.slice(9));
});
