import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import { mayHaveBeenProcessed, redact, spokenError, translateNetworkError, translateStatus } from './translate.ts';

const systemError = (code: string, syscall?: string) => Object.assign(new Error('secret'), { code, syscall });

test.each([
  [systemError('ECONNREFUSED', 'connect'), 'service/unreachable', 'connect'],
  [systemError('ENOTFOUND', 'getaddrinfo'), 'service/unreachable', 'connect'],
  [systemError('ETIMEDOUT', 'connect'), 'service/timeout', 'connect'],
  [systemError('ETIMEDOUT', 'read'), 'service/timeout', 'exchange'],
  [systemError('EHOSTUNREACH', 'read'), 'service/unreachable', 'exchange'],
  [new AggregateError([systemError('ECONNREFUSED', 'connect')]), 'service/unreachable', 'connect'],
  [systemError('UND_ERR_CONNECT_TIMEOUT'), 'service/timeout', 'connect'],
  [systemError('UND_ERR_HEADERS_TIMEOUT'), 'service/timeout', 'exchange'],
  [systemError('UND_ERR_BODY_TIMEOUT'), 'service/timeout', 'exchange'],
  [systemError('UND_ERR_SOCKET'), 'service/unreachable', 'exchange'],
  [systemError('ECONNRESET', 'read'), 'service/unreachable', 'exchange'],
  // The server rejects the app's certificate, or requires one. With TLS 1.3, it does so after the request was sent.
  [systemError('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), 'service/unreachable', 'exchange'],
  [systemError('ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE'), 'service/unreachable', 'exchange'],
  [new Error('something'), 'service/unreachable', 'exchange'],
])('%s', (error, code, phase) => {
  const translated = translateNetworkError(error);
  expect(translated).toMatchObject({ code, retry: 'later', details: { phase } });
  expect(translated.message).not.toContain('secret');
  expect(mayHaveBeenProcessed(translated)).toBe(phase === 'exchange');
});

test.each([
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'service/certificate-untrusted'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'service/certificate-untrusted'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'service/certificate-untrusted'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'service/certificate-untrusted'],
  ['CERT_REVOKED', 'service/certificate-untrusted'],
  ['CERT_HAS_EXPIRED', 'service/certificate-expired'],
  ['CERT_NOT_YET_VALID', 'service/certificate-not-yet-valid'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'service/certificate-wrong-name'],
  ['HOSTNAME_MISMATCH', 'service/certificate-wrong-name'],
])('%s is %s, with the host, and nothing was sent', (cause, code) => {
  const translated = translateNetworkError(systemError(cause), new URL('https://inspection.example:8443/path?secret'));
  expect(translated).toMatchObject({
    code,
    retry: 'never',
    details: { phase: 'connect', cause, host: 'inspection.example:8443' },
  });
  expect(translated.details).not.toHaveProperty('origin');
  expect(JSON.stringify(translated.details)).not.toContain('secret');
  expect(mayHaveBeenProcessed(translated)).toBe(false);
});

test('translates an abort into a cancellation and leaves a DeskError unchanged', () => {
  expect(translateNetworkError(AbortSignal.abort().reason)).toMatchObject({ code: 'app/cancelled', retry: 'never' });
  const error = new DeskError('auth/expired', 'expired');
  expect(translateNetworkError(error)).toBe(error);
});

test.each([
  [301, 'service/refused', 'never'],
  [400, 'service/refused', 'never'],
  [403, 'service/forbidden', 'never'],
  [404, 'service/not-found', 'never'],
  [408, 'service/failed', 'later'],
  [409, 'service/refused', 'never'],
  [413, 'service/refused', 'never'],
  [429, 'service/busy', 'later'],
  [500, 'service/failed', 'later'],
  [503, 'service/busy', 'later'],
  [504, 'service/failed', 'later'],
])('%d is %s', (status, code, retry) => {
  const text = '{"error":{"code":"E1","message":"No."}}';
  expect(translateStatus({ status, headers: {}, text })).toMatchObject({
    code,
    retry,
    details: { status, error: 'E1', message: 'No.' },
  });
});

test.each([502, 504])('%d of a gateway in place of the server is an outage of the server', (status) => {
  const url = new URL('https://inspection.example/contractor');
  const error = translateStatus({ status, headers: {}, text: '' }, url);
  expect(error).toMatchObject({ code: 'service/unreachable', retry: 'later' });
  expect(error.details).toEqual({ status, phase: 'exchange', origin: url.origin });
  expect(mayHaveBeenProcessed(error)).toBe(true);
});

test('the error has Retry-After in either notation', () => {
  const date = 'Sun, 01 Mar 2026 12:00:00 GMT';
  const busy = (header: string) => translateStatus({ status: 429, headers: { date, 'retry-after': header }, text: '' });
  expect(busy('3').retryAfterMs).toBe(3_000);
  expect(busy('Sun, 01 Mar 2026 12:00:04 GMT').retryAfterMs).toBe(4_000);
});

test('a time in Retry-After counts from the time of the server, whatever the clock of this computer says', () => {
  for (const offMs of [-3_600_000, 3_600_000]) {
    const date = new Date(Date.now() + offMs);
    const until = new Date(date.getTime() + 5_000);
    const headers = { date: date.toUTCString(), 'retry-after': until.toUTCString() };
    expect(translateStatus({ status: 503, headers, text: '' }).retryAfterMs).toBe(5_000);
  }
});

test('a throttled request was not processed, a failed one may have been', () => {
  const refusal = (status: number) => translateStatus({ status, headers: {}, text: '' });
  expect(mayHaveBeenProcessed(refusal(503))).toBe(false);
  expect(mayHaveBeenProcessed(refusal(504))).toBe(true);
});

test.each([
  ['{"error":{"code":"NotFound","message":"There is nothing."}}', { error: 'NotFound', message: 'There is nothing.' }],
  ['{"error":"invalid_grant","error_description":"used"}', { error: 'invalid_grant', message: 'used' }],
  ['{"code":17,"message":"No."}', { error: '17', message: 'No.' }],
  ['{"Message":"User is not authorized"}', { message: 'User is not authorized' }],
  [
    '{"type":"https://x.example/p","title":"Forbidden","status":403,"detail":"Not yours."}',
    { error: 'Forbidden', message: 'Not yours.' },
  ],
  ['{"message":{"en":"No."},"code":"E1"}', { error: 'E1' }],
  ['{"error":null}', {}],
  ['[]', {}],
  ['"text"', {}],
  ['<html>', {}],
  ['', {}],
])('%s', (body, expected) => {
  expect(spokenError(body)).toEqual(expected);
});

test('its text is one line, shortened, and without echoed secrets', () => {
  const message = `a\n\tb https://x.example/?code=1 ${'c'.repeat(400)}`;
  const spoken = spokenError(JSON.stringify({ message })).message;
  expect(spoken).toHaveLength(300);
  expect(spoken).toMatch(/^a b https:\/\/x\.example\/\?\[cut\] c+$/);
});

const opaque = 'Zk3vQ9xB2mN7pL4rT8wY1cD6fG0hJ5sA';
const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbmkifQ.c2lnbmF0dXJl';

test.each([
  ['https://storage.example/a/b.jpg?X-Amz-Signature=abc&x=1', 'https://storage.example/a/b.jpg?[cut]'],
  ['com.inspectiondesk.app:/oauth/callback?code=abc&state=xyz', 'com.inspectiondesk.app:/oauth/callback?[cut]'],
  ['http://127.0.0.1:4000/cb#access_token=abc done', 'http://127.0.0.1:4000/cb?[cut] done'],
  [`Authorization: Bearer ${opaque}`, 'Authorization: Bearer [cut]'],
  ['bearer short', 'bearer [cut]'],
  [`token ${jwt} refused`, 'token [cut] refused'],
  [`token ${jwt.slice(0, 12)}`, 'token [cut]'],
  ['eyJhbGciOiJkaXIifQ..aXY.dGV4dA.dGFn', '[cut]'],
  [
    'grant_type=authorization_code&code=abc&code_verifier=def',
    'grant_type=authorization_code&code=[cut]&code_verifier=[cut]',
  ],
  ['{"access_token":"abc","expires_in":3600}', '{"access_token":"[cut]","expires_in":3600}'],
  ['refresh_token=abc', 'refresh_token=[cut]'],
  ['a form with state=abc', 'a form with state=[cut]'],
  [`got ${opaque} from it`, 'got [cut] from it'],
])('%s', (text, expected) => {
  expect(redact(text)).toBe(expected);
});

// If a pattern read the rest of the text again from each part, this would take half an hour.
test.each([
  'a.',
  'a-',
  'a+',
  'a:/',
  'a?',
  'x-amz-',
  'aA1-',
  'eyJ-',
  'eyJaaaa.',
  'bearer ',
  'code=',
  'token  ',
  '://',
  'a@',
])('a secret after a long text goes, and the text is read once: %s…', (part) => {
  const long = part.repeat(1_000_000 / part.length);
  expect(redact(`${long}" https://x.example/?sig=abc`).slice(-26)).toBe('" https://x.example/?[cut]');
});

test('no part of a secret stays, whatever surrounds it and however long that is', () => {
  const secret = fc.string({
    unit: fc.constantFrom(...'abcdefghijkLMNOPQRSTUVWXYZ0123456789-_'),
    minLength: 20,
    maxLength: 90,
  });
  const texts = fc.array(fc.constantFrom('a.', 'a+b:/', '?x', '#', 'eyJ', '-', 'code', 'token', '"', ': ', ' ', 'X9'));
  const forms = fc.constantFrom(
    (hidden: string) => `https://x.example/a?b=${hidden}#c`,
    (hidden: string) => `https://${hidden}@x.example/a`,
    (hidden: string) => `http://user:${hidden}@p@x.example:8080`,
    (hidden: string) => `Bearer ${hidden}`,
    (hidden: string) => `"refresh_token": "${hidden}"`,
    (hidden: string) => `code=${hidden}`,
    (hidden: string) => `eyJhbGci.${hidden}.${hidden}`,
    (hidden: string) => `aB3${'cD4'.repeat(10)}${hidden}`,
  );
  fc.assert(
    fc.property(secret, texts, texts, forms, fc.nat(400), (hidden, before, after, form, length) => {
      const message = [before.join('').padEnd(length, 'so '), form(hidden), after.join('')].join(' ');
      const spoken = spokenError(JSON.stringify({ message })).message ?? '';
      for (let at = 0; at + 8 <= hidden.length; at += 1) expect(spoken).not.toContain(hidden.slice(at, at + 8));
    }),
  );
});

test.each([
  'https://inspection.example/contractor/orderable-events',
  '0f8fad5b-d9cb-469f-a165-70867728950e',
  '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'photos/2026/IMG_0042.jpg',
  'service/unreachable',
  'the batch is in state running',
  '{"event":"call.failed","error":{"code":"upload/denied","details":{"batch":"b","state":"paused"}}}',
  'Code: AccessDenied',
  'C:\\Users\\Somebody\\Documents\\Protocol 12',
])('%s stays', (text) => {
  expect(redact(text)).toBe(text);
});

/** Returns the wait in the error of a response at 12:00 with these `Retry-After` headers. */
const waitOf = (header: string | string[] | undefined) =>
  translateStatus({ status: 503, headers: { date: 'Sun, 01 Mar 2026 12:00:00 GMT', 'retry-after': header }, text: '' })
    .retryAfterMs;

test.each([
  ['0', 0],
  ['120', 120_000],
  [' 7 ', 7_000],
  ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
  ['Sunday, 01-Mar-26 12:00:30 GMT', 30_000],
  ['Sun Mar  1 12:00:30 2026 GMT', 30_000],
  ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
])('%j is a wait of %d ms', (header, expected) => {
  expect(waitOf(header)).toBe(expected);
});

test.each([
  ['1000000000', 900_000],
  ['9'.repeat(400), 900_000],
  ['Fri, 31 Dec 9999 23:59:59 GMT', 900_000],
  [['5', '30', 'soon'], 30_000],
  [['-1', '9'.repeat(400)], 900_000],
])('A7: %j is a wait of %d ms: fifteen minutes at most, the longest of several', (header, expected) => {
  expect(waitOf(header)).toBe(expected);
});

test.each([[[]], [['soon', '-1']], ['1e9'], ['Infinity'], ['0x10'], ['1, 2'], ['1'.repeat(400).concat('s')]])(
  'A7: ignores %j',
  (header) => {
    expect(waitOf(header)).toBeUndefined();
  },
);

test.each([undefined, '', '-5', '1.5', 'soon', 'Sunday'])('%j is no wait', (header) => {
  expect(waitOf(header)).toBeUndefined();
});
