import { expect, test } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import { mayHaveBeenProcessed, translateNetworkError, translateStatus } from './translate.ts';

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

test('the error has Retry-After in either notation', () => {
  const date = 'Sun, 01 Mar 2026 12:00:00 GMT';
  const busy = (header: string) => translateStatus({ status: 429, headers: { date, 'retry-after': header }, text: '' });
  expect(busy('3').retryAfterMs).toBe(3_000);
  expect(busy('Sun, 01 Mar 2026 12:00:04 GMT').retryAfterMs).toBe(4_000);
});

test('B10: a time in Retry-After counts from the time of the server, whatever the clock of this computer says', () => {
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
