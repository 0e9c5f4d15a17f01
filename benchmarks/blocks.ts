/**
 * Sends a file of 2 GB to Azurite, kills the sender five times, and counts the bytes that are sent in all.
 *
 *     node benchmarks/blocks.ts
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BLOCK_SIZES } from '../src/main/uploads/storage/put-file.ts';
import { startAzurite } from '../tests/integration/support/azurite.ts';
import { sendWithKills } from '../tests/integration/support/kill-sender.ts';

const SIZE_BYTES = 2_000_000_000;
const KILLS = 5;
const PIECE = Buffer.alloc(4_000_000);

const hashOf = async (from: AsyncIterable<Uint8Array>): Promise<string> => {
  const sha256 = createHash('sha256');
  for await (const chunk of from) sha256.update(chunk);
  return sha256.digest('hex');
};

const folder = await mkdtemp(join(tmpdir(), 'blocks-'));
const azurite = await startAzurite(join(folder, 'storage'));
try {
  const path = join(folder, 'video.mp4');
  const file = await open(path, 'wx');
  for (let at = 0; at < SIZE_BYTES; at += PIECE.length) {
    crypto.getRandomValues(new Uint8Array(PIECE.buffer, PIECE.byteOffset, 65_536));
    await file.write(PIECE);
  }
  await file.close();
  const Url = azurite.sign('video.mp4', { permissions: 'cw', expiresMs: Date.now() + 3_600_000 });
  const sender = { ledgerPath: join(folder, 'ledger.sqlite'), path, Url, blockSizes: BLOCK_SIZES };
  const startedMs = performance.now();
  const { state, kills, sentBytes } = await sendWithKills(sender, { sizeBytes: SIZE_BYTES, kills: KILLS });
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  const { body } = await fetch(azurite.sign('video.mp4', { permissions: 'r' }));
  if (!body) throw new Error('the blob has no content');
  const isEqual = (await hashOf(body)) === (await hashOf(createReadStream(path)));
  const times = sentBytes / SIZE_BYTES;
  const figures = { state, kills, sizeBytes: SIZE_BYTES, sentBytes, times: times.toFixed(3), seconds, isEqual };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  if (state !== 'done' || kills !== KILLS || times > 1.1 || !isEqual) process.exitCode = 1;
} finally {
  await azurite.stop();
  await rm(folder, { recursive: true });
}
