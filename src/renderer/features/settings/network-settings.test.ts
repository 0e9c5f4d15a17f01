import { expect, test } from 'vitest';
import { exceptionsIn, proxyAddress } from './network-settings.tsx';

test.each([
  ['office.example:8080', 'http://office.example:8080'],
  [' https://office.example:8443/ ', 'https://office.example:8443'],
  ['socks5://127.0.0.1:1080', 'socks5://127.0.0.1:1080'],
  ['http://jo:secret@office.example:8080', undefined],
  ['ftp://office.example', undefined],
  ['http://office.example/proxy.pac', undefined],
  ['', undefined],
])('%j is %j', (typed, address) => {
  expect(proxyAddress(typed)).toBe(address);
});

test('a list of exceptions may be separated in any usual way', () => {
  expect(exceptionsIn('*.example.com;10.0.0.0/8, <local>\n a.test a.test')).toEqual([
    '*.example.com',
    '10.0.0.0/8',
    '<local>',
    'a.test',
  ]);
});
