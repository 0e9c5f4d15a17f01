/** What may name a resource: ids come from the service, and stand in the addresses of later calls. */

const LONGEST_CHARS = 256;

/**
 * Whether `id` can stand in a path: not empty, not longer than any id, no dot segment, which would name something else
 * even when it is encoded, and no half of a surrogate pair, which cannot be encoded at all.
 */
export const isPathSegment = (id: string): boolean =>
  id !== '' && id !== '.' && id !== '..' && id.length <= LONGEST_CHARS && id.isWellFormed();
