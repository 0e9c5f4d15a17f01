/** Determines the outcome of a send from the storage's response, or from the error if there was none. */
import { hash } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { DeskError, type ErrorCode, type ErrorDetails, isBarredCode } from '../../../contract/errors.ts';
import { translateNetworkError, translateStatus } from '../../net/translate.ts';
import type { Digests } from '../source/hasher.ts';
import { type Dialect, headerOf, md5FromBase64, type Refusal } from './dialects.ts';

/** The storage's response. `text`: the start of its body. */
export type StorageResponse = {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly text: string;
  /** Whether every byte had been handed over when the response came. */
  readonly afterLastByte: boolean;
  /** The time from the first byte of the content to the response, in ms. */
  readonly ms: number;
};

/**
 * The evidence that a storage has a file. `sha256`: the hash of the content that was read, in hex; `etag`: the
 * storage's tag for the object. `isSound`: only this storage could have sent the response; otherwise it may be a 2xx of
 * a proxy.
 */
export type Proof = { readonly sha256: string; readonly etag: string | undefined; readonly isSound: boolean };

/**
 * The origins whose responses contained a possible MD5 of the stored object. `true`: the MD5 has matched the sent
 * content at least once, so a different value now means that the stored object differs.
 */
export type Md5Origins = Map<string, boolean>;

/**
 * The outcome of a send. `unclear`: the storage may have stored the file, for example before the connection was lost.
 * `later`: this attempt stored nothing, but another one may succeed. `damaged`: the storage holds something other than
 * the file. `expired`, `refused`: this signed URL cannot be used. `unsendable`: the file itself cannot be sent, for
 * example because it changed or is too large, and this attempt stored nothing. `free`: the attempt does not count,
 * because the host is to blame, or the URL expired while the file waited for its turn. `continues`: blocks were sent,
 * so another attempt at the same blob sends less.
 */
export type SendOutcome =
  | { readonly type: 'stored'; readonly proof: Proof }
  | {
      readonly type: 'later' | 'expired';
      readonly error: DeskError;
      readonly continues?: boolean;
      readonly free?: boolean;
    }
  | { readonly type: 'damaged' | 'refused' | 'unsendable'; readonly error: DeskError }
  | { readonly type: 'unclear'; readonly error: DeskError; readonly free?: boolean };

/** Whether the response is a 2xx, which may also come from a proxy (`isFromStorage`). */
export const isAccepted = ({ status }: StorageResponse): boolean => status >= 200 && status <= 299;

/**
 * The file that was sent. `digests`: undefined if the file was not read to its end; `whole`: its content, if it is in
 * memory.
 */
export type Sent = {
  readonly origin: string;
  readonly digests: Digests | undefined;
  readonly whole?: Buffer | undefined;
  /**
   * Whether the request committed a list of blocks. An MD5 in the response is then that of the list. Each block was
   * sent with its own MD5.
   */
  readonly isList?: boolean;
};

/** The outcome of a send with a 2xx response. Updates `origins`. */
export const outcomeOfAcceptance = (
  response: StorageResponse,
  dialect: Dialect,
  sent: Sent,
  origins: Md5Origins,
): SendOutcome => {
  const { origin, digests, isList = false } = sent;
  if (!digests || !response.afterLastByte) {
    const message = 'the storage answered before it had the file';
    return { type: 'unclear', error: new DeskError('upload/interrupted', message, { retry: 'later' }) };
  }
  const etag = headerOf(response.headers, 'etag');
  // A storage that returned the right MD5 before sends one of these headers every time, whatever the header's value.
  const hasTag = etag !== undefined || headerOf(response.headers, 'content-md5') !== undefined;
  if (!isFromStorage(response, dialect) || (origins.get(origin) && !hasTag))
    return { type: 'unclear', error: unproven(response) };
  const compared = isList ? 'unknown' : compareMd5(response, dialect, { ...sent, digests }, origins);
  if (compared === 'damaged') {
    const message = 'the stored object differs from the file';
    return { type: 'damaged', error: new DeskError('upload/damaged', message, { retry: 'later' }) };
  }
  // A response with a different MD5, or without one from a host that returned the right one before, may come from a
  // proxy.
  const isUsual = isList || (compared === 'unknown' && !origins.get(origin));
  const isSound = compared === 'equal' || (dialect.proof !== undefined && isUsual);
  return { type: 'stored', proof: { sha256: digests.sha256, etag, isSound } };
};

