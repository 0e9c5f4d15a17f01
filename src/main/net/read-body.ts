/** Reads a body while it is received, so that no body, however large, blocks the process. */
import { setImmediate } from 'node:timers/promises';
import { DeskError } from '../../contract/errors.ts';
import { throwIfCancelled } from '../async/cancel.ts';

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

/** Passes `body` to `reader`. Closes the connection as soon as the reader needs no more or throws. */
export const readBody = async <T>(
  body: AsyncIterable<Buffer>,
  reader: BodyReader<T>,
  signal: AbortSignal,
): Promise<T> => {
  let sinceMs = performance.now();
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      if (!reader.take(chunk.subarray(at, at + SLICE_BYTES))) return reader.end();
      if (performance.now() - sinceMs > BUSY_MS) {
        await setImmediate();
        throwIfCancelled(signal);
        sinceMs = performance.now();
      }
    }
  }
  return reader.end();
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
