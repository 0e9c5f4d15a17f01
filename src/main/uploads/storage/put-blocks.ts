/**
 * A file that is too large for one Put Blob, sent to Azure as blocks and then committed. The ids of the blocks are
 * their numbers: the same file sent again to the same Key overwrites them, and only the commit makes them a blob.
 */
import { hash } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { DeskError, isCertificateCode } from '../../../contract/errors.ts';
import { withRetry } from '../../async/retry.ts';
import { readInTime } from '../source/in-time.ts';
import type { LocalFile } from '../source/local-file.ts';
import type { SendOutcome } from '../transfer/transfer-machine.ts';
import { allowsBlocks, azureLimits } from './azure.ts';
import type { Dialect, Headers } from './dialect.ts';
import { failure } from './failure.ts';
import { limited, type Outflow } from './limited-body.ts';
import { type SendBody, type StorageAnswer, sendBody } from './put-request.ts';
import { refusal } from './refusal.ts';
import { stored } from './stored.ts';
import type { SendTimeouts } from './timeouts.ts';

export type BlocksPut = Outflow & {
  readonly dispatcher: Dispatcher;
  readonly file: LocalFile;
  readonly sizeBytes: number;
  readonly timeouts: SendTimeouts;
  readonly waitSignal: AbortSignal;
  readonly now: () => number;
};

const MIB = 1024 * 1024;
/** A block is held in memory, so that one whose connection was lost can be sent again. */
const USUAL_BLOCK_BYTES = 8 * MIB;
const MOST_BLOCKS = 50_000;
/** How often a block is sent before the try at the whole file counts as failed. */
const ATTEMPTS = 3;

/** Sends the file to the blob at `url`. As `putFile` otherwise; what ends it before the commit stored nothing. */
export const putBlocks = async (put: BlocksPut, url: URL, dialect: Dialect): Promise<SendOutcome> => {
  const { file, sizeBytes, timeouts, signal } = put;
  const most = azureLimits(url).blockBytes;
  const blockBytes = Math.max(Math.min(USUAL_BLOCK_BYTES, most), Math.ceil(sizeBytes / MOST_BLOCKS));
  if (!allowsBlocks(url) || blockBytes > most) {
    const message = 'the signed address permits no file of this size';
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
  // Kept with the blob for whoever reads it: the service computes none over blocks.
  const blobMd5 = Buffer.from(digests?.md5 ?? '', 'hex').toString('base64');
  const headers = { 'x-ms-blob-content-md5': blobMd5, 'content-md5': hash('md5', content, 'base64') };
  const body = { sizeBytes: content.length, content };
  const answer = await request(put, withQuery(url, { comp: 'blocklist' }), headers, body);
  if (answer.status < 200 || answer.status > 299) return refusal(answer, dialect, put.now());
  return stored(answer, dialect, digests, true);
};

/** Sends one block, again where that may help; answers the outcome of the file where it cannot go on. */
const putBlock = async (
  put: BlocksPut,
  url: URL,
  dialect: Dialect,
  block: Buffer,
  sentBytes: number,
): Promise<SendOutcome | undefined> => {
  const headers = { 'content-md5': hash('md5', block, 'base64') };
  const attempt = async (): Promise<SendOutcome | undefined> => {
    const content = limited([block], put, sentBytes);
    const outcome = await request(put, url, headers, { sizeBytes: block.length, content }).then(
      (answer) => (answer.status > 299 ? refusal(answer, dialect, put.now()) : undefined),
      (error) => failure(error, put.signal),
    );
    if (outcome?.type === 'unclear' || outcome?.type === 'later') throw outcome.error;
    return outcome;
  };
  try {
    return await withRetry(attempt, { attempts: ATTEMPTS, signal: put.waitSignal });
  } catch (error) {
    if (!(error instanceof DeskError) || error.code === 'app/cancelled' || isCertificateCode(error.code)) throw error;
    return { type: 'later', error };
  }
};

const request = (
  { dispatcher, timeouts, signal }: BlocksPut,
  url: URL,
  headers: Headers,
  body: SendBody,
): Promise<StorageAnswer> => sendBody({ dispatcher, url, headers, body, timeouts, signal });

const withQuery = (url: URL, query: Readonly<Record<string, string>>): URL => {
  const address = new URL(url);
  // Appended: searchParams.set would write the signature's other characters anew.
  address.search += Object.entries(query)
    .map(([name, value]) => `&${name}=${encodeURIComponent(value)}`)
    .join('');
  return address;
};

/** `parts` of a file of `sizeBytes`, joined to blocks of `blockBytes`; the last one may be smaller. */
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
