import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { DeskError, type ErrorCode, type ErrorDetails, type Retry } from '../../../contract/errors.ts';
import { dialectOf } from './dialects.ts';
import { type Md5Origins, outcomeOfError, outcomeOfResponse, type SendOutcome } from './put-file.ts';

type StorageResponse = Parameters<typeof outcomeOfResponse>[0];

const { signal } = new AbortController();
const failed = (code: ErrorCode, details: ErrorDetails = {}) => new DeskError(code, 'failed', { details });
const lost = { phase: 'exchange' };

test.each<[ErrorCode, ErrorDetails, SendOutcome['type'], ErrorCode]>([
  // After the last byte, the storage may have the file.
  ['upload/stalled', { lastByte: true }, 'unclear', 'upload/unanswered'],
  ['upload/stalled', {}, 'unclear', 'upload/stalled'],
  ['service/unreachable', lost, 'unclear', 'upload/interrupted'],
  ['service/timeout', lost, 'unclear', 'upload/interrupted'],
  ['service/unreachable', { phase: 'connect' }, 'later', 'service/unreachable'],
  ['upload/hashing-stopped', {}, 'later', 'upload/hashing-stopped'],
  ['upload/file-changed', {}, 'unsendable', 'upload/file-changed'],
  ['upload/file-missing', {}, 'unsendable', 'upload/file-missing'],
])('a send that ends with %s %o instead of a response: %s, %s', (code, details, type, resulting) => {
  const error = failed(code, details);
  const outcome = outcomeOfError(error, signal);
  expect(outcome).toMatchObject({ type, error: { code: resulting, details } });
  if (code !== resulting)
    expect(outcome).toMatchObject({ error: { retry: 'later', message: expect.stringMatching(/./) } });
});

