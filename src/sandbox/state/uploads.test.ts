import { expect, test } from 'vitest';
import { checkSignature, signQuery } from './uploads.ts';

const expiresAtMs = 1_800_000_000_000;
const signed = new URLSearchParams(signQuery('secret', 'PUT', '/storage/a', expiresAtMs));
const request = { method: 'PUT', path: '/storage/a', query: signed };

test('a signature is valid until it expires', () => {
  expect(checkSignature('secret', request, expiresAtMs - 1)).toBeUndefined();
  expect(checkSignature('secret', request, expiresAtMs)).toBe('expired');
});

test('any change of the signed parts is a mismatch', () => {
  const later = new URLSearchParams({ ...Object.fromEntries(signed), expires: String(expiresAtMs / 1000 + 60) });
  expect(checkSignature('secret', { ...request, path: '/storage/b' }, 0)).toBe('mismatch');
  expect(checkSignature('secret', { ...request, method: 'DELETE' }, 0)).toBe('mismatch');
  expect(checkSignature('secret', { ...request, query: later }, 0)).toBe('mismatch');
  expect(checkSignature('other secret', request, 0)).toBe('mismatch');
});

test('a URL without expiry or signature is not signed', () => {
  expect(checkSignature('secret', { ...request, query: new URLSearchParams('expires=1') }, 0)).toBe('missing');
  expect(checkSignature('secret', { ...request, query: new URLSearchParams('signature=x') }, 0)).toBe('missing');
});
