import { expect, test } from 'vitest';
import { isBypassed } from './proxy.ts';

test.each([
  ['https://files.example.com', 'example.com', true],
  ['https://files.example.com', '.example.com', true],
  ['https://files.example.com', '*.Example.com', true],
  ['https://example.com', '.example.com', true],
  ['https://notexample.com', 'example.com', false],
  ['https://example.com', 'example.com:443', true],
  ['https://example.com', 'example.com:8443', false],
  ['http://10.1.2.3:8080', '10.0.0.0/8', true],
  ['http://11.1.2.3', '10.0.0.0/8', false],
  ['http://127.0.0.1:5000', '127.0.0.0/8', true],
  ['https://[fd00::1]', 'fd00::/8', true],
  ['https://[::1]:8443', '[::1]:8443', true],
  ['https://[::1]', '::1', true],
  ['https://1.10.0.0', '10.0.0', false],
  ['https://example.com', '10.0.0.0/8', false],
  ['https://example.com', '10.0.0.0/99', false],
  ['https://intranet', '<local>', true],
  ['https://example.com', '<local>', false],
  ['https://example.com', '*', true],
  ['https://192.168.4.5', '192.168.*', true],
  ['https://1.192.168.4', '192.168.*', false],
  ['https://192.16.4.5', '192.168.*', false],
  ['https://srv7.office.example.com', 'srv*.example.com', true],
  ['https://a.srv7.example.com:8443', 'srv*.example.com:8443', true],
  ['https://srv.example.com', 'srv*v.example.com', false],
  ['https://notexample.com', '*example.com', true],
  ['https://example.com', '', false],
])('%s is excepted by %j: %s', (url, entry, is) => {
  expect(isBypassed(new URL(url), ['<-loopback>', 'other.test', entry])).toBe(is);
});

test('a proxy set by hand is for other machines, unless it is told otherwise', () => {
  const here = new URL('http://localhost:1234');
  expect(isBypassed(here, [])).toBe(true);
  expect(isBypassed(here, ['<-loopback>'])).toBe(false);
  expect(isBypassed(here, ['<-loopback>', 'localhost'])).toBe(true);
});
