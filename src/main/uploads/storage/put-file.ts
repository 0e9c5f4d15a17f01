/** Sending one file to its signed URL. */
import { hash } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { DeskError, isBarredCode } from '../../../contract/errors.ts';
import type { RateLimit } from '../../async/rate-limit.ts';
import { withRetry } from '../../async/retry.ts';
import { type LocalFile, readInTime } from '../source/local-file.ts';
import { allowsBlocks, azureLimits, type Dialect, dialectOf, type Headers } from './dialects.ts';
import { type PutRequest, type SendTimeouts, type StorageAnswer, sendPutRequest } from './put-request.ts';
import {
  isAccepted,
  isFromStorage,
  type Md5Origins,
  outcomeOfAcceptance,
  outcomeOfError,
  outcomeOfRefusal,
  type SendOutcome,
  unproven,
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
 * Sends the file once and resolves to the outcome.
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
  const headers = { ...dialect.headers, ...(await contentMd5(put, dialect)) };
  const isCompared = dialect.tellsMd5 || md5Origins.has(url.origin) || isReplacing;
  const content = await contentOf(file, { md5: isCompared && !(file.whole && 'content-md5' in headers) }, put);
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

/**
 * The header by which the storage checks what arrives, for a file that is in memory before its first byte is sent. Any
 * other is read twice for it, if the storage would refuse it otherwise.
 */
const contentMd5 = async ({ file, timeouts, signal }: FilePut, dialect: Dialect): Promise<Headers> => {
  if (dialect.contentMd5 === 'refused' || (dialect.contentMd5 === 'optional' && !file.whole)) return {};
  if (file.whole) return { 'content-md5': hash('md5', file.whole, 'base64') };
  for await (const _ of readInTime(file.read({ md5: true }), timeouts.idleMs, signal));
  return { 'content-md5': Buffer.from(file.digests()?.md5 ?? '', 'hex').toString('base64') };
};

/**
 * The content to send: the whole file if it is in memory and the limit lets it go out at once, otherwise its parts,
 * sliced so that they are sent evenly. `md5`: computed while sending.
 */
const contentOf = async (
  { whole, read }: LocalFile,
  options: { readonly md5: boolean },
  outflow: Outflow,
): Promise<Buffer | AsyncGenerator<Buffer, void>> => {
  const { limit, onBytes, signal } = outflow;
  const mostBytes = limit.partBytes();
  // undici sends `content-length: 0` for an empty Buffer, but an empty iterator chunked.
  if (whole?.length === 0 || (whole && mostBytes === Number.POSITIVE_INFINITY)) return whole;
  if (whole === undefined || whole.length > mostBytes) return limited(read(options), outflow);
  await limit.take(whole.length, signal);
  onBytes(whole.length);
  return whole;
};

// Sends a file that is too large for one Put Blob to Azure as blocks, and then commits them. The ids of the blocks are
// their numbers: sending the file again to the same Key overwrites them, and only the commit turns them into a blob.

const MIB = 1024 * 1024;
/** A block is kept in memory, so that it can be sent again after a lost connection. */
const USUAL_BLOCK_BYTES = 8 * MIB;
const MOST_BLOCKS = 50_000;
/** How often a block is sent before the attempt at the whole file counts as failed. */
const ATTEMPTS = 3;

/** Sends the file to the blob at `put.url`. Otherwise as `putFile`; what ends it before the commit stored nothing. */
const putBlocks = async (put: FilePut, dialect: Dialect): Promise<SendOutcome> => {
  const { url, file, sizeBytes, timeouts, signal } = put;
  const most = azureLimits(url).blockBytes;
  const blockBytes = Math.max(Math.min(USUAL_BLOCK_BYTES, most), Math.ceil(sizeBytes / MOST_BLOCKS));
  if (!allowsBlocks(url) || blockBytes > most) {
    const message = 'the signed URL permits no file of this size';
    return { type: 'unsendable', error: new DeskError('upload/too-large', message) };
  }
  const ids: string[] = [];
  let sentBytes = 0;
  const parts = readInTime(file.read({ md5: true }), timeouts.idleMs, signal);
  for await (const block of inBlocks(parts, sizeBytes, blockBytes)) {
    const id = Buffer.from(String(ids.length).padStart(6, '0')).toString('base64');
    const outcome = await putBlock(put, withQuery(url, { comp: 'block', blockid: id }), dialect, block, sentBytes);
    if (outcome) return outcome;
    ids.push(id);
    sentBytes += block.length;
  }

  const list = `<?xml version="1.0" encoding="utf-8"?><BlockList>${ids.map((id) => `<Latest>${id}</Latest>`).join('')}</BlockList>`;
  const content = Buffer.from(list);
  const digests = file.digests();
  // Stored with the blob for its readers: the service computes none over blocks.
  const blobMd5 = Buffer.from(digests?.md5 ?? '', 'hex').toString('base64');
  const headers = { 'x-ms-blob-content-md5': blobMd5, 'content-md5': hash('md5', content, 'base64') };
  const answer = await request(put, withQuery(url, { comp: 'blocklist' }), headers, content, content.length);
  if (!isAccepted(answer)) return outcomeOfRefusal(answer, dialect, put.now());
  return outcomeOfAcceptance(answer, dialect, { origin: url.origin, digests, isList: true }, put.md5Origins);
};

/** Sends one block, with retries. Returns the outcome for the file if the file cannot be continued. */
const putBlock = async (
  put: FilePut,
  url: URL,
  dialect: Dialect,
  block: Buffer,
  sentBytes: number,
): Promise<SendOutcome | undefined> => {
  const headers = { 'content-md5': hash('md5', block, 'base64') };
  const attempt = async (): Promise<SendOutcome | undefined> => {
    const content = limited([block], put, sentBytes);
    const outcome = await request(put, url, headers, content, block.length).then(
      (answer) => {
        if (!isAccepted(answer)) return outcomeOfRefusal(answer, dialect, put.now());
        if (!isFromStorage(answer, dialect)) return { type: 'unclear', error: unproven(answer) } as const;
        put.onAnswered(answer.ms);
        return undefined;
      },
      (error) => outcomeOfError(error, put.signal),
    );
    if (outcome?.type === 'unclear' || outcome?.type === 'later') throw outcome.error;
    return outcome;
  };
  try {
    return await withRetry(attempt, { attempts: ATTEMPTS, signal: put.waitSignal });
  } catch (error) {
    if (!(error instanceof DeskError) || error.code === 'app/cancelled' || isBarredCode(error.code)) throw error;
    return { type: 'later', error };
  }
};

const request = (
  { dispatcher, timeouts, signal }: FilePut,
  url: URL,
  headers: Headers,
  content: PutRequest['content'],
  sizeBytes: number,
): Promise<StorageAnswer> => sendPutRequest({ dispatcher, url, headers, sizeBytes, content, timeouts, signal });

const withQuery = (url: URL, query: Readonly<Record<string, string>>): URL => {
  const address = new URL(url);
  // Appended: searchParams.set would re-encode the characters of the signature.
  address.search += Object.entries(query)
    .map(([name, value]) => `&${name}=${encodeURIComponent(value)}`)
    .join('');
  return address;
};

/** `parts` of a file of `sizeBytes`, combined into blocks of `blockBytes`; the last block may be smaller. */
async function* inBlocks(
  parts: AsyncIterable<Buffer>,
  sizeBytes: number,
  blockBytes: number,
): AsyncGenerator<Buffer, void> {
  let leftBytes = sizeBytes;
  const newBlock = (): Buffer => Buffer.allocUnsafeSlow(Math.min(blockBytes, leftBytes));
  let block = newBlock();
  let filled = 0;
  for await (const part of parts) {
    for (let from = 0; from < part.length; ) {
      const copied = part.copy(block, filled, from);
      from += copied;
      filled += copied;
      if (filled < block.length) continue;
      yield block;
      leftBytes -= block.length;
      block = newBlock();
      filled = 0;
    }
  }
}

// A file's bytes as they go out: throttled and counted.

/**
 * What goes to the connection at a time, and the granularity of progress. More than a socket buffers on top of what it
 * has not sent yet (its `writableHighWaterMark`), so when the next slice is requested, the system has all of this one.
 */
const SLICE_BYTES = 256 * 1024;

type Outflow = {
  readonly limit: RateLimit;
  /** Called with the number of bytes of the file that were handed to the connection so far. */
  readonly onBytes: (sentBytes: number) => void;
  readonly signal: AbortSignal;
};

/**
 * `parts`, limited and counted from `sentBytes` on. Less than a full slice may still be in the socket's buffer when the
 * next is requested, and by then its part may be overwritten: so it is copied.
 */
export async function* limited(
  parts: Iterable<Buffer> | AsyncIterable<Buffer>,
  { limit, onBytes, signal }: Outflow,
  sentBytes = 0,
): AsyncGenerator<Buffer, void> {
  let sent = sentBytes;
  for await (const part of parts) {
    for (let from = 0; from < part.length; ) {
      const to = Math.min(part.length, from + Math.min(SLICE_BYTES, limit.partBytes()));
      await limit.take(to - from, signal);
      const slice = part.subarray(from, to);
      yield slice.length < SLICE_BYTES ? Buffer.from(slice) : slice;
      sent += to - from;
      from = to;
      onBytes(sent);
    }
  }
}
