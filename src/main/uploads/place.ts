/** A file's place among those that are sent: given to another while the file waits, taken again after. */
import { cancellation } from '../net/cancel.ts';
import type { Slots } from './slots.ts';

export type Place = {
  /**
   * Gives the place away; the answered function waits for another. Undefined where too many rest already, and the
   * place is kept.
   */
  readonly rest: () => (() => Promise<void>) | undefined;
  /** The file needs no place any more, wherever it is; once more does nothing. */
  readonly leave: () => void;
};

/** `taken` frees the place that the file has in `slots`; `resting`: as many as may rest. */
export const createPlace = (
  slots: Pick<Slots, 'acquire'>,
  taken: () => void,
  resting: Pick<Slots, 'tryAcquire'>,
  signal: AbortSignal,
): Place => {
  let leave = taken;
  return {
    rest: () => {
      const wake = resting.tryAcquire();
      if (!wake) return undefined;
      leave();
      leave = wake;
      return async () => {
        const again = await slots.acquire(signal);
        if (!again) throw cancellation(signal);
        wake();
        leave = again;
      };
    },
    leave: () => {
      leave();
      leave = () => {};
    },
  };
};
