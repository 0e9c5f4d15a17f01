/**
 * Translates network errors and refusals of a server into `DeskError`s. These contain no more of an address than its
 * host and origin, and no more of a body than `spokenError` returns.
 */

import { attempt } from 'es-toolkit/util/attempt';
import { z } from 'zod';
import { DeskError, type ErrorCode, isOutageCode, type Retry } from '../../contract/errors.ts';
import { wallNow } from '../async/clock.ts';

/** A response with its whole body as `text`. Header names are lower case. */
export type HttpResponse = {
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

/**
 * Matches the codes of certificates that the app rejects. OpenSSL gives these codes no common prefix. Alerts of a
 * server that rejects the app's certificate (`ERR_SSL_…`) do not match.
 */
const certificateCode = /^(?!ERR_SSL_).*CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^INVALID_(CA|PURPOSE)$/;

const certificateErrors: Readonly<Record<string, ErrorCode>> = {
  CERT_HAS_EXPIRED: 'service/certificate-expired',
  CERT_NOT_YET_VALID: 'service/certificate-not-yet-valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'service/certificate-wrong-name',
  HOSTNAME_MISMATCH: 'service/certificate-wrong-name',
};

/** Matches the codes of OpenSSL and BoringSSL for servers that share no version or cipher with the app. */
const outdatedTls =
  /^ERR_SSL_.*(PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|HANDSHAKE_FAILURE|INSUFFICIENT_SECURITY|NO_SHARED_CIPHER|DH_KEY_TOO_SMALL|LEGACY_RENEGOTIATION)/;
/** Matches the codes of OpenSSL and BoringSSL for servers without TLS. */
const missingTls = /^ERR_SSL_(WRONG_VERSION_NUMBER|HTTP_REQUEST|HTTPS_PROXY_REQUEST)$/;

/** Whether the host was reached, but no encryption could be agreed on. */
export const isTlsRefusal = (error: unknown): boolean => tlsCode(textOf(error, 'code')) !== undefined;

const tlsCode = (code: string): ErrorCode | undefined => {
  if (outdatedTls.test(code)) return 'service/tls-outdated';
  return missingTls.test(code) ? 'service/tls-missing' : undefined;
};

const textOf = (error: unknown, key: 'code' | 'syscall' | 'issuer' | 'validFrom' | 'validTo'): string => {
  // If several addresses were tried (RFC 8305), Node throws an AggregateError with an error for each address.
  const source: unknown = error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
  const value: unknown = typeof source === 'object' && source !== null ? Reflect.get(source, key) : undefined;
  return typeof value === 'string' ? value : '';
};

const neverConnected = (error: unknown): boolean => {
  const code = textOf(error, 'code');
  // The system call is needed because ETIMEDOUT also ends established connections. A certificate is checked before a
  // request is sent.
  const atConnecting = ['connect', 'getaddrinfo'].includes(textOf(error, 'syscall'));
  return atConnecting || code === 'UND_ERR_CONNECT_TIMEOUT' || certificateCode.test(code);
};

/**
 * Translates an `error` of undici, a socket, a DNS lookup or an abort into a `DeskError`. A `DeskError` stays
 * unchanged.
 *
 * - an abort → `app/cancelled`
 * - a timeout → `service/timeout`, anything else → `service/unreachable`; both `retry: 'later'`, with details `cause`:
 * the system's or undici's code, if there is one, and `phase`: `connect` (nothing was sent) or `exchange` (the
 * connection was lost after that: the request may have been processed, see `mayHaveBeenProcessed`).
 * - a certificate that is not accepted → `service/certificate-…`, `retry: 'never'`, phase `connect`; details `cause`
 * and, where known, `host`, `issuer`, `validFrom` and `validTo` (days), and `clock` (today by this computer's clock)
 * - no encryption in common, or none at all → `service/tls-outdated`, `service/tls-missing`, `retry: 'never'`, phase
 * `connect`; details `host` and `cause`
 *
 * `service/timeout` and `service/unreachable` also have details `origin` if `url` is given.
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

/**
 * Creates the error of a rejected certificate. The error has no `origin`, because the host can be reached, and waiting
 * does not help.
 */
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
 * Whether a gateway responded in place of the server, because it did not reach the server, or because the server did
 * not respond in time.
 */
export const isOfGateway = (status: number): boolean => status === 502 || status === 504;

/**
 * Translates a response outside 2xx into a `DeskError`. Details: `status`, and the `error` and `message` of the body if
 * it has a known shape. An error with `retry: 'later'` has `retryAfterMs` if the server named a time. With `url`, the
 * response of a gateway (`isOfGateway`) is an outage: `service/unreachable`, with the details of
 * `translateNetworkError`.
 */
export const translateStatus = ({ status, headers, text }: HttpResponse, url?: URL): DeskError => {
  const outage = url && isOfGateway(status) ? { phase: 'exchange', origin: url.origin } : undefined;
  const [code, retry] = outage ? (['service/unreachable', 'later'] as const) : meaningOf(status);
  return new DeskError(code, `the service answered ${status}`, {
    retry,
    retryAfterMs: retry === 'later' ? retryAfterMs(headers['retry-after'], dateOf(headers)) : undefined,
    details: { status, ...spokenError(text), ...outage },
  });
};

/**
 * Returns the time of the response according to its `Date` header, because this computer's clock may be wrong. Without
 * the header, returns the time of that clock.
 */
const dateOf = ({ date }: HttpResponse['headers']): number => {
  const atMs = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  return Number.isNaN(atMs) ? wallNow() : atMs;
};

/**
 * Whether `error` reports that the host could not be reached, could not be reached securely, or did not respond in
 * time.
 */
export const isOutage = (error: unknown): boolean => error instanceof DeskError && isOutageCode(error.code);

/**
 * Whether the request that ended in `error` may have been processed. A request was not processed if it never reached
 * the server (phase `connect`), or if the server was too busy (429, 503).
 */
export const mayHaveBeenProcessed = (error: DeskError): boolean =>
  error.code !== 'service/busy' && error.details.phase !== 'connect';

// Reads the error message of a server. The API documentation does not describe error bodies (Errors), so common shapes
// are accepted.

const longestChars = 300;

const tidy = (value: string): string =>
  redact(value)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, longestChars);

