/**
 * Hashing in a separate worker: in the worker that sends files, computing the sha256 of a large file would take time
 * from sending. One worker hashes all large files; it starts with the first file and does not keep the process alive.
 */
import { Worker } from 'node:worker_threads';
import { DeskError } from '../../../contract/errors.ts';

/** The digests of a content, in hex; `md5` if it was requested. */
export type Digests = { readonly sha256: string; readonly md5: string | undefined };

/** A message to the worker, which responds to each part in order. `id`: the content's number. */
export type HashMessage =
  | { readonly type: 'part'; readonly id: number; readonly part: Uint8Array; readonly md5: boolean }
  /** The last part: the response has the content's digests. */
  | { readonly type: 'last'; readonly id: number; readonly part: Uint8Array; readonly md5: boolean }
  /** The rest of the content will not follow. The worker sends no response. */
  | { readonly type: 'drop'; readonly id: number };

export type Hasher = ReturnType<typeof createHasher>;

/** Large enough that waking a worker for each part costs little, small enough for many files at once. */
export const PART_BYTES = 512 * 1024;

/** `module`: source/hash-worker.ts in this host. `onBug` receives the error that ends the worker. */
export const createHasher = (module: URL, onBug: (error: unknown) => void) => {
  const free: Buffer[] = [];
  let current: HashWorker | undefined;
  let lastId = 0;

  const start = (): HashWorker => {
    const started = startWorker(module, onBug, () => {
      if (current === started) current = undefined;
    });
    return started;
  };

  return {
    /**
     * Begins to hash a content. Errors of the returned calls: `upload/hashing-stopped` (the worker exited; a retry
     * helps).
     */
    begin: ({ md5 }: { readonly md5: boolean }) => {
      current ??= start();
      const { request, post } = current;
      lastId += 1;
      const id = lastId;
      return {
        /** Resolves when the worker has read the part, which must not change until then. */
        part: async (part: Buffer): Promise<void> => void (await request({ type: 'part', id, part, md5 })),
        /** Hashes the last part; resolves to the digests of the whole content. */
        last: async (part: Buffer): Promise<Digests> => {
          const digests = await request({ type: 'last', id, part, md5 });
          if (!digests) throw new Error('the last part has no digests');
          return digests;
        },
        /** Discards content that will not be completed. */
        drop: (): void => post({ type: 'drop', id }),
      };
    },
    /** A buffer of `PART_BYTES` in shared memory, which the worker reads directly. */
    takePart: (): Buffer => free.pop() ?? Buffer.from(new SharedArrayBuffer(PART_BYTES)),
    /** Returns a buffer for reuse: it must not be used after that. */
    giveBack: (part: Buffer): void => void free.push(part),
  };
};

type HashWorker = ReturnType<typeof startWorker>;

type Pending = { readonly resolve: (digests: Digests | undefined) => void; readonly reject: (error: Error) => void };

const startWorker = (module: URL, onBug: (error: unknown) => void, onEnd: () => void) => {
  const worker = new Worker(module, { name: 'hashing' });
  worker.unref();
  const pending: Pending[] = [];
  let stopped: DeskError | undefined;
  worker.on('message', (digests: Digests | undefined) => pending.shift()?.resolve(digests));
  worker.on('error', onBug);
  worker.once('exit', () => {
    stopped = new DeskError('upload/hashing-stopped', 'the hash worker has stopped', { retry: 'later' });
    onEnd();
    for (const { reject } of pending) reject(stopped);
  });
  return {
    /** Resolves once the worker has read the part: to the digests after the last part, otherwise to undefined. */
    request: (message: HashMessage): Promise<Digests | undefined> =>
      new Promise((resolve, reject) => {
        if (stopped) return reject(stopped);
        pending.push({ resolve, reject });
        worker.postMessage(message);
      }),
    post: (message: HashMessage): void => worker.postMessage(message),
  };
};
