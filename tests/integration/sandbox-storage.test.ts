import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { anyAssignmentId, type Call, callWith, put, sign, signIn } from '../../src/sandbox/testing/client.ts';
import { createSandboxControl, type SandboxControl } from '../../src/sandbox/testing/control-client.ts';
import { createStorage } from '../storages/kinds.ts';

let sandbox: Sandbox;
let control: SandboxControl;
let call: Call;
let assignmentId: string;
beforeAll(async () => {
  sandbox = await startSandbox({ consent: 'auto', maxObjectBytes: 1_000_000 });
  control = createSandboxControl(sandbox);
  call = callWith(sandbox, (await signIn(sandbox)).access_token);
  assignmentId = await anyAssignmentId(call);
});
afterAll(() => sandbox.close());

const stored = async (key: string) => (await control.objects()).find(({ Key }) => Key === key);

const bytesOf = async (key: string): Promise<Buffer> =>
  Buffer.from(await new Response(await control.objectBytes(key)).arrayBuffer());

const refusal = async (response: Response): Promise<unknown> => {
  const [, code, message] = /<Code>(.*)<\/Code><Message>(.*)<\/Message>/.exec(await response.text()) ?? [];
  return [response.status, code, message];
};

test.each([0, 1, 300_000])('%i bytes are stored as they were sent', async (sizeBytes) => {
  const { Key, Url } = await sign(call, assignmentId, 'photo 1.jpg');
  const body = new Uint8Array(sizeBytes).map((_, index) => index % 251);
  const response = await put(Url, body);
  expect(response.status).toBe(200);
  expect(response.headers.get('etag')).toBe(`"${createHash('md5').update(body).digest('hex')}"`);
  expect(await stored(Key)).toEqual({
    Key,
    AssignmentId: assignmentId,
    FileName: 'photo 1.jpg',
    sizeBytes,
    sha256: createHash('sha256').update(body).digest('hex'),
    puts: 1,
  });
  expect((await bytesOf(Key)).equals(body)).toBe(true);
});

test('a second PUT to the same Url overwrites the first', async () => {
  const { Key, Url } = await sign(call, assignmentId, 'a.txt');
  await put(Url, 'first');
  await put(Url, 'second');
  expect(await stored(Key)).toMatchObject({ sizeBytes: 6, puts: 2 });
  expect((await bytesOf(Key)).toString()).toBe('second');
});

test('only the signed path, expiry and method are accepted', async () => {
  const { Key, Url } = await sign(call, assignmentId, 'a.txt');
  const other = await sign(call, assignmentId, 'b.txt');
  const mismatch = [403, 'SignatureDoesNotMatch', expect.any(String)];
  expect(await refusal(await put(Url.replace(Key, other.Key), 'x'))).toEqual(mismatch);
  expect(await refusal(await put(Url.replace(/expires=\d/, 'expires=9'), 'x'))).toEqual(mismatch);
  expect(await refusal(await put(`${Url}x`, 'x'))).toEqual(mismatch);
  const [path = '', query = ''] = Url.split('?');
  for (const unsigned of ['', ...query.split('&')])
    expect(await refusal(await put(`${path}?${unsigned}`, 'x'))).toEqual([403, 'AccessDenied', expect.any(String)]);
  for (const method of ['GET', 'DELETE', 'POST']) expect((await fetch(Url, { method })).status).toBe(405);
  expect(await stored(Key)).toBeUndefined();
  expect(await stored(other.Key)).toBeUndefined();
});

test('refuses and counts an access token sent to the storage', async () => {
  const { Key, Url } = await sign(call, assignmentId, 'a.txt');
  const before = (await control.stats()).violations['bearer-at-storage'];
  const response = await fetch(Url, { method: 'PUT', body: 'x', headers: { authorization: 'Bearer leaked' } });
  expect(response.status).toBe(400);
  expect(await stored(Key)).toBeUndefined();
  expect((await control.stats()).violations['bearer-at-storage']).toBe(before + 1);
});

test('refuses an upload without Content-Length', async () => {
  const { Key, Url } = await sign(call, assignmentId, 'a.txt');
  const chunked = request(Url, { method: 'PUT', headers: { 'transfer-encoding': 'chunked' } });
  chunked.end('some bytes');
  const [response] = await once(chunked, 'response');
  expect(response.statusCode).toBe(411);
  response.resume();
  expect(await stored(Key)).toBeUndefined();
});

