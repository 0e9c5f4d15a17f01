import { expect, test } from 'vitest';
import { assertSecure } from './urls.ts';

test.each([
  'https://inspection.example/api',
  'https://203.0.113.9:8443/',
  'http://127.0.0.1:8080/oauth',
  'http://127.8.9.10/',
  'http://127.1/',
  'http://[::1]:3000/',
  'http://localhost:3000/',
])('accepts %s', (address) => {
  expect(assertSecure(address).href).toBe(new URL(address).href);
});

test.each([
  'http://inspection.example/',
  'http://10.0.0.1/',
  'http://127.0.0.1.example/',
  'http://localhost.example/',
  'http://[::ffff:127.0.0.1]/',
  'http://0.0.0.0/',
  'ftp://127.0.0.1/',
  'file:///etc/hosts',
])('%s is refused', (address) => {
  expect(() => assertSecure(address)).toThrow(expect.objectContaining({ code: 'connection/insecure', retry: 'never' }));
});

test('a refusal names only the host', () => {
  expect(() => assertSecure('http://storage.example/key?sig=secret')).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('secret'), details: { host: 'storage.example' } }),
  );
});

test('rejects text that is not an address as invalid input', () => {
  expect(() => assertSecure('inspection.example')).toThrow(expect.objectContaining({ code: 'input/invalid' }));
});
