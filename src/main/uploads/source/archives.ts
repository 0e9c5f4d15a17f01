/** Lists the files in archives and mails, and opens them to be sent, without unpacking them to the disk. */
import { codeOf, DeskError } from '../../../contract/errors.ts';
import { createSerial } from '../../async/lock.ts';
import { type Remote, startWorker } from '../../async/port-calls.ts';
import type { ArchiveCalls } from './archive-reader.ts';
import { type Expected, innerFacts } from './file-identity.ts';
import type { Hasher } from './hasher.ts';
import { type LocalFile, WHOLE_BYTES, wholeFile } from './local-file.ts';
import { lookInPlace } from './open-file.ts';
import { archiveOf } from './paths.ts';
import type { Listing } from './scan.ts';

export type Archives = ReturnType<typeof createArchives>;

/** How long one step, such as parsing a mail, can keep the worker busy before the worker is ended. */
const MOST_BUSY_MS = 10_000;
/** How much memory one step can use, in bytes, before the worker is ended. */
const MOST_BYTES = 200 * 1024 * 1024;
const WATCH_MS = 200;

/**
 * Creates a reader of archives. Its worker starts with the first archive, and ends with `close` or when a step exceeds
 * its limits. `module`: the URL of source/read-worker.ts. `onBug` receives other errors that end the worker.
 */
export const createArchives = (
  module: URL,
  hasher: Hasher | undefined,
  onBug: (error: unknown) => void,
  mostBusyMs = MOST_BUSY_MS,
) => {
  const inTurn = createSerial();
  let current: ArchiveWorker | undefined;
  const present = (): ArchiveWorker => {
    current ??= startArchiveWorker(module, mostBusyMs, onBug, () => {
      current = undefined;
    });
    return current;
  };

  async function* partsOf(path: string, expected: Expected): AsyncGenerator<Buffer, void> {
    // A stream's number is valid only in the worker that created it: another worker may use it for another file.
    const worker = present();
    const id = await worker.call((archives) => archives.begin({ path, expected }));
    const next = () => worker.call((archives) => archives.next(id));
    try {
      for (let part = await next(); part !== undefined; part = await next())
        yield Buffer.from(part.buffer, part.byteOffset, part.length);
    } finally {
      worker.call((archives) => archives.end(id)).catch(() => {});
    }
  }
  const look = (path: string, expected: Expected): Promise<number> =>
    present().call((archives) => archives.look({ path, expected }));
  /** Returns the content up to the first part with which it has `mostBytes`. */
  const startOf = async (path: string, expected: Expected, mostBytes = Number.POSITIVE_INFINITY): Promise<Buffer> => {
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of partsOf(path, expected)) {
      parts.push(part);
      bytes += part.length;
      if (bytes >= mostBytes) break;
    }
    return Buffer.concat(parts);
  };
  const presentFacts = async (path: string, within: string | undefined): Promise<Expected> => {
    const expected = { ...innerFacts(await lookInPlace(archiveOf(path), within), 0), within };
    return { ...expected, sizeBytes: await look(path, expected) };
  };

  return {
    /** Lists the files in an archive, or returns why it cannot be opened. Errors: `upload/file-…`. */
    // Archives are listed one at a time, so that an archive that exceeds a limit stops only its own listing.
    list: (path: string, expected: Expected): Promise<Listing> =>
      inTurn(() =>
        present()
          .call((archives) => archives.list({ path, expected }))
          .catch((error) => {
            if (error instanceof DeskError && error.code === 'upload/archive-stopped') return { unopened: 'stopped' };
            throw error;
          }),
      ),
    /** Opens a file in an archive. Errors: those of `list`, `upload/archive-damaged`, `upload/archive-stopped`. */
    open: async (path: string, expected: Expected): Promise<LocalFile> => {
      if (expected.sizeBytes <= WHOLE_BYTES || hasher === undefined) return wholeFile(await startOf(path, expected));
      // A changed file is detected before a signature is requested for it.
      if ((await look(path, expected)) !== expected.sizeBytes)
        throw new DeskError('upload/file-changed', 'the file changed since it was found', {
          details: { how: 'its size is another' },
        });
      return streamedFile(() => partsOf(path, expected), hasher);
    },
    /** Reads a file's present content; undefined if it has more than `mostBytes`. Errors: those of `open`. */
    readWhole: async (path: string, within: string | undefined, mostBytes: number): Promise<Buffer | undefined> => {
      const expected = await presentFacts(path, within);
      return expected.sizeBytes > mostBytes ? undefined : startOf(path, expected);
    },
    /** Reads the start of a file's present content: `mostBytes` or somewhat more. Errors: those of `open`. */
    readStart: async (path: string, within: string | undefined, mostBytes: number): Promise<Buffer> =>
      startOf(path, await presentFacts(path, within), mostBytes),
    /** Ends the worker. A later call starts another one. */
    close: (): void => current?.close(),
  };
};

