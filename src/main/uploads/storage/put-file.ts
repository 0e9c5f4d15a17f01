/** Sending one file to its signed URL. */
import { hash } from 'node:crypto';
import type { Dispatcher } from 'undici';
import type { LocalFile } from '../source/local-file.ts';
import { azureLimits } from './azure.ts';
import type { Dialect, Headers } from './dialect.ts';
import { dialectOf } from './dialects.ts';
import { limited, type Outflow } from './limited.ts';
import { putBlocks } from './put-blocks.ts';
import { type SendTimeouts, sendPutRequest } from './put-request.ts';
import {
  isAccepted,
  type Md5Origins,
  outcomeOfAcceptance,
  outcomeOfError,
  outcomeOfRefusal,
  type SendOutcome,
} from './send-outcome.ts';

export type FilePut = Outflow & {
  readonly dispatcher: Dispatcher;
  /** What `signedUrl` permitted. A credential: never logged, never in an error. */
  readonly url: URL;
  readonly file: LocalFile;
  readonly sizeBytes: number;
  readonly timeouts: SendTimeouts;
  readonly md5Origins: Md5Origins;
  /** The file replaces another one: everything that can prove its arrival is computed. */
  readonly isReplacing?: boolean | undefined;
  /** Called for each request that the storage accepted (the whole file, or a block of it), with `StorageAnswer.ms`. */
  readonly onAnswered: (ms: number) => void;
  /** Aborted with `signal`, and when nothing may wait to try again later. */
  readonly waitSignal: AbortSignal;
  readonly now: () => number;
};

/**
 * Sends the file once and answers how that ended.
 * @throws DeskError `app/cancelled` when `signal` is aborted, or `waitSignal` during a wait (details `lastByte`: every
 *   byte had been handed over); `service/certificate-…`; nothing else.
 */
export const putFile = async (put: FilePut): Promise<SendOutcome> => {
  try {
    const dialect = dialectOf(put.url);
    const inBlocks = dialect.name === 'azure' && put.sizeBytes > azureLimits(put.url).putBlobBytes;
    return await (inBlocks ? putBlocks(put, dialect) : putWhole(put, dialect));
  } catch (error) {
    return outcomeOfError(error, put.signal);
  }
};

/** PUT, raw body, exact Content-Length. */
const putWhole = async (put: FilePut, dialect: Dialect): Promise<SendOutcome> => {
  const { dispatcher, url, file, sizeBytes, md5Origins, isReplacing = false, timeouts, signal } = put;
  const checksum = contentMd5(file.whole, dialect);
  const headers = { ...dialect.headers, ...checksum };
  const isCompared = dialect.tellsMd5 || md5Origins.has(url.origin) || isReplacing;
  const content = contentOf(file, { md5: isCompared && !checksum }, put);
  const answer = await sendPutRequest({ dispatcher, url, headers, sizeBytes, content, timeouts, signal });
  if (!isAccepted(answer)) return outcomeOfRefusal(answer, dialect, put.now());
  put.onAnswered(answer.ms);
  put.onBytes(sizeBytes);
  return outcomeOfAcceptance(
    answer,
    dialect,
    { origin: url.origin, digests: file.digests(), whole: file.whole },
    md5Origins,
  );
};

/** The header by which the storage checks what arrives, for a file that is in memory before its first byte is sent. */
const contentMd5 = (whole: Buffer | undefined, dialect: Dialect): Headers | undefined =>
  whole && dialect.takesMd5 ? { 'content-md5': hash('md5', whole, 'base64') } : undefined;

/**
 * The content to send: the whole file if it is in memory and the speed is not limited, otherwise its parts, sliced so that
 * they are sent evenly. `md5`: computed while sending.
 */
const contentOf = (
  file: LocalFile,
  options: { readonly md5: boolean },
  outflow: Outflow,
): Buffer | AsyncGenerator<Buffer, void> => {
  const isWhole = file.whole !== undefined && outflow.limit.partBytes() === Number.POSITIVE_INFINITY;
  // undici sends `content-length: 0` for an empty Buffer, but an empty iterator chunked.
  if (file.whole && (isWhole || file.whole.length === 0)) return file.whole;
  return limited(file.read(options), outflow);
};
