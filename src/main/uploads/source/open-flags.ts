import { constants } from 'node:fs';

/** Flags that a system may not have: Windows has none of them. */
type Flags = { readonly O_RDONLY: number } & Partial<Record<'O_NOFOLLOW' | 'O_NONBLOCK' | 'O_NOCTTY', number>>;

/**
 * For reading what was a file when it was scanned, whatever took its place: a link is refused, and a pipe without a
 * writer or a device keeps nobody waiting in `open`.
 */
export const readFlags = ({ O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 }: Flags = constants): number =>
  O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
