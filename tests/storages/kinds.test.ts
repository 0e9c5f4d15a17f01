/** The strict storages sign like Amazon's and Google's clients, and accept the signatures of these clients. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { errorDocument, type SignedRequest, type StorageKind } from '../../src/sandbox/storage/kind.ts';
import { crc32c } from './content-sums.ts';
import { createAccount, createStorage } from './kinds.ts';
import { awsSigner, googleSigner, type Signed, type Signer } from './signers.ts';

const nowMs = Math.floor(Date.now() / 1000) * 1000;
const minuteMs = 60_000;

const services = (['s3', 'google'] as const).map((name) => {
  const account = createAccount(name);
  const prefix = name === 's3' ? 'X-Amz-' : 'X-Goog-';
  const signer: Signer = (name === 's3' ? awsSigner : googleSigner)(account);
  return { name, prefix, signer, kind: createStorage(name, account) };
});

const origin = 'https://storage.example.com';
const signed: Signed = { origin, path: '/storage/assignments/1/photo.jpg', atMs: nowMs, lifetimeS: 900 };

/** Returns the request to a signed URL. */
const to = (address: string, headers: SignedRequest['headers'] = {}): SignedRequest => {
  const [, host = '', path = '', query = ''] = /^https:\/\/([^/]+)([^?]*)\?(.*)$/.exec(address) ?? [];
  return { method: 'PUT', path, query, headers: { host, 'content-length': '5', ...headers } };
};

const codeOf = (kind: StorageKind, request: SignedRequest, atMs = nowMs) => kind.check(request, atMs)?.code;

describe.each(services)('$name', ({ name, kind, signer, prefix }) => {
  test.each(['photo 1.jpg', "a+b&c=d?e#f%g!'()*~.jpg", 'Åland, 東京 🏠.pdf', 'a//b'])(
    'accepts what its client signs: %s',
    async (key) => {
      const path = `/storage/${key.split('/').map(encodeURIComponent).join('/')}`;
      expect(codeOf(kind, to(await signer({ ...signed, path })))).toBeUndefined();
    },
  );

  test('signs the same', async () => {
    const theirs = new URL(await signer(signed)).searchParams;
    const { path, atMs } = signed;
    const ours = new URLSearchParams(kind.sign({ host: 'storage.example.com', path, atMs, endMs: atMs + 900_000 }));
    expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(theirs));
  });

  test('accepts headers that are signed with their values, and no others', async () => {
    const md5 = createHash('md5').update('bytes').digest('base64');
    const url = await signer({ ...signed, headers: { 'content-md5': md5 } });
    expect(codeOf(kind, to(url, { 'content-md5': md5 }))).toBeUndefined();
    const [missing, unsigned] =
      name === 's3' ? ['SignatureDoesNotMatch', 'AccessDenied'] : Array(2).fill('MalformedSecurityHeader');
    expect(codeOf(kind, to(url))).toBe(missing);
    expect(codeOf(kind, to(url, { 'content-md5': 'AAAAAAAAAAAAAAAAAAAAAA==' }))).toBe('SignatureDoesNotMatch');
    const own = `${prefix.toLowerCase()}meta-a`;
    for (const header of ['content-md5', 'content-type', own])
      expect(codeOf(kind, to(await signer(signed), { [header]: md5 }))).toBe(unsigned);
    expect(codeOf(kind, to(await signer(signed), { accept: '*/*', 'user-agent': 'a' }))).toBeUndefined();
  });

  test('refuses a URL of which anything was changed', async () => {
    const url = await signer(signed);
    const request = to(url);
    expect(codeOf(kind, { ...request, method: 'GET' })).toBe('SignatureDoesNotMatch');
    expect(codeOf(kind, { ...request, path: `${request.path}x` })).toBe('SignatureDoesNotMatch');
    expect(codeOf(kind, { ...request, headers: { host: 'other.example.com' } })).toBe('SignatureDoesNotMatch');
    expect(codeOf(kind, { ...request, query: `${request.query}&x-id=PutObject` })).toBe('SignatureDoesNotMatch');
    for (const [parameter, value] of new URL(url).searchParams) {
      const without = new URLSearchParams(request.query);
      without.delete(parameter);
      expect(codeOf(kind, { ...request, query: without.toString() })).toMatch(/^A/);
      const changed = new URLSearchParams(request.query);
      changed.set(
        parameter,
        value.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      );
      expect(codeOf(kind, { ...request, query: changed.toString() }), parameter).toBeDefined();
    }
  });

  test('a URL is valid from its date, give or take fifteen minutes, until its lifetime is over', async () => {
    const request = to(await signer(signed));
    const expired = name === 's3' ? 'AccessDenied' : 'ExpiredToken';
    expect(codeOf(kind, request, nowMs - 15 * minuteMs)).toBeUndefined();
    expect(codeOf(kind, request, nowMs - 15 * minuteMs - 1)).toBe('AccessDenied');
    expect(codeOf(kind, request, nowMs + 15 * minuteMs - 1)).toBeUndefined();
    expect(codeOf(kind, request, nowMs + 15 * minuteMs)).toBe(expired);
    expect(errorDocument(kind.expired(nowMs))).toMatch(
      name === 's3' ? '>Request has expired<' : 'signature expired at',
    );
  });

  test('lives a week at most', async () => {
    const week = 7 * 86_400;
    expect(codeOf(kind, to(await signer({ ...signed, lifetimeS: week })))).toBeUndefined();
    const query = kind.sign({ host: 'h', path: '/storage/k', atMs: nowMs, endMs: nowMs + (week + 1) * 1000 });
    const refused = kind.check({ method: 'PUT', path: '/storage/k', query, headers: { host: 'h' } }, nowMs);
    expect(refused).toMatchObject({ status: 400 });
  });

  test('refuses a body without a length, in chunks, or above the limit', () => {
    expect(kind.checkLength(undefined, false, 10)).toMatchObject({ status: 411, code: 'MissingContentLength' });
    expect(kind.checkLength(undefined, true, 10)?.status).toBe(name === 's3' ? 501 : 411);
    expect(kind.checkLength(11, false, 10)).toMatchObject({ status: 400, code: 'EntityTooLarge' });
    expect(kind.checkLength(10, false, 10)).toBeUndefined();
  });
});

