/** With which flags files are opened for reading. */
import { constants } from 'node:fs';

/** Optional flags: Windows has none of them. */
type Flags = { readonly O_RDONLY: number } & Partial<Record<'O_NOFOLLOW' | 'O_NONBLOCK' | 'O_NOCTTY', number>>;

/**
 * For reading a path that was a file when it was scanned: a link is refused, and `open` does not wait for a pipe without a
 * writer, or for a device.
 */
export const readFlags = ({ O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 }: Flags = constants): number =>
  O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
