/** Hashes large files in a worker of their own, so that hashing does not delay the worker that sends files. */
import { createHash, type Hash } from 'node:crypto';
import type { MessagePort } from 'node:worker_threads';
import { DeskError } from '../../../contract/errors.ts';
import { connectPort, startWorker } from '../../async/port-calls.ts';

/** The digests of a file's content, in hex. `md5`: undefined unless it was requested. */
export type Digests = { readonly sha256: string; readonly md5: string | undefined };

export type Hasher = ReturnType<typeof createHasher>;

/** The size of a part: large enough that waking a worker costs little, small enough for many files at the same time. */
export const PART_BYTES = 512 * 1024;

/** Creates a hasher. `module`: the URL of source/read-worker.ts. `onBug` receives the error that ends the worker. */
export const createHasher = (module: URL, onBug: (error: unknown) => void) => {
  const free: Buffer[] = [];
  let current: HashWorker | undefined;
  let lastId = 0;

  const start = (): HashWorker =>
    startWorker(module, {
      name: 'hashing',
      isBackground: true,
      workerData: { serves: 'hashes' },
      stopped: () => new DeskError('upload/hashing-stopped', 'the hash worker has stopped', { retry: 'later' }),
      onBug,
      onExit: () => {
        current = undefined;
      },
    });

  return {
    /**
     * Begins to hash the content of a file. The end of a `using` declaration makes the worker forget the content if
     * `last` was not called. Errors of the returned calls: `upload/hashing-stopped`.
     */
    begin: ({ md5 }: { readonly md5: boolean }) => {
      current ??= start();
      const { call, tell } = current;
      lastId += 1;
      const id = lastId;
      return {
        /** Resolves when the worker has read the part, which must not change until then. */
        part: (part: Buffer): Promise<void> => call.part(id, part, md5),
        last: (part: Buffer): Promise<Digests> => call.last(id, part, md5),
        [Symbol.dispose]: (): void => tell.drop(id),
      };
    },
    /** Returns a buffer of `PART_BYTES` in shared memory, which the worker reads directly. */
    takePart: (): Buffer => free.pop() ?? Buffer.from(new SharedArrayBuffer(PART_BYTES)),
    /** Takes back a buffer of `takePart` for reuse. The caller must not use it after that. */
    giveBack: (part: Buffer): void => void free.push(part),
  };
};

type HashWorker = ReturnType<typeof startWorker<HashCalls>>;

type HashCalls = ReturnType<typeof createHashes>;

const createHashes = () => {
  const contents = new Map<number, { readonly sha256: Hash; readonly md5: Hash | undefined }>();
  const update = (id: number, part: Uint8Array, withMd5: boolean) => {
    const begun = contents.get(id);
    const { sha256, md5 } = begun ?? { sha256: createHash('sha256'), md5: withMd5 ? createHash('md5') : undefined };
    contents.set(id, { sha256: sha256.update(part), md5: md5?.update(part) });
    return { sha256, md5 };
  };
  const drop = (id: number): void => void contents.delete(id);
  return {
    part: (...part: Parameters<typeof update>): void => void update(...part),
    last: (...part: Parameters<typeof update>): Digests => {
      const { sha256, md5 } = update(...part);
      drop(part[0]);
      return { sha256: sha256.digest('hex'), md5: md5?.digest('hex') };
    },
    drop,
  };
};

export const serveHashes = (port: MessagePort): void => {
  connectPort(port, createHashes());
};
