import { DeskError } from '../../contract/errors.ts';

/** Returns `cached`. Errors: `cache/missing` if it is undefined. */
export const orMissing = <T>(cached: T | undefined): T => {
  if (cached === undefined) throw new DeskError('cache/missing', 'this was not read before');
  return cached;
};
