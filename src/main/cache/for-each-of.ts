import { throwIfCancelled } from '../async/cancel.ts';

/**
 * Does `work` for each of `items`, up to `atOnce` at a time. The first error aborts the work in progress and is thrown
 * once that has ended.
 */
export const forEachOf = async <T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> => {
  const failing = new AbortController();
  const stopped = AbortSignal.any([signal, failing.signal]);
  const failures: unknown[] = [];
  const waiting = items.values();
  const worker = async (): Promise<void> => {
    try {
      for (const item of waiting) {
        if (stopped.aborted) return;
        await work(item, stopped);
      }
    } catch (error) {
      failures.push(error);
      failing.abort();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failures.length > 0) throw failures[0];
  throwIfCancelled(signal);
};
