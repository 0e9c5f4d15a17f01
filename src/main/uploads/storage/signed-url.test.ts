import { expect, test } from 'vitest';
import { signedUrl } from './signed-url.ts';

const remote = { isLocal: false };
const local = { isLocal: true };
const refusal = expect.objectContaining({ code: 'upload/insecure-url', retry: 'never' });

test.each([
  'https://bucket.s3.eu-north-1.amazonaws.com/key?X-Amz-Signature=s',
  'https://storage.example:9000/key?sig=s',
  'https://10.0.0.5/key',
  'https://192.168.1.20:9000/key',
  'https://[2001:db8::5]/key',
])('A8: a remote service may sign %s', (address) => {
  expect(signedUrl(address, remote).href).toBe(address);
});

test.each([
  'http://127.0.0.1:8080/key',
  'http://localhost:8080/key',
  'http://storage.example/key',
  'http://10.0.0.5/key',
  'https://127.0.0.1/key',
  'https://127.1/key',
  'https://0x7f.0.0.1/key',
  'https://[::1]:8443/key',
  'https://[::ffff:127.0.0.1]/key',
  'https://0.0.0.0/key',
  'https://localhost/key',
  'https://localhost./key',
  'https://printer.localhost/key',
  'https://169.254.169.254/latest',
  'https://[fe80::1]/key',
  'https://[::ffff:169.254.169.254]/key',
  'https://224.0.0.1/key',
  'https://255.255.255.255/key',
  'https://user@storage.example/key',
  'https://user:secret@storage.example/key',
  'ftp://storage.example/key',
  'file:///etc/cron.d/key',
  'javascript:alert(1)',
  'data:text/plain,key',
  'storage.example/key',
  '',
])('A8: a remote service may not sign %s', (address) => {
  expect(() => signedUrl(address, remote)).toThrow(refusal);
});

test.each(['http://127.0.0.1:8080/key', 'http://localhost:8080/key', 'https://localhost/key', 'https://s.example/key'])(
  'A8: a service on this machine may sign %s',
  (address) => {
    expect(signedUrl(address, local).href).toBe(address);
  },
);

test.each([
  'http://storage.example/key',
  'http://u:p@127.0.0.1/key',
  'https://169.254.169.254/key',
  'ftp://127.0.0.1/',
])('A8: a service on this machine may not sign %s', (address) => {
  expect(() => signedUrl(address, local)).toThrow(refusal);
});

test('A8: a refusal names the host and nothing more', () => {
  expect(() => signedUrl('http://me:secret@storage.example/key?sig=secret', remote)).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('secret'), details: { host: 'storage.example' } }),
  );
});
