/** Reading a body as it comes, so that neither its size nor what is in it stops everything else in this process. */
import { setImmediate } from 'node:timers/promises';
import { DeskError } from '../../contract/errors.ts';
import { throwIfCancelled } from '../async/cancel.ts';

/** Makes something of a body while it comes. */
export type BodyReader<T> = {
  /** The next part. False: the rest is not needed. What it throws ends the exchange. */
  readonly take: (part: Buffer) => boolean;
  /** What the body is, after its last part. */
  readonly end: () => T;
};

/** So little that what a reader does with it takes a few milliseconds at most. */
const SLICE_BYTES = 4096;
/** How long this process is kept busy without a turn for anybody else. */
const BUSY_MS = 8;

/** Gives `body` to `reader`; leaves it, and so ends its connection, as soon as that needs no more or throws. */
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

/** An answer beyond all that the interface could mean: asking again would not make it smaller. */
export const tooLarge = (details: Readonly<Record<string, number>>): DeskError =>
  new DeskError('service/too-large', 'the answer is too large', { details });

const collector = () => {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  return {
    add: (part: Buffer): number => {
      // A copy: a small part would keep the whole chunk in memory that it was cut from.
      parts.push(Buffer.from(part));
      sizeBytes += part.length;
      return sizeBytes;
    },
    text: (): string => Buffer.concat(parts, sizeBytes).toString('utf8'),
  };
};
