/** A cache that survives damage to its file by continuing with a new one. */
import { DeskError } from '../../contract/errors.ts';
import type { Cache } from './cache.ts';

/**
 * `first`, until a call finds damage. Then `openAnew` opens a new cache, which repeats that call and serves all later
 * ones. Work that several calls share (`together`) is repeated as a whole.
 */
export const renewed = (first: Cache, openAnew: () => Cache): Cache => {
  let cache = first;
  let depth = 0;

  /** Replaces the damaged cache `used`, unless another call has already done so. Rethrows other errors. */
  const recover = (error: unknown, used: Cache): void => {
    if (!(error instanceof DeskError) || error.code !== 'data/corrupt') throw error;
    if (used !== cache) return;
    used.close();
    cache = openAnew();
  };
  const run = (work: () => unknown): unknown => {
    const used = cache;
    depth += 1;
    try {
      const answer = work();
      if (!(answer instanceof Promise)) return answer;
      return answer.catch((error: unknown) => {
        recover(error, used);
        return work();
      });
    } catch (error) {
      if (depth > 1) throw error;
      recover(error, used);
      return work();
    } finally {
      depth -= 1;
    }
  };
  const renewing = <T extends object>(part: T, present: () => T): T => {
    const calls = Object.keys(part).map((name) => [
      name,
      (...args: readonly unknown[]) =>
        run(() => (present()[name as keyof T] as (...args: readonly unknown[]) => unknown)(...args)),
    ]);
    return Object.fromEntries(calls) as T;
  };

  const { passes, ...calls } = first;
  return { ...renewing(calls, () => cache), passes: renewing(passes, () => cache.passes) };
};