const content = Buffer.from('123456789');
const base64 = (algorithm: string, of = content) => createHash(algorithm).update(of).digest('base64');
const bytes = (value: number): string => {
  const four = Buffer.alloc(4);
  four.writeUInt32BE(value);
  return four.toString('base64');
};

test('CRC32C has its published check value', () => {
  expect(crc32c(content)).toBe(0xe3069283);
  expect(crc32c(content.subarray(4), crc32c(content.subarray(0, 4)))).toBe(0xe3069283);
});

describe('sums of the content', () => {
  const wrong = Buffer.from('other');
  test.each([
    ['s3', 'content-md5', base64('md5'), base64('md5', wrong), 'BadDigest'],
    ['s3', 'x-amz-checksum-crc32', bytes(crc32(content)), bytes(crc32(wrong)), 'BadDigest'],
    ['s3', 'x-amz-checksum-crc32c', bytes(crc32c(content)), bytes(crc32c(wrong)), 'BadDigest'],
    ['s3', 'x-amz-checksum-sha1', base64('sha1'), base64('sha1', wrong), 'BadDigest'],
    ['s3', 'x-amz-checksum-sha256', base64('sha256'), base64('sha256', wrong), 'BadDigest'],
    ['google', 'content-md5', base64('md5'), base64('md5', wrong), 'BadDigest'],
    ['google', 'x-goog-hash', `md5=${base64('md5')}`, `md5=${base64('md5', wrong)}`, 'BadDigest'],
    ['google', 'x-goog-hash', `crc32c=${bytes(crc32c(content))}`, `crc32c=${bytes(crc32c(wrong))}`, 'CrcMismatch'],
  ] as const)('%s %s', async (name, header, right, other, code) => {
    const service = services.find((one) => one.name === name);
    if (!service) throw new Error(name);
    const { kind, signer } = service;
    const outcome = async (value: string) => {
      const request = to(await signer({ ...signed, headers: { [header]: value } }), { [header]: value });
      const refused = codeOf(kind, request);
      if (refused) return refused;
      const reception = kind.receive(request);
      for (const part of [content.subarray(0, 4), content.subarray(4)]) reception.update(part);
      return reception.refusal()?.code;
    };
    expect(await outcome(right)).toBeUndefined();
    expect(await outcome(other)).toBe(code);
    expect(await outcome(right.replace(/.{4}$/, ''))).toBe('InvalidDigest');
  });

  test.each([
    ['s3', 'x-amz-content-sha256', 'XAmzContentSHA256Mismatch'],
    ['google', 'x-goog-content-sha256', 'InvalidArgument'],
  ] as const)('%s: the hash of the payload that is signed', (name, header, code) => {
    const kind = services.find((one) => one.name === name)?.kind;
    const hash = createHash('sha256').update(content).digest('hex');
    const received = (part: Buffer) => {
      const reception = kind?.receive({ method: 'PUT', path: '/', query: '', headers: { [header]: hash } });
      reception?.update(part);
      return reception?.refusal()?.code;
    };
    expect(received(content)).toBeUndefined();
    expect(received(wrong)).toBe(code);
  });

  test('a sum that is named has to be sent', async () => {
    const s3 = services[0];
    const headers = { 'x-amz-sdk-checksum-algorithm': 'CRC32' };
    const request = to((await s3?.signer({ ...signed, headers })) ?? '', headers);
    expect(s3 && codeOf(s3.kind, request)).toBe('InvalidRequest');
  });
});
