/** The entry of the worker that hashes large files. */
import { createHash, type Hash } from 'node:crypto';
import { type MessagePort, parentPort } from 'node:worker_threads';
import type { Digests, HashMessage } from './hasher.ts';

/** Hashes contents, which arrive in parts. Responds to each part; the response to the last part has the digests. */
export const serveHashes = (port: MessagePort): void => {
  const contents = new Map<number, { readonly sha256: Hash; readonly md5: Hash | undefined }>();
  port.on('message', (message: HashMessage) => {
    const { id, type } = message;
    if (type === 'drop') return void contents.delete(id);
    const begun = contents.get(id);
    const { sha256, md5 } = begun ?? { sha256: createHash('sha256'), md5: message.md5 ? createHash('md5') : undefined };
    sha256.update(message.part);
    md5?.update(message.part);
    if (type === 'part') contents.set(id, { sha256, md5 });
    else contents.delete(id);
    const digests = (): Digests => ({ sha256: sha256.digest('hex'), md5: md5?.digest('hex') });
    port.postMessage(type === 'last' ? digests() : undefined);
  });
};

if (parentPort) serveHashes(parentPort);