/** Creates a file that is unpacked while it is read, each time from the beginning. A worker hashes the content. */
const streamedFile = (parts: () => AsyncGenerator<Buffer, void>, hasher: Hasher): LocalFile => {
  let digests: ReturnType<LocalFile['digests']>;
  async function* read({ md5 } = { md5: false }): AsyncGenerator<Buffer, void> {
    using hashing = hasher.begin({ md5 });
    let last: Buffer | undefined;
    for await (const part of parts()) {
      if (last) {
        await hashing.part(last);
        yield last;
      }
      last = part;
    }
    if (!last) return;
    digests = await hashing.last(last);
    yield last;
  }
  return { whole: undefined, read, digests: () => digests, close: async () => {} };
};

type ArchiveWorker = ReturnType<typeof startArchiveWorker>;

const startArchiveWorker = (module: URL, mostBusyMs: number, onBug: (error: unknown) => void, onEnd: () => void) => {
  let open = 0;
  let watch: NodeJS.Timeout | undefined;
  const { call, thread } = startWorker<ArchiveCalls>(module, {
    name: 'archives',
    isBackground: true,
    workerData: { serves: 'archives' },
    resourceLimits: { maxOldGenerationSizeMb: MOST_BYTES / 1024 / 1024 },
    stopped: () =>
      new DeskError('upload/archive-stopped', 'reading the archive took too much time or memory', { retry: 'later' }),
    onBug: (error) => {
      if (codeOf(error) !== 'ERR_WORKER_OUT_OF_MEMORY') onBug(error);
    },
    onExit: () => {
      clearInterval(watch);
      onEnd();
    },
  });
  /** The worker's processor time and memory before the step in progress. */
  const before = { busyMs: 0, bytes: 0 };
  const busyMs = (): number => thread.performance.eventLoopUtilization().active;
  // The worker's own memory, which can be read even while the worker parses. The memory of the process also depends on
  // other work.
  const usedBytes = async (): Promise<number> => {
    const { used_heap_size, external_memory } = await thread.getHeapStatistics();
    return used_heap_size + external_memory;
  };
  const mark = async (): Promise<void> => {
    before.busyMs = busyMs();
    before.bytes = await usedBytes();
  };
  const look = async (): Promise<void> => {
    if (busyMs() - before.busyMs > mostBusyMs) await thread.terminate();
    else if ((await usedBytes()) - before.bytes > MOST_BYTES) await thread.terminate();
  };
  // A worker that has just ended has no statistics.
  const ignoringEnd = (work: () => Promise<void>) => (): void => void work().catch(() => {});
  const settle = (): void => {
    open -= 1;
    ignoringEnd(mark)();
    if (open > 0) return;
    clearInterval(watch);
    watch = undefined;
  };
  return {
    call: <T>(made: (archives: Remote<ArchiveCalls>) => Promise<T>): Promise<T> => {
      open += 1;
      if (!watch) {
        before.busyMs = busyMs();
        watch = setInterval(ignoringEnd(look), WATCH_MS).unref();
      }
      return made(call).finally(settle);
    },
    close: () => void thread.terminate(),
  };
};
