import { describe, expect, it } from 'vitest';
import { type Dialect, dialectOf, hasExpired, storageCode } from './dialects.ts';

const urls = {
  s3: 'https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20260105T100000Z&X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Signature=s',
  's3 V2': 'https://b.s3.amazonaws.com/k?AWSAccessKeyId=a&Expires=1767608100&Signature=s',
  google:
    'https://storage.googleapis.com/b/k?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Date=20260105T100000Z&X-Goog-Expires=900&X-Goog-SignedHeaders=host',
  'google V2': 'https://storage.googleapis.com/b/k?GoogleAccessId=a&Expires=1767608100&Signature=s',
  azure: 'https://a.blob.core.windows.net/c/k?sv=2024-11-04&se=2026-01-05T10%3A15%3A00Z&sr=b&sp=w&sig=s',
  plain: 'https://files.example.com/k?expires=1767608100&signature=s',
} as const;
const of = (name: keyof typeof urls, more = '') => dialectOf(new URL(urls[name] + more));

const xml = (code: string, message = '', rest = '') =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message>${rest}</Error>`;
const azureDetail = (detail: string) =>
  xml('AuthenticationFailed', '', `<AuthenticationErrorDetail>${detail}</AuthenticationErrorDetail>`);
const frame = (current: string) =>
  azureDetail(
    'Signature not valid in the specified time frame: Start [Mon, 05 Jan 2026 10:00:00 GMT] - ' +
      `Expiry [Mon, 05 Jan 2026 10:15:00 GMT] - Current [${current}]`,
  );

it.each([
  ['s3', 'etag'],
  ['s3 V2', 'etag'],
  ['google', 'x-goog-hash'],
  ['google V2', 'x-goog-hash'],
  ['azure', 'x-ms-request-id'],
  ['plain', undefined],
] as const)('recognises the storage of a signed URL by what it proves: %s', (name, proof) => {
  expect(of(name).proof).toBe(proof);
});

describe('the expiry of a URL', () => {
  const endMs = Date.parse('2026-01-05T10:15:00Z');

  it.each(['s3', 's3 V2', 'google', 'google V2', 'azure'] as const)('of %s is in its query', (name) => {
    expect(hasExpired(of(name), endMs - 1)).toBe(false);
    expect(hasExpired(of(name), endMs)).toBe(true);
  });

  it.each([
    urls.plain,
    'https://h/k?X-Amz-Date=nonsense&X-Amz-Expires=900',
    'https://h/k?X-Amz-Date=20260105T100000Z',
    'https://h/k?AWSAccessKeyId=a&Expires=',
    'https://h/k?sv=2024-11-04&si=policy&sig=s',
  ])('of %s is unknown', (url) => {
    expect(hasExpired(dialectOf(new URL(url)), Number.MAX_SAFE_INTEGER)).toBe(false);
  });
});

const meanings: readonly (readonly [keyof typeof urls, number, string, ReturnType<Dialect['meaningOf']>])[] = [
  ['s3', 403, xml('AccessDenied', 'Request has expired'), 'expired'],
  ['s3', 403, xml('AccessDenied', 'Request is not yet valid'), 'not-yet'],
  ['s3', 403, xml('RequestTimeTooSkewed', 'The difference is too large.'), 'not-yet'],
  ['s3', 400, xml('ExpiredToken', 'The provided token has expired.'), 'expired'],
  ['s3', 403, xml('AccessDenied', 'Access Denied'), 'denied'],
  ['s3', 403, xml('SignatureDoesNotMatch'), 'denied'],
  ['s3', 400, xml('InvalidToken'), 'denied'],
  ['s3', 409, xml('OperationAborted'), 'busy'],
  ['s3', 400, xml('EntityTooLarge'), 'too-large'],
  ['s3', 400, xml('BadDigest'), 'garbled'],
  ['s3', 400, xml('XAmzContentSHA256Mismatch'), 'garbled'],
  ['s3', 400, xml('RequestTimeout'), 'too-slow'],
  ['s3', 503, xml('SlowDown'), 'busy'],
  ['s3', 500, xml('InternalError'), 'failed'],
  ['s3', 404, xml('NoSuchBucket'), 'refused'],
  ['google', 400, xml('ExpiredToken', 'Invalid argument.'), 'expired'],
  ['google', 403, xml('SignatureDoesNotMatch'), 'denied'],
  ['google', 400, xml('BadDigest'), 'garbled'],
  ['google', 429, xml('RateLimitExceeded'), 'busy'],
  ['azure', 403, frame('Mon, 05 Jan 2026 10:15:01 GMT'), 'expired'],
  ['azure', 403, frame('Mon, 05 Jan 2026 09:59:59 GMT'), 'not-yet'],
  ['azure', 403, azureDetail('Signature did not match. String to sign used was w 2026'), 'denied'],
  ['azure', 403, xml('AuthenticationFailed'), 'denied'],
  ['azure', 403, xml('AuthorizationPermissionMismatch'), 'denied'],
  ['azure', 403, xml('UnauthorizedBlobOverwrite'), 'denied'],
  ['azure', 400, xml('Md5Mismatch'), 'garbled'],
  ['azure', 413, xml('RequestBodyTooLarge'), 'too-large'],
  ['azure', 503, xml('ServerBusy'), 'busy'],
  ['azure', 500, xml('OperationTimedOut'), 'failed'],
  ['plain', 403, '{"message":"Request has expired"}', 'expired'],
  ['plain', 403, '', 'denied'],
  ['plain', 401, '', 'denied'],
  ['plain', 413, '', 'too-large'],
  ['plain', 429, '', 'busy'],
  ['plain', 408, '', 'failed'],
  ['plain', 507, '', 'failed'],
  ['plain', 409, '', 'refused'],
];
it.each(meanings)('%s answering %i %s means: %s', (name, status, text, meaning) => {
  expect(of(name).meaningOf({ status, headers: {}, text })).toBe(meaning);
});

it.each([
  ['2026-01-05T10:15:00Z', '', 'expired'],
  ['2026-01-05T10:14:59Z', '', 'denied'],
  ['2026-01-05T10:00:00Z', '&st=2026-01-05T10%3A01%3A00Z', 'not-yet'],
])('Azure refusing at %s without a detail, to a SAS with "%s", means: %s', (at, more, meaning) => {
  const headers = { date: new Date(at).toUTCString() };
  for (const code of ['AuthenticationFailed', 'AuthorizationFailure']) {
    expect(of('azure', more).meaningOf({ status: 403, headers, text: xml(code) })).toBe(meaning);
  }
});

it('a SAS whose expiry only its policy knows gets a new signature if Azure does not explain the refusal', () => {
  const policy = dialectOf(new URL('https://a.blob.core.windows.net/c/k?sv=2024-11-04&si=policy&sr=b&sig=s'));
  expect(policy.meaningOf({ status: 403, headers: {}, text: xml('AuthenticationFailed') })).toBe('expired');
});

it('names a storage error without the parts of the signature that the body repeats', () => {
  expect(storageCode('<Error><Code>SignatureDoesNotMatch</Code><StringToSign>secret</StringToSign></Error>')).toBe(
    'SignatureDoesNotMatch',
  );
  expect(storageCode('{"error":{"code":"AccessDenied"}}')).toBe('AccessDenied');
  expect(storageCode('{ "Code" : "AccessDenied" }')).toBe('AccessDenied');
  expect(storageCode('nonsense')).toBeUndefined();
});

describe('the MD5', () => {
  it('is sent where the signature permits it, and always where it covers it', () => {
    const of = (url: string) => dialectOf(new URL(url)).contentMd5;
    expect(Object.entries(urls).filter(([, url]) => of(url) !== 'refused')).toEqual([['azure', urls.azure]]);
    expect(of(urls.azure)).toBe('optional');
    expect(of(urls.s3.replace('SignedHeaders=host', 'SignedHeaders=content-md5%3Bhost'))).toBe('required');
    expect(of(urls.google.replace('SignedHeaders=host', 'SignedHeaders=content-md5%3Bhost'))).toBe('required');
  });

  const md5 = '900150983cd24fb0d6963f7d28e17f72';
  const base64 = 'kAFQmDzST7DWlj99KOF/cg==';
  it.each([
    ['s3', { etag: `"${md5}"` }, md5],
    ['s3', { etag: `"${md5}"`, 'x-amz-server-side-encryption': 'AES256' }, md5],
    ['s3', { etag: `"${md5}"`, 'x-amz-server-side-encryption': 'aws:kms' }, undefined],
    ['s3', { etag: `"${md5}"`, 'x-amz-server-side-encryption-customer-algorithm': 'AES256' }, undefined],
    ['s3', { etag: `"${md5}-3"` }, undefined],
    ['google', { 'x-goog-hash': `crc32c=n03x6A==,md5=${base64}` }, md5],
    ['google', { 'x-goog-hash': ['crc32c=n03x6A==', `md5=${base64}`] }, md5],
    ['google', { 'x-goog-hash': 'crc32c=n03x6A==' }, undefined],
    ['azure', { etag: '"0x8D4BCC2E4835CD0"', 'content-md5': base64 }, md5],
    ['azure', { etag: '"0x8D4BCC2E4835CD0"' }, undefined],
    ['plain', { etag: `"${md5}"` }, md5],
    ['plain', { etag: `W/"${md5}"` }, undefined],
    ['plain', { etag: '"1a2b-5f3c"', 'content-md5': base64 }, md5],
  ] as const)('of what is stored, as %s answers it: %o', (name, headers, expected) => {
    expect(of(name).storedMd5(headers as never)?.hex).toBe(expected);
  });

  it.each([
    [urls.s3, true],
    [urls.s3.replace('b.s3.amazonaws.com', 'b--use1-az4--x-s3.s3express-use1-az4.us-east-1.amazonaws.com'), false],
    [urls.s3.replace('b.s3.amazonaws.com', 'minio.example.com'), false],
    [urls.plain, false],
  ])('in an ETag of %s is sure: %s', (url, isSure) => {
    expect(dialectOf(new URL(url)).storedMd5({ etag: `"${md5}"` })?.isSure).toBe(isSure);
  });
});

it('knows the limits of a SAS: by its version, and for blocks by its permission to write', () => {
  const sas = (query: string) => dialectOf(new URL(`https://a.blob.core.windows.net/c/k?${query}&sig=s`)).blocks;
  const mib = 1024 * 1024;
  expect(sas('sv=2024-11-04')?.wholeBytes).toBe(5000 * mib);
  expect(sas('sv=2018-11-09')?.wholeBytes).toBe(256 * mib);
  expect(sas('sv=2015-04-05')?.wholeBytes).toBe(64 * mib);
  const permissions = ['sp=w', 'sp=rcw', 'si=policy', 'sp=c', 'sp=r'].map((query) => sas(`sv=2024-11-04&${query}`));
  expect(permissions.map((blocks) => blocks?.permission)).toEqual(['given', 'given', 'unknown', 'refused', 'refused']);
  expect(of('s3').blocks).toBeUndefined();
});
