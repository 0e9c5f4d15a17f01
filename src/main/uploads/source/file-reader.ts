/**
 * Small files are read in a thread of their own, without a turn of the thread pool for each of open, read, stat and
 * close: to ask the pool costs the engine's thread more than the whole of it. Whatever does not go smoothly is left to
 * openLocalFile, which waits for locks and knows what to say; so is every file while the thread stands still, as it
 * does on a drive that has fallen silent.
 */
import { Worker } from 'node:worker_threads';
import { createCoalescer } from '../../async/coalescer.ts';
import { type OpenFile, WHOLE_BYTES, wholeFile } from './local-file.ts';
import type { Content, ReadRequest } from './read-at-once.ts';

/** More than this many are not asked of a thread that does not answer. */
const MOST_ASKED = 16;

export type FileReader = {
  /** Opens files as `openAnyway` does. */
  readonly open: OpenFile;
  /** Whether the thread waits for a drive now. */
  readonly isReading: () => boolean;
};

/**
 * A reader of small files; others it leaves to `openAnyway`. `module`: that of source/read-worker.ts as this host has it; the
 * thread starts with the first small file, and keeps no process alive. `onBug` gets what it dies of.
 */
export const createFileReader = (module: URL, openAnyway: OpenFile, onBug: (error: unknown) => void): FileReader => {
  let thread: Worker | undefined;
  let isGone = false;
  /** Who waits for an answer, in the order of asking. */
  const asked: ((content: Content | undefined) => void)[] = [];

  const started = (): Worker => {
    const reader = new Worker(module, { name: 'reading' });
    reader.unref();
    reader.on('message', (contents: readonly (Content | undefined)[]) => {
      for (const content of contents) asked.shift()?.(content);
    });
    // An error as a worker's parent gets it cannot be sent to a further thread as one.
    reader.on('error', ({ message, stack }) => onBug(Object.assign(new Error(message), { stack })));
    reader.on('exit', () => {
      isGone = true;
      for (const give of asked.splice(0)) give(undefined);
    });
    return reader;
  };

  const { add: ask } = createCoalescer<ReadRequest>((files) => {
    thread ??= started();
    thread.postMessage(files);
  });

  const read = (request: ReadRequest): Promise<Content | undefined> =>
    new Promise((resolve) => {
      asked.push(resolve);
      ask(request);
    });

  const open: OpenFile = async (path, expected) => {
    const { sizeBytes, modifiedMs, identity, within } = expected;
    if (sizeBytes > WHOLE_BYTES || isGone || asked.length >= MOST_ASKED) return openAnyway(path, expected);
    const content = await read({ path, expected: { sizeBytes, modifiedMs, identity, within } });
    return content ? wholeFile(Buffer.from(content.whole.buffer), content.sha256) : openAnyway(path, expected);
  };
  return { open, isReading: () => asked.length > 0 };
};
