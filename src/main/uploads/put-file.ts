/** Sending one file to its signed Url: PUT, raw body, exact Content-Length, and what the answer means. */
import { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import { DeskError } from '../../contract/errors.ts';
import { assertSecure } from '../net/secure-url.ts';
import { translateNetworkError, translateStatus } from '../net/translate.ts';
import { dialectOf, storageCode } from './dialects.ts';
import type { LocalFile } from './local-file.ts';
import type { RateLimit } from './rate-limit.ts';
import type { SendOutcome } from './transfer-machine.ts';

export type Put = {
  readonly dispatcher: Dispatcher;
  /** A credential: never logged, never in an error. */
  readonly url: string;
  readonly file: LocalFile;
  readonly sizeBytes: number;
  readonly limit: RateLimit;
  /** Told how many bytes of the file were handed to the connection so far. */
  readonly onBytes: (sentBytes: number) => void;
  readonly signal: AbortSignal;
};

/** More of an error body than any storage says. */
const ERROR_BODY_BYTES = 16 * 1024;

/**
 * Sends the file once and says how that ended, as `SendOutcome` has it.
 * @throws DeskError `app/cancelled` when `signal` is aborted, and nothing else.
 */
export const putFile = async (put: Put): Promise<SendOutcome> => {
  const { dispatcher, url, file, sizeBytes, signal } = put;
  try {
    const address = new URL(url);
    assertSecure(address);
    const dialect = dialectOf(address);
    const answer = await request(address, {
      dispatcher,
      method: 'PUT',
      headers: { ...dialect.headers, 'content-length': String(sizeBytes) },
      body: sizeBytes === 0 ? await emptyBody(file) : Readable.from(counted(put), { objectMode: false }),
      signal,
    });
    const body = await readStart(answer.body);
    if (answer.statusCode >= 200 && answer.statusCode < 300) return stored(file.sha256(), answer.headers.etag);
    return refusal(answer.statusCode, answer.headers, body, dialect.isExpired(answer.statusCode, body));
  } catch (error) {
    return failure(translateNetworkError(error), signal);
  }
};

const stored = (sha256: string | undefined, etag: unknown): SendOutcome => {
  if (sha256 !== undefined)
    return { type: 'stored', proof: { sha256, etag: typeof etag === 'string' ? etag : undefined } };
  const error = new DeskError('upload/interrupted', 'the storage answered before it had the file', { retry: 'later' });
  return { type: 'unclear', error };
};

/** undici sends `content-length: 0` for it; an empty iterator would be sent chunked. */
const emptyBody = async (file: LocalFile): Promise<Buffer> => {
  for await (const _ of file.read());
  return Buffer.alloc(0);
};

/** The file's parts, each counted, and let out as the limit allows: no transfer can forget either. */
async function* counted({ file, limit, onBytes, signal }: Put): AsyncGenerator<Buffer, void> {
  let sentBytes = 0;
  for await (const part of file.read()) {
    for (let from = 0; from < part.length; from += limit.partBytes) {
      const slice = part.subarray(from, from + limit.partBytes);
      await limit.take(slice.length, signal);
      yield slice;
      sentBytes += slice.length;
      onBytes(sentBytes);
    }
  }
}

const readStart = async (body: AsyncIterable<Buffer>): Promise<string> => {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const part of body) {
    if (sizeBytes < ERROR_BODY_BYTES) parts.push(part);
    sizeBytes += part.length;
  }
  return Buffer.concat(parts).subarray(0, ERROR_BODY_BYTES).toString('utf8');
};

const refusal = (
  status: number,
  headers: Dispatcher.ResponseData['headers'],
  body: string,
  expired: boolean,
): SendOutcome => {
  const code = storageCode(body);
  const details = { status, ...(code !== undefined && { error: code }) };
  if (expired) {
    return {
      type: 'expired',
      error: new DeskError('upload/url-expired', 'the signed address has expired', { details }),
    };
  }
  if (status === 413) {
    return {
      type: 'unsendable',
      error: new DeskError('upload/too-large', 'the storage takes no file of this size', { details }),
    };
  }
  if (status === 429 || status === 503) {
    const { retryAfterMs } = translateStatus({ status, headers, text: '' });
    const error = new DeskError('service/busy', 'the storage asks to wait', { retry: 'later', retryAfterMs, details });
    return { type: 'later', error };
  }
  if (status === 408 || status >= 500) {
    return {
      type: 'unclear',
      error: new DeskError('upload/storage-failed', 'the storage failed', { retry: 'later', details }),
    };
  }
  return { type: 'refused', error: new DeskError('upload/refused', 'the storage refuses the file', { details }) };
};

const failure = (error: DeskError, signal: AbortSignal): SendOutcome => {
  if (error.code === 'app/cancelled' || signal.aborted) throw error;
  if (error.code.startsWith('upload/')) return { type: 'unsendable', error };
  if (error.code === 'connection/insecure' || error.code === 'input/invalid') return { type: 'refused', error };
  if (error.details.phase === 'connect') return { type: 'later', error };
  const { details, cause } = error;
  return {
    type: 'unclear',
    error: new DeskError('upload/interrupted', 'the connection was lost while sending', {
      retry: 'later',
      details,
      cause,
    }),
  };
};
