/**
 * Hashing beside the thread that sends, which a sha256 would hold up for longer than the sending itself. One thread
 * hashes all large files; it starts with the first one, and keeps no process alive.
 */
import { Worker } from 'node:worker_threads';
import { DeskError } from '../../../contract/errors.ts';

/** Of a content, in hex; `md5` where it was asked for. */
export type Digests = { readonly sha256: string; readonly md5: string | undefined };

/** `id`: a number that the engine gives the content. */
export type HashMessage =
  | { readonly type: 'part'; readonly id: number; readonly part: Uint8Array; readonly md5: boolean }
  /** The content is whole: answered with its digests. */
  | { readonly type: 'last'; readonly id: number; readonly part: Uint8Array; readonly md5: boolean }
  /** The rest of the content will not come. Not answered. */
  | { readonly type: 'drop'; readonly id: number };

/** That a part was hashed; after the last one, the content's digests. */
export type HashAnswer = Digests | undefined;

/** One content on its way through the thread. Errors: `upload/hashing-stopped` (the thread died; another try helps). */
export type Hashing = {
  /** Resolves when the thread has read the part: until then it must stay as it is. */
  readonly part: (part: Buffer) => Promise<void>;
  /** Hashes what is left and answers the digests of the whole content. */
  readonly last: (part: Buffer) => Promise<Digests>;
  /** Forgets a content that was given up. */
  readonly drop: () => void;
};

export type Hasher = {
  readonly begin: (options: { readonly md5: boolean }) => Hashing;
  /** A buffer of `PART_BYTES`, which the thread reads where it is: shared memory. */
  readonly takePart: () => Buffer;
  /** For the next one who takes a part: nobody may look into it any more. */
  readonly giveBack: (part: Buffer) => void;
};

/** Large enough that waking threads for each costs little, small enough for many files at once. */
export const PART_BYTES = 512 * 1024;

/** `thread`: the module of source/hash-worker.ts as this host has it. `onBug` gets what the thread dies of. */
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
  // An error as a worker's parent gets it cannot be sent to a further thread as one.
  worker.on('error', ({ message, stack }) => onBug(Object.assign(new Error(message), { stack })));
  worker.once('exit', () => {
    stopped = new DeskError('upload/hashing-stopped', 'the thread that hashes has stopped', { retry: 'later' });
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
