import { DeskError } from '../../contract/errors.ts';

/** What the cache has, or `cache/missing`. */
export const orMissing = <T>(kept: T | undefined): T => {
  if (kept === undefined) throw new DeskError('cache/missing', 'nothing of this was read before');
  return kept;
};