test.each<[ErrorCode, AbortSignal]>([
  ['app/cancelled', signal],
  ['service/certificate-expired', signal],
  ['network/proxy-password', signal],
  ['service/unreachable', AbortSignal.abort()],
])('a send that ends with %s has no outcome if it was cancelled, or every file would meet the same', (code, of) => {
  expect(() => outcomeOfError(failed(code, lost), of)).toThrow(expect.objectContaining({ code }));
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

/** Returns the outcome of sending `file` if the storage responds with a 2xx and these headers. */
const accepted = (
  name: keyof typeof URLS,
  headers: StorageResponse['headers'],
  {
    origins = new Map(),
    file = content,
    ...more
  }: Partial<StorageResponse & Parameters<typeof outcomeOfResponse>[2]> & {
    readonly origins?: Md5Origins;
    readonly file?: Buffer | undefined;
  } = {},
) => {
  const url = new URL(URLS[name]);
  const answer = { status: 200, headers, text: '', afterLastByte: true, ms: 1, ...more };
  const sent = { digests: { sha256: 'hash', md5: undefined }, whole: file, ...more };
  return outcomeOfResponse(answer, { url, dialect: dialectOf(url), md5Origins: origins, now: Date.now }, sent);
};

describe('a 2xx is believed only with what the storage always sends', () => {
  test.each([
    ['s3', { etag: '"0123"' }],
    ['google', { 'x-goog-hash': 'crc32c=n03x6A==' }],
    ['azure', { 'x-ms-request-id': '5' }],
  ] as const)('%s: %o', (name, proof) => {
    const others = { server: 'proxy', 'content-length': '0' };
    expect(accepted(name, { ...others, ...proof })).toMatchObject({ type: 'stored', proof: { isSound: true } });
    expect(accepted(name, others)).toMatchObject({
      type: 'unclear',
      error: {
        code: 'upload/unproven',
        retry: 'later',
        message: expect.stringMatching(/./),
        details: { status: 200 },
      },
    });
  });

  test('a list of blocks is not compared, since the response is about the list', () => {
    const headers = { 'x-ms-request-id': '5', ...contentMd5(half) };
    const origins = new Map([[new URL(URLS.azure).origin, true]]);
    expect(accepted('azure', headers, { isList: true, origins })).toMatchObject({
      type: 'stored',
      proof: { isSound: true },
    });
  });

  test('what is compared is the MD5 that was computed while sending; without one, the origin is remembered', () => {
    const digests = { sha256: 'hash', md5: half.toString('hex') };
    expect(accepted('plain', etag(half), { digests })).toMatchObject({ type: 'stored', proof: { isSound: true } });
    const origins: Md5Origins = new Map();
    for (const name of ['s3', 'plain'] as const) {
      const isSound = name === 's3';
      expect(accepted(name, etag(half), { whole: undefined, origins })).toMatchObject({ proof: { isSound } });
    }
    expect([...origins.values()]).toEqual([false, false]);
  });

  test('A16: of an ETag that fills a header, a part is kept', () => {
    const proof = { etag: expect.stringMatching(/^"a{199}$/) };
    expect(accepted('s3', { etag: `"${'a'.repeat(16_000)}"` })).toMatchObject({ type: 'stored', proof });
  });

  test('where a storage always sends nothing, the MD5 of the file alone is a proof', () => {
    expect(accepted('plain', {})).toMatchObject({ type: 'stored', proof: { isSound: false } });
    expect(accepted('plain', { etag: '"some tag"' })).toMatchObject({ proof: { isSound: false } });
    expect(accepted('plain', etag(whole))).toMatchObject({ proof: { isSound: true } });
    expect(accepted('plain', contentMd5(whole))).toMatchObject({ proof: { isSound: true } });
  });
});

test.each([
  ['before the last byte of the file', { afterLastByte: false }],
  ['before the file was read to its end', { digests: undefined }],
])('a 2xx %s is no clear response', (_, more) => {
  expect(accepted('s3', etag(whole), more)).toMatchObject({
    type: 'unclear',
    error: { code: 'upload/interrupted', retry: 'later', message: expect.stringMatching(/./) },
  });
});

test('a storage whose response once had the MD5 is not believed without any tag', () => {
  const origins: Md5Origins = new Map();
  expect(accepted('plain', {}, { origins }).type).toBe('stored');
  expect(accepted('plain', etag(whole), { origins }).type).toBe('stored');
  expect(accepted('plain', { server: 'proxy' }, { origins })).toMatchObject({ error: { code: 'upload/unproven' } });
  expect(accepted('plain', { etag: '"another form"' }, { origins })).toMatchObject({ proof: { isSound: false } });
});

test('an imitation of a storage that has sent its MD5 before proves nothing', () => {
  const origins: Md5Origins = new Map();
  const encrypted = { etag: '"0a-1"' };
  expect(accepted('s3', encrypted, { origins })).toMatchObject({ proof: { isSound: true } });
  expect(accepted('s3', etag(whole), { origins })).toMatchObject({ proof: { isSound: true } });
  expect(accepted('s3', encrypted, { origins })).toMatchObject({ type: 'stored', proof: { isSound: false } });
});

describe('what the response says of the stored object is compared with what was sent', () => {
  test.each([
    ['s3', etag(half)],
    ['google', { 'x-goog-hash': `crc32c=n03x6A==,md5=${half.toString('base64')}` }],
    ['azure', { 'x-ms-request-id': '5', ...contentMd5(half) }],
  ] as const)('%s, which documents its MD5: half of the file is damage', (name, headers) => {
    expect(accepted(name, headers)).toMatchObject({
      type: 'damaged',
      error: { code: 'upload/damaged', retry: 'later', message: expect.stringMatching(/./) },
    });
  });

  test.each([
    ['plain', etag],
    ['plain', contentMd5],
    ['another S3', etag],
  ] as const)('%s: half of the file is damage once the MD5 was right', (name, headersOf) => {
    const origins: Md5Origins = new Map();
    expect(accepted(name, headersOf(half), { origins })).toMatchObject({ type: 'stored', proof: { isSound: false } });
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
      // An ETag that is the MD5 of a file is still learnt.
      expect(accepted(name, etag(whole), { origins }).type).toBe('stored');
      expect(accepted(name, etag(half), { origins }).type).toBe('damaged');
    },
  );

  test.each([
    ['ETag', etag],
    ['Content-MD5', contentMd5],
  ] as const)('the %s of an empty response is no proof of an empty file', (_, headersOf) => {
    const empty = Buffer.alloc(0);
    for (const isKnown of [true, false]) {
      const origins = new Map([[new URL(URLS.plain).origin, isKnown]]);
      const outcome = accepted('plain', headersOf(md5Of(empty)), { origins, file: empty });
      expect(outcome).toMatchObject({ type: 'stored', proof: { isSound: false } });
    }
  });

  test('Content-MD5 of the response itself is no damage, and no proof', () => {
    const text = '{"re\xe7u":true}';
    const origins = new Map([[new URL(URLS.plain).origin, true]]);
    const headers = contentMd5(md5Of(Buffer.from(text, 'latin1')));
    expect(accepted('plain', headers, { text, origins })).toMatchObject({ type: 'stored', proof: { isSound: false } });
  });
});

describe('a response outside 2xx', () => {
  const NOW_MS = Date.parse('2026-01-05T10:00:00Z');
  const refused = (name: keyof typeof URLS, more: Partial<StorageResponse>) => {
    const answer = { status: 403, headers: {}, text: '', afterLastByte: true, ms: 1, ...more };
    const url = new URL(URLS[name]);
    const to = { url, dialect: dialectOf(url), md5Origins: new Map(), now: () => NOW_MS };
    return outcomeOfResponse(answer, to, { digests: undefined });
  };
  const [never, later] = ['never', 'later'] as const;

  test.each<[keyof typeof URLS, number, string, SendOutcome['type'], ErrorCode, Retry]>([
    ['s3', 400, 'ExpiredToken', 'expired', 'upload/url-expired', never],
    ['s3', 403, 'RequestTimeTooSkewed', 'later', 'upload/not-yet-valid', later],
    ['google', 403, 'SignatureDoesNotMatch', 'refused', 'upload/denied', never],
    ['azure', 413, 'RequestBodyTooLarge', 'unsendable', 'upload/too-large', never],
    ['s3', 503, 'SlowDown', 'later', 'service/busy', later],
    ['s3', 400, 'BadDigest', 'later', 'upload/damaged', later],
    ['s3', 400, 'RequestTimeout', 'later', 'upload/stalled', later],
    ['azure', 500, 'OperationTimedOut', 'unclear', 'upload/storage-failed', later],
    ['s3', 404, 'NoSuchBucket', 'refused', 'upload/refused', never],
  ])('%s %i %s: %s, %s', (name, status, code, type, resulting, retry) => {
    const { error, ...outcome } = refused(name, { status, text: `<Error><Code>${code}</Code></Error>` }) as Exclude<
      SendOutcome,
      { type: 'stored' }
    >;
    expect(outcome).toEqual({ type });
    expect(error).toMatchObject({ code: resulting, retry, message: expect.stringMatching(/./) });
    expect(error.details).toEqual({ status, error: code });
  });

  test.each<[number, SendOutcome['type'], ErrorCode]>([
    [304, 'refused', 'upload/refused'],
    [401, 'refused', 'upload/denied'],
    [403, 'refused', 'upload/denied'],
    [408, 'unclear', 'upload/storage-failed'],
    [413, 'unsendable', 'upload/too-large'],
    [429, 'later', 'service/busy'],
    [500, 'unclear', 'upload/storage-failed'],
    [503, 'later', 'service/busy'],
    [504, 'unclear', 'upload/storage-failed'],
  ])('%i without a code: %s, %s', (status, type, code) => {
    expect(refused('plain', { status })).toMatchObject({ type, error: { code, details: { status } } });
    expect(refused('plain', { status })).not.toHaveProperty('error.details.error');
  });

  test('names the wait that a busy storage asks for', () => {
    expect(refused('s3', { status: 503, headers: { 'retry-after': '7' } })).toMatchObject({
      error: { retryAfterMs: 7000 },
    });
  });

  test.each([
    [
      '2026-01-05T09:54:59Z',
      { code: 'upload/clock-wrong', details: { status: 403, error: 'RequestTimeTooSkewed', minutes: 5 } },
    ],
    ['2026-01-05T12:00:00Z', { code: 'upload/clock-wrong', details: { minutes: 120 } }],
    ['2026-01-05T09:55:00Z', { code: 'upload/not-yet-valid', retry: 'later' }],
  ])('a storage whose clock shows %s: %o', (at, error) => {
    const answer = { headers: { date: new Date(at).toUTCString() }, text: '<Code>RequestTimeTooSkewed</Code>' };
    expect(refused('s3', answer)).toMatchObject({
      type: 'later',
      error: { message: expect.stringMatching(/./), ...error },
    });
  });

  test('is one below 200 or above 299', () => {
    const statuses = [199, 200, 299, 300];
    expect(statuses.map((status) => refused('plain', { status }))).toMatchObject([
      { error: { code: 'upload/refused' } },
      { error: { code: 'upload/interrupted' } },
      { error: { code: 'upload/interrupted' } },
      { error: { code: 'upload/refused' } },
    ]);
  });
});