/**
 * Compares the file with the MD5 that the storage returned. `different`: the object need not be damaged, because this
 * storage may return another value instead of the MD5. `unknown`: there is nothing to compare.
 */
const compareMd5 = (
  response: StorageResponse,
  dialect: Dialect,
  { origin, digests, whole }: Sent & { readonly digests: Digests },
  origins: Md5Origins,
): 'equal' | 'different' | 'damaged' | 'unknown' => {
  const stored = isOfBody(response) ? undefined : dialect.storedMd5(response.headers);
  if (!stored) return 'unknown';
  if (!origins.has(origin)) origins.set(origin, false);
  const md5 = digests.md5 ?? (whole && hash('md5', whole));
  if (md5 === undefined) return 'unknown';
  if (md5 !== stored.hex) return stored.isSure || origins.get(origin) ? 'damaged' : 'different';
  // The MD5 of the response's own body proves nothing: an empty file and an empty body have the same MD5.
  if (stored.hex === md5OfBody(response)) return 'unknown';
  origins.set(origin, true);
  return 'equal';
};

/**
 * Whether a 2xx has the header that this storage always sends, and that a proxy does not. True if no such header is
 * known.
 */
export const isFromStorage = ({ headers }: StorageResponse, { proof }: Dialect): boolean =>
  proof === undefined || Boolean(headerOf(headers, proof));

/** The error of a 2xx that does not come from the storage. */
export const unproven = ({ status }: StorageResponse): DeskError =>
  new DeskError('upload/unproven', 'the response does not come from the storage', {
    retry: 'later',
    details: { status },
  });

/** Whether Content-MD5 is the MD5 of the response's own body, as RFC 1864 defines it, and not of the stored object. */
const isOfBody = (response: StorageResponse): boolean =>
  md5FromBase64(headerOf(response.headers, 'content-md5')) === md5OfBody(response);

const md5OfBody = ({ text }: StorageResponse): string => hash('md5', Buffer.from(text, 'latin1'));

/** If this computer's clock and the storage's differ by more than this, this computer's clock counts as wrong. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

/** The outcome of each refusal, except `not-yet` and `busy`: its type, the retry, the error code and the message. */
const REFUSALS = {
  expired: ['expired', 'never', 'upload/url-expired', 'the signed URL has expired'],
  denied: ['refused', 'never', 'upload/denied', 'the storage does not permit it'],
  'too-large': ['unsendable', 'never', 'upload/too-large', 'the storage takes no file of this size'],
  /** The content does not match its checksum; nothing was stored. */
  garbled: ['later', 'later', 'upload/damaged', 'what arrived differs from what was sent'],
  /** The storage timed out waiting for bytes; nothing was stored. */
  'too-slow': ['later', 'later', 'upload/stalled', 'the storage waited too long for the file'],
  failed: ['unclear', 'later', 'upload/storage-failed', 'the storage failed'],
  refused: ['refused', 'never', 'upload/refused', 'the storage refuses the file'],
} as const;

/**
 * Why a storage refused a file. `not-yet`: the URL is not valid yet, or by the storage's clock its signature has a
 * wrong time; `busy`: the same request may be sent again later.
 */
export type Meaning = keyof typeof REFUSALS | 'not-yet' | 'busy';

