import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { DeskError } from '../../../contract/errors.ts';
import { dialectOf } from './dialects.ts';
import type { StorageAnswer } from './put-request.ts';
import { type Md5Origins, outcomeOfAcceptance, outcomeOfError } from './send-outcome.ts';

test('when a storage stalls after the last byte, the outcome says that it may have the file', () => {
  const silent = new DeskError('upload/stalled', 'no bytes were transferred for too long', {
    details: { lastByte: true },
  });
  expect(outcomeOfError(silent, new AbortController().signal)).toMatchObject({
    type: 'unclear',
    error: { code: 'upload/unanswered', details: { lastByte: true } },
  });
});

const URLS = {
  s3: 'https://b.s3.amazonaws.com/k?X-Amz-Signature=s',
  'another S3': 'https://minio.example.com/b/k?X-Amz-Signature=s',
  google: 'https://storage.googleapis.com/b/k?X-Goog-Signature=s',
  azure: 'https://a.blob.core.windows.net/c/k?sv=2024-11-04&sig=s',
  plain: 'https://files.example.com/k?signature=s',
} as const;

const content = Buffer.from('the whole file');
const md5Of = (of: Buffer): Buffer => createHash('md5').update(of).digest();
const half = md5Of(content.subarray(0, 7));
const whole = md5Of(content);
const etag = (md5: Buffer) => ({ etag: `"${md5.toString('hex')}"` });
const contentMd5 = (md5: Buffer) => ({ 'content-md5': md5.toString('base64') });

/** The outcome of a 2xx with these headers to `file`. */
const accepted = (
  name: keyof typeof URLS,
  headers: StorageAnswer['headers'],
  {
    origins = new Map(),
    file = content,
    ...more
  }: Partial<StorageAnswer> & { readonly origins?: Md5Origins; readonly file?: Buffer } = {},
) => {
  const url = new URL(URLS[name]);
  const answer = { status: 200, headers, text: '', afterLastByte: true, ms: 1, ...more };
  const sent = { origin: url.origin, digests: { sha256: 'hash', md5: undefined }, whole: file };
  return outcomeOfAcceptance(answer, dialectOf(url), sent, origins);
};

describe('B4: a 2xx is believed only with what the storage always sends', () => {
  test.each([
    ['s3', { etag: '"0123"' }],
    ['google', { 'x-goog-hash': 'crc32c=n03x6A==' }],
    ['azure', { 'x-ms-request-id': '5' }],
  ] as const)('%s: %o', (name, proof) => {
    const others = { server: 'proxy', 'content-length': '0' };
    expect(accepted(name, { ...others, ...proof })).toMatchObject({ type: 'stored', proof: { isSound: true } });
    expect(accepted(name, others)).toMatchObject({
      type: 'unclear',
      error: { code: 'upload/unproven', retry: 'later', details: { status: 200 } },
    });
  });

  test('where a storage always sends nothing, the MD5 of the file alone is a proof', () => {
    expect(accepted('plain', {})).toMatchObject({ type: 'stored', proof: { isSound: false } });
    expect(accepted('plain', { etag: '"some tag"' })).toMatchObject({ proof: { isSound: false } });
    expect(accepted('plain', etag(whole))).toMatchObject({ proof: { isSound: true } });
    expect(accepted('plain', contentMd5(whole))).toMatchObject({ proof: { isSound: true } });
  });
});

test('B4: a storage whose response once had the MD5 is not believed without any tag', () => {
  const origins: Md5Origins = new Map();
  expect(accepted('plain', {}, { origins }).type).toBe('stored');
  expect(accepted('plain', etag(whole), { origins }).type).toBe('stored');
  expect(accepted('plain', { server: 'proxy' }, { origins })).toMatchObject({ error: { code: 'upload/unproven' } });
  expect(accepted('plain', { etag: '"another form"' }, { origins })).toMatchObject({ proof: { isSound: false } });
});

test('B4: an imitation of a storage that has sent its MD5 before proves nothing', () => {
  const origins: Md5Origins = new Map();
  const encrypted = { etag: '"0a-1"' };
  expect(accepted('s3', encrypted, { origins })).toMatchObject({ proof: { isSound: true } });
  expect(accepted('s3', etag(whole), { origins })).toMatchObject({ proof: { isSound: true } });
  expect(accepted('s3', encrypted, { origins })).toMatchObject({ type: 'stored', proof: { isSound: false } });
});

describe('B19: what the response says of the stored object is compared with what was sent', () => {
  test.each([
    ['s3', etag(half)],
    ['google', { 'x-goog-hash': `crc32c=n03x6A==,md5=${half.toString('base64')}` }],
    ['azure', { 'x-ms-request-id': '5', ...contentMd5(half) }],
  ] as const)('%s, which documents its MD5: half of the file is damage', (name, headers) => {
    expect(accepted(name, headers)).toMatchObject({ type: 'damaged', error: { code: 'upload/damaged' } });
  });

  test.each([
    ['plain', etag],
    ['plain', contentMd5],
    ['another S3', etag],
  ] as const)('%s: half of the file is damage once the MD5 was right', (name, headersOf) => {
    const origins: Md5Origins = new Map();
    expect(accepted(name, headersOf(half), { origins }).type).toBe('stored');
    expect(accepted(name, headersOf(whole), { origins }).type).toBe('stored');
    expect(accepted(name, headersOf(half), { origins }).type).toBe('damaged');
  });

  test.each([
    ['weak ETags', 'plain', { etag: `W/"${half.toString('hex')}"` }],
    ['ETags of several parts', 's3', { etag: `"${half.toString('hex')}-2"` }],
    ['encrypted objects', 's3', { ...etag(half), 'x-amz-server-side-encryption': 'aws:kms' }],
  ] as const)('%s are not compared', (_, name, headers) => {
    const origins = new Map([[new URL(URLS[name]).origin, true]]);
    expect(accepted(name, headers, { origins }).type).toBe('stored');
  });

  test.each(['another S3', 'plain'] as const)(
    'the ETag of an empty response is not learnt from an empty file: %s',
    (name) => {
      const origins: Md5Origins = new Map();
      const empty = Buffer.alloc(0);
      const ofResponse = etag(md5Of(empty));
      expect(accepted(name, ofResponse, { origins, file: empty }).type).toBe('stored');
      expect(accepted(name, ofResponse, { origins }).type).toBe('stored');
      // One that is the MD5 of a file is still learnt.
      expect(accepted(name, etag(whole), { origins }).type).toBe('stored');
      expect(accepted(name, etag(half), { origins }).type).toBe('damaged');
    },
  );

  test('Content-MD5 of the response itself is no damage, and no proof', () => {
    const text = '{"ok":true}';
    const origins = new Map([[new URL(URLS.plain).origin, true]]);
    const headers = contentMd5(md5Of(Buffer.from(text)));
    expect(accepted('plain', headers, { text, origins })).toMatchObject({ type: 'stored', proof: { isSound: false } });
  });
});
