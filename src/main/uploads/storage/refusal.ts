/** What a storage's answer outside 2xx means for the file: `SendOutcome`, with the error that a person reads. */
import { DeskError, type ErrorCode, type ErrorDetails } from '../../../contract/errors.ts';
import { translateStatus } from '../../net/translate.ts';
import type { SendOutcome } from '../transfer/transfer-machine.ts';
import { type Dialect, headerOf } from './dialect.ts';
import { meaningOf, storageCode } from './error-codes.ts';
import type { StorageAnswer } from './put-request.ts';

/** From here on this computer's clock is not just a little off. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

/** The outcome of a send that `answer`, outside 2xx, ended. `nowMs`: the time by this computer's clock. */
export const refusal = (answer: StorageAnswer, dialect: Dialect, nowMs: number): SendOutcome => {
  const { status, headers, text } = answer;
  const code = storageCode(text);
  const details = { status, ...(code !== undefined && { error: code }) };
  const never = (errorCode: ErrorCode, message: string) => new DeskError(errorCode, message, { details });
  const later = (errorCode: ErrorCode, message: string, more: ErrorDetails = {}, retryAfterMs?: number) =>
    new DeskError(errorCode, message, { retry: 'later', retryAfterMs, details: { ...details, ...more } });

  switch (meaningOf(dialect, answer)) {
    case 'expired':
      return { type: 'expired', error: never('upload/url-expired', 'the signed address has expired') };
    case 'not-yet': {
      const offMs = nowMs - Date.parse(headerOf(headers, 'date') ?? '');
      const error =
        Math.abs(offMs) > CLOCK_TOLERANCE_MS
          ? later('upload/clock-wrong', 'the clock is wrong', { minutes: Math.round(Math.abs(offMs) / 60_000) })
          : later('upload/not-yet-valid', 'the signed address is not valid yet');
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
