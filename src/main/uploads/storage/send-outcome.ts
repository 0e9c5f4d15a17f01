/** How a send ended, from the answer of the storage or from the lack of one. */
import { DeskError, type ErrorCode, type ErrorDetails, isBarredCode } from '../../../contract/errors.ts';
import { translateNetworkError, translateStatus } from '../../net/translate.ts';
import type { Digests } from '../source/hasher.ts';
import { type Dialect, headerOf } from './dialect.ts';
import { meaningOf, storageCode } from './error-codes.ts';
import type { StorageAnswer } from './put-request.ts';

/** What a storage confirmed: the content that was read (sha256 in hex), and the storage's own tag for it. */
export type Proof = { readonly sha256: string; readonly etag: string | undefined };

/**
 * `unclear`: the connection was lost, or the storage failed, after bytes may have gone out. `later`: the storage
 * certainly did not store the file, and may do so later. `damaged`: the storage holds something other than what was sent.
 * `expired`, `refused`: this signed URL can no longer be used. `unsendable`: the file itself cannot be sent (changed,
 * missing, unreadable, too large); this attempt stored nothing. `free`: the host was away, so the attempt does not count.
 */
export type SendOutcome =
  | { readonly type: 'stored'; readonly proof: Proof }
  | { readonly type: 'later' | 'damaged' | 'expired' | 'refused' | 'unsendable'; readonly error: DeskError }
  | { readonly type: 'unclear'; readonly error: DeskError; readonly free?: boolean };

/** Whether the storage accepted the request. */
export const isAccepted = ({ status }: StorageAnswer): boolean => status >= 200 && status <= 299;

/**
 * The outcome of a send that was answered with 2xx. `digests`: of the file, once it was read to its end.
 * `checked`: the storage was sent the MD5, so it stored nothing else.
 */
export const outcomeOfAcceptance = (
  { headers, afterLastByte }: StorageAnswer,
  dialect: Dialect,
  digests: Digests | undefined,
  checked: boolean,
): SendOutcome => {
  if (!digests || !afterLastByte) {
    const message = 'the storage answered before it had the file';
    return { type: 'unclear', error: new DeskError('upload/interrupted', message, { retry: 'later' }) };
  }
  const { sha256, md5 } = digests;
  const storedMd5 = checked ? undefined : dialect.storedMd5(headers);
  if (md5 !== undefined && storedMd5 !== undefined && md5 !== storedMd5) {
    const message = 'the stored object differs from the file';
    return { type: 'damaged', error: new DeskError('upload/damaged', message, { retry: 'later' }) };
  }
  return { type: 'stored', proof: { sha256, etag: headerOf(headers, 'etag') } };
};

/** From here on, this computer's clock is not just slightly off. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

/** The outcome of a send that was answered outside 2xx. `nowMs`: the time by this computer's clock. */
export const outcomeOfRefusal = (answer: StorageAnswer, dialect: Dialect, nowMs: number): SendOutcome => {
  const { status, headers, text } = answer;
  const code = storageCode(text);
  const details = { status, ...(code !== undefined && { error: code }) };
  const never = (errorCode: ErrorCode, message: string) => new DeskError(errorCode, message, { details });
  const later = (errorCode: ErrorCode, message: string, more: ErrorDetails = {}, retryAfterMs?: number) =>
    new DeskError(errorCode, message, { retry: 'later', retryAfterMs, details: { ...details, ...more } });

  switch (meaningOf(dialect, answer)) {
    case 'expired':
      return { type: 'expired', error: never('upload/url-expired', 'the signed URL has expired') };
    case 'not-yet': {
      const offMs = nowMs - Date.parse(headerOf(headers, 'date') ?? '');
      const error =
        Math.abs(offMs) > CLOCK_TOLERANCE_MS
          ? later('upload/clock-wrong', 'the clock is wrong', { minutes: Math.round(Math.abs(offMs) / 60_000) })
          : later('upload/not-yet-valid', 'the signed URL is not valid yet');
      return { type: 'later', error };
    }
    case 'denied':
      return { type: 'refused', error: never('upload/denied', 'the storage does not permit it') };
    case 'too-large':
      return { type: 'unsendable', error: never('upload/too-large', 'the storage takes no file of this size') };
    case 'busy': {
      const { retryAfterMs } = translateStatus({ status: 503, headers, text: '' });
      return { type: 'later', error: later('service/busy', 'the storage asks to wait', {}, retryAfterMs) };
    }
    case 'garbled':
      return { type: 'later', error: later('upload/damaged', 'what arrived differs from what was sent') };
    case 'too-slow':
      return { type: 'later', error: later('upload/stalled', 'the storage waited too long for the file') };
    case 'failed':
      return { type: 'unclear', error: later('upload/storage-failed', 'the storage failed') };
    case 'refused':
      return { type: 'refused', error: never('upload/refused', 'the storage refuses the file') };
  }
};

/**
 * The outcome of a send that ended without an answer.
 * @throws DeskError `app/cancelled` where that is how it ended; `service/certificate-…`, which every file would meet
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
  // The error is about the file itself. Its last part was not sent, so the storage has none of it.
  if (error.code.startsWith('upload/')) return { type: 'unsendable', error };
  if (details.phase === 'connect') return { type: 'later', error };
  const message = 'the connection was lost while sending';
  return { type: 'unclear', error: new DeskError('upload/interrupted', message, { retry: 'later', details, cause }) };
};
