/** A file's bytes as they go out: let out as the limit allows and counted, so that no transfer forgets either. */

import type { RateLimit } from '../../async/rate-limit.ts';
import type { LocalFile } from '../source/local-file.ts';

/**
 * What goes to the connection at a time: so far progress is seen. More than a socket takes on top of what it has not
 * sent yet (its `writableHighWaterMark`), so when the next is asked for, the system has all of this one.
 */
const SLICE_BYTES = 256 * 1024;

export type Outflow = {
  readonly limit: RateLimit;
  /** Told how many bytes of the file were handed to the connection so far. */
  readonly onBytes: (sentBytes: number) => void;
  readonly signal: AbortSignal;
};

/**
 * The content to send: the file itself where it is at hand and may go at once, else its parts, cut so that it does not
 * go out in jumps. `md5`: computed on the way.
 */
export const limitedBody = (
  file: LocalFile,
  options: { readonly md5: boolean },
  outflow: Outflow,
): Buffer | AsyncGenerator<Buffer, void> => {
  const isWhole = file.whole !== undefined && outflow.limit.partBytes() === Number.POSITIVE_INFINITY;
  // undici sends `content-length: 0` for an empty Buffer, but an empty iterator chunked.
  if (file.whole && (isWhole || file.whole.length === 0)) return file.whole;
  return limited(file.read(options), outflow);
};

/**
 * `parts`, limited and counted from `sentBytes` on. Less than a full slice may still wait in the socket when the next is
 * asked for, and by then its part may be written over: so it is copied.
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
