/** Sends one file to its signed URL. */
import { hash } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { DeskError, type ErrorCode, type ErrorDetails, isBarredCode } from '../../../contract/errors.ts';
import { cancellation, onAbort, throwIfCancelled } from '../../async/cancel.ts';
import type { RateLimit } from '../../async/rate-limit.ts';
import { withRetry } from '../../async/retry.ts';
import { isPortal, portalError, USER_AGENT } from '../../net/exchange.ts';
import { translateNetworkError, translateStatus } from '../../net/translate.ts';
import { MOST_ORIGINS } from '../../net/urls.ts';
import type { Digests } from '../source/hasher.ts';
import { type LocalFile, readInTime } from '../source/local-file.ts';
import { type Dialect, type Headers, headerOf, md5FromBase64, storageCode } from './dialects.ts';

export type SendTimeouts = {
  /** The maximum time, in ms, without progress while the file is sent, and the maximum time for the response's body. */
  readonly idleMs: number;
  /** The maximum time, in ms, from the last byte to the response: the storage may still receive or copy the file. */
  readonly responseMs: number;
  /** How long, in ms, a request that is cancelled after its last byte waits for the response about the file. */
  readonly graceMs: number;
};

/** `idleMs` suits a slow line that many transfers share: a send buffer has to empty before it takes the next part. */
export const SEND_TIMEOUTS: SendTimeouts = { idleMs: 120_000, responseMs: 300_000, graceMs: 3_000 };

export type FilePut = Outflow & {
  readonly dispatcher: Dispatcher;
  /** A URL that `signedUrl` returned. A credential: never logged, never in an error. */
  readonly url: URL;
  readonly dialect: Dialect;
  readonly file: LocalFile;
  readonly sizeBytes: number;
  readonly timeouts: SendTimeouts;
  readonly md5Origins: Md5Origins;
  /** Whether the file replaces another one. Its MD5 is then computed even if the storage is not known to return one. */
  readonly isReplacing?: boolean | undefined;
  readonly blocks: BlockPlan;
  /** Called with `StorageResponse.ms` for each accepted request that sent the whole file or a block. */
  readonly onResponse: (ms: number) => void;
  /** Aborted with `signal`, and when nothing may wait for a retry any longer. */
  readonly waitSignal: AbortSignal;
  readonly now: () => number;
};

/**
 * Makes one attempt to send the file, and resolves to the outcome. Within the attempt, blocks are retried.
 * @throws DeskError when `signal` or `waitSignal` is aborted, and errors with a code of `isBarredCode`. Details
 *   `lastByte`: every byte had been passed to the connection.
 */
export const putFile = async (put: FilePut): Promise<SendOutcome> => {
  try {
    const isSplit = isInBlocks(put.dialect, put.sizeBytes, put.blocks.aboveBytes);
    return await (isSplit ? putBlocks(put) : putWhole(put));
  } catch (error) {
    return outcomeOfError(error, put.signal);
  }
};

/** Sends the whole file in one PUT, with a raw body and an exact Content-Length. */
const putWhole = async (put: FilePut): Promise<SendOutcome> => {
  const { url, dialect, file, sizeBytes, md5Origins, isReplacing = false } = put;
  const headers = { ...dialect.headers, ...(await contentMd5(put)) };
  const isCompared = dialect.proof !== undefined || md5Origins.has(url.origin) || isReplacing;
  const content = await contentOf(file, { md5: isCompared && !(file.whole && 'content-md5' in headers) }, put);
  const response = await sendPut(put, url, headers, content, sizeBytes);
  if (isAccepted(response)) {
    put.onResponse(response.ms);
    put.onBytes(sizeBytes);
  }
  return outcomeOfResponse(response, put, { digests: file.digests(), whole: file.whole });
};

/**
 * The Content-MD5 header. A file that is not in memory gets the header only if the header is required, because
 * computing it needs a second read of the file.
 */
const contentMd5 = async ({ dialect, file, timeouts, signal }: FilePut): Promise<Headers> => {
  if (dialect.contentMd5 === 'refused' || (dialect.contentMd5 === 'optional' && !file.whole)) return {};
  if (file.whole) return { 'content-md5': hash('md5', file.whole, 'base64') };
  for await (const _ of readInTime(file.read({ md5: true }), timeouts.idleMs, signal));
  return { 'content-md5': Buffer.from(file.digests()?.md5 ?? '', 'hex').toString('base64') };
};

