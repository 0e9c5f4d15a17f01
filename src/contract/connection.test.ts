import { expect, test } from 'vitest';
import { addressRefusal, isLoopback, isOwnedBy, isSameUser } from './connection.ts';

test.each([
  ['ani', 'ani', true],
  ['ani', 'bo', false],
  ['ani', undefined, true],
  [undefined, 'bo', true],
  [undefined, undefined, true],
])('%s and %s: may be the same user: %s', (one, other, expected) => {
  expect(isSameUser({ subject: one }, { subject: other })).toBe(expected);
  expect(isSameUser({ subject: other }, { subject: one })).toBe(expected);
});

test('nothing is owned across connections', () => {
  expect(isOwnedBy({ connectionId: 'a', subject: 'ani' }, { connectionId: 'b', subject: 'ani' })).toBe(false);
  expect(isOwnedBy({ connectionId: 'a', subject: 'ani' }, { connectionId: 'a' })).toBe(true);
});

test.each(['https://service.example', 'https://service.example:8443/api/', 'http://127.0.0.1:4000', 'http://[::1]/x'])(
  '%s is accepted',
  (address) => {
    expect(addressRefusal('baseUrl', address)).toBeUndefined();
  },
);

test.each([
  ['https://user:secret@service.example', 'userinfo'],
  ['https://user@service.example', 'userinfo'],
  ['https://:secret@service.example/api', 'userinfo'],
  ['https:\\\\user:secret@service.example', 'userinfo'],
  ['https://service.example/?tenant=secret', 'query'],
  ['https://service.example?', 'query'],
  ['https://service.example/#secret', 'fragment'],
  ['https://service.example/#', 'fragment'],
  ['https://service.example/#a?b', 'fragment'],
  ['http://user:secret@service.example', 'userinfo'],
])('A14: %s is refused for its %s', (address, part) => {
  const refusal = addressRefusal('authUrl', address);
  expect(refusal).toMatchObject({ code: 'connection/address', retry: 'never', details: { field: 'authUrl', part } });
  expect(JSON.stringify({ ...refusal, message: refusal?.message })).not.toContain('secret');
});

test.each([
  'service.example',
  'ftp://service.example',
  'javascript:alert(1)',
  'https://service.example/\n',
  'https://ser\tvice.example',
  'https://service.example/a b',
  '',
])('%j is no address', (address) => {
  expect(addressRefusal('baseUrl', address)).toMatchObject({ code: 'input/invalid', details: { field: 'baseUrl' } });
});

test.each(['http://service.example', 'http://10.0.0.1', 'http://127.0.0.1.example'])('%s is not secure', (address) => {
  const expected = { code: 'connection/insecure', details: { field: 'baseUrl', host: new URL(address).host } };
  expect(addressRefusal('baseUrl', address)).toMatchObject(expected);
});

test('only the host decides whether an address is loopback', () => {
  expect(isLoopback(new URL('https://127.0.0.1/'))).toBe(true);
  expect(isLoopback(new URL('https://example.com/?127.0.0.1'))).toBe(false);
});
