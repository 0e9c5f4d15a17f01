/**
 * Translates network errors and refusals of a server into `DeskError`s. These contain no part of an address, a header or a
 * body, except what `spokenError` selects.
 */
import { DeskError, type ErrorCode, isOutageCode, type Retry } from '../../contract/errors.ts';
import { wallNow } from '../async/clock.ts';
import { retryAfterMs } from './retry-after.ts';
import { spokenError } from './spoken-error.ts';

/** A server's answer with its whole body as `text`. Header names are lower case. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
};

const timeoutCodes = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);

/** Node checks the certificate before a byte of the request is sent. OpenSSL's codes have no common prefix. */
const certificateCode = /CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^INVALID_(CA|PURPOSE)$/;

const certificateErrors: Readonly<Record<string, ErrorCode>> = {
  CERT_HAS_EXPIRED: 'service/certificate-expired',
  CERT_NOT_YET_VALID: 'service/certificate-not-yet-valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'service/certificate-wrong-name',
  HOSTNAME_MISMATCH: 'service/certificate-wrong-name',
};

/** OpenSSL's and BoringSSL's names: no common version or cipher, on either side's judgement; and a server without TLS. */
const outdatedTls =
  /^ERR_SSL_.*(PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|HANDSHAKE_FAILURE|INSUFFICIENT_SECURITY|NO_SHARED_CIPHER|DH_KEY_TOO_SMALL|LEGACY_RENEGOTIATION)/;
const missingTls = /^ERR_SSL_(WRONG_VERSION_NUMBER|HTTP_REQUEST|HTTPS_PROXY_REQUEST)$/;

/** Whether the host was reached and no encryption could be agreed on with it. */
export const isTlsRefusal = (error: unknown): boolean => tlsCode(textOf(error, 'code')) !== undefined;

const tlsCode = (code: string): ErrorCode | undefined => {
  if (outdatedTls.test(code)) return 'service/tls-outdated';
  return missingTls.test(code) ? 'service/tls-missing' : undefined;
};

const textOf = (error: unknown, key: 'code' | 'syscall' | 'issuer' | 'validFrom' | 'validTo'): string => {
  // Several addresses were tried (RFC 8305): Node throws an AggregateError with one error for each.
  const source: unknown = error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
  const value: unknown = typeof source === 'object' && source !== null ? Reflect.get(source, key) : undefined;
  return typeof value === 'string' ? value : '';
};

const neverConnected = (error: unknown): boolean => {
  const code = textOf(error, 'code');
  // The code alone is ambiguous: ETIMEDOUT also ends established connections. The system call tells which.
  const atConnecting = ['connect', 'getaddrinfo'].includes(textOf(error, 'syscall'));
  return atConnecting || code === 'UND_ERR_CONNECT_TIMEOUT' || certificateCode.test(code);
};

/**
 * `error` of undici, a socket, a DNS lookup or an abort, as a `DeskError`. A `DeskError` is returned unchanged.
 *
 * - an abort → `app/cancelled`
 * - a timeout → `service/timeout`, anything else → `service/unreachable`; both `retry: 'later'`, with details
 *   `cause`: the system's or undici's code, and `phase`: `connect` (nothing was sent) or `exchange` (the connection
 *   was lost after that: the request may have been processed, see `mayHaveBeenProcessed`).
 * - a certificate that is not accepted → `service/certificate-…`, `retry: 'never'`, phase `connect`; details `host` and,
 *   where known, `issuer`, and `validFrom`, `validTo` and `clock`: the days of the certificate, and this computer's
 * - no encryption in common, or none at all → `service/tls-outdated`, `service/tls-missing`, as for a certificate
 * - if `url` was unreachable or lost because of a network or host: also details `origin`
 */
export const translateNetworkError = (error: unknown, url?: URL): DeskError => {
  if (error instanceof DeskError) return error;
  const name = error instanceof Error ? error.name : '';
  if (name === 'AbortError') return new DeskError('app/cancelled', 'cancelled', { cause: error });
  const code = textOf(error, 'code');
  const timedOut = name === 'TimeoutError' || timeoutCodes.has(code);
  const phase = neverConnected(error) ? 'connect' : 'exchange';
  if (certificateCode.test(code)) return certificateError(error, code, url);
  const ofTls = tlsCode(code);
  if (ofTls) {
    const details = { phase: 'connect', cause: code, ...(url && { host: url.host }) };
    return new DeskError(ofTls, 'no secure connection is possible', { details, cause: error });
  }
  return new DeskError(
    timedOut ? 'service/timeout' : 'service/unreachable',
    timedOut ? `no answer in time (${phase})` : `connection failed (${phase})`,
    {
      retry: 'later',
      details: { phase, ...(code === '' ? {} : { cause: code }), ...(url && { origin: url.origin }) },
      cause: error,
    },
  );
};

/** No `origin`: a host with a wrong certificate is reachable, and waiting does not help. */
const certificateError = (error: unknown, cause: string, url: URL | undefined): DeskError => {
  const [issuer, validFrom, validTo] = [textOf(error, 'issuer'), textOf(error, 'validFrom'), textOf(error, 'validTo')];
  return new DeskError(certificateErrors[cause] ?? 'service/certificate-untrusted', 'the certificate is not accepted', {
    details: {
      phase: 'connect',
      cause,
      ...(url && { host: url.host }),
      ...(issuer && { issuer }),
      ...(validTo && { validFrom, validTo, clock: new Date(wallNow()).toISOString().slice(0, 10) }),
    },
    cause: error,
  });
};

const meaningOf = (status: number): readonly [ErrorCode, Retry] => {
  if (status === 429 || status === 503) return ['service/busy', 'later'];
  if (status === 408 || status >= 500) return ['service/failed', 'later'];
  if (status === 403) return ['service/forbidden', 'never'];
  if (status === 404) return ['service/not-found', 'never'];
  return ['service/refused', 'never'];
};

/**
 * An answer outside 2xx as a `DeskError`. Details: `status`, and `error` and `message` where the body has them in a
 * known shape. `service/busy` has `retryAfterMs` if the server named a time.
 */
export const translateStatus = ({ status, headers, text }: Answer): DeskError => {
  const [code, retry] = meaningOf(status);
  return new DeskError(code, `the service answered ${status}`, {
    retry,
    retryAfterMs: retry === 'later' ? retryAfterMs(headers['retry-after'], dateOf(headers)) : undefined,
    details: { status, ...spokenError(text) },
  });
};

/** When the server answered, by its own clock where it says so: this computer's may be wrong. */
const dateOf = ({ date }: Answer['headers']): number => {
  const atMs = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  return Number.isNaN(atMs) ? wallNow() : atMs;
};

/** Whether `error` says that the other end was not reached, did not answer in time, or cannot be trusted to be itself. */
export const isOutage = (error: unknown): boolean => error instanceof DeskError && isOutageCode(error.code);

/**
 * Whether the request that ended in `error` may have been processed. It was not if no connection was
 * established, or if the server rejected it for now (429, 503).
 */
export const mayHaveBeenProcessed = (error: DeskError): boolean =>
  error.code !== 'service/busy' && error.details.phase !== 'connect';