test('refuses an upload that is too large', async () => {
  const { Key, Url } = await sign(call, assignmentId, 'large.bin');
  expect((await put(Url, new Uint8Array(1_000_001))).status).toBe(413);
  expect((await put(Url, new Uint8Array(1_000_000))).status).toBe(200);
  expect(await stored(Key)).toMatchObject({ puts: 1 });
});

test('a body that ends early stores nothing and keeps the existing object', async () => {
  const { Key, Url } = await sign(call, assignmentId, 'a.txt');
  await put(Url, 'whole');
  const before = (await control.stats()).routes['storage-put'].requests;
  const short = request(Url, { method: 'PUT', headers: { 'content-length': 200_000 } });
  const broken = once(short, 'error');
  short.write(Buffer.alloc(100_000));
  await expect.poll(async () => (await control.stats()).routes['storage-put'].requests).toBe(before + 1);
  short.destroy();
  await broken;
  expect(await stored(Key)).toMatchObject({ sizeBytes: 5, puts: 1 });
  expect((await put(Url, 'again')).status).toBe(200);
});

test('a signed Url expires after its lifetime', async () => {
  const { Key, Url } = await sign(call, assignmentId, 'late.txt');
  await control.advanceClock(900_000);
  expect(await refusal(await put(Url, 'x'))).toEqual([403, 'AccessDenied', 'Request has expired']);
  expect(await stored(Key)).toBeUndefined();
});

test('signed Urls can point to another storage', async () => {
  const other = await startSandbox({ consent: 'auto', storageBaseUrl: 'http://127.0.0.1:1/elsewhere/' });
  try {
    const callOther = callWith(other, (await signIn(other)).access_token);
    const { Key, Url } = await sign(callOther, await anyAssignmentId(callOther), 'a.txt');
    expect(Url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:1/elsewhere/storage/${Key}\\?expires=`));
  } finally {
    await other.close();
  }
});

test('as Azure, it stores blocks, and an object once their list is committed', async () => {
  const azure = await startSandbox({ consent: 'auto', protocols: 1, storage: createStorage('azure') });
  onTestFinished(() => azure.close());
  const callAzure = callWith(azure, (await signIn(azure)).access_token);
  const { Key, Url } = await sign(callAzure, await anyAssignmentId(callAzure), 'video.mp4');
  const objects = createSandboxControl(azure);
  const idOf = (text: string) => Buffer.from(text).toString('base64');
  const putBlock = (id: string, body: string, headers = {}) =>
    fetch(`${Url}&comp=block&blockid=${encodeURIComponent(id)}`, { method: 'PUT', body, headers });
  const commit = (...ids: readonly string[]) =>
    put(`${Url}&comp=blocklist`, `<BlockList>${ids.map((id) => `<Latest>${id}</Latest>`).join('')}</BlockList>`);
  const [a, b, c] = [idOf('a'), idOf('b'), idOf('c')];
  const bytes = async () => new Response(await objects.objectBytes(Key)).text();

  for (const id of [b, a, c]) expect((await putBlock(id, `${id} `)).status).toBe(201);
  expect(await objects.objects()).toEqual([]);
  expect(await refusal(await putBlock(idOf('longer'), 'x'))).toEqual([400, 'InvalidBlobOrBlock', expect.any(String)]);
  expect(await refusal(await putBlock('no base64!', 'x'))).toEqual([
    400,
    'InvalidQueryParameterValue',
    expect.any(String),
  ]);
  expect(await refusal(await putBlock(a, 'x', { 'content-md5': idOf('0'.repeat(16)) }))).toEqual([
    400,
    'Md5Mismatch',
    expect.any(String),
  ]);
  expect(await refusal(await commit(a, idOf('d')))).toEqual([400, 'InvalidBlockList', expect.any(String)]);
  expect((await commit(a, b)).status).toBe(201);
  expect(await bytes()).toBe(`${a} ${b} `);
  // Blocks can be listed again in another order. A block that the list did not name is gone.
  expect((await commit(b, a)).status).toBe(201);
  expect(await bytes()).toBe(`${b} ${a} `);
  expect(await refusal(await commit(c))).toEqual([400, 'InvalidBlockList', expect.any(String)]);
});
