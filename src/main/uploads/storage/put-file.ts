/** Sending one file to its signed Url, and what the answer means. */
import { hash } from 'node:crypto';
import type { Dispatcher } from 'undici';
import type { LocalFile } from '../source/local-file.ts';
import type { SendOutcome } from '../transfer/transfer-machine.ts';
import { azureLimits } from './azure.ts';
import type { Dialect, Headers } from './dialect.ts';
import { dialectOf } from './dialect-of.ts';
import { failure } from './failure.ts';
import { limitedBody, type Outflow } from './limited-body.ts';
import { putBlocks } from './put-blocks.ts';
import { sendBody } from './put-request.ts';
import { refusal } from './refusal.ts';
import { stored } from './stored.ts';
import type { SendTimeouts } from './timeouts.ts';

export type Put = Outflow & {
  readonly dispatcher: Dispatcher;
  /** What `signedUrl` permitted. A credential: never logged, never in an error. */
  readonly url: URL;
  readonly file: LocalFile;
  readonly sizeBytes: number;
  readonly timeouts: SendTimeouts;
  /** Aborted with `signal`, and when no better time is waited for any more. */
  readonly waitSignal: AbortSignal;
  readonly now: () => number;
};

/**
 * Sends the file once and says how that ended, as `SendOutcome` has it.
 * @throws DeskError `app/cancelled` when `signal` is aborted, or `waitSignal` in a wait (details `lastByte`: every byte
 *   had been handed over); `service/certificate-…`; nothing else.
 */
export const putFile = async (put: Put): Promise<SendOutcome> => {
  try {
    const { url } = put;
    const dialect = dialectOf(url);
    const inBlocks = dialect.name === 'azure' && put.sizeBytes > azureLimits(url).putBlobBytes;
    return await (inBlocks ? putBlocks(put, url, dialect) : putWhole(put, url, dialect));
  } catch (error) {
    return failure(error, put.signal);
  }
};

/** PUT, raw body, exact Content-Length. */
const putWhole = async (put: Put, url: URL, dialect: Dialect): Promise<SendOutcome> => {
  const { dispatcher, file, sizeBytes, timeouts, signal } = put;
  const checksum = contentMd5(file.whole, dialect);
  const content = limitedBody(file, { md5: dialect.tellsMd5 && !checksum }, put);
  const answer = await sendBody({
    dispatcher,
    url,
    headers: { ...dialect.headers, ...checksum },
    body: { sizeBytes, content },
    timeouts,
    signal,
  });
  if (answer.status < 200 || answer.status > 299) return refusal(answer, dialect, put.now());
  put.onBytes(sizeBytes);
  return stored(answer, dialect, file.digests(), checksum !== undefined);
};

/** The header that lets the storage check what arrives, where the file is at hand before its first byte goes. */
const contentMd5 = (whole: Buffer | undefined, dialect: Dialect): Headers | undefined =>
  whole && dialect.takesMd5 ? { 'content-md5': hash('md5', whole, 'base64') } : undefined;
