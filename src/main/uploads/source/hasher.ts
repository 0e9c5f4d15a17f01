/**
 * Hashing in a thread of its own: in the thread that sends, a sha256 would take longer than sending. One thread hashes all
 * large files; it starts with the first one and does not keep the process alive.
 */
import { Worker } from 'node:worker_threads';
import { DeskError } from '../../../contract/errors.ts';

/** The digests of a content, in hex; `md5` if it was requested. */
export type Digests = { readonly sha256: string; readonly md5: string | undefined };

/** A message to the thread, which answers each part in order. `id`: the content's number. */
export type HashMessage =
  | { readonly type: 'part'; readonly id: number; readonly part: Uint8Array; readonly md5: boolean }
  /** The last part: answered with the content's digests. */
  | { readonly type: 'last'; readonly id: number; readonly part: Uint8Array; readonly md5: boolean }
  /** The rest of the content will not follow. Not answered. */
  | { readonly type: 'drop'; readonly id: number };

/** A part was hashed; after the last one, the content's digests. */
export type HashAnswer = Digests | undefined;

/** One content being hashed. Errors: `upload/hashing-stopped` (the thread died; a retry helps). */
type Hashing = {
  /** Resolves when the thread has read the part, which must not change until then. */
  readonly part: (part: Buffer) => Promise<void>;
  /** Hashes the last part and answers the digests of the whole content. */
  readonly last: (part: Buffer) => Promise<Digests>;
  /** Discards a content that will not be completed. */
  readonly drop: () => void;
};

export type Hasher = {
  readonly begin: (options: { readonly md5: boolean }) => Hashing;
  /** A buffer of `PART_BYTES` in shared memory, which the thread reads directly. */
  readonly takePart: () => Buffer;
  /** Returns a buffer for reuse: it must not be used after that. */
  readonly giveBack: (part: Buffer) => void;
};

/** Large enough that waking a thread for each part costs little, small enough for many files at once. */
export const PART_BYTES = 512 * 1024;

/** `thread`: source/hash-worker.ts in this host. `onBug` receives what the thread dies of. */
export const createHasher = (thread: URL, onBug: (error: unknown) => void): Hasher => {
  const free: Buffer[] = [];
  let current: HashThread | undefined;
  let lastId = 0;

  const start = (): HashThread => {
    const started = startThread(thread, onBug, () => {
      if (current === started) current = undefined;
    });
    return started;
  };

  return {
    begin: ({ md5 }) => {
      current ??= start();
      const { ask, tell } = current;
      lastId += 1;
      const id = lastId;
      return {
        part: async (part) => void (await ask({ type: 'part', id, part, md5 })),
        last: async (part) => {
          const digests = await ask({ type: 'last', id, part, md5 });
          if (!digests) throw new Error('the last part has no digests');
          return digests;
        },
        drop: () => tell({ type: 'drop', id }),
      };
    },
    takePart: () => free.pop() ?? Buffer.from(new SharedArrayBuffer(PART_BYTES)),
    giveBack: (part) => void free.push(part),
  };
};

type HashThread = {
  readonly ask: (message: HashMessage) => Promise<HashAnswer>;
  readonly tell: (message: HashMessage) => void;
};

type Waiting = { readonly resolve: (answer: HashAnswer) => void; readonly reject: (error: Error) => void };

const startThread = (thread: URL, onBug: (error: unknown) => void, onEnd: () => void): HashThread => {
  const worker = new Worker(thread, { name: 'hashing' });
  worker.unref();
  const waiting: Waiting[] = [];
  let stopped: DeskError | undefined;
  worker.on('message', (answer: HashAnswer) => waiting.shift()?.resolve(answer));
  worker.on('error', onBug);
  worker.once('exit', () => {
    stopped = new DeskError('upload/hashing-stopped', 'the hash thread has stopped', { retry: 'later' });
    onEnd();
    for (const { reject } of waiting) reject(stopped);
  });
  return {
    ask: (message) =>
      new Promise((resolve, reject) => {
        if (stopped) return reject(stopped);
        waiting.push({ resolve, reject });
        worker.postMessage(message);
      }),
    tell: (message) => worker.postMessage(message),
  };
};