/** The content to send: in one piece if it is in memory and the rate limit permits that, otherwise in slices. */
const contentOf = async (
  { whole, read }: LocalFile,
  options: { readonly md5: boolean },
  outflow: Outflow,
): Promise<Buffer | AsyncGenerator<Buffer, void>> => {
  const { limit, onBytes, signal } = outflow;
  const mostBytes = limit.partBytes();
  if (whole && mostBytes === Number.POSITIVE_INFINITY) return whole;
  if (whole === undefined || whole.length > mostBytes) return limited(read(options), outflow);
  await limit.take(whole.length, signal);
  onBytes(whole.length);
  return whole;
};

// Sends a large file to Azure as blocks, which become a blob only when they are committed. The id of a block contains
// its MD5. So a confirmed block is not sent again after an interruption, and a changed block has another id.

const MIB = 1024 * 1024;
const MOST_BLOCKS = 50_000;
const BLOCKS_AT_ONCE = 8;
/** The number of times that a block is sent before the attempt at the whole file counts as failed. */
const ATTEMPTS = 3;

export type BlockSizes = {
  /** The size above which a file is sent in blocks, if its signed URL certainly permits blocks. */
  readonly aboveBytes: number;
  /** The size of a block, unless the storage only accepts smaller ones, or the file would have too many blocks. */
  readonly blockBytes: number;
};

/** The sizes for all storages. All Azure versions accept 4 MiB, and a killed app loses eight such blocks at most. */
export const BLOCK_SIZES: BlockSizes = { aboveBytes: 64 * MIB, blockBytes: 4 * MIB };

/** How a file is sent in blocks, and the record of the blocks that its blob has. */
export type BlockPlan = BlockSizes & {
  /** The ids of the blocks that the storage has confirmed. */
  readonly sent: () => ReadonlySet<string>;
  readonly add: (id: string) => Promise<void>;
  /** Called before the blocks are committed: from then on the storage may hold the file. */
  readonly committing: () => Promise<void>;
  /** Called when the storage has discarded the blocks. */
  readonly clear: () => Promise<void>;
  /** Reserves a slot and memory for one more block. Returns a function that frees them; undefined if none is free. */
  readonly tryLane: (bytes: number) => (() => void) | undefined;
};

/** Whether a file is sent in blocks: above the limit of one request, or above `aboveBytes` if blocks are permitted. */
export const isInBlocks = ({ blocks }: Dialect, sizeBytes: number, aboveBytes: number): boolean => {
  if (blocks === undefined) return false;
  return sizeBytes > blocks.wholeBytes || (blocks.permission === 'given' && sizeBytes > aboveBytes);
};

/** Sends the file to the blob at `put.url` in blocks, and commits them. The storage has no file before the commit. */
const putBlocks = async (put: FilePut): Promise<SendOutcome> => {
  const { url, dialect, file, sizeBytes, blocks } = put;
  const { permission = 'refused', mostBytes: most = 0 } = dialect.blocks ?? {};
  const blockBytes = Math.max(Math.min(blocks.blockBytes, most), Math.ceil(sizeBytes / MOST_BLOCKS));
  if (permission === 'refused' || blockBytes > most) {
    const message = 'the signed URL permits no file of this size';
    return { type: 'unsendable', error: new DeskError('upload/too-large', message) };
  }
  const ids = await sendBlocks(put, blockBytes);
  if (!Array.isArray(ids)) return ids;

  const list = `<?xml version="1.0" encoding="utf-8"?><BlockList>${ids.map((id) => `<Latest>${id}</Latest>`).join('')}</BlockList>`;
  const content = Buffer.from(list);
  const digests = file.digests();
  // The MD5 is stored with the blob for its readers, because Azure computes none for a blob of blocks.
  const blobMd5 = Buffer.from(digests?.md5 ?? '', 'hex').toString('base64');
  const headers = { 'x-ms-blob-content-md5': blobMd5, 'content-md5': hash('md5', content, 'base64') };
  await blocks.committing();
  const response = await sendPut(put, withQuery(url, { comp: 'blocklist' }), headers, content, content.length);
  if (isAccepted(response) || storageCode(response.text) !== 'InvalidBlockList')
    return outcomeOfResponse(response, put, { digests, isList: true });
  await blocks.clear();
  const message = 'the storage does not have the blocks any more';
  return { type: 'later', error: new DeskError('upload/interrupted', message, { retry: 'later' }) };
};