const text = z
  .union([z.string(), z.number()])
  .transform((value) => tidy(String(value)))
  .optional()
  .catch(undefined);

const Shape = z.object({
  error: text,
  error_description: text,
  code: text,
  Code: text,
  message: text,
  Message: text,
  // RFC 9457. `type`, a URL for the kind of problem, is left out. `detail` describes this occurrence of the problem.
  title: text,
  detail: text,
});

const Nested = z.object({ error: Shape });

/** Parses `text` as JSON, with the `reviver` of `JSON.parse`; null if it is not valid JSON. */
export const jsonIn = (text: string, reviver?: (key: string, value: unknown) => unknown): unknown =>
  attempt((): unknown => JSON.parse(text, reviver))[1];

/**
 * Returns the code and the message of an error body: `{error:{code,message}}`, `{error,error_description}` (RFC 6749),
 * `{code,message}`, `{Code,Message}` or a problem (RFC 9457). Each has at most 300 characters. Returns an empty object
 * for other bodies.
 */
export const spokenError = (body: string): { readonly error?: string; readonly message?: string } => {
  const json = jsonIn(body);
  const shape = Nested.safeParse(json).data?.error ?? Shape.safeParse(json).data;
  const error = shape?.code || shape?.Code || shape?.error || shape?.title;
  const message = shape?.message || shape?.Message || shape?.error_description || shape?.detail;
  return { ...(error ? { error } : {}), ...(message ? { message } : {}) };
};

// Removes secrets from text that should not contain secrets, as a last safeguard.

/**
 * Patterns of secrets, with their replacements. Servers send long texts. So no pattern may read the rest of a text
 * again from each place where a secret could begin.
 */
const rules: readonly (readonly [RegExp, string])[] = [
  // The user name and the password of a URL.
  [/(?<=:\/\/)[^\s"'<>/?#]*@/g, '[cut]@'],
  // The query or the fragment of a URL. Both can contain signatures, codes and tokens. The URL keeps its path. The
  // pattern starts at `?` or `#` and looks back for the URL.
  [/[?#](?<=[a-z0-9+.-]:\/[^\s"'<>?#]*[?#])[^\s"'<>]*/gi, '?[cut]'],
  // The parts of a JSON web token, or its beginning.
  [/\beyJ[\w-]{4}[\w.-]*/g, '[cut]'],
  [/\b(bearer|basic)\s+[^\s"',;]+/gi, '$1 [cut]'],
  // OAuth parameters in a form or a query. They are matched only before `=`, because errors and events in JSON also
  // have fields named `code` and `state`.
  [/\b(code|state)(=)[^\s"'&,;}]+/gi, '$1$2[cut]'],
  // Secrets and signatures outside a URL, including JSON fields.
  [
    /\b(code_verifier|client_secret|password|sig|(?:access|refresh|id)?_?token|x-(?:amz|goog)-(?:signature|credential|security-token))\b(["']?\s*[=:]\s*["']?)[^\s"'&,;}]+/gi,
    '$1$2[cut]',
  ],
  // Opaque tokens, which are long and mix upper case, lower case and digits. Hashes and UUIDs have only one case.
  [/(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{32,}(?![\w-])/g, '[cut]'],
];

/**
 * Replaces with `[cut]` everything in `text` that looks like a token, a password, a signature, an OAuth parameter, or
 * the login, query or fragment of a URL.
 */
export const redact = (text: string): string =>
  rules.reduce((rest, [pattern, replacement]) => rest.replaceAll(pattern, replacement), text);

/** The maximum pause that the app grants to a host. */
export const LONGEST_HOLD_MS = 15 * 60_000;

/**
 * Returns the wait that a `Retry-After` header requests, in ms from `nowMs`; undefined if no value is valid. A value is
 * a number of seconds or an HTTP date (RFC 9110, 10.2.3). The longest wait counts, but at least 0 and at most
 * `LONGEST_HOLD_MS`.
 */
const retryAfterMs = (header: string | readonly string[] | undefined, nowMs: number): number | undefined => {
  const waits = [header ?? []].flat().flatMap((text) => waitMs(text.trim(), nowMs) ?? []);
  return waits.length === 0 ? undefined : Math.min(LONGEST_HOLD_MS, Math.max(0, ...waits));
};

const waitMs = (text: string, nowMs: number): number | undefined => {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // Each HTTP date begins with its weekday. `Date.parse` alone would also accept "1.5" as a date.
  const dateMs = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : dateMs - nowMs;
};
