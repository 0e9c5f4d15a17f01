import { expect, it } from 'vitest';
import { dialectOf, storageCode } from './dialects.ts';

it.each([
  ['https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=s', 's3'],
  ['https://b.s3.amazonaws.com/k?AWSAccessKeyId=a&Expires=1&Signature=s', 's3'],
  ['https://storage.googleapis.com/b/k?X-Goog-Algorithm=GOOG4-RSA-SHA256', 'google'],
  ['https://storage.googleapis.com/b/k?GoogleAccessId=a&Expires=1&Signature=s', 'google'],
  ['https://a.blob.core.windows.net/c/k?sv=2024-11-04&sig=s&sp=w', 'azure'],
  ['https://files.example.com/k?expires=1&signature=s', 'plain'],
])('tells the storage of %s', (url, name) => {
  expect(dialectOf(new URL(url)).name).toBe(name);
});

it.each([
  ['s3', 403, '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>', true],
  ['s3', 403, '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>', false],
  ['google', 400, '<Error><Code>ExpiredToken</Code><Message>Invalid argument.</Message></Error>', true],
  ['google', 403, '<Error><Code>SignatureDoesNotMatch</Code></Error>', false],
  ['azure', 403, '<Error><Code>AuthenticationFailed</Code></Error>', true],
  ['azure', 403, '<Error><Code>AuthorizationPermissionMismatch</Code></Error>', false],
  ['plain', 403, '{"message":"Request has expired"}', true],
  ['plain', 403, '', false],
] as const)('%s answering %i %s is expired: %s', (name, status, body, expired) => {
  const query = { s3: 'X-Amz-Date=1', google: 'X-Goog-Date=1', azure: 'sv=1&sig=1', plain: 'e=1' }[name];
  expect(dialectOf(new URL(`https://h/k?${query}`)).isExpired(status, body)).toBe(expired);
});

it('names a storage error without what the body repeats of the signature', () => {
  expect(storageCode('<Error><Code>SignatureDoesNotMatch</Code><StringToSign>secret</StringToSign></Error>')).toBe(
    'SignatureDoesNotMatch',
  );
  expect(storageCode('{"error":{"code":"AccessDenied"}}')).toBe('AccessDenied');
  expect(storageCode('nonsense')).toBeUndefined();
});