/** Sends the missing blocks, several at once. Resolves to the ids of all blocks, or else to the file's outcome. */
const sendBlocks = async (put: FilePut, blockBytes: number): Promise<string[] | SendOutcome> => {
  const { url, file, sizeBytes, blocks, timeouts, signal } = put;
  const there = blocks.sent();
  const ids: string[] = [];
  const inFlight = new Set<Promise<void>>();
  let sentBytes = 0;
  let confirmed = 0;
  /** Set once the file cannot be continued: returns the outcome for the file, or throws the error. */
  let stop: (() => SendOutcome) | undefined;

  const send = async (id: string, block: Buffer, md5: Buffer): Promise<void> => {
    let ofBlock = 0;
    const onBytes = (bytes: number): void => {
      sentBytes += bytes - ofBlock;
      ofBlock = bytes;
      put.onBytes(sentBytes);
    };
    const at = withQuery(url, { comp: 'block', blockid: id });
    const outcome = await putBlock({ ...put, onBytes }, at, block, md5.toString('base64'));
    if (outcome) {
      stop ??= () => outcome;
      return;
    }
    await blocks.add(id);
    confirmed += 1;
  };
  let isFirstLaneFree = true;
  const takeLane = async (): Promise<() => void> => {
    for (;;) {
      if (isFirstLaneFree) {
        isFirstLaneFree = false;
        return () => {
          isFirstLaneFree = true;
        };
      }
      const leave = inFlight.size < BLOCKS_AT_ONCE ? blocks.tryLane(blockBytes) : undefined;
      if (leave) return leave;
      await Promise.race(inFlight);
    }
  };

  try {
    const parts = readInTime(file.read({ md5: true }), timeouts.idleMs, signal);
    for await (const block of inBlocks(parts, sizeBytes, blockBytes)) {
      const md5 = hash('md5', block, 'buffer');
      const id = blockId(ids.length, md5);
      ids.push(id);
      if (there.has(id)) {
        sentBytes += block.length;
        put.onBytes(sentBytes, true);
        continue;
      }
      const leave = await takeLane();
      if (stop) {
        leave();
        break;
      }
      const sending = send(id, block, md5)
        .catch((error) => {
          stop ??= () => {
            throw error;
          };
        })
        .finally(() => {
          inFlight.delete(sending);
          leave();
        });
      inFlight.add(sending);
    }
  } finally {
    await Promise.all(inFlight);
  }
  if (!stop) return ids;
  const outcome = stop();
  const canContinue = confirmed > 0 && (outcome.type === 'later' || outcome.type === 'expired');
  return canContinue ? { ...outcome, continues: true } : outcome;
};

/** Returns the id of a block. All ids of a blob have the same length, as Azure requires. */
const blockId = (number: number, md5: Buffer): string => {
  const id = Buffer.alloc(20);
  id.writeUInt32BE(number);
  md5.copy(id, 4);
  return id.toString('base64');
};

