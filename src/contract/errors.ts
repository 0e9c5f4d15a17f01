/**
 * Errors as they are passed between processes. Expected errors of libraries, the system and the service are translated
 * to a `DeskError` where they enter the app. From there on, its `code` identifies the error.
 */
import { z } from 'zod';

/** All error codes of the app. Scripts rely on them, so codes are added but never renamed. */
export const ErrorCode = z.enum([
  'input/invalid',
  'connection/missing',
  'connection/insecure',
  'connection/address',
  'connection/sample-off',
  'connection/unexpected',
  'auth/required',
  'auth/expired',
  'auth/denied',
  'auth/failed',
  'auth/timeout',
  'auth/cancelled',
  'auth/browser',
  'auth/refresh-refused',
  'auth/no-refresh-token',
  'auth/token-type',
  'auth/token-invalid',
  'keychain/unavailable',
  'vault/unreadable',
  'service/unreachable',
  'service/timeout',
  'service/certificate-untrusted',
  'service/certificate-expired',
  'service/certificate-not-yet-valid',
  'service/certificate-wrong-name',
  'service/tls-outdated',
  'service/tls-missing',
  'network/interrupted',
  'service/busy',
  'service/failed',
  'service/forbidden',
  'service/not-found',
  'service/refused',
  'service/malformed',
  'service/too-large',
  'service/endless',
  'network/proxy-address',
  'network/proxy-unreachable',
  'network/proxy-password',
  'network/proxy-password-wrong',
  'network/proxy-scheme',
  'network/proxy-account',
  'network/proxy-refused',
  'network/ca-file',
  'network/captive-portal',
  'cache/missing',
  'cache/full',
  'upload/folder-missing',
  'upload/folder-replaced',
  'upload/folder-unreadable',
  'upload/drive-unresponsive',
  'upload/not-a-folder',
  'upload/file-missing',
  'upload/file-unreadable',
  'upload/file-locked',
  'upload/file-changed',
  'upload/file-linked',
  'upload/archive-damaged',
  'upload/archive-stopped',
  'upload/interrupted',
  'upload/stalled',
  'upload/unanswered',
  'upload/unproven',
  'upload/not-arrived',
  'upload/being-removed',
  'upload/insecure-url',
  'upload/url-expired',
  'upload/not-yet-valid',
  'upload/clock-wrong',
  'upload/denied',
  'upload/refused',
  'upload/too-large',
  'upload/damaged',
  'upload/storage-failed',
  'upload/uncertain',
  'upload/name-taken',
  'upload/batch-unknown',
  'upload/batch-state',
  'upload/cancelling',
  'upload/other-session',
  'upload/map-invalid',
  'upload/hashing-stopped',
  'upload/engine-stopped',
  'draft/missing',
  'draft/stopped',
  'draft/changed',
  'upload/scheduled',
  'upload/on-battery',
  'upload/on-metered',
  'watch/limit',
  'watch/overlaps',
  'watch/unknown',
  'settings/managed',
  'settings/logo',
  'settings/not-understood',
  'policy/syntax',
  'policy/unknown-key',
  'policy/invalid',
  'policy/unsafe',
  'policy/unreadable',
  'update/unreachable',
  'update/damaged',
  'update/untrusted',
  'update/missing',
  'update/busy',
  'data/in-use',
  'data/newer',
  'data/corrupt',
  'data/moved-aside',
  'data/left-out',
  'data/unwritable',
  'data/unsynced',
  'data/unsafe',
  'output/not-a-file',
  'output/data-directory',
  'preview/too-large',
  'app/unsupported',
  'app/cancelled',
  'app/ended',
  'app/not-given',
  'app/restarted',
  'app/bug',
]);
export type ErrorCode = z.infer<typeof ErrorCode>;

export const isCertificateCode = (code: ErrorCode): boolean => code.startsWith('service/certificate-');

/** Whether `code` says that requests to a host will fail until a user or an administrator changes something. */
export const isBarredCode = (code: ErrorCode): boolean => isCertificateCode(code) || BARRED.has(code);

const BARRED: ReadonlySet<ErrorCode> = new Set([
  'service/tls-outdated',
  'service/tls-missing',
  'network/proxy-address',
  'network/proxy-password',
  'network/proxy-password-wrong',
  'network/proxy-scheme',
  'network/proxy-account',
  'network/proxy-refused',
  'network/ca-file',
]);

/** Whether requests to a host fail now: it cannot be reached, or someone has to act first (`isBarredCode`). */
export const isOutageCode = (code: ErrorCode): boolean => OUTAGES.has(code) || isBarredCode(code);

const OUTAGES: ReadonlySet<ErrorCode> = new Set([
  'service/unreachable',
  'service/timeout',
  'network/proxy-unreachable',
  'network/captive-portal',
]);

/** Whether `error` says that the name server does not know the host or the proxy, or cannot be reached. */
export const isNameFailure = ({ code, details: { cause } }: Pick<ErrorData, 'code' | 'details'>): boolean =>
  (code === 'service/unreachable' || code === 'network/proxy-unreachable') &&
  (cause === 'ENOTFOUND' || cause === 'EAI_AGAIN');

/** Whether a retry can help. `later`: a retry can help after `retryAfterMs` or, if that is absent, after some time. */
export const Retry = z.enum(['never', 'later']);
export type Retry = z.infer<typeof Retry>;

/** Facts for users and scripts. They must not contain a token, an authorization code, a signed URL or a body. */
export const ErrorDetails = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
export type ErrorDetails = z.infer<typeof ErrorDetails>;

/** A `DeskError` as plain data. `message` is for logs and developers; users read the wording of its `code`. */
export const ErrorData = z.object({
  code: ErrorCode,
  message: z.string(),
  retry: Retry,
  retryAfterMs: z.number().optional(),
  details: ErrorDetails,
});
export type ErrorData = z.infer<typeof ErrorData>;

export type DeskErrorOptions = {
  readonly retry?: Retry;
  readonly retryAfterMs?: number | undefined;
  readonly details?: ErrorDetails;
  readonly cause?: unknown;
};

/** The class of all errors that the app expects. The message must be safe to show and to log. */
export class DeskError extends Error {
  override readonly name = 'DeskError';
  readonly code: ErrorCode;
  readonly retry: Retry;
  readonly retryAfterMs: number | undefined;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, options: DeskErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retry = options.retry ?? 'never';
    this.retryAfterMs = options.retryAfterMs;
    this.details = options.details ?? {};
  }
}

/** Converts `error` to plain data. Anything that is not a `DeskError` is a bug, and its details are not revealed. */
export const toErrorData = (error: unknown): ErrorData => {
  if (!(error instanceof DeskError)) {
    return { code: 'app/bug', message: 'unexpected error', retry: 'never', details: {} };
  }
  const { code, message, retry, retryAfterMs, details } = error;
  return { code, message, retry, details, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
};

/**
 * Wraps `handle` for a `catch`, so that it receives only `DeskError`s. Any other error is a bug, and is thrown again.
 */
export const onDeskError =
  <T>(handle: (error: DeskError) => T) =>
  (error: unknown): T => {
    if (!(error instanceof DeskError)) throw error;
    return handle(error);
  };

export const fromErrorData = (data: ErrorData): DeskError => new DeskError(data.code, data.message, data);

/** The result of every call. Electron's IPC passes only the message of a thrown error, not its code. */
export type Envelope<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: ErrorData };

/**
 * Returns the code of an error from Node or the system (`ENOENT`, `ERR_INVALID_STATE`); undefined if `error` has none.
 */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
