/** Reads a body while it is received, so that no body, however large, blocks the process. */
import { DeskError } from '../../contract/errors.ts';

/** Builds a value from a body while it is received. */
export type BodyReader<T> = {
  /** Takes the next part. Returns false if the rest is not needed. An error ends the exchange. */
  readonly take: (part: Buffer) => boolean;
  /** The result, after the last part. */
  readonly end: () => T;
};

/** Small enough for a reader to process in a few milliseconds. */
const SLICE_BYTES = 4096;
/** The longest time without a turn for other work. */
const BUSY_MS = 8;

/** Takes a body as it is received. */
export type BodyFlow = {
  readonly add: (chunk: Buffer) => void;
  /** Nothing follows. */
  readonly end: () => void;
};

type FlowOptions<T> = {
  readonly reader: BodyReader<T>;
  /** Stops and continues the stream of chunks. */
  readonly stream: { readonly pause: () => void; readonly resume: () => void };
  /** Called once with the result; `isWhole`: the rest of the body, if there is one, is not needed otherwise. */
  readonly onValue: (value: T, isWhole: boolean) => void;
  /** Called once with what the reader throws. */
  readonly onError: (error: unknown) => void;
};

/** Passes a body to its reader, and pauses it where that takes long, so that other work has its turns. */
export const createBodyFlow = <T>({ reader, stream, onValue, onError }: FlowOptions<T>): BodyFlow => {
  let waiting: Buffer[] = [];
  let isPaused = false;
  let isEnded = false;
  let isOver = false;

  /** Undefined: all that was received has been read, or it is time for a turn of others. */
  const readOn = (): boolean | undefined => {
    const sinceMs = performance.now();
    for (let chunk = waiting.shift(); chunk; chunk = waiting.shift()) {
      for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
        if (!reader.take(chunk.subarray(at, at + SLICE_BYTES))) return false;
        if (performance.now() - sinceMs <= BUSY_MS) continue;
        waiting.unshift(chunk.subarray(at + SLICE_BYTES));
        isPaused = true;
        return undefined;
      }
    }
    return isEnded ? true : undefined;
  };

  const run = (): void => {
    if (isPaused || isOver) return;
    try {
      const isWhole = readOn();
      if (isPaused) takeTurns();
      if (isWhole === undefined) return;
      isOver = true;
      waiting = [];
      onValue(reader.end(), isWhole);
    } catch (error) {
      isOver = true;
      waiting = [];
      onError(error);
    }
  };

  const takeTurns = (): void => {
    stream.pause();
    setImmediate(() => {
      isPaused = false;
      run();
      if (!isPaused) stream.resume();
    });
  };

  return {
    add: (chunk) => {
      waiting.push(chunk);
      run();
    },
    end: () => {
      isEnded = true;
      run();
    },
  };
};

/** The body as text. @throws DeskError `service/too-large` above `maxBytes` */
export const wholeText = (maxBytes: number): BodyReader<string> => {
  const body = collector();
  return {
    take: (part) => {
      if (body.add(part) > maxBytes) throw tooLarge({ maxBytes });
      return true;
    },
    end: body.text,
  };
};

/** The first `maxBytes` of a body as text; the rest is not waited for. */
export const startOfText = (maxBytes: number): BodyReader<string> => {
  const body = collector();
  return { take: (part) => body.add(part) < maxBytes, end: body.text };
};

/** The answer is larger than any valid one. A retry would not make it smaller. */
export const tooLarge = (details: Readonly<Record<string, number>>): DeskError =>
  new DeskError('service/too-large', 'the answer is too large', { details });

const collector = () => {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  return {
    add: (part: Buffer): number => {
      // A copy, because a small part would keep its whole chunk in memory.
      parts.push(Buffer.from(part));
      sizeBytes += part.length;
      return sizeBytes;
    },
    text: (): string => Buffer.concat(parts, sizeBytes).toString('utf8'),
  };
};
