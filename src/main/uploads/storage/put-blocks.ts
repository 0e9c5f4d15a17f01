/**
 * Sends a file that is too large for one Put Blob to Azure as blocks, and then commits them. The ids of the blocks are their
 * numbers: sending the file again to the same Key overwrites them, and only the commit turns them into a blob.
 */
import { hash } from 'node:crypto';
import { DeskError, isBarredCode } from '../../../contract/errors.ts';
import { withRetry } from '../../async/retry.ts';
import { readInTime } from '../source/local-file.ts';
import { allowsBlocks, azureLimits } from './azure.ts';
import type { Dialect, Headers } from './dialect.ts';
import { limited } from './limited.ts';
import type { FilePut } from './put-file.ts';
import { type PutRequest, type StorageAnswer, sendPutRequest } from './put-request.ts';
import {
  isAccepted,
  isFromStorage,
  outcomeOfAcceptance,
  outcomeOfError,
  outcomeOfRefusal,
  type SendOutcome,
  unproven,
} from './send-outcome.ts';

const MIB = 1024 * 1024;
/** A block is kept in memory, so that it can be sent again when its connection was lost. */
const USUAL_BLOCK_BYTES = 8 * MIB;
const MOST_BLOCKS = 50_000;
/** How often a block is sent before the attempt at the whole file counts as failed. */
const ATTEMPTS = 3;

/** Sends the file to the blob at `put.url`. Otherwise as `putFile`; what ends it before the commit stored nothing. */
export const putBlocks = async (put: FilePut, dialect: Dialect): Promise<SendOutcome> => {
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

/** Sends one block, with retries; answers the outcome for the file if it cannot continue. */
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