/** The outcome of a send with a response outside 2xx. `nowMs`: the time by this computer's clock. */
export const outcomeOfRefusal = (response: StorageResponse, dialect: Dialect, nowMs: number): SendOutcome => {
  const { status, headers, text } = response;
  const error = storageCode(text);
  const details = { status, ...(error !== undefined && { error }) };
  const later = (code: ErrorCode, message: string, more: ErrorDetails = {}, retryAfterMs?: number): SendOutcome => ({
    type: 'later',
    error: new DeskError(code, message, { retry: 'later', retryAfterMs, details: { ...details, ...more } }),
  });
  const meaning = meaningOf(dialect, response);
  if (meaning === 'not-yet') {
    const offMs = Math.abs(nowMs - Date.parse(headerOf(headers, 'date') ?? ''));
    return offMs > CLOCK_TOLERANCE_MS
      ? later('upload/clock-wrong', 'the clock is wrong', { minutes: Math.round(offMs / 60_000) })
      : later('upload/not-yet-valid', 'the signed URL is not valid yet');
  }
  if (meaning === 'busy') {
    const { retryAfterMs } = translateStatus({ status: 503, headers, text: '' });
    return later('service/busy', 'the storage asks to wait', {}, retryAfterMs);
  }
  const [type, retry, code, message] = REFUSALS[meaning];
  return { type, error: new DeskError(code, message, { retry, details }) };
};

/**
 * The outcome of a send without a response.
 * @throws DeskError the error of the send if `signal` is aborted or the send was cancelled, or if it has a code of
 *   `isBarredCode`, such as `service/certificate-…`: every file would fail with it
 */
export const outcomeOfError = (thrown: unknown, signal: AbortSignal): SendOutcome => {
  const error = translateNetworkError(thrown);
  if (error.code === 'app/cancelled' || isBarredCode(error.code) || signal.aborted) throw error;
  const { details, cause } = error;
  if (error.code === 'upload/stalled') {
    const message = 'the storage did not answer after the last byte';
    const unanswered = new DeskError('upload/unanswered', message, { retry: 'later', details });
    return { type: 'unclear', error: details.lastByte ? unanswered : error };
  }
  // The last part was not sent, and another attempt may succeed.
  if (error.code === 'upload/hashing-stopped') return { type: 'later', error };
  // An error about the file itself: the last part was not sent, so the storage did not store the file.
  if (error.code.startsWith('upload/')) return { type: 'unsendable', error };
  if (details.phase === 'connect') return { type: 'later', error };
  const message = 'the connection was lost while sending';
  return { type: 'unclear', error: new DeskError('upload/interrupted', message, { retry: 'later', details, cause }) };
};

// The error codes of S3, Google (XML API) and Azure, which do not conflict, and their meaning for an upload. Where a
// code is missing here, the status decides.

const codes: readonly (readonly [Meaning, readonly string[]])[] = [
  ['expired', ['ExpiredToken', 'RequestExpired']],
  ['not-yet', ['RequestTimeTooSkewed']],
  ['denied', ['InvalidToken']],
  ['too-large', ['EntityTooLarge', 'MaxMessageLengthExceeded', 'RequestBodyTooLarge', 'BlockCountExceedsLimit']],
  ['busy', ['SlowDown', 'ServiceUnavailable', 'Throttling', 'RequestLimitExceeded', 'ServerBusy', 'OperationAborted']],
  [
    'garbled',
    [
      ...['BadDigest', 'InvalidDigest', 'CrcMismatch', 'Md5Mismatch', 'InvalidMd5'],
      ...['XAmzContentChecksumMismatch', 'XAmzContentSHA256Mismatch'],
    ],
  ],
  ['too-slow', ['RequestTimeout', 'IncompleteBody']],
];
const meanings = new Map(codes.flatMap(([meaning, named]) => named.map((code) => [code, meaning] as const)));

/**
 * The error code in a storage's XML or JSON body; undefined if there is none. Other text of the body is not used,
 * because it may repeat parts of the signature.
 */
export const storageCode = (text: string): string | undefined =>
  /<Code>([A-Za-z0-9]{1,64})<\/Code>|"[Cc]ode"\s*:\s*"([A-Za-z0-9]{1,64})"/.exec(text)?.slice(1).find(Boolean);

/** The meaning of a refusal: from the dialect, otherwise from the code, otherwise from the status. */
export const meaningOf = (dialect: Dialect, refusal: Refusal): Meaning =>
  dialect.meaningOf(refusal) ?? meanings.get(storageCode(refusal.text) ?? '') ?? meaningOfStatus(refusal.status);

const meaningOfStatus = (status: number): Meaning => {
  if (status === 413) return 'too-large';
  if (status === 429 || status === 503) return 'busy';
  if (status === 408 || status >= 500) return 'failed';
  return status === 401 || status === 403 ? 'denied' : 'refused';
};
