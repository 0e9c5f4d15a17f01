/** The entry of the worker that hashes large files. */
import { createHash, type Hash } from 'node:crypto';
import { type MessagePort, parentPort } from 'node:worker_threads';
import type { Digests, HashMessage } from './hasher.ts';

type Hashes = { readonly sha256: Hash; readonly md5: Hash | undefined };

/** Serves the digests of contents, which come in parts. */
export const serveHashes = (port: MessagePort): void => {
  const contents = new Map<number, Hashes>();

  const begin = (id: number, withMd5: boolean): Hashes => {
    const hashes = { sha256: createHash('sha256'), md5: withMd5 ? createHash('md5') : undefined };
    contents.set(id, hashes);
    return hashes;
  };

  port.on('message', (message: HashMessage) => {
    const { id, type } = message;
    if (type === 'drop') return void contents.delete(id);
    const { sha256, md5 } = contents.get(id) ?? begin(id, message.md5);
    sha256.update(message.part);
    md5?.update(message.part);
    let digests: Digests | undefined;
    if (type === 'last') {
      digests = { sha256: sha256.digest('hex'), md5: md5?.digest('hex') };
      contents.delete(id);
    }
    port.postMessage(digests);
  });
};

if (parentPort) serveHashes(parentPort);
