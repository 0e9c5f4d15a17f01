/** Which ids can name a resource: they come from the service and become part of the paths of later calls. */

const LONGEST_CHARS = 256;

/**
 * Whether `id` can be part of a path: not empty, not too long, no dot segment, which would name something else even
 * when encoded, and no lone surrogate, which cannot be encoded at all.
 */
export const isPathSegment = (id: string): boolean =>
  id !== '' && id !== '.' && id !== '..' && id.length <= LONGEST_CHARS && id.isWellFormed();