/** Sends one block, with retries. Resolves to undefined once the storage has it, otherwise to the file's outcome. */
const putBlock = async (put: FilePut, url: URL, block: Buffer, md5: string): Promise<SendOutcome | undefined> => {
  const { dialect } = put;
  const attempt = async (): Promise<SendOutcome | undefined> => {
    const outcome = await sendPut(put, url, { 'content-md5': md5 }, limited([block], put), block.length).then(
      (response) => {
        if (!isAccepted(response)) return outcomeOfRefusal(response, put);
        if (!isFromStorage(response, dialect)) return { type: 'unclear', error: unproven(response) } as const;
        put.onResponse(response.ms);
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
    if (!(error instanceof DeskError) || isBarredCode(error.code)) throw error;
    // The cancellation is thrown without the detail `lastByte`: the last byte of a block is not the last byte of the
    // file.
    if (error.code === 'app/cancelled') throw cancellation(put.signal.aborted ? put.signal : put.waitSignal);
    return { type: 'later', error };
  }
};

const withQuery = (url: URL, query: Readonly<Record<string, string>>): URL => {
  const address = new URL(url);
  // The parameters are appended as text: `searchParams.set` would re-encode the characters of the signature.
  address.search += Object.entries(query)
    .map(([name, value]) => `&${name}=${encodeURIComponent(value)}`)
    .join('');
  return address;
};

/** Combines the `parts` of a file of `sizeBytes` into blocks of `blockBytes`; the last block may be smaller. */
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

// The outcome of a send, from the storage's response or, if there was none, from the error.

/** The storage's response. `text`: the start of its body. */
type StorageResponse = {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly text: string;
  /** Whether every byte had been passed to the connection when the response came. */
  readonly afterLastByte: boolean;
  /** The time from the first byte of the content to the response, in ms. */
  readonly ms: number;
};

/** The evidence that a storage has a file. `isSound`: the headers show that no proxy responded in its place. */
export type Proof = { readonly sha256: string; readonly etag: string | undefined; readonly isSound: boolean };

/**
 * The origins that returned a possible MD5 of an object. `true`: an MD5 of the origin has matched, so a later mismatch
 * means damage.
 */
export type Md5Origins = Map<string, boolean>;

/**
 * The outcome of a send. `unclear`: the storage may have stored the file. `later`: nothing was stored, but another
 * attempt may succeed. `damaged`: the storage holds something other than the file. `expired`, `refused`: this signed
 * URL cannot be used. `unsendable`: the file itself cannot be sent. `free`: the attempt does not count. `continues`:
 * blocks were sent, so another attempt at the same blob sends less.
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
const isAccepted = ({ status }: StorageResponse): boolean => status >= 200 && status <= 299;

/** The file that was sent. `digests`: undefined if it was not read to its end. `whole`: its content, if in memory. */
type Sent = {
  readonly digests: Digests | undefined;
  readonly whole?: Buffer | undefined;
  /** Whether a list of blocks was committed. An MD5 in the response is then that of the list, not of the file. */
  readonly isList?: boolean;
};

type Target = Pick<FilePut, 'url' | 'dialect' | 'md5Origins' | 'now'>;

/** Returns the outcome of a send that got a response. May add to `md5Origins`. */
export const outcomeOfResponse = (response: StorageResponse, to: Target, sent: Sent): SendOutcome =>
  isAccepted(response) ? outcomeOfAcceptance(response, to, sent) : outcomeOfRefusal(response, to);

/**
 * An ETag is cut to this number of characters, because the ledger stores one for each file. Storages use shorter ones.
 */
const LONGEST_ETAG = 200;

const outcomeOfAcceptance = (response: StorageResponse, to: Target, sent: Sent): SendOutcome => {
  const { url, dialect, md5Origins } = to;
  const { digests, isList = false } = sent;
  const hadMd5 = (): boolean => md5Origins.get(url.origin) === true;
  if (!digests || !response.afterLastByte) {
    const message = 'the storage answered before it had the file';
    return { type: 'unclear', error: new DeskError('upload/interrupted', message, { retry: 'later' }) };
  }
  const etag = headerOf(response.headers, 'etag')?.slice(0, LONGEST_ETAG);
  // A storage that returned the right MD5 before sends one of these headers every time, whatever the header's value.
  const hasTag = etag !== undefined || headerOf(response.headers, 'content-md5') !== undefined;
  if (!isFromStorage(response, dialect) || (hadMd5() && !hasTag)) return { type: 'unclear', error: unproven(response) };
  const compared = isList ? 'unknown' : compareMd5(response, to, { ...sent, digests });
  if (compared === 'damaged') {
    const message = 'the stored object differs from the file';
    return { type: 'damaged', error: new DeskError('upload/damaged', message, { retry: 'later' }) };
  }
  // The response may come from a proxy if its MD5 differs, or if it has no MD5 although the host returned the right one
  // before.
  const isUsual = isList || (compared === 'unknown' && !hadMd5());
  const isSound = compared === 'equal' || (dialect.proof !== undefined && isUsual);
  return { type: 'stored', proof: { sha256: digests.sha256, etag, isSound } };
};

/** Compares the file with the returned MD5. `different`: the value need not be an MD5, so the object may be sound. */
const compareMd5 = (
  response: StorageResponse,
  { url: { origin }, dialect, md5Origins: origins }: Target,
  { digests, whole }: Sent & { readonly digests: Digests },
): 'equal' | 'different' | 'damaged' | 'unknown' => {
  const stored = isOfBody(response) ? undefined : dialect.storedMd5(response.headers);
  if (!stored) return 'unknown';
  if (!origins.has(origin)) origins.set(origin, false);
  if (origins.size > MOST_ORIGINS) origins.delete(origins.keys().next().value ?? '');
  const md5 = digests.md5 ?? (whole && hash('md5', whole));
  if (md5 === undefined) return 'unknown';
  if (md5 !== stored.hex) return stored.isSure || origins.get(origin) ? 'damaged' : 'different';
  // The MD5 of the response's own body proves nothing: an empty file and an empty body have the same MD5.
  if (stored.hex === md5OfBody(response)) return 'unknown';
  origins.set(origin, true);
  return 'equal';
};

/** Whether a 2xx has the header that proves that it comes from this storage; true if no such header is known. */
const isFromStorage = ({ headers }: StorageResponse, { proof }: Dialect): boolean =>
  proof === undefined || Boolean(headerOf(headers, proof));

/** The error of a 2xx that may come from a proxy in place of the storage. */
const unproven = ({ status }: StorageResponse): DeskError =>
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
  garbled: ['later', 'later', 'upload/damaged', 'what arrived differs from what was sent'],
  'too-slow': ['later', 'later', 'upload/stalled', 'the storage waited too long for the file'],
  failed: ['unclear', 'later', 'upload/storage-failed', 'the storage failed'],
  refused: ['refused', 'never', 'upload/refused', 'the storage refuses the file'],
} as const;

const outcomeOfRefusal = (response: StorageResponse, { dialect, now }: Target): SendOutcome => {
  const { status, headers, text } = response;
  const error = storageCode(text);
  const details = { status, ...(error !== undefined && { error }) };
  const later = (code: ErrorCode, message: string, more: ErrorDetails = {}, retryAfterMs?: number): SendOutcome => ({
    type: 'later',
    error: new DeskError(code, message, { retry: 'later', retryAfterMs, details: { ...details, ...more } }),
  });
  const meaning = dialect.meaningOf(response);
  if (meaning === 'not-yet') {
    const offMs = Math.abs(now() - Date.parse(headerOf(headers, 'date') ?? ''));
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
 * The outcome of a send without a response. Throws the error after an abort, or if every file would have the same
 * error.
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

// The bytes of a file on their way to the connection: rate-limited and counted.

/**
 * The maximum size of a slice. It exceeds the buffer of a socket, so the next slice is requested only when the system
 * has taken this one.
 */
const SLICE_BYTES = 256 * 1024;

type Outflow = {
  readonly limit: RateLimit;
  /** Called with the bytes sent so far. `isThere`: the storage already had the bytes added since the last call. */
  readonly onBytes: (sentBytes: number, isThere?: boolean) => void;
  readonly signal: AbortSignal;
};

/** Yields `parts` in slices, rate-limited and counted. Partial slices are copied: a socket may still buffer them. */
export async function* limited(
  parts: Iterable<Buffer> | AsyncIterable<Buffer>,
  { limit, onBytes, signal }: Outflow,
): AsyncGenerator<Buffer, void> {
  let sent = 0;
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

// One PUT over undici's dispatcher. The PUT fails if the file or the connection stalls.

/** How much of a response's body is read, in bytes: enough for the error bodies of storages. */
const RESPONSE_BYTES = 16 * 1024;

/**
 * Sends `content` and reads the response. If the response comes early, undici stops sending.
 * @throws DeskError errors of `content`, `upload/stalled`, `network/captive-portal`, those of `translateNetworkError`,
 *   the `cancellation` of `signal`. Details `lastByte`: every byte had been passed to the connection.
 */
export const sendPut = async (
  { dispatcher, timeouts, signal }: Pick<FilePut, 'dispatcher' | 'timeouts' | 'signal'>,
  url: URL,
  headers: Headers,
  content: Buffer | AsyncIterable<Buffer>,
  sizeBytes: number,
): Promise<StorageResponse> => {
  throwIfCancelled(signal);
  const { promise, resolve, reject } = Promise.withResolvers<StorageResponse>();
  let controller: Dispatcher.DispatchController | undefined;
  let failure: DeskError | undefined;
  let handedOver = false;
  let begunMs: number | undefined;
  /** Detects stalls: the agent for storages and the file system have no timeouts of their own. */
  let timer: NodeJS.Timeout | undefined;

  /** Replaces the current period with one of `ms`. At its end, `onStall` is called. */
  const allow = (ms: number, onStall: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(onStall, ms);
  };
  const fail = (error: unknown): void => {
    const translated = translateNetworkError(error, url);
    failure ??= handedOver ? withLastByte(translated) : translated;
    reject(failure);
    controller?.abort(failure);
  };
  const details = { origin: url.origin };
  const stalled = () => fail(new DeskError('upload/stalled', 'the transfer stalled', { retry: 'later', details }));
  const cancel = (): void => {
    const give = () => fail(cancellation(signal));
    if (handedOver) allow(timeouts.graceMs, give);
    else give();
  };
  const lastByte = (): void => {
    handedOver = true;
    if (signal.aborted) cancel();
    else allow(timeouts.responseMs, stalled);
  };

  async function* watched(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
    for await (const part of parts) {
      begunMs ??= performance.now();
      timer?.refresh();
      yield part;
      // undici has requested the next part, so the connection has taken this one.
      timer?.refresh();
    }
    lastByte();
  }

  let status = 0;
  let responseHeaders: StorageResponse['headers'] = {};
  let text = '';
  let afterLastByte = false;
  let ms = 0;
  const responded = (): void => {
    const response = { status, headers: responseHeaders, text: text.slice(0, RESPONSE_BYTES), afterLastByte, ms };
    if (isPortal(response)) fail(portalError(url, status));
    else resolve(response);
  };
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (started) => {
      controller = started;
      if (failure) started.abort(failure);
      else if (Buffer.isBuffer(content)) {
        begunMs = performance.now();
        lastByte();
      }
    },
    onResponseStart: (_, statusCode, headers) => {
      if (statusCode < 200) return;
      status = statusCode;
      responseHeaders = headers;
      afterLastByte = handedOver;
      ms = begunMs === undefined ? 0 : performance.now() - begunMs;
      // A cancelled request keeps its deadline.
      if (!signal.aborted) allow(timeouts.idleMs, stalled);
    },
    onResponseData: (_, chunk) => {
      text += chunk.toString('latin1');
      if (text.length < RESPONSE_BYTES) return;
      responded();
      // The rest of the body is not read, because the body may be endless.
      controller?.abort(new DeskError('app/cancelled', 'the rest is not needed'));
    },
    onResponseEnd: () => responded(),
    onResponseError: (_, error) => fail(error),
  };

  const stopListening = onAbort(signal, cancel);
  allow(timeouts.idleMs, stalled);
  const body = Buffer.isBuffer(content) ? content : watched(content);
  const path = `${url.pathname}${url.search}`;
  const more = { 'content-length': String(sizeBytes), ...USER_AGENT };
  try {
    // undici sends every iterable of bytes, although its types name only streams.
    dispatcher.dispatch(
      { origin: url.origin, path, method: 'PUT', headers: { ...headers, ...more }, body: body as never },
      handler,
    );
  } catch (error) {
    fail(error);
  }
  return promise.finally(() => {
    clearTimeout(timer);
    timer = undefined;
    stopListening();
  });
};

const withLastByte = ({ code, message, retry, retryAfterMs, details, cause }: DeskError): DeskError =>
  new DeskError(code, message, { retry, retryAfterMs, details: { ...details, lastByte: true }, cause });
