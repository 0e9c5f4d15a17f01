/** A file's bytes as they go out: throttled and counted. */

import type { RateLimit } from '../../async/rate-limit.ts';

/**
 * What goes to the connection at a time, and the granularity of progress. More than a socket buffers on top of what it
 * has not sent yet (its `writableHighWaterMark`), so when the next slice is requested, the system has all of this one.
 */
const SLICE_BYTES = 256 * 1024;

export type Outflow = {
  readonly limit: RateLimit;
  /** Called with the number of bytes of the file that were handed to the connection so far. */
  readonly onBytes: (sentBytes: number) => void;
  readonly signal: AbortSignal;
};

/**
 * `parts`, limited and counted from `sentBytes` on. Less than a full slice may still be in the socket's buffer when the
 * next is requested, and by then its part may be overwritten: so it is copied.
 */
export async function* limited(
  parts: Iterable<Buffer> | AsyncIterable<Buffer>,
  { limit, onBytes, signal }: Outflow,
  sentBytes = 0,
): AsyncGenerator<Buffer, void> {
  let sent = sentBytes;
  for await (const part of parts) {
    for (let from = 0; from < part.length; ) {
      const to = Math.min(part.length, from + Math.min(SLICE_BYTES, limit.partBytes()));
      await limit.take(to - from, signal);
      const slice = part.subarray(from, to);
      yield slice.length < SLICE_BYTES ? Buffer.from(slice) : slice;
      sent += to - from;
      from = to;
      onBytes(sent);
    }
  }
}
